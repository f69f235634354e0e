// SPDX-License-Identifier: Apache-2.0
/// N of COMPRESS: counts, channel by channel, the flits received in the last window. It replaces
/// pin::congestion_counter and window_timer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "weft/core/types.h"
#include "weft/engine/base/router_vc_set.h"

namespace weft::engine {

/// Counts all flits, and copies the counts of all channels at the end of each sub-window. The memory for these copies
/// is a ring. Only counts that have changed since a memory was used before are updated; in an idle network these are
/// few.
class received_counter {
 public:
  /// \param window  length of a window in cycles
  /// \param buckets number of sub-windows in a window; must divide \p window
  received_counter(std::size_t channels, cycle_t window, unsigned buckets)
      : m_length(window / buckets),
        m_end(m_length),
        m_counts(channels),
        m_changed((channels + 63) / 64),
        m_noted(buckets + 1, {m_counts, m_changed}) {}

  /// Advances to \p cycle, and copies the counts at the end of each sub-window that has ended.
  void move_to(cycle_t cycle) {
    if (cycle >= m_end) note(cycle);
  }

  /// Counts a flit that is on the wires of \p channel in the current cycle.
  void add(std::size_t channel) {
    ++m_counts[channel];
    m_changed[channel / 64] |= std::uint64_t{1} << channel % 64;
  }

  /// Returns the number of flits in the last full window, which ended before the current cycle.
  std::uint32_t received(std::size_t channel) const {
    return m_noted[m_newest].counts[channel] - m_noted[next_of_newest()].counts[channel];
  }

 private:
  using counts_t = std::vector<std::uint32_t>;    ///< counts by channel, modulo 2^32
  using channels_t = std::vector<std::uint64_t>;  ///< a set of channels, one bit for each

  struct noted_counts {
    counts_t counts;
    channels_t behind;  ///< channels that have received flits since then
  };

  void note(cycle_t cycle) {
    const cycle_t over = (cycle - m_end) / m_length + 1;
    for (std::size_t word = 0; word < m_changed.size(); ++word) {
      const std::uint64_t changed = std::exchange(m_changed[word], 0);
      for (noted_counts& noted : m_noted) noted.behind[word] |= changed;
    }
    for (cycle_t i = 0; i < over && i < m_noted.size(); ++i) {  // further sub-windows ended without a flit
      m_newest = next_of_newest();
      catch_up(m_noted[m_newest]);
    }
    m_end += over * m_length;
  }

  void catch_up(noted_counts& noted) const {
    for (std::size_t word = 0; word < noted.behind.size(); ++word)
      for_each_of(std::exchange(noted.behind[word], 0),
                  [&](unsigned i) { noted.counts[64 * word + i] = m_counts[64 * word + i]; });
  }

  std::size_t next_of_newest() const { return m_newest + 1 == m_noted.size() ? 0 : m_newest + 1; }

  const cycle_t m_length;
  cycle_t m_end;  ///< cycle in which the open sub-window ends
  counts_t m_counts;
  channels_t m_changed;               ///< channels that received flits in the open sub-window
  std::vector<noted_counts> m_noted;  ///< counts at the ends of the last buckets + 1 sub-windows, as a ring
  std::size_t m_newest = 0;           ///< index of the newest element in the ring
};

}  // namespace weft::engine
