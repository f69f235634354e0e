// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/report/collective_statistics.h"

#include "unit/experiment/statistic_tables.h"

namespace weft::experiment {
namespace {

TEST(unit_experiment_collective_statistics, are_declared_completely_and_listed) {
  expect_sound(collective_statistics());
  expect_listed(collective_statistics(), "collective");
}

}  // namespace
}  // namespace weft::experiment
