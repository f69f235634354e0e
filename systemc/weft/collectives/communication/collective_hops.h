// SPDX-License-Identifier: Apache-2.0
/// Counts the messages and hops of a collective, from its messages or in closed form.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weft/collectives/communication/collective.h"
#include "weft/collectives/communication/collective_network.h"
#include "weft/workload/collective_parameters.h"

namespace weft {

/// The counts of one step.
struct collective_count {
  std::string step;
  std::uint64_t messages = 0;
  std::uint64_t hops = 0;  ///< channels between routers that the messages cross, whatever their length

  friend bool operator==(const collective_count& a, const collective_count& b) {
    return a.step == b.step && a.messages == b.messages && a.hops == b.hops;
  }
};

/// Counts the messages of a collective step by step.
std::vector<collective_count> count_hops(const collective& c, const collective_network& network);

/// Whether collective_hops() has a formula. It has one for broadcasts to all nodes of a grid, by all algorithms except
/// the butterflies.
bool has_closed_form(const collective_parameters& parameters, const collective_network& network);

/// Returns the counts of count_hops() without generating messages, from sums that factorize over the dimensions of a
/// grid. Takes well under a second for 65,536 nodes.
/// \throws std::invalid_argument as make_collective() does, and if there is no formula
std::vector<collective_count> collective_hops(const collective_parameters& parameters,
                                              const collective_network& network);

/// Returns the sum over all steps, with the step name "total".
collective_count total(const std::vector<collective_count>& counts);

}  // namespace weft
