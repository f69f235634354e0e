// SPDX-License-Identifier: Apache-2.0
/// What the generators of collectives share: it adds messages, and knows which message brought which
/// data to which node.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "weft/workload/collective/broadcast_tree.h"
#include "weft/workload/collective/collective.h"

namespace weft {

/// A message on its way from a root to all nodes of a grid.
struct broadcast_job {
  const node_grid* grid = nullptr;
  const std::vector<tree_send>* sends = nullptr;  ///< levels ascend
  std::uint32_t root = 0;                         ///< index in the grid
  payload_form form = payload_form::Datum;
  std::vector<datum_id> operands;
  std::vector<message_id> after;     ///< what the root waits for
  std::vector<message_id> arrivals;  ///< by index: the message that brought it; NoMessage at the root and before
};

/// XORs of neighbours in a list of data, as a node received them, and the plain datum that opens them.
struct received_chain {
  std::vector<datum_id> data;
  std::vector<message_id> coded;  ///< [i] brought data[i] XOR data[i + 1]
  std::size_t plain = 0;          ///< index of the datum that came plain…
  message_id opener = NoMessage;  ///< …by this message
};

class collective_builder {
 public:
  collective_builder(std::string name, std::uint32_t nodes);

  datum_id add_datum(node_id owner, std::uint32_t flits);

  /// After all data, before learn() and after(): nodes know what they own.
  void begin();

  /// Number of the step of this name, a new one if there was none.
  step_id step(const std::string& name);

  /// Throws std::invalid_argument if so many more do not fit: MaxCollectiveMessages, MaxCollectiveOperands.
  void make_room(std::uint64_t messages, std::uint64_t operands) const;
  message_id add(node_id source, node_id destination, step_id step, payload_form form,
                 const std::vector<datum_id>& operands, const std::vector<message_id>& after);

  /// Adds the messages of all jobs, level by level. \param levels steps of the levels; one of all levels if it has one
  /// entry
  void run(std::vector<broadcast_job>& jobs, const std::vector<step_id>& levels);

  /// From now on \p node has \p datum, since \p message arrived.
  void learn(node_id node, datum_id datum, message_id message);
  /// From now on \p node can open all of a chain.
  void learn(node_id node, received_chain chain);
  /// What \p job brought, a plain datum.
  void learn(const broadcast_job& job);

  /// The messages that must have arrived at \p node before it can send something made of \p operands.
  std::vector<message_id> after(node_id node, const std::vector<datum_id>& operands) const;

  const std::vector<collective_datum>& data() const { return m_made.data; }
  void set_goals(std::vector<collective_goal> goals) { m_made.goals = std::move(goals); }
  collective take() { return std::move(m_made); }

 private:
  static constexpr std::uint32_t Own = std::numeric_limits<std::uint32_t>::max();
  static constexpr std::uint32_t Unknown = Own - 1;
  static constexpr std::uint32_t InChain = 1u << 31;  ///< the other bits are an index into m_chains, else a message

  std::uint32_t& knowledge(node_id node, datum_id datum) {
    return m_known[std::size_t{node} * m_made.data.size() + datum];
  }

  collective m_made;
  std::vector<std::uint32_t> m_known;  ///< by node, then datum
  std::vector<received_chain> m_chains;
};

}  // namespace weft
