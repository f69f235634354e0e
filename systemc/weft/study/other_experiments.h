// SPDX-License-Identifier: Apache-2.0
/// The experiments that optional parts of Weft add: collectives, in collectives/study, and replays of programs, in
/// mpi/study. A build without such a part has the functions of left_out_collectives.cpp or left_out_mpi.cpp instead,
/// which report that the part was left out.
#pragma once

#include <filesystem>
#include <vector>

#include "weft/configuration/configuration.h"
#include "weft/simulation/run.h"
#include "weft/study/point.h"

namespace weft::experiment {

/// Simulates the collective of \p c as a point of a study. \throws configuration_error
point_result run_collective_point(configuration& c, const rtl_provider& rtl, const run_hooks& hooks);
/// Builds the collective of \p c, to find errors of \p c. \throws configuration_error
void check_collective(configuration& c, const rtl_provider& rtl);

/// Simulates the program of \p c as a point of a study. \throws configuration_error
point_result run_replay_point(const configuration& c, const rtl_provider& rtl, const run_hooks& hooks);
/// Builds the replay of \p c, to find errors of \p c. \throws configuration_error
void check_replay(const configuration& c, const rtl_provider& rtl);

/// The files of all ranks if \p file is a Chakra trace; otherwise empty.
std::vector<std::filesystem::path> chakra_files_of(const std::filesystem::path& file);

}  // namespace weft::experiment
