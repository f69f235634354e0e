// SPDX-License-Identifier: Apache-2.0
/// Replay keys whose effect depends on other values in ways that the table of keys cannot express: options of
/// collective algorithms, and trace truncation rules. The functions are in mpi/configuration; a build without that part
/// has those of left_out_mpi.cpp instead, which reject every replay.
#pragma once

#include <optional>
#include <vector>

#include "weft/configuration/configuration.h"
#include "weft/core/diagnostic.h"

namespace weft::experiment {

/// The kind of the program of \p c, by its contents or name; nothing if it has none or if it cannot be read.
std::optional<program_kind> program_kind_of(const configuration& c);

/// Resets keys without effect to their defaults: options of algorithms that no collective uses, and rules without
/// messages in an overriding trace.
void drop_unused_replayed_keys(configuration& c);

/// Errors of these keys, and keys that have no effect, unless an override is the reason that they have none.
std::vector<diagnostic> check_replayed_keys(const configuration& c);

}  // namespace weft::experiment
