// SPDX-License-Identifier: Apache-2.0
/// Writes the results of a collective, which are the statistics of collective_statistics.h, as JSON, CSV and tables,
/// and compares several algorithms in a table. Like the files of results.h, the files contain nothing that depends on
/// the machine, the clock or the directory.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "weft/collectives/report/collective_statistics.h"
#include "weft/configuration/keys.h"
#include "weft/report/comparison.h"

namespace weft::experiment {

json to_json(const collective_summary& r);
/// The CSV file: a header line and one row.
std::string to_csv(const collective_summary& r);
std::string to_table(const collective_summary& r);

/// A table that compares the results of several algorithms.
std::string comparison_of_collectives(const std::vector<compared_run>& algorithms);

/// Messages and hops of each step of a collective, for `--analyse`.
using collective_counts = std::vector<collective_count>;
std::string analysis_table(const configuration& c,
                           const std::vector<std::pair<std::string, collective_counts>>& counts);
/// The contents of analysis_table() as JSON. Paths are relative to the directory of \p file.
json analysis_json(const configuration& c, const std::vector<std::pair<std::string, collective_counts>>& counts,
                   const std::filesystem::path& file);

}  // namespace weft::experiment
