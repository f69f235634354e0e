// SPDX-License-Identifier: Apache-2.0
/// A helper of the collective generators. It adds messages and records which message brought which datum to which node.
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
  const std::vector<tree_send>* sends = nullptr;  ///< sends of the tree, sorted by level
  std::uint32_t root = 0;                         ///< index of the root in the grid
  payload_form form = payload_form::Datum;
  std::vector<datum_id> operands;
  std::vector<message_id> after;     ///< messages for which the root waits
  std::vector<message_id> arrivals;  ///< by index, the message that brings the datum; NoMessage at the root
};

/// A chain of received XORs of consecutive data, and the plain datum from which all of them can be decoded.
struct received_chain {
  std::vector<datum_id> data;
  std::vector<message_id> coded;  ///< coded[i] is the message with data[i] XOR data[i + 1]
  std::size_t plain = 0;          ///< index of the datum that arrived uncoded
  message_id opener = NoMessage;  ///< the message in which the uncoded datum arrived
};

class collective_builder {
 public:
  collective_builder(std::string name, std::uint32_t nodes);

  datum_id add_datum(node_id owner, std::uint32_t flits);

  /// Records that each node has its own data. Call it after all data are added and before add_received() and after().
  void begin();

  /// Returns the number of the step called \p name. Adds the step if it does not exist.
  step_id step(const std::string& name);

  /// Reserves space for further messages and operands.
  /// \throws std::invalid_argument if there would be more than MaxCollectiveMessages messages or MaxCollectiveOperands
  /// operands
  void make_room(std::uint64_t messages, std::uint64_t operands) const;
  message_id add(node_id source, node_id destination, step_id step, payload_form form,
                 const std::vector<datum_id>& operands, const std::vector<message_id>& after);

  /// Adds the messages of all jobs, level by level.
  /// \param levels the step of each level; a single entry applies to all levels
  void run(std::vector<broadcast_job>& jobs, const std::vector<step_id>& levels);

  /// Records that \p node has \p datum when \p message has arrived.
  void add_received(node_id node, datum_id datum, message_id message);
  /// Records that \p node can decode all data of a chain.
  void add_received(node_id node, received_chain chain);
  /// Records that the nodes of \p job have received its plain datum.
  void add_received(const broadcast_job& job);

  /// Returns the messages that must arrive at \p node before it can send a message made of \p operands.
  std::vector<message_id> after(node_id node, const std::vector<datum_id>& operands) const;

  const std::vector<collective_datum>& data() const { return m_made.data; }
  void set_goals(std::vector<collective_goal> goals) { m_made.goals = std::move(goals); }
  collective take() { return std::move(m_made); }

 private:
  static constexpr std::uint32_t Own = std::numeric_limits<std::uint32_t>::max();
  static constexpr std::uint32_t Unknown = Own - 1;
  static constexpr std::uint32_t InChain = 1u << 31;  ///< if set, the other bits are an index into m_chains

  std::uint32_t& arrival_of(node_id node, datum_id datum) {
    return m_known[std::size_t{node} * m_made.data.size() + datum];
  }

  collective m_made;
  std::vector<std::uint32_t> m_known;  ///< what brought each datum, by node and datum
  std::vector<received_chain> m_chains;
};

}  // namespace weft
