// SPDX-License-Identifier: Apache-2.0
/// Flits and credits on channels, by the cycle in which they arrive.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "weft/core/types.h"
#include "weft/engine/base/router_vc_set.h"
#include "weft/engine/base/word_vectors.h"
#include "weft/engine/router/fabric_parameters.h"
#include "weft/engine/router/set_wheel.h"

namespace weft::engine {

/// The events of one cycle at the routers, or the NICs, of a region: the routers that may have events, and their sets.
template <unsigned RouterVcs>
struct region_events {
  std::uint64_t touched;
  router_vc_set<RouterVcs>* sets;  ///< of the 64 routers; the code that processes a set must clear it
};

/// If several threads simulate routers, each of them sends on channels of its own, so that no two threads write to the
/// same word. The thread that processes what arrives at a region takes it from all of them.
template <unsigned RouterVcs>
class in_flight {
 public:
  explicit in_flight(const fabric_parameters& fabric)
      : flits(fabric.reach(), 2 * fabric.first_nic), credits(fabric.reach(), 2 * fabric.first_nic) {}
  in_flight(const in_flight&) = delete;
  in_flight& operator=(const in_flight&) = delete;

  /// Adds \p other, the channels of another thread, from which pop_flits() and pop_credits() take too.
  void add_other(in_flight& other) { m_others.push_back(&other); }

  /// Takes the flits and the credits that reach region \p number in \p cycle.
  region_events<RouterVcs> pop_flits(std::size_t number, cycle_t cycle) {
    return pop<&in_flight::flits>(number, cycle);
  }
  region_events<RouterVcs> pop_credits(std::size_t number, cycle_t cycle) {
    return pop<&in_flight::credits>(number, cycle);
  }

  /// Calls \p f with these channels and with those of all other threads.
  template <typename F>
  void for_each_thread(F f) const {
    f(*this);
    for (const in_flight* other : m_others) f(*other);
  }

  /// Whether no credit of any thread is in flight from \p cycle on.
  bool no_credits_in_flight(cycle_t cycle) const {
    bool none = true;
    for_each_thread([&](const in_flight& channels) { none &= channels.no_credits_from <= cycle; });
    return none;
  }
  /// Whether a flit of any thread reaches \p vc_index of \p router in \p cycle.
  bool has_flit(cycle_t cycle, std::size_t router, unsigned vc_index) const {
    bool found = false;
    for_each_thread([&](const in_flight& channels) { found |= channels.flits.contains(cycle, router, vc_index); });
    return found;
  }

  /// Records that credits may arrive in every cycle before \p cycle.
  void expect_credits_until(cycle_t cycle) { no_credits_from = std::max(no_credits_from, cycle); }

  set_wheel<RouterVcs> flits;    ///< flits in flight to input VCs and to NICs
  set_wheel<RouterVcs> credits;  ///< credits in flight to output VCs and to NICs
  /// No credit is in flight from this cycle on. It changes often, while other threads read the members above.
  alignas(64) cycle_t no_credits_from = 0;

 private:
  template <set_wheel<RouterVcs> in_flight::*Wheel>
  WEFT_INLINE region_events<RouterVcs> pop(std::size_t number, cycle_t cycle) {
    const auto here = (this->*Wheel).at(cycle);
    std::uint64_t touched = here.pop_touched(number);
    for (in_flight* const other : m_others) touched |= (other->*Wheel).at(cycle).move_events(number, here);
    return {touched, here.sets + number * 64};
  }

  std::vector<in_flight*> m_others;
};

}  // namespace weft::engine
