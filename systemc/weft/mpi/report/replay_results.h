// SPDX-License-Identifier: Apache-2.0
/// The results of a replay as JSON, CSV and tables, which show the statistics of replay_statistics.h, and a table that
/// compares several compression modes. The reference is docs/02_user/statistics.md.
/// Like the files of results.h, these files contain nothing that depends on the machine, the clock or the directory.
#pragma once

#include <string>
#include <vector>

#include "weft/configuration/keys.h"
#include "weft/mpi/report/replay_statistics.h"
#include "weft/report/comparison.h"

namespace weft::experiment {

json to_json(const replay_summary& r);
/// The CSV file: a header line and one row.
std::string to_csv(const replay_summary& r);
std::string to_table(const replay_summary& r);

/// A table that compares the results of several compression modes.
std::string comparison_of_replays(const std::vector<compared_run>& modes);

}  // namespace weft::experiment
