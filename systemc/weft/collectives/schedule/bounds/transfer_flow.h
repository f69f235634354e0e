// SPDX-License-Identifier: Apache-2.0
/// Computes the maximum number of transfers from one set of nodes to another in a step, by maximum flow.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "weft/collectives/schedule/step_network.h"
#include "weft/topology/analysis/max_flow.h"

namespace weft::schedule {

/// A set of nodes: element n states whether node n belongs to the set.
using node_set = std::vector<bool>;

/// Returns the nodes of a set as text, such as "0-3, 8".
std::string ranges_of(const node_set& set);

/// Computes maximum flows between many pairs of sets in one network. Transfers do not pass through nodes, so every node
/// has one vertex for sending and another for receiving.
class transfer_flow {
 public:
  explicit transfer_flow(const step_network& network);

  /// Returns the number of transfers that nodes of \p from can make to nodes of \p to in one step. A node in both sets
  /// may send to itself. The search ends when the number reaches \p enough.
  std::uint64_t most(const node_set& from, const node_set& to,
                     std::uint64_t enough = std::numeric_limits<std::uint64_t>::max());

 private:
  std::size_t m_source, m_sink;
  max_flow m_flow;
  std::size_t m_sending, m_receiving;  ///< the first of the arcs from the source and of those to the sink, by node
};

}  // namespace weft::schedule
