// SPDX-License-Identifier: Apache-2.0
/// N of COMPRESS: flits received in the last window (pin::congestion_counter and window_timer), channel by channel.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/core/types.h"

namespace weft::engine {

/// Counts all flits, and notes the counts of all channels whenever a sub-window ends.
class received_counter {
 public:
  /// \param window cycles, \param buckets sub-windows of it, a divisor of window
  received_counter(std::size_t channels, cycle_t window, unsigned buckets)
      : m_length(window / buckets), m_end(m_length), m_counts(channels), m_noted(buckets + 1, m_counts) {}

  /// From now on it is \p cycle or later. Notes the counts of sub-windows that are over.
  void move_to(cycle_t cycle) {
    if (cycle >= m_end) note(cycle);
  }

  /// A flit is on the wires of \p channel in that cycle.
  void add(std::size_t channel) { ++m_counts[channel]; }

  /// Flits of the last sub-windows that were over before that cycle.
  std::uint32_t received(std::size_t channel) const {
    return m_noted[m_newest][channel] - m_noted[after_newest()][channel];
  }

 private:
  void note(cycle_t cycle) {
    const cycle_t over = (cycle - m_end) / m_length + 1;
    for (cycle_t i = 0; i < over && i < m_noted.size(); ++i) {  // before those, all are as the count is now
      m_newest = after_newest();
      m_noted[m_newest] = m_counts;
    }
    m_end += over * m_length;
  }

  std::size_t after_newest() const { return m_newest + 1 == m_noted.size() ? 0 : m_newest + 1; }

  const cycle_t m_length;
  cycle_t m_end;                                    ///< of the sub-window that is open
  std::vector<std::uint32_t> m_counts;              ///< of each channel, modulo 2^32
  std::vector<std::vector<std::uint32_t>> m_noted;  ///< at the ends of the last buckets + 1 sub-windows, as a ring
  std::size_t m_newest = 0;                         ///< of these
};

}  // namespace weft::engine
