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
  /// Adds an arc. Returns its number; arcs are numbered from 0.
  std::size_t add_arc(std::size_t from, std::size_t to, std::int64_t capacity);
  /// Removes all flow. Arcs keep their capacities.
  void reset();
  /// Takes effect with the next reset().
  void set_capacity(std::size_t arc, std::int64_t capacity) { m_arcs[2 * arc].capacity = capacity; }
  /// Raises the capacity of \p arc by \p more and keeps all flow.
  void raise_capacity(std::size_t arc, std::int64_t more);

  /// Adds at most \p enough units of flow from \p from to \p to. Returns the flow added.
  std::int64_t run(std::size_t from, std::size_t to, std::int64_t enough = Endless);
  std::int64_t flow(std::size_t arc) const { return m_arcs[2 * arc].capacity - m_arcs[2 * arc].left; }
  /// Raises the flow of \p arc toward \p least, along cycles that contain the arc, as far as such cycles exist. Later
  /// runs do not reduce this flow. \p least must not exceed the capacity.
  void require(std::size_t arc, std::int64_t least);
  /// Whether \p vertex is on the source's side of a minimum cut; of several such sides, this is the smallest one. Valid
  /// after a run() that added less than \p enough.
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

  std::vector<std::vector<std::size_t>> m_out;  // the arcs of each vertex; odd numbers are reverse arcs
  std::vector<flow_arc> m_arcs;
  std::vector<std::int32_t> m_level;
  std::vector<std::size_t> m_next;  // by vertex: index of its current arc
  std::vector<std::size_t> m_queue;
};

}  // namespace weft
