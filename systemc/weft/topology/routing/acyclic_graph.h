// SPDX-License-Identifier: Apache-2.0
/// A directed graph that stays acyclic while edges are added.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace weft {

/// A graph to which edges are added one at a time. It rejects an edge that closes a cycle and keeps its vertices in
/// topological order. Source: Pearce and Kelly, "A dynamic topological sort algorithm for directed acyclic graphs"
/// (2006).
class acyclic_graph {
 public:
  explicit acyclic_graph(std::size_t vertices)
      : m_next(vertices), m_previous(vertices), m_rank(vertices), m_seen(vertices) {
    std::iota(m_rank.begin(), m_rank.end(), 0U);
  }

  /// Adds the edge from \p from to \p to unless it closes a cycle. Returns whether it was added.
  bool add(std::uint32_t from, std::uint32_t to) {
    if (m_rank[to] <= m_rank[from] && !reorder(from, to)) return false;
    m_next[from].push_back(to);
    m_previous[to].push_back(from);
    return true;
  }

  /// Removes the edge from \p from to \p to, which must be the one added last.
  void remove_last(std::uint32_t from, std::uint32_t to) {
    m_next[from].pop_back();
    m_previous[to].pop_back();
  }

 private:
  using lists = std::vector<std::vector<std::uint32_t>>;

  /// All vertices that \p edges connect to \p start through vertices with \p within(vertex), in topological order.
  template <class Within>
  std::vector<std::uint32_t> reach(std::uint32_t start, const lists& edges, Within within) {
    std::vector<std::uint32_t> found{start};
    m_seen[start] = ++m_search;
    for (std::size_t i = 0; i < found.size(); ++i) {
      for (const std::uint32_t v : edges[found[i]]) {
        if (m_seen[v] == m_search || !within(v)) continue;
        m_seen[v] = m_search;
        found.push_back(v);
      }
    }
    std::sort(found.begin(), found.end(), [this](std::uint32_t a, std::uint32_t b) { return m_rank[a] < m_rank[b]; });
    return found;
  }

  /// Moves the predecessors of \p from before the successors of \p to in the order. Returns false if the two sets
  /// intersect.
  bool reorder(std::uint32_t from, std::uint32_t to) {
    const std::vector<std::uint32_t> behind =
        reach(to, m_next, [&](std::uint32_t v) { return m_rank[v] <= m_rank[from]; });
    if (m_seen[from] == m_search) return false;
    std::vector<std::uint32_t> moved =
        reach(from, m_previous, [&](std::uint32_t v) { return m_rank[v] >= m_rank[to]; });
    moved.insert(moved.end(), behind.begin(), behind.end());
    std::vector<std::uint32_t> ranks;
    for (const std::uint32_t v : moved) ranks.push_back(m_rank[v]);
    std::sort(ranks.begin(), ranks.end());
    for (std::size_t i = 0; i < moved.size(); ++i) m_rank[moved[i]] = ranks[i];
    return true;
  }

  lists m_next, m_previous;
  std::vector<std::uint32_t> m_rank;  ///< position of each vertex in topological order
  std::vector<std::uint32_t> m_seen;  ///< number of the last search that visited the vertex
  std::uint32_t m_search = 0;
};

}  // namespace weft
