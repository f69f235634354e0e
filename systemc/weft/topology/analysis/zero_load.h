// SPDX-License-Identifier: Apache-2.0
/// Latency of a packet in an empty network, and the buffer depth needed to reach it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "weft/core/parameters.h"
#include "weft/topology/topology.h"

namespace weft {

/// Returns the cycles from the creation of a packet of \p flits flits to the delivery of its tail in an empty network:
///
///     (1 + Ln_source) + Σ over channels between routers (S + L + k - 1) + (S + Ln_destination) + T
///
/// with S the pipeline of \p router, L the cycles and k the phits of each channel on the path of route_channels(), and
/// Ln the cycles of the channels of a node. The NIC sends the head in the cycle of its creation, and the head arrives 1
/// + Ln cycles later. Each router forwards the head S cycles after its arrival. T are the cycles from the head to the
/// tail, serialisation_cycles(). Without narrow channels T is flits - 1: with S = 4, L = Ln = 1 and one flit the
/// latency is 5H + 2, where H is the number of routers traversed. With store and forward, each router waits for the
/// flits behind the head, which takes (flits - 1) k more cycles, where k belongs to the channel that leads to this
/// router (1 for the first one), and T is flits - 1.
///
/// The formula presumes buffers in which a packet can advance without waiting for credits: streaming_depth() flits for
/// each VC, for the slowest channel on the path.
/// \throws std::invalid_argument for 0 flits
cycle_t zero_load_latency(const topology& t, const router_parameters& router, node_id source, node_id destination,
                          std::uint32_t flits);

/// The same for a packet whose path consists of \p channels: indices of the topology's channels, in path order.
cycle_t zero_load_latency(const topology& t, const router_parameters& router, node_id source, node_id destination,
                          const std::vector<std::size_t>& channels, std::uint64_t flits);

/// Cycles from the head to the tail of a packet with \p behind_head further flits when it reaches its destination in an
/// empty network, without store and forward. A channel of k phits separates the flits by k cycles. In each router
/// behind this channel, they catch up the C cycles that only the head needs for its route and its VC, until they follow
/// each other in the next cycle. If the path has R routers and channel i leaves its router number i, the result is the
/// maximum of behind_head and, over all channels, behind_head k_i - (R - i) C.
double serialisation_cycles(const topology& t, const router_parameters& router,
                            const std::vector<std::size_t>& channels, double behind_head);

/// The length of the credit loop of one VC in cycles: X + 2L + 2. It is also the buffer depth in flits with which a VC
/// can send in every cycle.
/// A flit granted in cycle t crosses the switch in X = \p crossbar_cycles cycles and arrives downstream in cycle u = t
/// + X + L + 1. A body flit may be granted there in the same cycle; its slot counts as a credit upstream in cycle u + 1
/// + L. So a slot can be reused after X + 2L + 2 cycles, which is 5 for X = 1 and L = 1. The loop between a node and
/// its router contains no switch. It takes 2 + 2Ln cycles, less than the loop of a channel between routers with the
/// same latency.
/// A head waits longer in the router than the body flits behind it. This does not lengthen the loop: body flits that
/// catch up wait for the head, and later ones, which are delayed upstream by the same time, arrive just in time.
unsigned streaming_depth(unsigned crossbar_cycles, unsigned link_cycles);

}  // namespace weft
