// SPDX-License-Identifier: Apache-2.0
/// The last part of a NIC's send path, for one channel to the router, as pin::injector.
#pragma once

#include <array>
#include <cstdint>

#include "weft/core/allocation.h"
#include "weft/core/types.h"

namespace weft::engine {

/// Selects a VC for each packet, in round-robin order after the last one used, among the VCs of its class with a
/// credit, and counts credits.
class injector {
 public:
  injector(unsigned vcs, unsigned depth)
      : m_available(first_vcs(vcs)),
        m_depth(static_cast<std::uint16_t>(depth)),
        m_vc(static_cast<std::uint8_t>(vcs - 1)) {
    m_credits.fill(m_depth);
  }

  /// Whether it accepts a flit in this cycle. \p block: the VCs of the class of its packet.
  bool ready(vc_set block) const { return m_within_packet ? m_available >> m_vc & 1 : (m_available & block) != 0; }

  /// Accepts a flit; ready() must be true. Returns the VC of the flit.
  unsigned accept(vc_set block, bool tail) {
    if (!m_within_packet) m_vc = static_cast<std::uint8_t>(round_robin(m_available & block, m_vc + 1U));
    if (--m_credits[m_vc] == 0) m_available &= ~(vc_set{1} << m_vc);
    m_within_packet = !tail;
    return m_vc;
  }

  /// The VC that the next packet for \p block would use.
  unsigned next_vc(vc_set block) const { return round_robin(m_available & block, m_vc + 1U); }

  /// Records a packet that left on VC \p vc and whose credits are back, without being simulated.
  void note_passed(unsigned vc) { m_vc = static_cast<std::uint8_t>(vc); }

  /// Whether all credits of the VC of the last flit were back when it was accepted.
  bool was_drained() const { return m_credits[m_vc] + 1 == m_depth; }

  void receive_credit(unsigned vc) {
    m_credits[vc]++;
    m_available |= vc_set{1} << vc;
  }

 private:
  vc_set m_available;  ///< VCs with a credit
  std::array<std::uint16_t, MaxVcs> m_credits;
  std::uint16_t m_depth;
  std::uint8_t m_vc;  ///< VC of the last packet
  bool m_within_packet = false;
};

}  // namespace weft::engine
