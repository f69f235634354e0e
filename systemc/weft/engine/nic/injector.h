// SPDX-License-Identifier: Apache-2.0
/// The injector: the last part of the send path of a NIC, for one channel to a router. It behaves as pin::injector
/// does.
#pragma once

#include <array>
#include <cstdint>

#include "weft/core/members.h"
#include "weft/core/round_robin.h"
#include "weft/core/router_choices.h"
#include "weft/core/types.h"

namespace weft::engine {

/// Selects a VC for each packet, among the VCs of the packet's class that have a credit, or all of whose credits are
/// back if VCs are reallocated after the credit of the tail. The search is in round-robin order and starts after the
/// last VC used. The injector also counts the credits.
class injector {
 public:
  injector(unsigned vcs, unsigned depth, vc_reallocation reallocation)
      : m_available(first_vcs(vcs)),
        m_depth(static_cast<std::uint16_t>(depth)),
        m_vcs(static_cast<std::uint8_t>(vcs)),
        m_vc(static_cast<std::uint8_t>(vcs - 1)),
        m_after_tail_credit(reallocation == vc_reallocation::AfterTailCredit) {
    m_credits.fill(m_depth);
  }

  /// Whether a flit is accepted in this cycle. \p block: VCs of the packet's class.
  bool ready(vc_set block) const { return m_within_packet ? m_available >> m_vc & 1 : (m_available & block) != 0; }

  /// Accepts a flit, and returns the VC on which it leaves. To be called only if ready() is true.
  unsigned accept(vc_set block, bool tail) {
    if (!m_within_packet) m_vc = static_cast<std::uint8_t>(round_robin(m_available & block, m_vc + 1U));
    if (--m_credits[m_vc] == 0) m_available &= ~(vc_set{1} << m_vc);
    m_within_packet = !tail;
    if (m_after_tail_credit) find_available();
    return m_vc;
  }

  /// The VC on which the next packet would be sent. \p block: VCs of the packet's class.
  unsigned next_vc(vc_set block) const { return round_robin(m_available & block, m_vc + 1U); }

  /// Updates the state for a packet that left on VC \p vc and whose credits are back, but that was not simulated.
  void note_passed(unsigned vc) { m_vc = static_cast<std::uint8_t>(vc); }

  /// Whether all credits of the last flit's VC were back when this flit was accepted.
  bool was_drained() const { return m_credits[m_vc] + 1 == m_depth; }

  void receive_credit(unsigned vc) {
    m_credits[vc]++;
    m_available |= vc_set{1} << vc;
    if (m_after_tail_credit) find_available();
  }

 private:
  /// Finds the VCs with a credit, or, between packets, those with all credits.
  void find_available() {
    const unsigned least = m_within_packet ? 1 : m_depth;
    m_available = 0;
    for (unsigned vc = 0; vc < m_vcs; ++vc)
      if (m_credits[vc] >= least) m_available |= vc_set{1} << vc;
  }

  vc_set m_available;  ///< VCs that the next flit may use
  std::array<std::uint16_t, MaxVcs> m_credits;
  std::uint16_t m_depth;
  std::uint8_t m_vcs;
  std::uint8_t m_vc;  ///< VC of the last packet that was sent
  bool m_after_tail_credit;
  bool m_within_packet = false;
};

}  // namespace weft::engine
