// SPDX-License-Identifier: Apache-2.0
/// The parts of papers_formulas().
#pragma once

#include <vector>

#include "weft/collectives/schedule/formulas.h"

namespace weft::schedule {

/// Costs that combining schedules reach: RINGS, second Table 2, and Table 3; FATTREE Tables III and IV.
void add_combining_formulas(const network_family& family, const problem& p, std::vector<papers_formula>& all);

/// Costs that RINGS' "non-combining" schedules of hierarchical rings reach (Table 3).
void add_ring_formulas(const network_family& family, const problem& p, std::vector<papers_formula>& all);

/// Table entries without a formula: RINGS Table 2, FATTREE Table II, OCTAGON Table 2.
void add_table_entries(const network_family& family, const problem& p, std::vector<papers_formula>& all);

}  // namespace weft::schedule
