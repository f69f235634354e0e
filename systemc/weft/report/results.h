// SPDX-License-Identifier: Apache-2.0
/// The results of a run as JSON, CSV and a table. They show the statistics of run_statistics.h.
/// Files contain nothing that depends on the machine, the clock or the directory: the same configuration and seed yield
/// the same bytes.
#pragma once

#include <string>

#include "weft/configuration/keys.h"
#include "weft/report/run_statistics.h"

namespace weft::experiment {

/// The complete result. The reference is docs/02_user/statistics.md.
json to_json(const run_summary& r);

/// The CSV file: a header line and one row.
std::string to_csv(const run_summary& r);

/// Table for the terminal.
std::string to_table(const run_summary& r);

}  // namespace weft::experiment
