// SPDX-License-Identifier: Apache-2.0
/// What the length of a path counts, for routings that take shortest paths.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "weft/topology/topology.h"

namespace weft {

enum class path_weight : std::uint8_t {
  Hops,    ///< channels
  Cycles,  ///< the cycles that a flit needs on the channels
  Phits,   ///< the cycles for which a flit occupies the channels, which is 1 / bandwidth
};

/// The length of \p c, at least 1: a path is as long as the sum over its channels.
inline std::uint64_t length_of(const channel& c, path_weight weight) {
  switch (weight) {
    case path_weight::Hops:
      return 1;
    case path_weight::Cycles:
      return c.cycles + c.phits - 1;
    case path_weight::Phits:
      return c.phits;
  }
  return 1;
}

/// The names of the weights that users can choose.
inline const std::vector<std::pair<std::string, path_weight>>& path_weights() {
  static const std::vector<std::pair<std::string, path_weight>> All = {
      {"hops", path_weight::Hops}, {"cycles", path_weight::Cycles}, {"phits", path_weight::Phits}};
  return All;
}

}  // namespace weft
