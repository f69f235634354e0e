/// When each node creates its next packet.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "weft/core/types.h"

namespace weft::engine {

/// A ring of lists of nodes: a node stands in the list of its cycle, modulo the size of the ring. Moving a node costs the
/// same however many nodes there are.
class calendar {
 public:
  explicit calendar(std::size_t nodes) : m_due(nodes, Never), m_next(nodes, None) { m_first.fill(None); }

  /// \p node, which is in no list, is due in \p cycle; not before the cycle that is looked at next. Never: it is not due.
  void enter(node_id node, cycle_t cycle) {
    m_due[node] = cycle;
    if (cycle == Never) return;
    const std::size_t slot = cycle % Slots;
    m_next[node] = m_first[slot];
    m_first[slot] = node;
    m_occupied[slot / 64] |= std::uint64_t{1} << slot % 64;
  }

  /// Cycle in which \p node is due.
  cycle_t due(node_id node) const { return m_due[node]; }

  /// Takes out all nodes that are due in \p cycle and calls \p f(node) for each; \p f enters them again.
  template <typename F>
  void take(cycle_t cycle, F f) {
    const std::size_t slot = cycle % Slots;
    if ((m_occupied[slot / 64] >> slot % 64 & 1) == 0) return;
    node_id node = m_first[slot];
    m_first[slot] = None;
    m_occupied[slot / 64] &= ~(std::uint64_t{1} << slot % 64);
    while (node != None) {
      const node_id next = m_next[node];
      if (m_due[node] == cycle)
        f(node);
      else
        enter(node, m_due[node]);  // it is due in a later turn of the ring
      node = next;
    }
  }

  /// Takes \p node out of its list.
  void remove(node_id node) {
    if (m_due[node] == Never) return;
    const std::size_t slot = m_due[node] % Slots;
    node_id* at = &m_first[slot];
    while (*at != node) at = &m_next[*at];
    *at = m_next[node];
    if (m_first[slot] == None) m_occupied[slot / 64] &= ~(std::uint64_t{1} << slot % 64);
    m_due[node] = Never;
  }

  /// The first cycle in which a node is due; Never if none is.
  cycle_t next() const { return m_due.empty() ? Never : *std::min_element(m_due.begin(), m_due.end()); }

  /// A cycle from \p from to \p limit, before which no node is due; it may be that none is due in it either.
  cycle_t quiet_until(cycle_t from, cycle_t limit) const {
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

  std::vector<cycle_t> m_due;
  std::vector<node_id> m_next;  ///< in the list of its slot
  std::array<node_id, Slots> m_first;
  std::array<std::uint64_t, Slots / 64> m_occupied{};
};

}  // namespace weft::engine
