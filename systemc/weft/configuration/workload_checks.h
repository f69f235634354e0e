// SPDX-License-Identifier: Apache-2.0
/// Checks whether the values of a workload fit together, and whether they fit the network.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "weft/configuration/configuration.h"
#include "weft/configuration/found_errors.h"

namespace weft::experiment {

/// Checks buffers that must hold a whole packet. \param keys the places of errors \param longest length of the longest
/// packet in flits \param which the packet that has this length, as " (packet 3)"; empty if it is not in a list
void check_longest(const configuration& c, found_errors& errors, const found_errors::places& keys,
                   std::uint32_t longest, const std::string& which = "");

/// Checks generated traffic. \param nodes number of nodes; nothing if the network is wrong
void check_generated(const configuration& c, found_errors& errors, std::optional<std::uint32_t> nodes);

/// Checks a packet list of a network with \p nodes nodes.
void check_packet_list(const configuration& c, found_errors& errors, std::uint32_t nodes);

/// Checks the flows of a network with \p nodes nodes.
void check_flows(const configuration& c, found_errors& errors, std::uint32_t nodes);

/// Whether some packets of \p w may have another message class than 0.
bool uses_classes(const workload_parameters& w);

}  // namespace weft::experiment
