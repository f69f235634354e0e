// SPDX-License-Identifier: Apache-2.0
/// The ways of the packets that leave by one port of a NIC, as hardware has them: a memory of constants, by destination
/// or in the order of the packets, or numbers that are drawn. way_sequence of weft/core is the same in software.
#pragma once

#include <array>
#include <cstdint>
#include <stdexcept>

#include "weft/core/ways.h"

namespace weft::pin {

/// \tparam Entries that there is room for
template <unsigned Entries>
class way_memory {
 public:
  /// Of \p rule, which has as many entries for the port at most. Port \p port of \p ports draws the numbers port,
  /// port + ports, …
  way_memory(const way_rule& rule, unsigned port, unsigned ports)
      : m_count(rule.count),
        m_seed(rule.seed),
        m_is_programmed(!rule.programme.empty()),
        m_is_drawn(!m_is_programmed && rule.by_destination.empty()),
        m_first(m_is_programmed ? 0 : port),
        m_step(m_is_programmed ? 1 : ports),
        m_used(entries(rule, port)) {
    unsigned i = 0;
    for (const programmed_packet& p : rule.programme)
      if (p.port == port) m_way[i++] = p.way;
    if (!m_is_programmed)
      for (const std::uint64_t way : rule.by_destination) m_way[i++] = way;
  }

  /// How many \p rule has for the port.
  static std::size_t entries(const way_rule& rule, unsigned port) {
    if (rule.programme.empty()) return rule.by_destination.size();
    std::size_t count = 0;
    for (const programmed_packet& p : rule.programme) count += p.port == port;
    return count;
  }

  /// The number of the first packet, and that of the one after packet \p number: of the port with a programme, else of
  /// the NIC.
  std::uint64_t first() const { return m_first; }
  std::uint64_t after(std::uint64_t number) const { return number + m_step; }

  /// The way of packet \p number, to \p destination. \throws std::out_of_range past the end of a programme
  std::uint64_t of(node_id destination, std::uint64_t number) const {
#ifndef WEFT_SYNTHESIS
    if (m_is_programmed && number >= m_used) throw std::out_of_range("a packet behind the end of its programme");
#endif
    return m_is_drawn ? drawn_way(m_seed, number, m_count) : m_way[m_is_programmed ? number : destination];
  }

 private:
  const std::uint64_t m_count;
  const std::uint64_t m_seed;
  const bool m_is_programmed;
  const bool m_is_drawn;
  const std::uint64_t m_first;
  const unsigned m_step;
  const std::size_t m_used;  // entries
  std::array<std::uint64_t, Entries> m_way;
};

}  // namespace weft::pin
