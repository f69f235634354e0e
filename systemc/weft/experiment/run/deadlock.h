/// Who waits for whom in a network in which nothing moves any more.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "weft/core/network_model.h"
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

/// Notices that nothing moves in a network any more.
class standstill_watch {
 public:
  /// \p model outlives it. \p patience: cycles without any movement after which it is a standstill.
  standstill_watch(const network_model& model, cycle_t patience) : m_model(model), m_patience(patience) {}

  /// Asked again and again. \p at_the_border: flits that entered or left the network so far. \p waiting: somebody waits; if
  /// nobody does, rest is no standstill.
  bool stands_still(std::uint64_t at_the_border, bool waiting);

  /// What is to be said of \p packets that are on their way in it.
  std::vector<std::string> explain(const topology& graph, std::uint64_t packets) const;

 private:
  bool has_moved(std::uint64_t at_the_border);

  const network_model& m_model;
  cycle_t m_patience;
  std::uint64_t m_moves = 0;  ///< of flits, when last looked at
  cycle_t m_last_move = 0;
};

}  // namespace weft::experiment
