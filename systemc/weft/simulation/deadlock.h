// SPDX-License-Identifier: Apache-2.0
/// Detects that a network has stopped, and explains which packets wait for each other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "weft/core/network_model.h"
#include "weft/topology/topology.h"

namespace weft::experiment {

/// For each message class, the classes of the packets that must leave a node before it accepts further packets of this
/// class; see reacting_source::answers_to(). Empty if nodes accept every packet.
using awaited_answers = std::vector<class_set>;

/// All blocked packets of \p model: those in routers and, unless \p answers is empty, those in NICs.
std::vector<blocked_packet> all_blocked(const network_model& model, const awaited_answers& answers);

/// The wait-for graph: for each blocked packet, the indices of the packets that it waits for. A packet without an
/// output VC waits for the packets that hold a VC that it may use, and for the packets at the front of the downstream
/// buffers of these VCs. A packet without a credit waits for the packet at the front of the full buffer. A packet
/// without room in a shared buffer waits for the packets at the fronts of all VCs with flits of the pool, and for the
/// holders of kept slots. A packet that its node does not accept waits for the answers at the fronts of the node's
/// source queues.
std::vector<std::vector<std::size_t>> wait_for_graph(const topology& graph, const std::vector<blocked_packet>& blocked,
                                                     const awaited_answers& answers = {});

/// Finds a ring of packets in \p graph: each packet waits for the next one, and the last packet waits for the first.
/// Empty if there is no ring.
std::vector<std::size_t> find_ring(const std::vector<std::vector<std::size_t>>& graph);

/// Finds the packets that can never move again, even if other packets can. Whichever output VC such a packet selects,
/// it waits for a packet of this set. A packet is not in the set if it can select an output VC that no blocked packet
/// holds.
std::vector<std::size_t> find_stuck(const topology& graph, const std::vector<blocked_packet>& blocked,
                                    const awaited_answers& answers = {});

/// Explains, line by line, that \p stuck packets have not moved for \p time cycles while others have.
std::vector<std::string> explain_stuck(const topology& graph, const std::vector<blocked_packet>& blocked,
                                       std::size_t stuck, cycle_t time, const awaited_answers& answers = {});

/// What \p b waits for, such as "an output VC" or "room in the shared buffer".
const char* awaited(const blocked_packet& b);

/// The output ports at which \p b waits for a VC or a credit, each with the VCs that \p b may use. Only for packets in
/// routers.
std::vector<std::pair<unsigned, vc_set>> offers_to(const blocked_packet& b);

/// Whether \p b is in a NIC.
bool is_in_nic(const blocked_packet& b);

/// Describes the packets of a ring, or all blocked packets if there is no ring. One line for each packet.
std::vector<std::string> describe_deadlock(const topology& graph, const std::vector<blocked_packet>& blocked,
                                           const awaited_answers& answers = {});

/// Detects that no flit has moved in a network for a given time.
class standstill_watch {
 public:
  /// \p model must outlive it. \param patience cycles without movement after which the network counts as stopped
  standstill_watch(const network_model& model, cycle_t patience, awaited_answers answers = {})
      : m_model(model), m_patience(patience), m_answers(std::move(answers)) {}

  /// Whether no flit has moved for the patience of this object, up to now. Call it regularly.
  /// \param at_the_border number of flits that have entered or left the network since the start of the run
  /// \param waiting whether there are packets to move; a network without packets is not deadlocked
  bool stands_still(std::uint64_t at_the_border, bool waiting);

  /// Whether no flit moved between the last two calls of stands_still() although there were packets to move.
  bool is_resting() const { return m_rests; }

  /// The packets of a ring in which each packet waits for the next one; see find_ring().
  std::vector<blocked_packet> ring(const topology& graph) const;

  /// Explains, line by line, why \p packets packets in flight do not move.
  std::vector<std::string> explain(const topology& graph, std::uint64_t packets) const;

 private:
  bool has_moved(std::uint64_t at_the_border);

  const network_model& m_model;
  cycle_t m_patience;
  awaited_answers m_answers;
  std::uint64_t m_moves = 0;  ///< number of flit movements at the last check
  cycle_t m_last_move = 0;
  bool m_rests = false;  ///< result of the last check
};

}  // namespace weft::experiment
