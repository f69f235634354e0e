// SPDX-License-Identifier: Apache-2.0
/// Writes the script that runs a sweep as a job array of Slurm.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace weft::experiment {

/// A script for sbatch. Each of its tasks runs `weft` with \p arguments and with `--part`, which selects a part of the
/// points. Stored points are not run again, so the script can be submitted again after a node failure.
/// \param program absolute path of weft
/// \param directory base of relative paths in the arguments
/// \param name name of the job
/// \param tasks number of tasks
std::string slurm_script(const std::string& program, const std::vector<std::string>& arguments,
                         const std::string& directory, const std::string& name, std::size_t tasks);

}  // namespace weft::experiment
