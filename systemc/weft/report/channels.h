// SPDX-License-Identifier: Apache-2.0
/// The traffic of the channels of a network, with their names.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "weft/configuration/keys.h"
#include "weft/core/network_model.h"
#include "weft/topology/wiring.h"

namespace weft::experiment {

/// The other end of an output port: "router 1 (1,0) -x", "node 3".
std::string far_end(const topology& graph, const port_end& end);

/// The traffic of each channel in \p cycles cycles; unconnected output ports are omitted.
json channels_json(const topology& graph, const std::vector<channel_count>& counts, cycle_t cycles);

/// Indices of the elements of \p counts that channels_json() reports, in its order.
std::vector<std::size_t> reported_channels(const topology& graph, const std::vector<channel_count>& counts);

/// The channel between routers with the most flits; of several, the first.
struct busiest_channel {
  std::uint64_t flits = 0;
  std::string from, to;         ///< "router 1 (1,0) +y", "router 3 (1,1) -y"; empty in a network with a single router
  json from_port{}, to_port{};  ///< the same as JSON: `router` and `port`; or null
};
busiest_channel busiest_link(const topology& graph, const std::vector<channel_count>& counts);

}  // namespace weft::experiment
