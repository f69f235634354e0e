// SPDX-License-Identifier: Apache-2.0
#include "weft/mpi/replay/chakra.h"
#include "weft/mpi/report/replay_results.h"
#include "weft/mpi/simulation/replay_experiment.h"
#include "weft/study/other_experiments.h"

namespace weft::experiment {

point_result run_replay_point(const configuration& c, const rtl_provider& rtl, const run_hooks& hooks) {
  replay_experiment work(c, nullptr, {}, rtl);
  const replay_result result = work.run(hooks);
  work.tear_down();
  const replay_summary r{c, work, result};
  return result_of(result.how, result.explanation, to_csv(r), to_json(r));
}

void check_replay(const configuration& c, const rtl_provider& rtl) {
  const replay_experiment built(c, nullptr, {}, rtl);
}

std::vector<std::filesystem::path> chakra_files_of(const std::filesystem::path& file) {
  return is_chakra(file) ? chakra_files(file) : std::vector<std::filesystem::path>();
}

}  // namespace weft::experiment
