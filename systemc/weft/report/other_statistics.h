// SPDX-License-Identifier: Apache-2.0
/// The statistics of optional parts of Weft. collectives/report declares the statistics of collectives, and mpi/report
/// those of replays. In a build without one of these parts, the table of that part is empty.
#pragma once

#include "weft/report/statistic.h"

namespace weft::experiment {

const statistic_declarations& collective_declarations();
const statistic_declarations& replay_declarations();

}  // namespace weft::experiment
