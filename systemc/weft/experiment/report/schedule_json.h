// SPDX-License-Identifier: Apache-2.0
/// The answer of `weft schedule` as JSON, for programs: what the table says, and the printed break-even lengths. The
/// schedule itself is in ccsched/1 (schedule/files/ccsched.h).
#pragma once

#include <string>
#include <vector>

#include "weft/experiment/configuration/keys.h"
#include "weft/schedule/check.h"
#include "weft/schedule/formulas.h"
#include "weft/schedule/solve.h"

namespace weft::experiment {

/// What the papers print for a question.
struct printed_claims {
  std::vector<schedule::papers_formula> formulas;
  std::vector<schedule::papers_threshold> thresholds;
};

/// The same on every machine but for the seconds, and for what was found if time ran out.
json answer_json(const std::string& name, const schedule::problem& p, const schedule::answer& a,
                 const printed_claims& printed);

/// What --check says of \p s: R, TCO and all faults.
json judgement_json(const std::string& name, const schedule::problem& p, const schedule::step_schedule& s,
                    const std::vector<schedule::fault>& faults);

}  // namespace weft::experiment
