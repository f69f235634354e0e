// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/schedule/constructions/constructions.h"

#include "weft/collectives/schedule/constructions/euler_ring.h"
#include "weft/collectives/schedule/constructions/fat_tree_rounds.h"
#include "weft/collectives/schedule/constructions/flow_scatter.h"
#include "weft/collectives/schedule/constructions/gossip.h"
#include "weft/collectives/schedule/constructions/greedy.h"
#include "weft/collectives/schedule/constructions/grid_product.h"
#include "weft/collectives/schedule/constructions/halving.h"
#include "weft/collectives/schedule/constructions/ring_of_groups.h"

namespace weft::schedule {

const std::vector<const method*>& constructions() {
  static const std::vector<const method*> all{&flow_scatter(),    &halving(),      &euler_ring(),     &gossip(),
                                              &fat_tree_rounds(), &grid_product(), &ring_of_groups(), &greedy()};
  return all;
}

best_result best_construction(const problem& p, const search_control& control) {
  best_result best;
  // For many messages, list scheduling seldom beats the specialized constructions and takes seconds.
  constexpr std::size_t Many = 20'000;
  const bool many = p.requested.senders.size() * p.requested.receivers.size() > Many;
  for (const method* m : constructions()) {
    if ((m == &greedy() && best.found && many) || !m->unfit(p).empty()) continue;
    search_result result = m->run(p, control);
    if (!result.found) continue;
    if (!best.found || result.found->steps.size() < best.found->steps.size()) {
      best = {std::move(result.found), m};
    }
    if (control.over() || best.found->steps.size() <= control.enough) break;
  }
  return best;
}

}  // namespace weft::schedule
