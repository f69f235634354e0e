// SPDX-License-Identifier: Apache-2.0
/// A collective played on a small network at either level, and what came of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "weft/core/parameters.h"
#include "weft/topology/generators/grid.h"
#include "weft/topology/topology.h"
#include "weft/workload/collective/collective.h"
#include "weft/workload/collective/collective_network.h"
#include "weft/workload/collective/collective_traffic.h"

struct collective_case {
  weft::grid_parameters grid{{4, 4}};
  std::optional<weft::topology> graph{};  ///< in place of the grid
  weft::router_parameters router{4, 8, 3};
  weft::nic_parameters nic;  ///< XOR stages and ejection buffer as the options ask for
  weft::collective_options options;

  weft::collective_network network() const;
};

struct collective_outcome {
  bool finished = false;
  std::vector<std::string> lacks;  ///< collective_traffic::verify()
  std::string error;
  std::vector<weft::collective_figures> steps;
  weft::collective_figures total;
  weft::xor_figures xors;
  weft::cycle_t end = 0;
  std::vector<weft::message_id> lost;
  std::string events;  ///< every event, as event_log has them
};

enum class played_at { Engine, Pin };

/// Until it is finished, or nothing has moved for a while. At pin level once in a process.
collective_outcome play(const weft::collective& c, const collective_case& where, played_at level = played_at::Engine);
