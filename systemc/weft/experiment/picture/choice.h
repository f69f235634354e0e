// SPDX-License-Identifier: Apache-2.0
/// Which of stored results a picture is drawn from, and all that these tell.
#pragma once

#include <string>
#include <vector>

#include "weft/experiment/configuration/configuration.h"
#include "weft/experiment/picture/stored.h"

namespace weft::experiment {

/// Keeps the results that have, of each key or column in \p choices, one of the values.
/// \throws configuration_error if no point has such a key or value, or none has all; it says what there is
void choose_results(stored_results& stored, const std::vector<sweep_axis>& choices);

/// Reads the whole results of the points in stores: they are then runs, collectives and replays as those in JSON are,
/// and the last table has the runs of both. \throws configuration_error if a store is damaged
void read_whole(stored_results& stored);

/// The keys in which the results differ, and their values, to choose by: "network.router.vcs=3,4 and
/// simulation.seed=1,2"; empty if they differ in none.
std::string choices_in(const stored_results& stored);

}  // namespace weft::experiment
