// SPDX-License-Identifier: Apache-2.0
/// Maximum integer flow between two vertices (Dinic 1970).
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace weft::schedule {

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
  void set_capacity(std::size_t arc, std::int64_t capacity) { m_arcs[2 * arc].capacity = capacity; }

  /// Augments the existing flow from \p from to \p to by at most \p enough. Returns the added flow.
  std::int64_t run(std::size_t from, std::size_t to, std::int64_t enough = Endless);
  /// After a run() that found less than \p enough: whether \p vertex is on the source's side of a minimum cut.
  bool before_cut(std::size_t vertex) const { return m_level[vertex] >= 0; }

 private:
  struct flow_arc {
    std::size_t to;
    std::int64_t capacity;
    std::int64_t left;
  };
  bool level(std::size_t from, std::size_t to);
  struct rising_arcs;

  std::vector<std::vector<std::size_t>> m_out;  // by vertex: its arcs; odd numbers are reverse arcs
  std::vector<flow_arc> m_arcs;
  std::vector<std::int32_t> m_level;
  std::vector<std::size_t> m_next;
};

}  // namespace weft::schedule
