// SPDX-License-Identifier: Apache-2.0
/// Checks replay keys whose effect depends on other values in ways that the table of keys cannot express: options of
/// collective algorithms, and truncation rules. The functions are in mpi/configuration. A build without MPI uses the
/// functions in left_out_mpi.cpp instead, which reject every replay.
#pragma once

#include <optional>
#include <vector>

#include "weft/configuration/configuration.h"
#include "weft/core/diagnostic.h"

namespace weft::experiment {

/// The kind of the program that \p c replays, determined from the contents or the name of its file. Nothing if \p c has
/// no program or the file cannot be read.
std::optional<program_kind> program_kind_of(const configuration& c);

/// Resets keys without effect to their defaults: options of algorithms that no collective uses, and truncation rules
/// that cannot match because an override selects another kind of trace.
void drop_unused_replayed_keys(configuration& c);

/// Errors of replay keys: wrong values, and keys without effect. A key that has lost its effect by an override is not
/// an error.
std::vector<diagnostic> check_replayed_keys(const configuration& c);

}  // namespace weft::experiment
