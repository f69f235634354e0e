// SPDX-License-Identifier: Apache-2.0
#include "weft/core/diagnostic.h"
#include "weft/explore/genetic.h"

namespace weft::experiment {

void evolve(const genetic_problem&, const std::vector<design_choice>&) { require_genetic_search("explore.method"); }

void require_genetic_search(const std::string& place) {
  throw configuration_error({{place,
                              "this build of Weft has no NSGA-II; install the Debian package libpagmo-dev and build "
                              "Weft again, or set explore.method: random"}});
}

}  // namespace weft::experiment
