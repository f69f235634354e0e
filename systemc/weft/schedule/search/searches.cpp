// SPDX-License-Identifier: Apache-2.0
#include "weft/schedule/search/searches.h"

#include "weft/schedule/search/annealing.h"
#include "weft/schedule/search/estimation.h"
#include "weft/schedule/search/hgsa.h"
#include "weft/schedule/search/tabu.h"

namespace weft::schedule {

const std::vector<const method*>& searches() {
  static const std::vector<const method*> all{&tabu(), &annealing(), &hgsa(), &estimation()};
  return all;
}

}  // namespace weft::schedule
