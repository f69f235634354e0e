// SPDX-License-Identifier: Apache-2.0
/// Lower bounds of a collective, which hold for every algorithm with or without XORs. The arguments are the same as for
/// schedules in steps (schedule/bounds); a unit there is a flit here, and a step there is a cycle here.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/collectives/communication/collective_network.h"
#include "weft/collectives/schedule/bounds/cuts.h"
#include "weft/collectives/schedule/step_network.h"
#include "weft/workload/collective_parameters.h"

namespace weft {

/// Lower bounds of a collective. The cycles assume that every channel carries one flit per cycle, and they exclude the
/// latency of the first flit.
struct collective_floors {
  std::uint64_t flit_hops = 0;  ///< flit hops: channels between routers that all flits together must cross
  std::uint64_t injection = 0;  ///< cycles in which the busiest source sends
  std::uint64_t ejection = 0;   ///< cycles in which the busiest receiver receives
  std::uint64_t cut = 0;        ///< cycles in which flits leave a set of nodes; the maximum over the examined sets

  std::uint64_t cycles() const;  ///< the largest of injection, ejection and cut
};

/// Returns the bounds of the operation, which do not depend on the algorithm.
///
/// - Broadcast, gather: a receiver needs as many flits as all data of the others have, coded or not. Each flit travels
/// at least the distance from the receiver's nearest neighbor. For all-to-all with unit packets, this results in N (N -
/// 1) hops and N - 1 cycles. Every datum that starts on one side of a cut crosses the cut once.
/// - Scatter: every datum travels at least the distance from its source to its receiver. This distance may be shorter
/// via a node that is attached to several routers.
/// - Reduce, all-reduce: every source sends once, except a source that is the only receiver. Every receiver receives
/// once. One datum crosses each cut.
///
/// \param network the network that \p channels describes
/// \param channels the channels of the network, including all ports of each node
/// \param also sets of nodes to examine as cuts in addition to the sets of narrowest_cut(), such as a bisection
/// \throws std::invalid_argument as make_collective() does, and if \p network and \p channels have different numbers of
/// nodes
collective_floors collective_bounds(const collective_parameters& parameters, const collective_network& network,
                                    const schedule::step_network& channels,
                                    const std::vector<schedule::node_set>& also = {});

}  // namespace weft
