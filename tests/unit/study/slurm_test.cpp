// SPDX-License-Identifier: Apache-2.0
#include "weft/study/slurm.h"

#include <gmock/gmock.h>

namespace weft::experiment {
namespace {

using ::testing::HasSubstr;

TEST(unit_study_slurm, each_task_of_the_job_script_runs_one_part) {
  const std::string script =
      slurm_script("/opt/weft", {"sweep", "it's.yaml", "--over", "a=[1, 2]"}, "/data/me", "mesh", 8);
  EXPECT_EQ(script.rfind("#!/bin/bash\n", 0), 0u);
  EXPECT_THAT(script, HasSubstr("#SBATCH --array=0-7\n"));
  EXPECT_THAT(script, HasSubstr("#SBATCH --job-name=weft-mesh\n"));
  EXPECT_THAT(script, HasSubstr("\ncd /data/me || exit\n"));
  EXPECT_THAT(script, HasSubstr("exec /opt/weft sweep 'it'\\''s.yaml' --over 'a=[1, 2]' --quiet --jobs "
                                "\"${SLURM_CPUS_PER_TASK:-1}\" --part \"$SLURM_ARRAY_TASK_ID/8\"\n"));
}

/// A line break in a name would end the comment, and the shell would run the rest of the name.
TEST(unit_study_slurm, line_breaks_in_a_name_do_not_inject_commands) {
  const std::string name = "a\ntouch pwned\n#";
  const std::string script = slurm_script("/opt/weft", {"sweep", "--set", "output.name=" + name}, "/data/me", name, 8);
  EXPECT_THAT(script, testing::Not(HasSubstr("\ntouch")));
  EXPECT_THAT(script, HasSubstr("#SBATCH --job-name=$'weft-a\\x0atouch pwned\\x0a#'\n"));
}

}  // namespace
}  // namespace weft::experiment
