// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/schedule/constructions/combining_grid.h"
#include "weft/collectives/schedule/constructions/combining_halving.h"
#include "weft/collectives/schedule/constructions/constructions.h"
#include "weft/collectives/schedule/exact/quotient.h"
#include "weft/collectives/schedule/exact/sat.h"
#include "weft/collectives/schedule/forwarding/step_methods.h"
#include "weft/collectives/schedule/method.h"
#include "weft/collectives/schedule/pareto.h"
#include "weft/collectives/schedule/search/annealing.h"
#include "weft/collectives/schedule/search/estimation.h"
#include "weft/collectives/schedule/search/hgsa.h"
#include "weft/collectives/schedule/search/tabu.h"

namespace weft::schedule {

const std::vector<const method*>& methods() {
  static const std::vector<const method*> All = [] {
    std::vector<const method*> all = constructions();
    all.insert(all.end(),
               {&store_and_forward(), &combining_halving(), &combining_exchange(), &combining_pareto(), &tabu(),
                &store_and_forward_sat(), &sat(), &quotient(), &annealing(), &hgsa(), &estimation()});
    return all;
  }();
  return All;
}

}  // namespace weft::schedule
