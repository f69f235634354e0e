// SPDX-License-Identifier: Apache-2.0
/// The keys of BookSim2's configurations, and their defaults.
#pragma once

#include <vector>

#include "weft/import/simulator_key.h"

namespace weft::experiment {

/// Source: the documentation of BookSim2, and `booksim_config.cpp` of its public version.
const std::vector<simulator_key>& booksim_keys();

}  // namespace weft::experiment
