// SPDX-License-Identifier: Apache-2.0
/// The last part of a NIC's send path, of one channel to the router: what pin::injector does.
#pragma once

#include <array>
#include <cstdint>

#include "weft/core/allocation.h"
#include "weft/core/types.h"

namespace weft::engine {

/// Picks a VC for each packet, round robin from the last one used + 1 among those of its class with a credit, and
/// counts credits.
class injector {
 public:
  injector(unsigned vcs, unsigned depth)
      : m_available(first_vcs(vcs)),
        m_depth(static_cast<std::uint16_t>(depth)),
        m_vc(static_cast<std::uint8_t>(vcs - 1)) {
    m_credits.fill(m_depth);
  }

  /// It takes a flit in this cycle, if that is of a packet for \p block, the VCs of its class.
  bool ready(vc_set block) const { return m_within_packet ? m_available >> m_vc & 1 : (m_available & block) != 0; }

  /// Takes a flit. It must be ready. Returns the VC on which the flit travels.
  unsigned take(vc_set block, bool tail) {
    if (!m_within_packet) m_vc = static_cast<std::uint8_t>(round_robin(m_available & block, m_vc + 1U));
    if (--m_credits[m_vc] == 0) m_available &= ~(vc_set{1} << m_vc);
    m_within_packet = !tail;
    return m_vc;
  }

  /// The VC on which a packet for \p block would travel, if it came next.
  unsigned next_vc(vc_set block) const { return round_robin(m_available & block, m_vc + 1U); }

  /// A packet has gone on VC \p vc, and its credits are back.
  void note_passed(unsigned vc) { m_vc = static_cast<std::uint8_t>(vc); }

  /// When the last flit was taken, all credits of its VC were back.
  bool was_settled() const { return m_credits[m_vc] + 1 == m_depth; }

  void take_credit(unsigned vc) {
    m_credits[vc]++;
    m_available |= vc_set{1} << vc;
  }

 private:
  vc_set m_available;  ///< VCs with a credit
  std::array<std::uint16_t, MaxVcs> m_credits;
  std::uint16_t m_depth;
  std::uint8_t m_vc;  ///< of the last packet
  bool m_within_packet = false;
};

}  // namespace weft::engine
