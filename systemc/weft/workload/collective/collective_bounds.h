// SPDX-License-Identifier: Apache-2.0
/// Lower bounds of a collective: what every algorithm needs, with XORs or without. The arguments are those of schedules
/// in steps (schedule/bounds): a flit is a unit, a cycle a step.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/schedule/bounds/cuts.h"
#include "weft/schedule/step_network.h"
#include "weft/workload/collective/collective_network.h"
#include "weft/workload/collective/collective_parameters.h"

namespace weft {

/// Lower bounds. Cycles are those of one flit a cycle on every channel, without the latency of the first flit.
struct collective_floors {
  std::uint64_t flit_hops = 0;  ///< channels between routers that flits must cross in all
  std::uint64_t injection = 0;  ///< cycles that the busiest source needs to send
  std::uint64_t ejection = 0;   ///< cycles that the busiest receiver needs to receive
  std::uint64_t cut = 0;        ///< cycles that flits need to leave a set of nodes: the worst set found

  std::uint64_t cycles() const;  ///< the largest of the three
};

/// The floors of the operation; the algorithm does not matter.
///
/// - Broadcast, gather: a receiver needs as many flits as the data of the others have, coded or not, over at least the
///   distance from its nearest neighbour: for unit packets all-to-all N (N - 1) hops and N - 1 cycles. Of what starts
///   on one side of a cut, every datum crosses once.
/// - Scatter: every datum goes at least the distance from source to receiver, which may be shorter by way of a node
///   that is joined to several routers.
/// - Reduce, all-reduce: every source sends once, but for one that alone receives; every receiver receives once, one
///   datum crosses.
///
/// \param network the same as \p channels describes
/// \param channels with as many ports of each node as it has
/// \param also sets of nodes to take as cuts besides those of narrowest_cut(), such as a bisection
/// Throws std::invalid_argument as make_collective() does, and for networks of different size.
collective_floors collective_bounds(const collective_parameters& parameters, const collective_network& network,
                                    const schedule::step_network& channels,
                                    const std::vector<schedule::node_set>& also = {});

}  // namespace weft
