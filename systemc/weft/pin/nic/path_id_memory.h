// SPDX-License-Identifier: Apache-2.0
/// The path ids of the packets that leave through one port of a NIC, as hardware stores them. They are either random
/// numbers or in a memory of constants, indexed by destination or by packet. path_id_sequence of weft/core is the
/// software equivalent.
#pragma once

#include <array>
#include <cstdint>
#include <stdexcept>

#include "weft/core/path_ids.h"

namespace weft::pin {

/// If the base class has dimensions, random path ids are routers of this quadrant.
/// \tparam Entries capacity of the memory, in path ids
template <unsigned Entries>
class path_id_memory : private quadrant {
 public:
  /// \param rule  must have at most \p Entries entries for the port
  /// \param port  with random path ids, port number \p port of \p ports uses the random numbers port, port + ports,
  ///        port + 2 * ports, …
  path_id_memory(const path_selector& rule, unsigned port, unsigned ports)
      : quadrant(rule.within),
        m_count(rule.count),
        m_seed(rule.seed),
        m_has_send_sequence(!rule.send_sequence.empty()),
        m_is_drawn(!m_has_send_sequence && rule.by_destination.empty()),
        m_first(m_has_send_sequence ? 0 : port),
        m_stride(m_has_send_sequence ? 1 : ports),
        m_used(entries(rule, port)) {
    unsigned i = 0;
    for (const sequenced_packet& p : rule.send_sequence)
      if (p.port == port) m_path_id[i++] = p.path_id;
    if (!m_has_send_sequence)
      for (const std::uint64_t path_id : rule.by_destination) m_path_id[i++] = path_id;
  }

  /// Number of entries that \p rule has for the port.
  static std::size_t entries(const path_selector& rule, unsigned port) {
    if (rule.send_sequence.empty()) return rule.by_destination.size();
    std::size_t count = 0;
    for (const sequenced_packet& p : rule.send_sequence) count += p.port == port;
    return count;
  }

  /// The number of the first packet (first), and the number of the packet after \p number (next). With a send sequence,
  /// packets are counted per port; otherwise they are counted per NIC.
  std::uint64_t first() const { return m_first; }
  std::uint64_t next_number(std::uint64_t number) const { return number + m_stride; }

  /// Returns the path id of packet \p number, which goes to \p destination.
  /// \throws std::out_of_range if the send sequence has no packet \p number
  std::uint64_t of(node_id destination, std::uint64_t number) const {
#ifndef WEFT_SYNTHESIS
    if (m_has_send_sequence && number >= m_used)
      throw std::out_of_range("a NIC sends a packet after the end of its send sequence");
#endif
    std::uint64_t path_id = 0;
    if (!m_is_drawn) {
      path_id = m_path_id[m_has_send_sequence ? number : destination];
    } else if (dimensions == 0) {
      path_id = random_path_id(m_seed, number, m_count);
    } else {
      const std::uint64_t drawn = random_path_id(m_seed, number, count(destination));
      path_id = router(destination, drawn);
    }
    return path_id;
  }

 private:
  const std::uint64_t m_count;
  const std::uint64_t m_seed;
  const bool m_has_send_sequence;
  const bool m_is_drawn;
  const std::uint64_t m_first;
  const unsigned m_stride;
  const std::size_t m_used;  // entries in use
  std::array<std::uint64_t, Entries> m_path_id;
};

}  // namespace weft::pin
