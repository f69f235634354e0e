// SPDX-License-Identifier: Apache-2.0
/// Computes the points of a sweep from the swept keys.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weft/configuration/configuration.h"

namespace weft::experiment {

/// Parses the argument `key=a,b,c` of an option. Commas within brackets do not separate values. \p option is the name
/// of the option in messages. \throws configuration_error
sweep_axis parse_axis(const std::string& option, const std::string& text);

/// The values of \p axis, with each range `first:last:step` expanded. \throws configuration_error for an invalid range
std::vector<std::string> values_of(const sweep_axis& axis);

/// Replaces the values in \p design of all keys that \p overrides contains.
void override_axes(sweep_design& design, const sweep_design& overrides);

/// Checks that \p config sets no sampling keys if \p design has no keys to sample. \throws configuration_error at the
/// sampling key
void check_sampling(const sweep_design& design, const configuration& config);

/// The settings of one point.
using sweep_point = std::vector<setting>;

/// The swept keys, in the order in which each point has its settings.
std::vector<std::string> keys_of(const sweep_design& design);

/// All points of \p design. Replicates use consecutive seeds from \p first_seed on. \throws configuration_error for
/// keys that do not exist, are swept twice, or cannot differ between points, for invalid ranges, for linked lists of
/// different lengths, and for more than a million points
std::vector<sweep_point> points_of(const sweep_design& design, std::uint64_t first_seed);

/// The settings as text, as in "workload.injection.load=0.3, network.router.vcs=4".
std::string settings_text(const sweep_point& point);

}  // namespace weft::experiment
