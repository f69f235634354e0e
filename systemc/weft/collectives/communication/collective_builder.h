// SPDX-License-Identifier: Apache-2.0
/// Helper shared by the collective generators: adds messages, and records which message brought which datum to which
/// node.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "weft/collectives/communication/broadcast_tree.h"
#include "weft/collectives/communication/collective.h"

namespace weft {

/// A broadcast of one message from a root to all nodes of a grid.
struct broadcast_job {
  const node_grid* grid = nullptr;
  const std::vector<tree_send>* sends = nullptr;  ///< levels ascend
  std::uint32_t root = 0;                         ///< index in the grid
  payload_form form = payload_form::Datum;
  std::vector<datum_id> operands;
  std::vector<message_id> after;     ///< messages that the root waits for
  std::vector<message_id> arrivals;  ///< by index, the message that brings it; NoMessage at the root, and before run()
};

/// A chain of received XORs of consecutive data, and the plain datum that decodes them.
struct received_chain {
  std::vector<datum_id> data;
  std::vector<message_id> coded;  ///< [i] is the message with data[i] XOR data[i + 1]
  std::size_t plain = 0;          ///< index of the datum that arrived uncoded…
  message_id opener = NoMessage;  ///< …in this message
};

class collective_builder {
 public:
  collective_builder(std::string name, std::uint32_t nodes);

  datum_id add_datum(node_id owner, std::uint32_t flits);

  /// Call after all data are added and before add_received() and after(): records that nodes have their own data.
  void begin();

  /// Number of the step called \p name; adds the step if there is none.
  step_id step(const std::string& name);

  /// Reserves space. \throws std::invalid_argument if so many more would exceed MaxCollectiveMessages or
  /// MaxCollectiveOperands
  void make_room(std::uint64_t messages, std::uint64_t operands) const;
  message_id add(node_id source, node_id destination, step_id step, payload_form form,
                 const std::vector<datum_id>& operands, const std::vector<message_id>& after);

  /// Adds the messages of all jobs, level by level. \param levels the step of each level; a single entry applies to all
  /// levels
  void run(std::vector<broadcast_job>& jobs, const std::vector<step_id>& levels);

  /// Records that \p node has \p datum after \p message has arrived.
  void add_received(node_id node, datum_id datum, message_id message);
  /// Records that \p node can decode all data of a chain.
  void add_received(node_id node, received_chain chain);
  /// Records the plain datum that \p job brought.
  void add_received(const broadcast_job& job);

  /// The messages that must arrive at \p node before it can send something made of \p operands.
  std::vector<message_id> after(node_id node, const std::vector<datum_id>& operands) const;

  const std::vector<collective_datum>& data() const { return m_made.data; }
  void set_goals(std::vector<collective_goal> goals) { m_made.goals = std::move(goals); }
  collective take() { return std::move(m_made); }

 private:
  static constexpr std::uint32_t Own = std::numeric_limits<std::uint32_t>::max();
  static constexpr std::uint32_t Unknown = Own - 1;
  static constexpr std::uint32_t InChain = 1u << 31;  ///< if set, the rest is an index into m_chains, else a message

  std::uint32_t& arrival_of(node_id node, datum_id datum) {
    return m_known[std::size_t{node} * m_made.data.size() + datum];
  }

  collective m_made;
  std::vector<std::uint32_t> m_known;  ///< by node, then datum
  std::vector<received_chain> m_chains;
};

}  // namespace weft
