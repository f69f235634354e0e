// SPDX-License-Identifier: Apache-2.0
/// Makes traffic from its parameters: the packets of every node, and their payload.
#pragma once

#include <cstdint>
#include <memory>

#include "weft/core/packet.h"
#include "weft/topology/analysis/node_placement.h"
#include "weft/workload/error.h"
#include "weft/workload/parameters.h"
#include "weft/workload/reacting_source.h"

namespace weft {

/// The properties of the network and of the run that a workload depends on.
struct workload_context {
  std::uint32_t nodes = 0;  ///< ≥ 1
  node_placement grid{};    ///< of the nodes
  std::uint64_t seed = 0;
  unsigned classes = 1;  ///< message classes of the network, router_parameters::classes
};

/// Whether packets of \p t are created because other packets have arrived.
inline bool reacts(const traffic_parameters& t) { return t.injection.kind == injection_kind::RequestReply; }
/// Whether this holds for some packets of \p w.
bool reacts(const workload_parameters& w);
/// Whether it holds for all packets of \p w except the first ones. Such traffic cannot saturate a network.
bool is_closed_loop(const workload_parameters& w);

/// Whether nodes have finite queues for some packets of \p w, so that they do not accept every packet.
bool has_queues(const workload_parameters& w);

/// The packets that a program injects besides those of a workload have ids from this one on. Packets of workloads have
/// smaller ids.
inline constexpr packet_id FirstInjectedId = packet_id{1} << 62;

/// Makes a source of the packets that \p parameters describe, from cycle 0 on.
/// Generated packet i of node n has the id i * nodes + n. Each node draws creation cycles, destinations and lengths
/// from three random streams of its own. Therefore its packets do not depend on other nodes, and a change of the
/// lengths does not change the destinations. For the ids of several traffics, see traffic_mix.h.
/// \throws std::invalid_argument for impossible parameters, workload_error for errors in files
std::unique_ptr<packet_source> make_workload(const workload_parameters& parameters, const workload_context& context);

/// Makes the same source for traffic that reacts to deliveries. Null for other traffic.
std::unique_ptr<reacting_source> make_reacting_workload(const workload_parameters& parameters,
                                                        const workload_context& context);

}  // namespace weft
