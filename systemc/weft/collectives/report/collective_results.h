// SPDX-License-Identifier: Apache-2.0
/// Results of a collective, as files and as tables: views of the statistics in collective_statistics.h, and tables of
/// several algorithms side by side. The reference is docs/02_user/statistics.md.
/// As in results.h, files contain nothing that depends on the machine, the clock or the directory.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "weft/collectives/report/collective_statistics.h"
#include "weft/configuration/keys.h"
#include "weft/report/comparison.h"

namespace weft::experiment {

json to_json(const collective_summary& r);
/// Header line and one row.
std::string to_csv(const collective_summary& r);
std::string to_table(const collective_summary& r);

/// Algorithms side by side.
std::string comparison_of_collectives(const std::vector<compared_run>& algorithms);

/// Counts by step, for `--analyse`.
using collective_counts = std::vector<collective_count>;
std::string analysis_table(const configuration& c,
                           const std::vector<std::pair<std::string, collective_counts>>& counts);
/// The same as JSON for \p file, to which paths are relative.
json analysis_json(const configuration& c, const std::vector<std::pair<std::string, collective_counts>>& counts,
                   const std::filesystem::path& file);

}  // namespace weft::experiment
