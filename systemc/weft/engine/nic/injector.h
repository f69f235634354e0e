// SPDX-License-Identifier: Apache-2.0
/// The injector: the last part of the send path of a NIC, for one channel to a router. It behaves as pin::injector
/// does.
#pragma once

#include <array>
#include <cstdint>

#include "weft/core/members.h"
#include "weft/core/parameters.h"
#include "weft/core/round_robin.h"
#include "weft/core/types.h"
#include "weft/router/buffer_sharing.h"

namespace weft::engine {

/// Selects a VC for each packet, among the VCs of the packet's class whose buffer has room for a flit; if VCs are
/// reallocated after the credit of the tail, all credits of the VC must be back, too. The search is in round-robin
/// order and starts after the last VC used. The injector also counts the credits.
class injector {
 public:
  explicit injector(const router_parameters& router)
      : m_available(first_vcs(router.vcs)),
        m_sharing(sharing_of(router)),
        m_room(empty_room(m_sharing)),
        m_vcs(static_cast<std::uint8_t>(router.vcs)),
        m_vc(static_cast<std::uint8_t>(router.vcs - 1)),
        m_after_tail_credit(router.reallocation == vc_reallocation::AfterTailCredit),
        m_recounts(m_after_tail_credit || shares_buffer(router)) {
    m_credits.fill(m_sharing.limit);
  }

  /// Whether a flit is accepted in this cycle. \p block: VCs of the packet's class.
  bool ready(vc_set block) const { return m_within_packet ? m_available >> m_vc & 1 : (m_available & block) != 0; }

  /// Accepts a flit, and returns the VC on which it leaves. To be called only if ready() is true.
  unsigned accept(vc_set block, bool tail) {
    if (!m_within_packet) m_vc = static_cast<std::uint8_t>(round_robin(m_available & block, m_vc + 1U));
    if (m_recounts) enter_flit(m_sharing, m_room, m_vc, flits(m_vc));
    if (--m_credits[m_vc] == 0) m_available &= ~(vc_set{1} << m_vc);
    m_within_packet = !tail;
    if (m_recounts) find_available();
    return m_vc;
  }

  /// The VC on which the next packet would be sent. \p block: VCs of the packet's class.
  unsigned next_vc(vc_set block) const { return round_robin(m_available & block, m_vc + 1U); }

  /// The VCs of which the next flit needs one, or 0 if ready(). \p block: VCs of the packet's class.
  vc_set awaited(vc_set block) const {
    if (ready(block)) return 0;
    return m_within_packet ? vc_set{1} << m_vc : block;
  }

  /// Updates the state for a packet that left on VC \p vc and whose credits are back, but that was not simulated.
  void note_passed(unsigned vc) { m_vc = static_cast<std::uint8_t>(vc); }

  /// Whether all credits of the last flit's VC were back when this flit was accepted.
  bool was_drained() const { return m_credits[m_vc] + 1 == m_sharing.limit; }

  void receive_credit(unsigned vc) {
    m_credits[vc]++;
    m_available |= vc_set{1} << vc;
    if (!m_recounts) return;
    remove_flit(m_sharing, m_room, vc, flits(vc), m_within_packet && vc == m_vc);
    find_available();
  }

 private:
  /// Number of flits of a VC that are in the buffer of the router, or on the way there or back as a credit.
  unsigned flits(unsigned vc) const { return m_sharing.limit - m_credits[vc]; }

  /// Finds the VCs that the next flit may use.
  void find_available() {
    const bool must_be_empty = m_after_tail_credit && !m_within_packet;
    m_available = 0;
    for (unsigned vc = 0; vc < m_vcs; ++vc)
      if (has_room(m_sharing, m_room, vc, flits(vc)) && (!must_be_empty || flits(vc) == 0))
        m_available |= vc_set{1} << vc;
  }

  vc_set m_available;  ///< VCs that the next flit may use
  std::array<std::uint16_t, MaxVcs> m_credits;
  buffer_sharing m_sharing;
  shared_room m_room;
  std::uint8_t m_vcs;
  std::uint8_t m_vc;  ///< VC of the last packet that was sent
  bool m_after_tail_credit;
  bool m_recounts;  ///< whether a VC may have credits and be unavailable
  bool m_within_packet = false;
};

}  // namespace weft::engine
