// SPDX-License-Identifier: Apache-2.0
/// The answer of `weft schedule` as JSON: the contents of its table, and the break-even lengths that the papers print.
/// The schedule itself has a file in format ccsched/1 (schedule/files/ccsched.h).
#pragma once

#include <string>
#include <vector>

#include "weft/collectives/schedule/check.h"
#include "weft/collectives/schedule/formulas.h"
#include "weft/collectives/schedule/solve.h"
#include "weft/configuration/keys.h"

namespace weft::experiment {

/// The results that the papers print for a problem.
struct printed_claims {
  std::vector<schedule::papers_formula> formulas;
  std::vector<schedule::papers_threshold> thresholds;
};

/// The answer \p a to \p p as JSON. It is identical on every machine, except for the seconds and, if time ran out, the
/// schedule found.
json answer_json(const std::string& name, const schedule::problem& p, const schedule::answer& a,
                 const printed_claims& printed);

/// The result of --check for \p s: R, TCO and all violations.
json check_json(const std::string& name, const schedule::problem& p, const schedule::step_schedule& s,
                const std::vector<schedule::violation>& violations);

}  // namespace weft::experiment
