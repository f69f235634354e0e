/// Who waits for whom in a network in which nothing moves any more.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "weft/core/packet.h"
#include "weft/topology/topology.h"

namespace weft::experiment {

/// Edges of the wait-for graph: for each blocked packet the indices of those that it waits for. A packet
/// without an output VC waits for the packets that hold one it may take; a packet without credit waits for
/// the packet at the front of the buffer that is full.
std::vector<std::vector<std::size_t>> wait_for_graph(const topology& graph, const std::vector<blocked_packet>& blocked);

/// Packets that wait for each other in a ring, each for the next and the last for the first; empty when none
/// do.
std::vector<std::size_t> find_ring(const std::vector<std::vector<std::size_t>>& graph);

/// The ring, packet by packet; where there is none, all that are blocked. For people.
std::vector<std::string> describe_deadlock(const topology& graph, const std::vector<blocked_packet>& blocked);

}  // namespace weft::experiment
