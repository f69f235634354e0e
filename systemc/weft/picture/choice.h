// SPDX-License-Identifier: Apache-2.0
/// Selection of the stored results for a picture, and their complete data.
#pragma once

#include <string>
#include <vector>

#include "weft/configuration/configuration.h"
#include "weft/picture/stored.h"

namespace weft::experiment {

/// Keeps the results that have, for each key or column in \p choices, one of its values.
/// \throws configuration_error, with the available values, if no point has such a key or value, or none has all
void choose_results(stored_results& stored, const std::vector<sweep_axis>& choices);

/// Reads the complete results of the points in stores; they become runs, collectives and replays like those in JSON
/// files, and the last table contains the runs of both. \throws configuration_error if a store is damaged
void read_whole(stored_results& stored);

/// The keys in which the results differ, and their values, for selection: "network.router.vcs=3,4 and
/// simulation.seed=1,2"; empty if they do not differ.
std::string choices_in(const stored_results& stored);

}  // namespace weft::experiment
