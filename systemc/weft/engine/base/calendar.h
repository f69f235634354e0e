// SPDX-License-Identifier: Apache-2.0
/// A calendar, which stores for each node the cycle in which it creates its next packet.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "weft/core/types.h"

namespace weft::engine {

/// Stores the cycle in which each node is due, in a ring of lists of nodes. A node is in the list of its cycle modulo
/// the size of the ring. Moving a node to another list takes the same time for any number of nodes.
class calendar {
 public:
  explicit calendar(std::size_t nodes) : m_nodes(nodes) { m_first.fill(None); }

  /// Schedules \p node for \p cycle. The node must be in no list, and \p cycle must not be before the next cycle that
  /// is passed to pop(). If \p cycle is Never, the node is not scheduled.
  void enter(node_id node, cycle_t cycle) {
    m_nodes[node].due = cycle;
    if (cycle == Never) return;
    ++m_count;
    const std::size_t slot = cycle % Slots;
    m_nodes[node].next = m_first[slot];
    m_first[slot] = node;
    m_occupied[slot / 64] |= std::uint64_t{1} << slot % 64;
  }

  /// Removes all nodes that are due in \p cycle, and calls \p f(node) for each of them. The function returns the next
  /// cycle in which the node is due.
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
      if (due != cycle) ++m_passed_over;  // the node is due in a later round of the ring
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

  /// Returns the first cycle in which a node is due, or Never if no node is scheduled.
  cycle_t next() const {
    if (empty()) return Never;
    cycle_t first = Never;
    for (const entry& e : m_nodes) first = std::min(first, e.due);
    return first;
  }

  /// Returns a lower bound of the next cycle in which a node is due, between \p from and \p limit. No node is due
  /// before the returned cycle, and possibly none is due in it.
  cycle_t idle_until(cycle_t from, cycle_t limit) {
    if (empty()) return limit;
    // A scan of all nodes is worthwhile once pop() has met as many nodes of later rounds as there are nodes.
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
    node_id next = None;  ///< next node in the list
  };

  std::vector<entry> m_nodes;
  std::array<node_id, Slots> m_first;
  std::array<std::uint64_t, Slots / 64> m_occupied{};
  std::size_t m_count = 0;        ///< number of scheduled nodes
  std::size_t m_passed_over = 0;  ///< number of nodes of later rounds that pop() has met since the last scan of all
                                  ///< nodes
};

}  // namespace weft::engine
