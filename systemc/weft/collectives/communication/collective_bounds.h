// SPDX-License-Identifier: Apache-2.0
/// Lower bounds of a collective, valid for every algorithm with or without XORs. The arguments are those for schedules
/// in steps (schedule/bounds): a flit corresponds to a unit, a cycle to a step.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/collectives/communication/collective_network.h"
#include "weft/collectives/schedule/bounds/cuts.h"
#include "weft/collectives/schedule/step_network.h"
#include "weft/workload/collective_parameters.h"

namespace weft {

/// Lower bounds. Cycles assume one flit per cycle on every channel and exclude the latency of the first flit.
struct collective_floors {
  std::uint64_t flit_hops = 0;  ///< total number of channels between routers that flits must cross
  std::uint64_t injection = 0;  ///< cycles that the busiest source needs to send
  std::uint64_t ejection = 0;   ///< cycles that the busiest receiver needs to receive
  std::uint64_t cut = 0;        ///< cycles that flits need to leave a set of nodes; the maximum over the sets examined

  std::uint64_t cycles() const;  ///< the largest of the three
};

/// The bounds of the operation, independent of the algorithm.
///
/// - Broadcast, gather: a receiver needs as many flits as the data of the others have, coded or not, over at least the
///   distance from its nearest neighbor: N (N - 1) hops and N - 1 cycles for all-to-all unit packets. Every datum that
///   starts on one side of a cut crosses it once.
/// - Scatter: every datum travels at least the distance from source to receiver, which may be shorter via a node that
///   is attached to several routers.
/// - Reduce, all-reduce: every source sends once, except a source that is the only receiver; every receiver receives
///   once; one datum crosses each cut.
///
/// \param network the network that \p channels describes
/// \param channels including all ports of each node
/// \param also sets of nodes to examine as cuts in addition to those of narrowest_cut(), such as a bisection
/// \throws std::invalid_argument as make_collective() does, and for networks of different size
collective_floors collective_bounds(const collective_parameters& parameters, const collective_network& network,
                                    const schedule::step_network& channels,
                                    const std::vector<schedule::node_set>& also = {});

}  // namespace weft
