// SPDX-License-Identifier: Apache-2.0
#include "weft/topology/analysis/distances.h"

namespace weft {

std::vector<std::uint32_t> hops_from(const neighbour_lists& neighbours, const std::vector<router_id>& starts) {
  std::vector<std::uint32_t> hops(neighbours.size(), Unreached);
  std::vector<router_id> queue;
  const auto reach = [&](router_id r, std::uint32_t h) {
    if (hops[r] != Unreached) return;
    hops[r] = h;
    queue.push_back(r);
  };
  for (const router_id r : starts) reach(r, 0);
  for (std::size_t i = 0; i < queue.size(); ++i) {
    const router_id here = queue[i];
    for (const router_id next : neighbours[here]) reach(next, hops[here] + 1);
  }
  return hops;
}

}  // namespace weft
