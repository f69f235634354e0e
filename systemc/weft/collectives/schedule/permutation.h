// SPDX-License-Identifier: Apache-2.0
/// Permutations, and the groups that they generate, as a basis for symmetries of networks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace weft::schedule {

using permutation = std::vector<std::uint32_t>;  ///< maps element i to the value at index i
using permutation_group = std::set<permutation>;

inline permutation identity_of(std::size_t elements) {
  permutation p(elements);
  std::iota(p.begin(), p.end(), 0U);
  return p;
}

inline permutation composed(const permutation& first, const permutation& then) {
  permutation p(first.size());
  for (std::size_t i = 0; i < p.size(); ++i) p[i] = then[first[i]];
  return p;
}

/// Returns the group that \p generators generate. There must be at least one generator, and all must have the same
/// size. Returns nothing if the group has more than \p largest elements, or if \p keep returns false for any element
/// except the identity.
template <class Keep>
std::optional<permutation_group> generated_group(const std::vector<permutation>& generators, std::size_t largest,
                                                 Keep&& keep) {
  std::vector<permutation> queue{identity_of(generators.front().size())};
  permutation_group group{queue.front()};
  for (std::size_t i = 0; i < queue.size(); ++i) {
    for (const permutation& generator : generators) {
      permutation next = composed(queue[i], generator);
      if (!group.insert(next).second) continue;
      if (group.size() > largest || !keep(next)) return std::nullopt;
      queue.push_back(std::move(next));
    }
  }
  return group;
}

}  // namespace weft::schedule
