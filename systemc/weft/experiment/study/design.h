// SPDX-License-Identifier: Apache-2.0
/// The points of a sweep, from what a user says of the keys that it goes through.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weft/experiment/configuration/configuration.h"

namespace weft::experiment {

/// `key=a,b,c` of an option, commas within brackets left alone. \p option names it in messages.
/// \throws configuration_error
sweep_axis parse_axis(const std::string& option, const std::string& text);

/// The values of \p axis, ranges written out. \throws configuration_error for ranges that are none
std::vector<std::string> values_of(const sweep_axis& axis);

/// What the lists of \p said say of a key has the last word over \p design.
void say_again(sweep_design& design, const sweep_design& said);

/// \throws configuration_error at what \p asked says of samples, where \p design has no keys to sample
void check_sampling(const sweep_design& design, const configuration& asked);

/// What one point sets.
using sweep_point = std::vector<setting>;

/// The keys of each point, in the order of its settings.
std::vector<std::string> keys_of(const sweep_design& design);

/// All points. Replicates take the seeds from \p first_seed on.
/// \throws configuration_error for keys that do not exist, are given twice or are the same for all points, for ranges
/// that are none, for linked lists of different lengths, and for more than a million points
std::vector<sweep_point> points_of(const sweep_design& design, std::uint64_t first_seed);

/// "workload.injection.load=0.3, network.router.vcs=4".
std::string settings_text(const sweep_point& point);

}  // namespace weft::experiment
