// SPDX-License-Identifier: Apache-2.0
#include "weft/schedule/constructions/combining_grid.h"
#include "weft/schedule/constructions/combining_halving.h"
#include "weft/schedule/constructions/constructions.h"
#include "weft/schedule/exact/quotient.h"
#include "weft/schedule/exact/sat.h"
#include "weft/schedule/forwarding/step_methods.h"
#include "weft/schedule/method.h"
#include "weft/schedule/pareto.h"
#include "weft/schedule/search/annealing.h"
#include "weft/schedule/search/estimation.h"
#include "weft/schedule/search/hgsa.h"
#include "weft/schedule/search/tabu.h"

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
