// SPDX-License-Identifier: Apache-2.0
/// Selects the stored results for a picture and reads their complete data.
#pragma once

#include <string>
#include <vector>

#include "weft/configuration/configuration.h"
#include "weft/picture/stored.h"

namespace weft::experiment {

/// Keeps only the results that have, for each key or column in \p choices, one of the listed values.
/// \throws configuration_error if no point has such a key or value, or if no point matches all choices
void choose_results(stored_results& stored, const std::vector<sweep_axis>& choices);

/// Reads the complete results of the points in stores, and adds them to the runs, collectives and replays of \p stored
/// like the results of JSON files. Afterwards, the last table contains all runs. \throws configuration_error if a store
/// is damaged
void read_whole(stored_results& stored);

/// The keys in which the results differ, with their values, for a message: "network.router.vcs=3,4 and
/// simulation.seed=1,2". Empty if they do not differ.
std::string choices_in(const stored_results& stored);

}  // namespace weft::experiment
