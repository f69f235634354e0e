// SPDX-License-Identifier: Apache-2.0
/// Schedules the next packet creation of each node.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "weft/core/types.h"

namespace weft::engine {

/// A ring of lists of nodes. A node is in the list of its cycle modulo the size of the ring. Moving a node takes the
/// same time for any number of nodes.
class calendar {
 public:
  explicit calendar(std::size_t nodes) : m_nodes(nodes) { m_first.fill(None); }

  /// Schedules \p node, which is in no list, for \p cycle, which must not be before the next cycle passed to pop().
  /// Never: the node is not scheduled.
  void enter(node_id node, cycle_t cycle) {
    m_nodes[node].due = cycle;
    if (cycle == Never) return;
    ++m_count;
    const std::size_t slot = cycle % Slots;
    m_nodes[node].next = m_first[slot];
    m_first[slot] = node;
    m_occupied[slot / 64] |= std::uint64_t{1} << slot % 64;
  }

  /// Removes all nodes that are due in \p cycle and calls \p f(node) for each, which returns the next cycle of the
  /// node.
  template <typename F>
  void pop(cycle_t cycle, F f) {
    const std::size_t slot = cycle % Slots;
    if ((m_occupied[slot / 64] >> slot % 64 & 1) == 0) return;
    node_id node = m_first[slot];
    m_first[slot] = None;
    m_occupied[slot / 64] &= ~(std::uint64_t{1} << slot % 64);
    while (node != None) {
      const auto [due, next] = m_nodes[node];
      --m_count;
      if (due != cycle) ++m_passed_over;  // due in a later round of the ring
      enter(node, due == cycle ? f(node) : due);
      node = next;
    }
  }

  /// Removes \p node from its list.
  void remove(node_id node) {
    if (m_nodes[node].due == Never) return;
    const std::size_t slot = m_nodes[node].due % Slots;
    node_id* at = &m_first[slot];
    while (*at != node) at = &m_nodes[*at].next;
    *at = m_nodes[node].next;
    --m_count;
    if (m_first[slot] == None) m_occupied[slot / 64] &= ~(std::uint64_t{1} << slot % 64);
    m_nodes[node].due = Never;
  }

  /// Whether no node is scheduled.
  bool empty() const { return m_count == 0; }

  /// The first cycle in which a node is due; Never if there is none.
  cycle_t next() const {
    if (empty()) return Never;
    cycle_t first = Never;
    for (const entry& e : m_nodes) first = std::min(first, e.due);
    return first;
  }

  /// A cycle from \p from to \p limit before which no node is due. It is a lower bound: possibly no node is due in it.
  cycle_t idle_until(cycle_t from, cycle_t limit) {
    if (empty()) return limit;
    // A scan of all nodes is worthwhile after as many nodes were met in earlier rounds than their own.
    if (m_passed_over >= m_nodes.size()) {
      m_passed_over = 0;
      return std::clamp(next(), from, limit);
    }
    const cycle_t end = std::min(limit, from + Slots);
    for (cycle_t cycle = from; cycle < end;) {
      const std::size_t slot = cycle % Slots;
      const std::uint64_t left = m_occupied[slot / 64] >> slot % 64;
      if (left != 0) return std::min<cycle_t>(end, cycle + static_cast<unsigned>(__builtin_ctzll(left)));
      cycle += 64 - slot % 64;
    }
    return end;
  }

 private:
  static constexpr std::size_t Slots = 4096;
  static constexpr node_id None = ~node_id{0};

  struct entry {
    cycle_t due = Never;
    node_id next = None;  ///< next node in the list of its slot
  };

  std::vector<entry> m_nodes;
  std::array<node_id, Slots> m_first;
  std::array<std::uint64_t, Slots / 64> m_occupied{};
  std::size_t m_count = 0;        ///< scheduled nodes
  std::size_t m_passed_over = 0;  ///< number of nodes met before their round since the last scan of all nodes
};

}  // namespace weft::engine
