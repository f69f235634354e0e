// SPDX-License-Identifier: Apache-2.0
/// The statistics of the experiments that optional parts of Weft add: collectives, which collectives/report declares,
/// and replays, which mpi/report declares. In a build without such a part, its table is empty.
#pragma once

#include "weft/report/statistic.h"

namespace weft::experiment {

const statistic_declarations& collective_declarations();
const statistic_declarations& replay_declarations();

}  // namespace weft::experiment
