// SPDX-License-Identifier: Apache-2.0
/// How many transfers a step can make from some nodes to others: maximum flow.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "weft/schedule/step_network.h"

namespace weft::schedule {

/// A set of nodes, by node.
using node_set = std::vector<bool>;

/// "0-3, 8".
std::string ranges_of(const node_set& set);

/// Maximum flow in one network, for many pairs of sets (Dinic's algorithm). Transfers pass no node, so every node has a
/// vertex to send from and one to receive at.
class transfer_flow {
 public:
  explicit transfer_flow(const step_network& network);

  /// Transfers that nodes of \p from can make to nodes of \p to in one step, whichever way the routers are put on
  /// either side; those to the own node, of one in both sets, included. Stops counting at \p enough.
  std::uint64_t most(const node_set& from, const node_set& to,
                     std::uint64_t enough = std::numeric_limits<std::uint64_t>::max());

 private:
  using vertex = std::uint32_t;
  struct arc {
    vertex to;
    std::uint32_t reverse;  ///< the arc the other way
    unsigned capacity;
  };

  void connect(vertex from, vertex to, unsigned capacity);
  /// Whether a shortest path is left; levels of the vertices up to the end.
  bool rank(const node_set& from, const node_set& to);
  struct rising_arcs;
  std::uint64_t send(vertex at, const node_set& to, std::uint64_t most);
  bool ends(vertex v, const node_set& to) const { return v >= m_first_end && to[v - m_first_end]; }

  vertex m_first_end;                             ///< vertices of nodes that receive follow all others
  std::vector<std::vector<std::uint32_t>> m_out;  ///< arcs of each vertex
  std::vector<arc> m_arcs;
  std::vector<unsigned> m_left;  ///< capacity, by arc
  std::vector<std::uint32_t> m_level;
  std::vector<std::size_t> m_next;  ///< arc to go on with, by vertex
  std::vector<vertex> m_queue;
};

}  // namespace weft::schedule
