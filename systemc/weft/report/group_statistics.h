// SPDX-License-Identifier: Apache-2.0
/// Statistics of parts of the packets: those of each of several traffics, and those of each message class.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "weft/report/run_statistics.h"

namespace weft::experiment {

/// The name of an element of the statistic `traffics` or `classes`, such as "video" or "class 1".
std::string name_of_group(const json& group);

/// Declares the statistics `traffics` and `classes`.
void add_groups(statistic_table<run_summary>& t);

/// The CSV columns of all groups and their values, in the order of the groups. \param result a whole result
std::vector<std::pair<std::string, std::string>> group_cells(const json& result);
std::vector<std::pair<std::string, std::string>> group_cells(const run_summary& r);

/// Table for the terminal with one row for each group; empty if there are no groups.
std::string group_rows(const run_summary& r);

}  // namespace weft::experiment
