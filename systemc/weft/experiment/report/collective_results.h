/// What a collective came to, as files and as tables. The reference is docs/02_user/collectives.md.
///
/// As in results.h, files hold nothing that depends on the machine, the clock or the directory.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "weft/experiment/configuration/keys.h"
#include "weft/experiment/run/collective_experiment.h"

namespace weft::experiment {

/// A collective that was played, with all that is needed to tell of it.
struct collective_report {
  const configuration& asked;
  const collective_experiment& work;
  const collective_result& result;
  collective_floors floors;
};

/// "network_coding"; \p c has an algorithm.
std::string algorithm_of(const configuration& c);

json to_json(const collective_report& r);
/// Header line and one row.
std::string to_csv(const collective_report& r);
std::string to_table(const collective_report& r);

/// One of several algorithms that are compared.
struct compared_collective {
  std::string algorithm;
  std::string csv;  ///< as to_csv() gives it; empty if it came to nothing
};
/// The column of the algorithms, then those of to_csv().
std::string comparison_csv(const std::vector<compared_collective>& rows);
std::string comparison_table(const std::vector<compared_collective>& rows);

/// Counts by step, for `--analyse`.
using collective_counts = std::vector<collective_count>;
std::string analysis_table(const configuration& c,
                           const std::vector<std::pair<std::string, collective_counts>>& counts);
json analysis_json(const configuration& c, const std::vector<std::pair<std::string, collective_counts>>& counts);

}  // namespace weft::experiment
