/// The last part of a NIC's send path, of one channel to the router: what pin::injector does.
#pragma once

#include <array>
#include <cstdint>

#include "weft/core/allocation.h"
#include "weft/core/types.h"
#include "weft/core/vc_classes.h"

namespace weft::engine {

/// Picks a VC for each packet, round robin from the last one used + 1 among those of its class with a credit, and counts
/// credits.
class injector {
 public:
  injector(unsigned vcs, unsigned depth, unsigned classes)
      : m_available(first_vcs(vcs)),
        m_vcs(static_cast<std::uint8_t>(vcs)),
        m_class_vcs(static_cast<std::uint8_t>(vcs / classes)) {
    m_credits.fill(static_cast<std::uint16_t>(depth));
  }

  /// It takes a flit in this cycle, if that is of a packet of \p message_class.
  bool ready(unsigned message_class) const {
    return m_within_packet ? m_available >> m_vc & 1 : candidates(message_class) != 0;
  }

  /// Takes a flit. It must be ready. Returns the VC on which the flit travels.
  unsigned take(unsigned message_class, bool tail) {
    if (!m_within_packet) m_vc = static_cast<std::uint8_t>(round_robin(candidates(message_class), m_search));
    if (--m_credits[m_vc] == 0) m_available &= ~(vc_set{1} << m_vc);
    m_within_packet = !tail;
    m_search = static_cast<std::uint8_t>(after(m_vc, m_vcs));
    return m_vc;
  }

  void take_credit(unsigned vc) {
    m_credits[vc]++;
    m_available |= vc_set{1} << vc;
  }

 private:
  vc_set candidates(unsigned message_class) const { return m_available & block_of_class(message_class, m_class_vcs); }

  vc_set m_available;  ///< VCs with a credit
  std::array<std::uint16_t, MaxVcs> m_credits;
  std::uint8_t m_vcs;
  std::uint8_t m_class_vcs;   ///< VCs of a class
  std::uint8_t m_search = 0;  ///< where the search for the next packet's VC begins
  std::uint8_t m_vc = 0;      ///< of the packet under way
  bool m_within_packet = false;
};

}  // namespace weft::engine
