// SPDX-License-Identifier: Apache-2.0
#include "weft/report/other_statistics.h"

namespace weft::experiment {

const statistic_declarations& replay_declarations() {
  static const statistic_declarations none;
  return none;
}

}  // namespace weft::experiment
