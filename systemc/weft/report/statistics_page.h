// SPDX-License-Identifier: Apache-2.0
/// The tables of statistics as JSON and as a page of the user guide.
#pragma once

#include <string>

#include "weft/configuration/keys.h"

namespace weft::experiment {

/// The name, unit, description, CSV columns and terminal row of each statistic, by kind of experiment: run, collective,
/// replay and saturation.
json statistics_json();

/// The text of docs/02_user/statistics.md.
std::string statistics_page();

}  // namespace weft::experiment
