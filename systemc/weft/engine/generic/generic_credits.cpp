// SPDX-License-Identifier: Apache-2.0
/// The credits of output VCs on the generic path.

#include "weft/core/members.h"
#include "weft/engine/generic/generic_routers.h"

namespace weft::engine {

/// Returns those of \p vcs, VCs of \p out_port, that a head of a packet of \p packet flits may request.
vc_set generic_routers::available(std::uint32_t out_port, vc_set vcs, std::uint32_t packet, bool whole) const {
  vcs &= m_free[out_port];
  if (m_fabric.rules.busy_when_full) vcs &= m_credited[out_port];
  if (!whole && !m_fabric.rules.count_credits()) return vcs;
  const std::uint32_t needed = needed_credits(m_fabric.rules, whole, packet, m_capacity[out_port]);
  for_each_member(vcs, [&](unsigned vc) {
    if (credits(out_port, vc) < needed) vcs &= ~(vc_set{1} << vc);
  });
  return vcs;
}

/// Number of credits of an output VC.
unsigned generic_routers::credits(std::uint32_t out_port, unsigned vc) const {
  return m_capacity[out_port] != 0 ? m_credit_counts[out_port * m_vcs + vc] : PlentyOfCredits;
}

/// The sum of the credits of \p vcs, VCs of \p out_port.
std::uint32_t generic_routers::credits_of(std::uint32_t out_port, vc_set vcs) const {
  std::uint32_t sum = 0;
  for_each_member(vcs, [&](unsigned vc) { sum += credits(out_port, vc); });
  return sum;
}

/// Consumes a credit for a flit that leaves through \p out_port.
void generic_routers::consume_credit(std::uint32_t out_port, unsigned vc) {
  const std::uint32_t left = --m_credit_counts[out_port * m_vcs + vc];
  if (is_shared(out_port)) {
    enter_flit(m_fabric.sharing, m_rooms[out_port], vc, m_capacity[out_port] - left - 1);
    find_credited(out_port);
  } else if (left == 0) {
    m_credited[out_port] &= ~(vc_set{1} << vc);
  }
}

/// Accepts a credit that arrives in this cycle.
void generic_routers::accept_credit(std::uint32_t out_port, unsigned vc) {
  const std::uint32_t left = ++m_credit_counts[out_port * m_vcs + vc];
  if (is_shared(out_port)) {
    const bool held = (m_free[out_port] >> vc & 1) == 0;
    remove_flit(m_fabric.sharing, m_rooms[out_port], vc, m_capacity[out_port] - left, held);
    find_credited(out_port);
  } else {
    m_credited[out_port] |= vc_set{1} << vc;
  }
}

/// Finds the VCs of a shared buffer with room for a flit.
void generic_routers::find_credited(std::uint32_t out_port) {
  m_credited[out_port] = 0;
  for (unsigned vc = 0; vc < m_vcs; ++vc) {
    const unsigned flits = m_capacity[out_port] - m_credit_counts[out_port * m_vcs + vc];
    m_credited[out_port] |= vc_set{has_room(m_fabric.sharing, m_rooms[out_port], vc, flits)} << vc;
  }
}

}  // namespace weft::engine
