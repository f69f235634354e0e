// SPDX-License-Identifier: Apache-2.0
/// Converts a schedule to send sequences. The send sequence of a node lists the port and the path id of each packet
/// that the node sends, in order.
#pragma once

#include <vector>

#include "weft/collectives/schedule/schedule.h"
#include "weft/collectives/schedule/step_network.h"
#include "weft/core/parameters.h"
#include "weft/topology/topology.h"

namespace weft::schedule {

/// The parts of the topology that a transfer uses.
struct transfer_route {
  std::size_t out = 0;  ///< attachment by which the transfer leaves its source: an index into node_attachment::ports
  std::size_t in = 0;   ///< attachment by which the transfer arrives at its destination
  std::vector<std::size_t> channels;  ///< channel indices in the topology, in path order
};

/// Returns the routes of all transfers of a step. No two routes share a port or a channel.
/// \throws std::invalid_argument, with a remedy, if nodes of \p t have fewer ports than the step uses
std::vector<transfer_route> routes_of(const topology& t, const step_network& network, const step& s);

/// A transfer with its step and its route. in_order() sorts the transfers of all steps by step, then by source, then by
/// port; each source sends its transfers in this order.
struct ordered_transfer {
  std::size_t step;
  const transfer* what;
  transfer_route route;
};
std::vector<ordered_transfer> in_order(const topology& t, const step_network& network, const step_schedule& s);

/// Configures \p t to carry out \p transfers: it uses source routing on \p vcs VCs, and every node gets a send
/// sequence. Each source must send its packets in the order of \p transfers.
/// \throws std::invalid_argument for a path with more turns than fit into a header (source_path)
void set_send_sequences(topology& t, const std::vector<ordered_transfer>& transfers, unsigned vcs);

/// Returns the number of cycles from creation to arrival of a packet of \p flits flits that takes the route of \p
/// transfer and meets no other packet, as zero_load_latency() does.
/// \param router parameters of the routers
cycle_t latency_alone(const topology& t, const router_parameters& router, const ordered_transfer& transfer,
                      std::uint64_t flits);

}  // namespace weft::schedule
