// SPDX-License-Identifier: Apache-2.0
/// The routings that a network file may name. This file replaces a source that also needs all topology generators.
#include <vector>

#include "weft/topology/kinds.h"
#include "weft/topology/routing/routing_tables.h"

namespace weft {

const std::vector<const routing_kind*>& graph_routings() {
  static const std::vector<const routing_kind*> All = {&shortest_routing(), &up_down_routing(), &source_routing()};
  return All;
}

}  // namespace weft
