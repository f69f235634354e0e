// SPDX-License-Identifier: Apache-2.0
/// Computes router_waits from the events of a packet's flits. The wait recorders of all levels use it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <optional>
#include <utility>

#include "weft/core/router_waits.h"
#include "weft/core/types.h"

namespace weft {

/// Wait cycles of a flit by cause. Credit waits are not stored; they are the lateness minus the other causes. A flit's
/// *lateness* is the number of cycles between the switch grant it would get in an empty network and the one it gets.
struct wait_causes {
  std::uint32_t vc_allocation = 0, switch_allocation = 0, nic = 0;

  /// Credit waits of a flit with lateness \p late.
  std::uint32_t credit(std::uint32_t late) const { return late - vc_allocation - switch_allocation - nic; }
  router_waits waits(std::uint32_t late) const { return {vc_allocation, switch_allocation, credit(late), nic}; }

  /// Accounts for a flit with lateness \p late that catches up \p cycles at the next router.
  void catch_up(std::uint32_t late, std::uint32_t cycles) {
    const auto reduce = [&cycles](std::uint32_t& part) {
      const std::uint32_t less = std::min(part, cycles);
      part -= less;
      cycles -= less;
    };
    std::uint32_t for_credits = credit(late);
    reduce(nic);
    reduce(for_credits);
    reduce(switch_allocation);
    reduce(vc_allocation);
  }
};

/// The waits of the flits of a packet in one router, one flit after the other. A flit starts with the lateness of the
/// flit before it, or with its own lateness at the previous router minus the cycles that it catches up, whichever is
/// greater. Its waits in this router are added.
class waits_in_router {
 public:
  /// \param waits waits of the head until it may request the switch, or until it is granted the switch
  void begin(const router_waits& waits) { count(waits); }
  /// The next flit, not a head, arrives with \p waits and catches up \p catches_up cycles. Its waits replace those of
  /// the flit before it if they are still longer.
  void next_flit(const router_waits& waits, std::uint32_t catches_up) {
    if (waits.sum() <= m_late + catches_up) return;
    count(waits);
    m_causes.catch_up(m_late, catches_up);
    m_late -= catches_up;
  }
  /// The next flit is granted the switch with lateness \p late. It requested the switch without a grant in
  /// \p lost_cycles cycles; in the other cycles of its wait it had no credit.
  void grant(cycle_t late, std::uint32_t lost_cycles) {
    m_causes.switch_allocation += lost_cycles;
    m_late = static_cast<std::uint32_t>(late);
  }
  /// The waits of the flit that was granted last, or of the next flit if it follows immediately.
  router_waits waits() const { return m_causes.waits(m_late); }

 private:
  void count(const router_waits& waits) {
    m_causes = {waits.vc_allocation, waits.switch_allocation, waits.nic};
    m_late = static_cast<std::uint32_t>(waits.sum());
  }

  wait_causes m_causes;
  std::uint32_t m_late = 0;
};

/// The waits of the flits in one input VC of a router, from their arrival to their switch grants.
class waits_in_input_vc {
 public:
  /// A flit arrives in cycle \p now with \p waits. If it is a head, it catches up \p catches_up cycles.
  void arrive(const router_waits& waits, cycle_t now, std::uint32_t catches_up) {
    m_flits.push_back({waits, now + catches_up - waits.sum()});
  }
  /// The head at the front may request the switch from cycle \p now on. Its lateness at this time is its wait for the
  /// VC.
  void begin(cycle_t now) {
    const held_flit& head = m_flits.front();
    router_waits waits = head.waits;
    waits.vc_allocation += static_cast<std::uint32_t>(now - head.due - waits.sum());
    m_waits.begin(waits);
    m_due = head.due;
  }
  /// The flit at the front requests the switch in this cycle and is not granted it.
  void lose() { ++m_lost_cycles; }
  /// The flit at the front is granted the switch in cycle \p now, and leaves.
  /// \return its waits so far
  router_waits grant(bool is_head, cycle_t now, std::uint32_t catches_up) {
    if (!is_head) m_waits.next_flit(m_flits.front().waits, catches_up);
    m_flits.pop_front();
    m_waits.grant(now - m_due++, std::exchange(m_lost_cycles, 0));
    return m_waits.waits();
  }

 private:
  struct held_flit {
    router_waits waits;  ///< waits of the flit on arrival
    cycle_t due;         ///< for a head: cycle in which it would be granted the switch in an empty network
  };

  std::deque<held_flit> m_flits;
  waits_in_router m_waits;
  cycle_t m_due = 0;                ///< cycle in which the next flit would be granted the switch, as in held_flit
  std::uint32_t m_lost_cycles = 0;  ///< number of cycles in which it requested the switch without a grant
};

/// The waits of flits that leave a NIC.
class waits_in_nic {
 public:
  /// Records that a flit leaves in cycle \p now.
  /// \param stalled cycles since the previous flit in which this flit was present without a credit; unset: all of them
  void leave(bool is_head, cycle_t now, std::optional<std::uint32_t> stalled) {
    if (is_head) {
      m_waits = {};
    } else {
      const auto since = static_cast<std::uint32_t>(now - m_last - 1), without_credit = stalled.value_or(since);
      m_waits.credit += without_credit;
      m_waits.nic += since - without_credit;
    }
    m_last = now;
  }
  const router_waits& waits() const { return m_waits; }

 private:
  cycle_t m_last = 0;
  router_waits m_waits;
};

}  // namespace weft
