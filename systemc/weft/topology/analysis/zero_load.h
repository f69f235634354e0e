// SPDX-License-Identifier: Apache-2.0
/// Latency of a packet that meets no other, and the buffer depth it takes to get it.
#pragma once

#include <cstdint>

#include "weft/topology/topology.h"

namespace weft {

/// Cycles from the creation of a packet of \p flits flits to the delivery of its tail in an empty network:
///
///     (1 + Ln_source) + Σ over channels between routers (S + L) + (S + Ln_destination) + flits - 1
///
/// with S = \p pipeline (3, 4, 5, 7 or 9), L the cycles of each channel on the path of route_channels(), Ln
/// those of a node's channels. The NIC sends the head in the cycle of its creation and it arrives 1 + Ln
/// later; each router passes it on S cycles after its arrival; the other flits follow, one a cycle. With S =
/// 4, L = Ln = 1 and one flit this is 2 + 5H, H the routers traversed.
///
/// Presumes buffers in which a packet can stream: streaming_depth() flits for each VC, for the slowest
/// channel on the path. In shallower ones a packet longer than the buffer waits for credits. Throws
/// std::invalid_argument for 0 flits.
cycle_t zero_load_latency(const topology& t, unsigned pipeline, node_id source, node_id destination,
                          std::uint32_t flits);

/// The credit loop of one VC in cycles, which is the depth in flits that keeps it busy every cycle: X + 2L
/// + 2.
///
/// A flit granted in t crosses the switch for X = max(1, S - 3) cycles, arrives downstream in t + X + L + 1
/// and may, a body flit, be granted there in that same cycle u; its slot counts as a credit upstream in u + 1
/// + L. So a slot is used again after X + L + 1 + 1 + L cycles: 5 for S = 4, L = 1. The loop between a node
/// and its router has no switch in it, (1 + Ln) + (1 + Ln), and is shorter than that of a channel of the same
/// latency.
///
/// A head waits longer in the router than the body flits behind it. That does not lengthen the loop: the
/// body flits that catch up wait for it, and later ones, delayed upstream by as much, arrive just in time.
unsigned streaming_depth(unsigned pipeline, unsigned link_cycles);

}  // namespace weft
