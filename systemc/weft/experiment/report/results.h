// SPDX-License-Identifier: Apache-2.0
/// What a run found, as files and as a table: views of the statistics in run_statistics.h.
///
/// Files hold nothing that depends on the machine, the clock or the directory: the same configuration and
/// seed give the same bytes.
#pragma once

#include <string>

#include "weft/experiment/configuration/keys.h"
#include "weft/experiment/report/run_statistics.h"

namespace weft::experiment {

/// Everything. The reference is docs/02_user/statistics.md.
json to_json(const report& r);

/// Header line and one row.
std::string to_csv(const report& r);

/// For the terminal.
std::string to_table(const report& r);

}  // namespace weft::experiment
