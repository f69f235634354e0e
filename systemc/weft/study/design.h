// SPDX-License-Identifier: Apache-2.0
/// Computes the points of a sweep from the swept keys.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weft/configuration/configuration.h"

namespace weft::experiment {

/// Parses `key=a,b,c` of an option; commas within brackets do not separate. \p option is its name in messages.
/// \throws configuration_error
sweep_axis parse_axis(const std::string& option, const std::string& text);

/// The values of \p axis with ranges expanded. \throws configuration_error for invalid ranges
std::vector<std::string> values_of(const sweep_axis& axis);

/// Replaces the lists in \p design for the keys that \p overrides contains.
void override_axes(sweep_design& design, const sweep_design& overrides);

/// \throws configuration_error at the sampling keys of \p config if \p design has no keys to sample
void check_sampling(const sweep_design& design, const configuration& config);

/// The settings of one point.
using sweep_point = std::vector<setting>;

/// The keys of each point, in the order of its settings.
std::vector<std::string> keys_of(const sweep_design& design);

/// All points. Replicates use consecutive seeds from \p first_seed on.
/// \throws configuration_error for keys that do not exist, are given twice, or have the same value for all points, for
/// invalid ranges, for linked lists of different lengths, and for more than a million points
std::vector<sweep_point> points_of(const sweep_design& design, std::uint64_t first_seed);

/// "workload.injection.load=0.3, network.router.vcs=4".
std::string settings_text(const sweep_point& point);

}  // namespace weft::experiment
