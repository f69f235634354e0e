// SPDX-License-Identifier: Apache-2.0
/// Reports the traffic of each channel of a network.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "weft/configuration/keys.h"
#include "weft/core/network_model.h"
#include "weft/topology/wiring.h"

namespace weft::experiment {

/// The name of what an output port leads to, such as "router 1 (1,0) -x" or "node 3".
std::string far_end(const topology& graph, const port_end& end);

/// Share of \p cycles cycles for which flits that left in them occupied a channel, for \p occupied cycles in all. It is
/// at most 1, although the last flit may occupy a narrow channel beyond these cycles.
double occupied_share(std::uint64_t occupied, cycle_t cycles);

/// Share of \p cycles cycles for which \p flits flits, which left \p port in them, occupied the channel there; see
/// occupied_share().
double utilisation_of(const topology& graph, const wiring& wires, const port_ref& port, std::uint64_t flits,
                      cycle_t cycles);

/// The traffic of each channel in \p cycles cycles; unconnected output ports are omitted.
json channels_json(const topology& graph, const std::vector<channel_count>& counts, cycle_t cycles);

/// Indices of the elements of \p counts that channels_json() reports, in its order.
std::vector<std::size_t> reported_channels(const topology& graph, const std::vector<channel_count>& counts);

/// The channel between routers that flits occupied for the most cycles. If there are several such channels, the first
/// of them.
struct busiest_channel {
  std::uint64_t flits = 0;
  std::uint64_t cycles = 0;     ///< for which it was occupied: `flits`, or more if it is narrow
  std::string from, to;         ///< "router 1 (1,0) +y", "router 3 (1,1) -y"; empty in a network with a single router
  json from_port{}, to_port{};  ///< the two ends as JSON: `router` and `port`; or null
};
busiest_channel busiest_link(const topology& graph, const std::vector<channel_count>& counts);

}  // namespace weft::experiment
