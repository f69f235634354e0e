// SPDX-License-Identifier: Apache-2.0
/// The tables of statistics for others to read: as JSON, for programs, and as the page of the user guide.
#pragma once

#include <string>

#include "weft/experiment/configuration/keys.h"

namespace weft::experiment {

/// Of `weft run` and `weft collective`: name, unit, description, columns and row of every statistic.
json statistics_json();

/// docs/02_user/statistics.md.
std::string statistics_page();

}  // namespace weft::experiment
