/// What a run found, as files and as a table.
///
/// Files hold nothing that depends on the machine, the clock or the directory: the same configuration and
/// seed give the same bytes.
#pragma once

#include <string>

#include "weft/experiment/keys.h"
#include "weft/experiment/run.h"

namespace weft::experiment {

/// A run with all that is needed to tell of it.
struct report {
  const configuration& asked;
  const topology& graph;
  const measurement& measured;
  const run_result& result;
};

/// Version of Weft, "0.1.0".
const char* version();

/// Everything. The reference is docs/02_user/results.md.
json to_json(const report& r);

/// Header line and one row.
std::string to_csv(const report& r);

/// For the terminal. \p cycles_a_second is printed if above 0.
std::string to_table(const report& r, double cycles_a_second);

}  // namespace weft::experiment
