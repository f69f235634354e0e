// SPDX-License-Identifier: Apache-2.0
/// A schedule as the send sequences of a network: the port and path of each node's packets, one after the other.
#pragma once

#include <vector>

#include "weft/collectives/schedule/schedule.h"
#include "weft/collectives/schedule/step_network.h"
#include "weft/topology/topology.h"

namespace weft::schedule {

/// The parts of the topology that a transfer uses.
struct transfer_route {
  std::size_t out = 0;  ///< attachment by which it leaves its source: an index into node_attachment::ports
  std::size_t in = 0;   ///< attachment by which it arrives
  std::vector<std::size_t> channels;  ///< channel indices in the topology, in path order
};

/// The routes of a step's transfers; no two share a port or a channel.
/// \throws std::invalid_argument, with a remedy, if nodes of \p t have fewer ports than the step uses
std::vector<transfer_route> routes_of(const topology& t, const step_network& network, const step& s);

/// Transfers of all steps in the order in which their sources send them: by step, within a step by source, then by
/// port.
struct ordered_transfer {
  std::size_t step;
  const transfer* what;
  transfer_route route;
};
std::vector<ordered_transfer> in_order(const topology& t, const step_network& network, const step_schedule& s);

/// Configures \p t to carry out \p transfers: source routing on \p vcs VCs, and a send sequence for every node.
/// Presumes that each source sends them in this order.
/// \throws std::invalid_argument for a path with more turns than fit into a header (source_path)
void set_send_sequences(topology& t, const std::vector<ordered_transfer>& transfers, unsigned vcs);

/// Cycles from creation to arrival of a packet of \p flits flits that takes \p route and meets no other packet, as in
/// zero_load_latency(). \param pipeline S of the routers
cycle_t latency_alone(const topology& t, unsigned pipeline, const ordered_transfer& transfer, std::uint64_t flits);

}  // namespace weft::schedule
