// SPDX-License-Identifier: Apache-2.0
/// What the channels of a network have carried, with their names.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "weft/core/network_model.h"
#include "weft/experiment/configuration/keys.h"
#include "weft/topology/wiring.h"

namespace weft::experiment {

/// Where an output port leads: "router 1 (1,0) -x", "node 3".
std::string far_end(const topology& graph, const port_end& end);

/// What each channel has carried in \p cycles; output ports that lead nowhere are left out.
json channels_json(const topology& graph, const std::vector<channel_count>& counts, cycle_t cycles);

/// Those of \p counts that channels_json() tells, in its order: their indices.
std::vector<std::size_t> told_channels(const topology& graph, const std::vector<channel_count>& counts);

/// The channel between routers that carried the most flits, the first of several.
struct busiest_channel {
  std::uint64_t flits = 0;
  std::string from, to;         ///< "router 1 (1,0) +y", "router 3 (1,1) -y"; empty in a network of one router
  json from_port{}, to_port{};  ///< the same for programs: `router` and `port`; null
};
busiest_channel busiest_link(const topology& graph, const std::vector<channel_count>& counts);

}  // namespace weft::experiment
