// SPDX-License-Identifier: Apache-2.0
/// A wheel of future events at VCs: flits or credits that will arrive, by cycle.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "weft/core/types.h"
#include "weft/engine/base/huge_pages.h"
#include "weft/engine/base/router_vc_set.h"

namespace weft::engine {

/// A ring of sets of VCs, with one set for each cycle and router. For every 64 routers there is also a word, which
/// marks routers whose set may not be empty. Events are at most `reach` cycles ahead, and a VC has at most one event
/// per cycle.
template <unsigned RouterVcs>
class set_wheel {
 public:
  using set = router_vc_set<RouterVcs>;

  /// \param reach maximum distance of an event from the present cycle, in cycles, ≥ 1
  set_wheel(cycle_t reach, std::size_t routers) : m_regions((routers + 63) / 64) {
    std::size_t slots = 1;
    while (slots <= reach) slots *= 2;
    m_mask = slots - 1;
    m_sets.resize(slots * m_regions * 64);
    m_touched.resize(slots * m_regions);
  }

  /// The events of one cycle. The code that processes a set must clear it.
  struct cycle_events {
    set* sets;               ///< events, by router
    std::uint64_t* touched;  ///< by region: bit i is set if router i of the region may have events

    void insert(std::size_t router, unsigned vc_index) const {
      sets[router].insert(vc_index);
      touched[router / 64] |= std::uint64_t{1} << router % 64;
    }
    /// Does the same as insert(), but does not mark the router. touch() must be called afterwards.
    void insert_untouched(std::size_t router, unsigned vc_index) const { sets[router].insert(vc_index); }
    /// Marks all routers of a region as possibly having events.
    void touch(std::size_t region) const { touched[region] = ~std::uint64_t{0}; }
    /// Returns the routers of a region that may have events, and clears the marks.
    std::uint64_t pop_touched(std::size_t region) const { return std::exchange(touched[region], 0); }
    /// Moves the events of a region to \p to, without marks.
    /// \return the routers that may have received events
    std::uint64_t move_events(std::size_t region, const cycle_events& to) const {
      if (touched[region] == 0) return 0;  // read only, because several threads may do this
      const std::uint64_t moved = pop_touched(region);
      for_each_of(moved, [&](unsigned i) {
        const std::size_t router = region * 64 + i;
        to.sets[router] = to.sets[router] | std::exchange(sets[router], set());
      });
      return moved;
    }
  };
  cycle_events at(cycle_t cycle) {
    const std::size_t slot = cycle & m_mask;
    return {&m_sets[slot * m_regions * 64], &m_touched[slot * m_regions]};
  }

  /// Whether the regions from \p first to \p end may have events in \p cycle.
  bool may_have_events(cycle_t cycle, std::size_t first, std::size_t end) const {
    const std::uint64_t* const touched = &m_touched[(cycle & m_mask) * m_regions];
    std::uint64_t any = 0;
    for (std::size_t region = first; region < end; ++region) any |= touched[region];
    return any != 0;
  }

  /// Whether \p vc_index has a pending event in \p cycle.
  bool contains(cycle_t cycle, std::size_t router, unsigned vc_index) const {
    return m_sets[(cycle & m_mask) * m_regions * 64 + router].contains(vc_index);
  }

  /// Calls \p f(cycle, router, VC index) for all pending events from \p now on.
  template <typename F>
  void for_each(cycle_t now, F f) const {
    const std::size_t routers = m_regions * 64;
    for (cycle_t cycle = now; cycle <= now + m_mask; ++cycle)
      for (std::size_t router = 0; router < routers; ++router)
        for_each_vc(m_sets[(cycle & m_mask) * routers + router],
                    [&](unsigned vc_index) { f(cycle, router, vc_index); });
  }

 private:
  const std::size_t m_regions;  ///< number of regions, which have 64 routers each
  std::size_t m_mask = 0;
  large_array<set> m_sets;
  large_array<std::uint64_t> m_touched;
};

}  // namespace weft::engine
