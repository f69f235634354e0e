// SPDX-License-Identifier: Apache-2.0
/// Lower bounds of a collective: what every algorithm needs, with XORs or without.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/workload/collective/collective_network.h"
#include "weft/workload/collective/collective_parameters.h"

namespace weft {

/// A division of the nodes in two, such as a bisection, and the channels that lead across.
struct network_cut {
  std::vector<bool> beyond;  ///< by node: whether it is on the far side
  std::uint64_t there = 0;   ///< channels to the far side, ≥ 1 if there are nodes on both sides
  std::uint64_t back = 0;    ///< channels from it
};

/// Lower bounds. Cycles are those of one flit a cycle on every channel, without the latency of the first flit.
struct collective_floors {
  std::uint64_t flit_hops = 0;  ///< channels between routers that flits must cross in all
  std::uint64_t injection = 0;  ///< cycles that the busiest source needs to send
  std::uint64_t ejection = 0;   ///< cycles that the busiest receiver needs to receive
  std::uint64_t bisection = 0;  ///< cycles that the narrowest of the given cuts needs; 0 without any

  std::uint64_t cycles() const;  ///< the largest of the three
};

/// The floors of the operation; the algorithm does not matter.
///
/// - Broadcast, gather: a receiver needs as many flits as the data of the others have, coded or not, over at least the
///   distance from its nearest neighbour: for unit packets all-to-all N (N - 1) hops and N - 1 cycles. Of what starts
///   on one side of a cut, every datum crosses once.
/// - Scatter: every datum goes at least the distance from source to receiver.
/// - Reduce, all-reduce: every node but one sends once, every receiver receives once, one datum crosses.
///
/// \param ports k ≥ 1 of every node: flits that it can send, and receive, in a cycle
/// Throws std::invalid_argument as make_collective() does, and for cuts that do not fit the network.
collective_floors collective_bounds(const collective_parameters& parameters, const collective_network& network,
                                    unsigned ports = 1, const std::vector<network_cut>& cuts = {});

}  // namespace weft
