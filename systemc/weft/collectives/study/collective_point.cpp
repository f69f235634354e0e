// SPDX-License-Identifier: Apache-2.0
#include <optional>

#include "weft/collectives/report/collective_results.h"
#include "weft/collectives/simulation/collective_experiment.h"
#include "weft/study/other_experiments.h"

namespace weft::experiment {

point_result run_collective_point(configuration& c, const rtl_provider& rtl, const run_hooks& hooks) {
  const std::optional<played_schedule> played = read_schedule_of(c);
  collective_experiment work(c, nullptr, {}, rtl, played ? &*played : nullptr);
  const collective_result result = work.run(hooks);
  work.tear_down();
  const collective_summary r{c, work, result, work.floors()};
  return result_of(result.how, result.explanation, to_csv(r), to_json(r));
}

void check_collective(configuration& c, const rtl_provider& rtl) {
  const std::optional<played_schedule> played = read_schedule_of(c);
  const collective_experiment built(c, nullptr, {}, rtl, played ? &*played : nullptr);
}

}  // namespace weft::experiment
