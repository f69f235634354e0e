// SPDX-License-Identifier: Apache-2.0
/// What reaches lanes, by the cycle in which it does.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "weft/core/types.h"
#include "weft/engine/base/huge_pages.h"
#include "weft/engine/base/lane_set.h"

namespace weft::engine {

/// A ring of sets of lanes: a set for each cycle and router, and for every 64 routers a word that says which of them
/// may have one that is not empty. Events lie at most `reach` cycles ahead; a lane has one event a cycle at most.
template <unsigned Lanes>
class set_wheel {
 public:
  using set = lane_set<Lanes>;

  /// \param reach of the farthest event, cycles ahead, ≥ 1
  set_wheel(cycle_t reach, std::size_t routers) : m_regions((routers + 63) / 64) {
    std::size_t slots = 1;
    while (slots <= reach) slots *= 2;
    m_mask = slots - 1;
    m_sets.resize(slots * m_regions * 64);
    m_touched.resize(slots * m_regions);
  }

  /// The events of one cycle. A part that has looked at a set clears it.
  struct cycle_events {
    set* sets;               ///< by router
    std::uint64_t* touched;  ///< by router / 64: bit i for router i of them; if it is 0 there is nothing

    void insert(std::size_t router, unsigned lane) const {
      sets[router].insert(lane);
      touched[router / 64] |= std::uint64_t{1} << router % 64;
    }
    /// The same, where touch() follows.
    void insert_untouched(std::size_t router, unsigned lane) const { sets[router].insert(lane); }
    /// All routers of a region may have events.
    void touch(std::size_t region) const { touched[region] = ~std::uint64_t{0}; }
    /// The routers of a region that may have events. From now on there are none.
    std::uint64_t take_touched(std::size_t region) const { return std::exchange(touched[region], 0); }
  };
  cycle_events at(cycle_t cycle) {
    const std::size_t slot = cycle & m_mask;
    return {&m_sets[slot * m_regions * 64], &m_touched[slot * m_regions]};
  }

  /// Whether \p lane has one that is pending in \p cycle.
  bool contains(cycle_t cycle, std::size_t router, unsigned lane) const {
    return m_sets[(cycle & m_mask) * m_regions * 64 + router].contains(lane);
  }

  /// Calls \p f(cycle, router, lane) for all that is pending from \p now on.
  template <typename F>
  void for_each(cycle_t now, F f) const {
    const std::size_t routers = m_regions * 64;
    for (cycle_t cycle = now; cycle <= now + m_mask; ++cycle)
      for (std::size_t router = 0; router < routers; ++router)
        for_each_lane(m_sets[(cycle & m_mask) * routers + router], [&](unsigned lane) { f(cycle, router, lane); });
  }

 private:
  const std::size_t m_regions;  ///< of 64 routers each
  std::size_t m_mask = 0;
  large_array<set> m_sets;
  large_array<std::uint64_t> m_touched;
};

}  // namespace weft::engine
