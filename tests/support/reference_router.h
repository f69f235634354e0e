// SPDX-License-Identifier: Apache-2.0
/// A reference for the router: simulates the order of events of its specification as plainly as
/// possible.
///
/// Written only from the text (the table of the order of events in docs/03_reference/router.md); slow, and
/// without any code of the model, so that its errors would not coincide with the model's.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/core/network_observer.h"
#include "weft/core/packet.h"
#include "weft/workload/packet_list.h"

namespace reference {

/// A mesh with dimension-order routing, one channel between node and router, and nodes that accept every flit
/// at once. The defaults are those of BookSim2's router.
struct parameters {
  std::vector<std::uint32_t> shape{8, 8};
  std::vector<unsigned> order{0, 1};  ///< dimension corrected first, second, …
  unsigned vcs = 4;
  unsigned depth = 8;
  unsigned pipeline = 4;     ///< S
  unsigned link_cycles = 1;  ///< L, between routers
  unsigned node_cycles = 1;  ///< Ln, between node and router
  bool cut_through = false;
};

struct outcome {
  std::vector<weft::flit_event> injected;    ///< by cycle, then node
  std::vector<weft::flit_event> ejected;     ///< by cycle, then node
  std::vector<weft::packet_answer> answers;  ///< packets delivered, by number
};

/// Simulates the first \p cycles cycles. A node sends its packets by cycle of creation, and within a cycle in the given
/// order.
outcome simulate(const parameters& p, const std::vector<weft::packet>& packets, weft::cycle_t cycles);

}  // namespace reference
