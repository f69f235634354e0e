// SPDX-License-Identifier: Apache-2.0
/// Results of a replay, as files and as tables: views of the statistics in replay_statistics.h, and a table of several
/// compression modes. The reference is docs/02_user/statistics.md.
/// As in results.h, files contain nothing that depends on the machine, the clock or the directory.
#pragma once

#include <string>
#include <vector>

#include "weft/configuration/keys.h"
#include "weft/mpi/report/replay_statistics.h"
#include "weft/report/comparison.h"

namespace weft::experiment {

json to_json(const replay_summary& r);
/// Header line and one row.
std::string to_csv(const replay_summary& r);
std::string to_table(const replay_summary& r);

/// Compression modes side by side.
std::string comparison_of_replays(const std::vector<compared_run>& modes);

}  // namespace weft::experiment
