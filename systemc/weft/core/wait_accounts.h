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

/// The waits of the flits of a packet in one router, one after the other. A flit is as late as the one before it, or
/// as it was in the router before, less what it catches up, whichever is more; what it waits itself comes on top.
/// Late is a flit by as many cycles as it is granted the switch after the cycle in which it would be if its packet
/// were alone.
class waits_in_router {
 public:
  /// \param waits of the head, up to the cycle from which on it may ask for the switch, or is granted it
  void begin(const router_waits& waits) { m_waits = waits; }
  /// The next flit, not a head, comes with \p waits, and catches up as many cycles as \p catches_up. They count if they
  /// are still more than those of the flit before it.
  void follow(router_waits waits, std::uint32_t catches_up) {
    if (waits.sum() <= m_waits.sum() + catches_up) return;
    for (std::uint32_t* const part : {&waits.nic, &waits.credit, &waits.switch_allocation, &waits.vc_allocation}) {
      const std::uint32_t less = std::min(*part, catches_up);
      *part -= less;
      catches_up -= less;
    }
    m_waits = waits;
  }
  /// The next flit is granted the switch, \p late. It asked for it and was not granted it in \p lost cycles; what else
  /// it waited, it had no credit.
  void grant(cycle_t late, std::uint32_t lost) {
    const auto waited = static_cast<std::uint32_t>(late - m_waits.sum());
    m_waits.switch_allocation += lost;
    m_waits.credit += waited - lost;
  }
  /// Of the flit that was granted it last, or comes next and follows it at once.
  const router_waits& waits() const { return m_waits; }

 private:
  router_waits m_waits;
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
