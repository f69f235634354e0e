/// N of COMPRESS for every node: flits received in the last window (pin::congestion_counter and window_timer).
#pragma once

#include <cstdint>
#include <vector>

#include "weft/core/types.h"

namespace weft::engine {

/// Counts sub-window by sub-window, and looks at a node only when a flit comes or somebody asks.
class received_counter {
 public:
  /// \param window cycles, \param buckets sub-windows of it, a divisor of window
  received_counter(std::size_t nodes, cycle_t window, unsigned buckets)
      : m_length(window / buckets), m_buckets(buckets), m_nodes(nodes), m_counts(nodes * (buckets + 1)) {}

  /// A flit is on the wires to \p node in \p cycle.
  void add(node_id node, cycle_t cycle) {
    look_at(cycle);
    move_to(node, m_bucket);
    ++m_counts[node * (m_buckets + 1) + m_place];
    ++m_nodes[node].sum;
  }

  /// N in \p cycle: flits of the last sub-windows that were over before it.
  std::uint32_t received(node_id node, cycle_t cycle) {
    look_at(cycle);
    move_to(node, m_bucket);
    return m_nodes[node].sum - m_counts[node * (m_buckets + 1) + m_place];
  }

 private:
  struct node_state {
    cycle_t bucket = 0;     ///< the one that is open
    std::uint32_t sum = 0;  ///< of all buckets that are held
  };

  /// Divides only when a sub-window begins.
  void look_at(cycle_t cycle) {
    if (cycle - m_begin < m_length) return;
    m_bucket = cycle / m_length;
    m_begin = m_bucket * m_length;
    m_place = m_bucket % (m_buckets + 1);
  }

  std::uint32_t& count(node_id node, cycle_t bucket) {
    return m_counts[node * (m_buckets + 1) + bucket % (m_buckets + 1)];
  }

  void move_to(node_id node, cycle_t bucket) {
    node_state& n = m_nodes[node];
    for (unsigned held = 0; n.bucket < bucket; ++n.bucket) {
      if (held++ > m_buckets) {  // all are empty by now
        n.bucket = bucket;
        return;
      }
      std::uint32_t& oldest = count(node, n.bucket + 1);
      n.sum -= oldest;
      oldest = 0;
    }
  }

  const cycle_t m_length;
  const unsigned m_buckets;
  cycle_t m_begin = 0, m_bucket = 0, m_place = 0;  ///< of the sub-window that was looked at last; in the ring
  std::vector<node_state> m_nodes;
  std::vector<std::uint32_t> m_counts;  ///< buckets + 1 a node, as a ring
};

}  // namespace weft::engine
