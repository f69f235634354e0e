// SPDX-License-Identifier: Apache-2.0
#include "weft/configuration/left_out.h"
#include "weft/configuration/replayed_keys.h"

namespace weft::experiment {

std::optional<program_kind> program_kind_of(const configuration&) { return std::nullopt; }

void drop_unused_replayed_keys(configuration&) {}

std::vector<diagnostic> check_replayed_keys(const configuration& c) {
  return {left_out_mpi(c.where("workload.trace"))};
}

}  // namespace weft::experiment
