// SPDX-License-Identifier: Apache-2.0
/// Internal parts of papers_formulas(). Each function appends the entries for one problem to \p all.
#pragma once

#include <vector>

#include "weft/collectives/schedule/formulas.h"

namespace weft::schedule {

/// Adds the costs that combining schedules reach, from RINGS (second Table 2 and Table 3) and FATTREE (Tables III and
/// IV).
void add_combining_formulas(const network_family& family, const problem& p, std::vector<papers_formula>& all);

/// Adds the costs that RINGS prints for "non-combining" schedules of hierarchical rings (Table 3).
void add_ring_formulas(const network_family& family, const problem& p, std::vector<papers_formula>& all);

/// Adds table entries without a formula, from RINGS Table 2, FATTREE Table II and OCTAGON Table 2.
void add_table_entries(const network_family& family, const problem& p, std::vector<papers_formula>& all);

}  // namespace weft::schedule
