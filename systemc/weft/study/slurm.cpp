// SPDX-License-Identifier: Apache-2.0
#include "weft/study/slurm.h"

#include <fmt/format.h>

#include "weft/core/escape.h"

namespace weft::experiment {

std::string slurm_script(const std::string& program, const std::vector<std::string>& arguments,
                         const std::string& directory, const std::string& name, std::size_t tasks) {
  std::string command = shell_word(program);
  for (const std::string& argument : arguments) command += " " + shell_word(argument);
  return fmt::format(R"(#!/bin/bash
# Written by weft. Submit it with `sbatch`. Afterwards, run
#   {0}
# in {1} to collect the results and to run the missing points.
# Add time and memory limits, partition and account as needed.
#SBATCH --job-name={2}
#SBATCH --array=0-{3}
#SBATCH --cpus-per-task=1
#SBATCH --requeue
cd {1} || exit
exec {0} --quiet --jobs "${{SLURM_CPUS_PER_TASK:-1}}" --part "$SLURM_ARRAY_TASK_ID/{4}"
)",
                     command, shell_word(directory), shell_word("weft-" + name), tasks - 1, tasks);
}

}  // namespace weft::experiment
