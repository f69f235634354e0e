// SPDX-License-Identifier: Apache-2.0
/// Finds the name that a user probably meant, for messages with "did you mean …?".
#pragma once

#include <string>
#include <vector>

namespace weft {

/// Number of insertions, deletions, replacements and swaps of neighbors that turn \p a into \p b.
unsigned edit_distance(const std::string& a, const std::string& b);

/// The candidate nearest to \p name if it is close enough to be what the user meant, otherwise empty. Ignores case.
std::string nearest(const std::string& name, const std::vector<std::string>& candidates);

/// Returns "; did you mean 'x'?" for a candidate x that is close enough to \p name, otherwise an empty string.
std::string did_you_mean(const std::string& name, const std::vector<std::string>& candidates);

}  // namespace weft
