// SPDX-License-Identifier: Apache-2.0
/// Maximum number of transfers from one set of nodes to another in a step, by maximum flow.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "weft/collectives/schedule/step_network.h"

namespace weft::schedule {

/// A set of nodes; element n is whether node n belongs to it.
using node_set = std::vector<bool>;

/// "0-3, 8".
std::string ranges_of(const node_set& set);

/// Maximum flow in one network, for many pairs of sets (Dinic's algorithm). Transfers do not pass through nodes, so
/// every node has one vertex for sending and one for receiving.
class transfer_flow {
 public:
  explicit transfer_flow(const step_network& network);

  /// Number of transfers that nodes of \p from can make to nodes of \p to in one step, with the routers on whichever
  /// side is best. Includes transfers of a node in both sets to itself. Stops counting at \p enough.
  std::uint64_t most(const node_set& from, const node_set& to,
                     std::uint64_t enough = std::numeric_limits<std::uint64_t>::max());

 private:
  using vertex = std::uint32_t;
  struct arc {
    vertex to;
    std::uint32_t reverse;  ///< index of the reverse arc
    unsigned capacity;
  };

  void connect(vertex from, vertex to, unsigned capacity);
  /// Whether an augmenting path exists; computes the levels of the vertices up to the end.
  bool rank(const node_set& from, const node_set& to);
  struct rising_arcs;
  std::uint64_t send(vertex at, const node_set& to, std::uint64_t most);
  bool ends(vertex v, const node_set& to) const { return v >= m_first_end && to[v - m_first_end]; }

  vertex m_first_end;                             ///< vertices of receiving nodes follow all others
  std::vector<std::vector<std::uint32_t>> m_out;  ///< arcs of each vertex
  std::vector<arc> m_arcs;
  std::vector<unsigned> m_left;  ///< residual capacity, by arc
  std::vector<std::uint32_t> m_level;
  std::vector<std::size_t> m_next;  ///< current arc, by vertex
  std::vector<vertex> m_queue;
};

}  // namespace weft::schedule
