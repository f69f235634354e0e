// SPDX-License-Identifier: Apache-2.0
#include "weft/mpi/report/replay_statistics.h"

#include "unit/experiment/statistic_tables.h"

namespace weft::experiment {
namespace {

TEST(unit_experiment_replay_statistics, are_declared_completely_and_listed) {
  expect_sound(replay_statistics());
  expect_listed(replay_statistics(), "replay");
}

}  // namespace
}  // namespace weft::experiment
