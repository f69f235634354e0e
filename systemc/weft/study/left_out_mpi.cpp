// SPDX-License-Identifier: Apache-2.0
#include "weft/configuration/left_out.h"
#include "weft/study/other_experiments.h"

namespace weft::experiment {

point_result run_replay_point(const configuration& c, const rtl_provider&, const run_hooks&) {
  throw configuration_error({left_out_mpi(c.where("workload.trace"))});
}

void check_replay(const configuration& c, const rtl_provider&) {
  throw configuration_error({left_out_mpi(c.where("workload.trace"))});
}

std::vector<std::filesystem::path> chakra_files_of(const std::filesystem::path&) { return {}; }

}  // namespace weft::experiment
