// SPDX-License-Identifier: Apache-2.0
/// How router_waits are counted, from what happens to the flits of a packet: what the recorders of the levels share.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "weft/core/router_waits.h"
#include "weft/core/types.h"

namespace weft {

/// The cycles that a head needs, from its arrival in a router to the switch allocation in which it takes part first.
/// Flits behind it need none: by so much a flit catches up that comes late. \param same_cycle S = 3: VC and switch
/// allocation share a cycle
constexpr std::uint32_t cycles_to_switch(bool same_cycle) { return same_cycle ? 1 : 2; }

/// A head on its way to a router.
struct waits_of_head {
  cycle_t due = 0;     ///< cycle in which it would be granted the switch there if its packet were alone
  router_waits waits;  ///< so far
};

/// The waits of the flits of a packet in one router, one after the other. A flit is as late as the one before it, or
/// as it was in the router before, less what it catches up, whichever is more; what it waits itself comes on top.
class waits_in_router {
 public:
  /// The head may ask for the switch from cycle \p now on: all that it is late by then it waited for an output VC.
  void begin(const waits_of_head& head, cycle_t now) {
    m_due = head.due;
    m_waits = head.waits;
    m_sum = now - m_due;
    m_waits.vc_allocation += static_cast<std::uint32_t>(m_sum - head.waits.sum());
    m_told = Never;
    m_lost = 0;
  }
  /// The next flit, not a head, comes with \p waits, and catches up as many cycles as \p catches_up. They count if they
  /// are still more than those of the flit before it.
  void follow(router_waits waits, std::uint32_t catches_up) {
    const cycle_t sum = waits.sum();
    if (sum <= m_sum + catches_up) return;
    m_sum = sum - catches_up;
    for (std::uint32_t* const part : {&waits.nic, &waits.credit, &waits.switch_allocation, &waits.vc_allocation}) {
      const std::uint32_t less = std::min(*part, catches_up);
      *part -= less;
      catches_up -= less;
    }
    m_waits = waits;
  }
  /// The next flit asked for the switch and was not granted it.
  void lose() { ++m_lost; }
  /// It is granted the switch in cycle \p now: what it waited and did not lose, it had no credit.
  /// \return whether it is later than the flit before it; a head is
  bool grant(cycle_t now) {
    const cycle_t late = now - m_due++;
    if (late == m_told) return false;
    m_waits.switch_allocation += m_lost;
    m_waits.credit += static_cast<std::uint32_t>(late - m_sum) - m_lost;
    m_lost = 0;
    m_sum = m_told = late;
    return true;
  }
  /// Of the flit that was granted it last.
  const router_waits& waits() const { return m_waits; }
  /// The same, and when it would have been granted it if the packet were alone.
  waits_of_head head() const { return {m_due - 1, m_waits}; }

 private:
  cycle_t m_due = 0;   ///< of the next flit, as in waits_of_head
  cycle_t m_sum = 0;   ///< of m_waits
  cycle_t m_told = 0;  ///< sum of the flit that was granted it last; none before the head
  router_waits m_waits;
  std::uint32_t m_lost = 0;
};

/// The waits of flits that leave a NIC.
class waits_in_nic {
 public:
  /// A flit leaves in cycle \p now.
  /// \param stalled cycles since the flit before it in which it was there and had no credit; none: all of them
  void leave(bool is_head, cycle_t now, std::optional<std::uint32_t> stalled) {
    if (is_head) {
      m_waits = {};
    } else {
      const auto since = static_cast<std::uint32_t>(now - m_last - 1), in_want = stalled.value_or(since);
      m_waits.credit += in_want;
      m_waits.nic += since - in_want;
    }
    m_last = now;
  }
  const router_waits& waits() const { return m_waits; }

 private:
  cycle_t m_last = 0;
  router_waits m_waits;
};

}  // namespace weft
