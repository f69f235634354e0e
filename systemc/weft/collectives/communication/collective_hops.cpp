// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/communication/collective_hops.h"

namespace weft {

std::vector<collective_count> count_hops(const collective& c, const collective_network& network) {
  std::vector<collective_count> counts;
  for (const std::string& step : c.steps) counts.push_back({step});
  for (const collective_message& m : c.messages) {
    ++counts[m.step].messages;
    counts[m.step].hops += network.distance(m.source, m.destination);
  }
  return counts;
}

collective_count total(const std::vector<collective_count>& counts) {
  collective_count sum{"total"};
  for (const collective_count& c : counts) {
    sum.messages += c.messages;
    sum.hops += c.hops;
  }
  return sum;
}

}  // namespace weft
