// SPDX-License-Identifier: Apache-2.0
/// "Did you mean …?"
#pragma once

#include <string>
#include <vector>

namespace weft {

/// Insertions, deletions, replacements and swaps of neighbours that turn \p a into \p b.
unsigned edit_distance(const std::string& a, const std::string& b);

/// The candidate nearest to \p name if it is near enough to be what was meant, else empty. Case does not matter.
std::string nearest(const std::string& name, const std::vector<std::string>& candidates);

/// "; did you mean 'x'?" where something is near, else empty.
std::string did_you_mean(const std::string& name, const std::vector<std::string>& candidates);

}  // namespace weft
