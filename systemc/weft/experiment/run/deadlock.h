// SPDX-License-Identifier: Apache-2.0
/// Finds that a network is at a standstill, and explains it: which packets wait for which.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
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

/// Packets that can never move again, though others may: each of them waits only for others of them, whichever of its
/// alternatives it takes. A packet that waits for something that no blocked packet holds is not among them.
std::vector<std::size_t> find_stuck(const topology& graph, const std::vector<blocked_packet>& blocked);

/// Explains that \p stuck packets have not moved for \p time cycles while others did, line by line.
std::vector<std::string> explain_stuck(const topology& graph, const std::vector<blocked_packet>& blocked,
                                       std::size_t stuck, cycle_t time);

/// Output ports of which \p b waits for a VC or a credit, each with the VCs that would do.
std::vector<std::pair<unsigned, vc_set>> offers_to(const blocked_packet& b);

/// The ring, packet by packet; where there is none, all that are blocked. For people.
std::vector<std::string> describe_deadlock(const topology& graph, const std::vector<blocked_packet>& blocked);

/// Finds that nothing moves in a network.
class standstill_watch {
 public:
  /// \p model outlives it. \p patience: cycles without any movement after which it is a standstill.
  standstill_watch(const network_model& model, cycle_t patience) : m_model(model), m_patience(patience) {}

  /// To be called at intervals. \p at_the_border: flits that have entered or left the network since its start. \p
  /// waiting: there are packets to move; without any, rest is no standstill.
  bool stands_still(std::uint64_t at_the_border, bool waiting);

  /// Whether no flit moved between the last two calls of stands_still(), while there were packets to move.
  bool is_resting() const { return m_rests; }

  /// The packets that wait for each other, as find_ring() finds them.
  std::vector<blocked_packet> ring(const topology& graph) const;

  /// Explains the standstill of \p packets that are on their way, line by line.
  std::vector<std::string> explain(const topology& graph, std::uint64_t packets) const;

 private:
  bool has_moved(std::uint64_t at_the_border);

  const network_model& m_model;
  cycle_t m_patience;
  std::uint64_t m_moves = 0;  ///< of flits, when last looked at
  cycle_t m_last_move = 0;
  bool m_rests = false;  ///< at the last look
};

}  // namespace weft::experiment
