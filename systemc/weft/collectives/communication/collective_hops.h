// SPDX-License-Identifier: Apache-2.0
/// Messages and hops of a collective: by counting, and in closed form.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weft/collectives/communication/collective.h"
#include "weft/collectives/communication/collective_network.h"
#include "weft/workload/collective_parameters.h"

namespace weft {

/// Counts of one step.
struct collective_count {
  std::string step;
  std::uint64_t messages = 0;
  std::uint64_t hops = 0;  ///< channels between routers that the messages cross, independent of their length

  friend bool operator==(const collective_count& a, const collective_count& b) {
    return a.step == b.step && a.messages == b.messages && a.hops == b.hops;
  }
};

/// Counts the messages of a collective step by step.
std::vector<collective_count> count_hops(const collective& c, const collective_network& network);

/// Whether collective_hops() has a formula: for broadcast on grids, to all nodes, by all algorithms except the
/// butterflies.
bool has_closed_form(const collective_parameters& parameters, const collective_network& network);

/// The same counts without generating the messages, from sums that factorize over the dimensions of a grid. Takes well
/// under a second for 65,536 nodes. \throws std::invalid_argument as make_collective() does, and if there is no formula
std::vector<collective_count> collective_hops(const collective_parameters& parameters,
                                              const collective_network& network);

/// Sum over all steps; its step name is "total".
collective_count total(const std::vector<collective_count>& counts);

}  // namespace weft
