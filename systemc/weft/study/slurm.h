// SPDX-License-Identifier: Apache-2.0
/// A sweep as a job array of Slurm.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace weft::experiment {

/// A script for sbatch. Its tasks run `weft` with \p arguments and `--part`, each for its part of the points. Stored
/// points are not run again, so the script can be resubmitted after a node failure.
/// \param program absolute path of weft
/// \param directory base of relative paths in the arguments
/// \param name name of the job
std::string slurm_script(const std::string& program, const std::vector<std::string>& arguments,
                         const std::string& directory, const std::string& name, std::size_t tasks);

}  // namespace weft::experiment
