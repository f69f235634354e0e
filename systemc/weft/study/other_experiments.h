// SPDX-License-Identifier: Apache-2.0
/// The experiments that optional parts of Weft add: collectives (collectives/study) and replays of programs
/// (mpi/study). In a build without such a part, left_out_collectives.cpp or left_out_mpi.cpp defines these functions.
/// They then report that the part was left out.
#pragma once

#include <filesystem>
#include <vector>

#include "weft/configuration/configuration.h"
#include "weft/simulation/run.h"
#include "weft/study/point.h"

namespace weft::experiment {

/// Simulates the collective of \p c as a point of a study. \throws configuration_error
point_result run_collective_point(configuration& c, const rtl_provider& rtl, const run_hooks& hooks);
/// Checks \p c by building its collective. \throws configuration_error
void check_collective(configuration& c, const rtl_provider& rtl);

/// Replays the recorded program of \p c as a point of a study. \throws configuration_error
point_result run_replay_point(const configuration& c, const rtl_provider& rtl, const run_hooks& hooks);
/// Checks \p c by building its replay. \throws configuration_error
void check_replay(const configuration& c, const rtl_provider& rtl);

/// The files of all ranks of the Chakra trace to which \p file belongs; empty if it is no Chakra trace.
std::vector<std::filesystem::path> chakra_files_of(const std::filesystem::path& file);

}  // namespace weft::experiment
