// SPDX-License-Identifier: Apache-2.0
/// Maximum integer flow between two vertices (Dinic 1970). The only one in Weft: bounds and cuts need its value or the
/// side of the source, constructions of schedules also the flow of each arc. A flow always takes the first shortest
/// paths in the order in which arcs were added, so that the flows of arcs are reproducible.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace weft {

class max_flow {
 public:
  static constexpr std::int64_t Endless = std::numeric_limits<std::int64_t>::max() / 4;

  explicit max_flow(std::size_t vertices) : m_out(vertices) {}

  std::size_t add_vertex() {
    m_out.emplace_back();
    return m_out.size() - 1;
  }
  /// Returns the number of the arc, from 0.
  std::size_t add_arc(std::size_t from, std::size_t to, std::int64_t capacity);
  /// Removes all flow and restores the capacities with which arcs were added.
  void reset();
  /// Takes effect with the next reset().
  void set_capacity(std::size_t arc, std::int64_t capacity) { m_arcs[2 * arc].capacity = capacity; }
  /// Raises the capacity of \p arc by \p more and keeps all flow.
  void raise_capacity(std::size_t arc, std::int64_t more);

  /// Augments the existing flow from \p from to \p to by at most \p enough. Returns the added flow.
  std::int64_t run(std::size_t from, std::size_t to, std::int64_t enough = Endless);
  std::int64_t flow(std::size_t arc) const { return m_arcs[2 * arc].capacity - m_arcs[2 * arc].left; }
  /// Raises the flow of \p arc to \p least by cycles through it, as far as there are any. Later runs keep at least that
  /// flow; \p least is at most the capacity.
  void require(std::size_t arc, std::int64_t least);
  /// After a run() that found less than \p enough: whether \p vertex is on the source's side of a minimum cut, the
  /// smallest such side.
  bool before_cut(std::size_t vertex) const { return m_level[vertex] >= 0; }

 private:
  struct flow_arc {
    std::size_t to;
    std::int64_t capacity;
    std::int64_t left;
  };
  bool level(std::size_t from, std::size_t to);
  std::int64_t send(std::size_t from, std::size_t to, std::int64_t most);
  bool has_rising_arc(std::size_t vertex);

  std::vector<std::vector<std::size_t>> m_out;  // by vertex: its arcs; odd numbers are reverse arcs
  std::vector<flow_arc> m_arcs;
  std::vector<std::int32_t> m_level;
  std::vector<std::size_t> m_next;  // by vertex: index of its current arc
  std::vector<std::size_t> m_queue;
};

}  // namespace weft
