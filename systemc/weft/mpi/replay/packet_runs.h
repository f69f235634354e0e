// SPDX-License-Identifier: Apache-2.0
/// Stores runs of packets. The packets are numbered consecutively and complete almost in this order.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace weft {

/// \tparam Run a run of consecutive packets. Its member `first` is the number of its first packet. Its member `of` is a
/// pointer, which is null when all packets of the run are complete.
template <class Run>
class packet_runs {
 public:
  std::uint64_t next() const { return m_next; }  ///< number of the packet that is added next

  /// Adds \p run, which consists of \p packets packets, the first of which gets the number next().
  void add(Run run, std::uint32_t packets) {
    if (m_end - m_begin == m_slots.size()) grow();
    run.first = m_next;
    slot(m_end++) = run;
    m_next += packets;
  }

  /// Returns the run of packet \p number; null if the run is complete or never existed.
  const Run* find(std::uint64_t number) const {
    if (m_begin == m_end || number < slot(m_begin).first || number >= m_next) return nullptr;
    // Every run has at least one packet. Therefore the number of runs between the first run and the run of the packet
    // is at most the number of packets between them.
    std::uint64_t low = m_begin, high = std::min(m_begin + (number - slot(m_begin).first), m_end - 1);
    if (slot(high).first <= number) low = high;
    while (low < high) {
      const std::uint64_t middle = low + (high - low + 1) / 2;
      if (slot(middle).first <= number)
        low = middle;
      else
        high = middle - 1;
    }
    return slot(low).of == nullptr ? nullptr : &slot(low);
  }
  Run* find(std::uint64_t number) { return const_cast<Run*>(static_cast<const packet_runs*>(this)->find(number)); }

  /// Removes completed runs at the front of the list.
  void drop_ended() {
    while (m_begin < m_end && slot(m_begin).of == nullptr) ++m_begin;
  }

 private:
  Run& slot(std::uint64_t run) { return m_slots[run & (m_slots.size() - 1)]; }
  const Run& slot(std::uint64_t run) const { return m_slots[run & (m_slots.size() - 1)]; }

  void grow() {
    std::vector<Run> larger(m_slots.empty() ? 16 : 2 * m_slots.size());
    for (std::uint64_t run = m_begin; run < m_end; ++run) larger[run & (larger.size() - 1)] = slot(run);
    m_slots = std::move(larger);
  }

  std::vector<Run> m_slots;  ///< the size of the list is a power of two
  std::uint64_t m_begin = 0, m_end = 0;
  std::uint64_t m_next = 0;
};

}  // namespace weft
