// SPDX-License-Identifier: Apache-2.0
/// The options of `weft forwarding`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "weft/collectives/schedule/forwarding/forwarding.h"
#include "weft/command/command.h"
#include "weft/configuration/configuration.h"

namespace weft::experiment {

struct forwarding_command_options {
  input in;
  std::string links, known, collective, counts, check, output, chakra, ccsched, proof;
  std::optional<node_id> root;
  std::optional<unsigned> chunks, ports;
  std::optional<std::size_t> steps, rounds;
  double seconds = 60;
  std::size_t conflicts = 100'000;
  std::uint64_t bytes = 1 << 20;
  bool frontier = false;
  bool quiet = false;

  bool is_alltoallv() const { return collective == "alltoallv"; }
  std::size_t networks() const { return !in.file.empty() + !links.empty() + !known.empty(); }
  std::string collective_option() const { return "--collective " + collective; }

  /// Loads the configuration. Without CONFIG, only the options determine it. \throws configuration_error
  configuration load() const;
};

void add_forwarding_options(CLI::App& command, forwarding_command_options& o);

/// The collective that `--collective` names. \throws configuration_error if the name is missing or unknown
schedule::forwarding_collective collective_of(const forwarding_command_options& o);

/// Whether the collective has a root, so that --root applies.
bool has_root(schedule::forwarding_collective what);

/// Rejects options that have no effect for this collective. \throws configuration_error
void reject_unused_options(const forwarding_command_options& o, schedule::forwarding_collective what);

}  // namespace weft::experiment
