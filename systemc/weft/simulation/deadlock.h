// SPDX-License-Identifier: Apache-2.0
/// Detects that a network has stopped, and explains the cause: which packets wait for which.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "weft/core/network_model.h"
#include "weft/topology/topology.h"

namespace weft::experiment {

/// The wait-for graph: for each blocked packet, the indices of the packets that it waits for. A packet without output
/// VC waits for the packets that hold a VC it may take; a packet without credit waits for the packet at the front of
/// the full buffer.
std::vector<std::vector<std::size_t>> wait_for_graph(const topology& graph, const std::vector<blocked_packet>& blocked);

/// A ring of packets in which each waits for the next and the last for the first; empty if there is none.
std::vector<std::size_t> find_ring(const std::vector<std::vector<std::size_t>>& graph);

/// Packets that can never move again, although others may: whichever alternative such a packet takes, it waits only for
/// packets of this set. Excludes packets that wait for something that no blocked packet holds.
std::vector<std::size_t> find_stuck(const topology& graph, const std::vector<blocked_packet>& blocked);

/// Explains, line by line, that \p stuck packets have not moved for \p time cycles while others have.
std::vector<std::string> explain_stuck(const topology& graph, const std::vector<blocked_packet>& blocked,
                                       std::size_t stuck, cycle_t time);

/// Output ports at which \p b waits for a VC or a credit, each with the admissible VCs.
std::vector<std::pair<unsigned, vc_set>> offers_to(const blocked_packet& b);

/// Describes the ring packet by packet, or, if there is none, all blocked packets.
std::vector<std::string> describe_deadlock(const topology& graph, const std::vector<blocked_packet>& blocked);

/// Detects that nothing moves in a network.
class standstill_watch {
 public:
  /// \p model must outlive it. \param patience cycles without movement after which the network counts as stopped
  standstill_watch(const network_model& model, cycle_t patience) : m_model(model), m_patience(patience) {}

  /// Call at intervals. \param at_the_border flits that have entered or left the network since the start \param waiting
  /// whether there are packets to move; without any, rest is no deadlock
  bool stands_still(std::uint64_t at_the_border, bool waiting);

  /// Whether no flit moved between the last two calls of stands_still() although there were packets to move.
  bool is_resting() const { return m_rests; }

  /// The packets that wait for each other, as returned by find_ring().
  std::vector<blocked_packet> ring(const topology& graph) const;

  /// Explains, line by line, why \p packets packets in flight do not move.
  std::vector<std::string> explain(const topology& graph, std::uint64_t packets) const;

 private:
  bool has_moved(std::uint64_t at_the_border);

  const network_model& m_model;
  cycle_t m_patience;
  std::uint64_t m_moves = 0;  ///< number of flit movements at the last check
  cycle_t m_last_move = 0;
  bool m_rests = false;  ///< result of the last check
};

}  // namespace weft::experiment
