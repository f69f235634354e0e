// SPDX-License-Identifier: Apache-2.0
/// The loads that a search tries, and what their runs show.
#pragma once

#include <string>

#include "weft/command/command.h"
#include "weft/report/saturation_statistics.h"
#include "weft/study/study.h"

namespace weft::experiment {

/// The number in \p column of a run; 0 if there is none.
double cell_number(const study_row& row, const char* column);
/// The text in \p column of a run; empty if there is none.
std::string cell_text(const study_row& row, const std::string& column);

/// The uncertainty of the load of a run; nothing is known of a run without results.
run_uncertainty run_uncertainty_of(const study_row& row);

/// Whether the load of \p point can be varied. Other errors of the point are reported when it is run.
bool has_load(const input& in, const sweep_point& point);

/// The highest load to try at \p point: \p most, or less if a matrix gives a node several times the mean load.
double highest_load_to_try(const input& in, const sweep_point& point, double most);

}  // namespace weft::experiment
