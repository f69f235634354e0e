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

/// What a flit with an output VC waited for, but for credits: these are what remains of the cycles that it is late.
/// Late is a flit by as many cycles as it is granted the switch after the cycle in which it would be if its packet were
/// alone.
struct wait_causes {
  std::uint32_t vc_allocation = 0, switch_allocation = 0, nic = 0;

  /// Of a flit that is so late.
  std::uint32_t credit(std::uint32_t late) const { return late - vc_allocation - switch_allocation - nic; }
  router_waits waits(std::uint32_t late) const { return {vc_allocation, switch_allocation, credit(late), nic}; }

  /// A flit that was \p late comes to the next router, and is so many cycles less late there.
  void catch_up(std::uint32_t late, std::uint32_t cycles) {
    const auto take_from = [&cycles](std::uint32_t& part) {
      const std::uint32_t less = std::min(part, cycles);
      part -= less;
      cycles -= less;
    };
    std::uint32_t for_credits = credit(late);
    take_from(nic);
    take_from(for_credits);
    take_from(switch_allocation);
    take_from(vc_allocation);
  }
};

/// The waits of the flits of a packet in one router, one after the other. A flit is as late as the one before it, or
/// as it was in the router before, less what it catches up, whichever is more; what it waits itself comes on top.
class waits_in_router {
 public:
  /// \param waits of the head, up to the cycle from which on it may ask for the switch, or is granted it
  void begin(const router_waits& waits) { count(waits); }
  /// The next flit, not a head, comes with \p waits, and catches up as many cycles as \p catches_up. They count if they
  /// are still more than those of the flit before it.
  void follow(const router_waits& waits, std::uint32_t catches_up) {
    if (waits.sum() <= m_late + catches_up) return;
    count(waits);
    m_causes.catch_up(m_late, catches_up);
    m_late -= catches_up;
  }
  /// The next flit is granted the switch, \p late. It asked for it and was not granted it in \p lost cycles; what else
  /// it waited, it had no credit.
  void grant(cycle_t late, std::uint32_t lost) {
    m_causes.switch_allocation += lost;
    m_late = static_cast<std::uint32_t>(late);
  }
  /// Of the flit that was granted it last, or comes next and follows it at once.
  router_waits waits() const { return m_causes.waits(m_late); }

 private:
  void count(const router_waits& waits) {
    m_causes = {waits.vc_allocation, waits.switch_allocation, waits.nic};
    m_late = static_cast<std::uint32_t>(waits.sum());
  }

  wait_causes m_causes;
  std::uint32_t m_late = 0;
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
