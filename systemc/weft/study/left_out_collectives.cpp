// SPDX-License-Identifier: Apache-2.0
#include "weft/configuration/left_out.h"
#include "weft/study/other_experiments.h"

namespace weft::experiment {

point_result run_collective_point(configuration& c, const rtl_provider&, const run_hooks&) {
  throw configuration_error({left_out_collectives(c.where("collective.algorithm"))});
}

void check_collective(configuration& c, const rtl_provider&) {
  throw configuration_error({left_out_collectives(c.where("collective.algorithm"))});
}

}  // namespace weft::experiment
