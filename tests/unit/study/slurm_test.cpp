// SPDX-License-Identifier: Apache-2.0
#include "weft/experiment/study/slurm.h"

#include <gmock/gmock.h>

namespace weft::experiment {
namespace {

using ::testing::HasSubstr;

TEST(unit_study_slurm, the_script_runs_a_part_in_each_task) {
  const std::string script =
      slurm_script("/opt/weft", {"sweep", "it's.yaml", "--over", "a=[1, 2]"}, "/data/me", "mesh", 8);
  EXPECT_EQ(script.rfind("#!/bin/bash\n", 0), 0u);
  EXPECT_THAT(script, HasSubstr("#SBATCH --array=0-7\n"));
  EXPECT_THAT(script, HasSubstr("#SBATCH --job-name=weft-mesh\n"));
  EXPECT_THAT(script, HasSubstr("\ncd /data/me || exit\n"));
  EXPECT_THAT(script, HasSubstr("exec /opt/weft sweep 'it'\\''s.yaml' --over 'a=[1, 2]' --quiet --jobs "
                                "\"${SLURM_CPUS_PER_TASK:-1}\" --part \"$SLURM_ARRAY_TASK_ID/8\"\n"));
}

}  // namespace
}  // namespace weft::experiment
