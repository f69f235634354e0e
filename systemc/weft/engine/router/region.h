// SPDX-License-Identifier: Apache-2.0
/// The state of 64 routers that go through some cycles together.
///
/// What routers do in as many cycles as nothing needs less to get from router to router depends on these routers
/// alone. So a region is done with before the next one begins: its routers are in the cache for all stages of all
/// these cycles.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "weft/core/types.h"
#include "weft/engine/base/lane_numbers.h"
#include "weft/engine/base/word_vectors.h"
#include "weft/engine/decisions/dense_switch.h"
#include "weft/engine/decisions/sparse_switch.h"
#include "weft/engine/router/cables.h"
#include "weft/engine/router/fabric_parameters.h"
#include "weft/engine/router/lane_flow.h"

namespace weft::engine {

template <unsigned Lanes, int Shift>
struct region {
  using numbers = lane_numbers<Lanes, Shift>;
  using sets = typename numbers::sets;
  using slot_index = typename numbers::slot_index;
  static constexpr unsigned RegionLanes = numbers::RegionLanes, RegionPorts = numbers::RegionPorts;

  region(router_id first_router, const fabric_parameters& fabric, numbers number)
      : first(first_router),
        size(static_cast<unsigned>(std::min<std::size_t>(fabric.routers - first_router, RegionRouters))),
        ports(RegionLanes >> number.shift()),
        flow(fabric.depth, fabric.ejection_depth, best_vectors()),
        dense(best_vectors()) {
    // All pointers are 0 at first, as if the lanes before had sent.
    held.fill({to_byte(numbers::LaneMask), to_byte(numbers::LaneMask)});
    pointers.reset(number.shift());
    for (unsigned i = 0; i < size; ++i) {
      for (unsigned port = 0; port < fabric.ports; ++port) {
        for (unsigned vc = 0; vc < fabric.vcs; ++vc) {
          flow.free[i].insert(port << number.shift() | vc);
          flow.set_credits(i, port << number.shift() | vc, fabric.depth);
        }
      }
    }
  }

  /// Output lanes that are held got their first credit, or spent the last one: `able` learns of it.
  WEFT_INLINE void note_credits() {
    const std::uint64_t concerned = which_have_any(flow.changed.data());
    flow.may_send |= concerned;
    for_each_of(concerned, [&](unsigned i) {
      for_each_lane(std::exchange(flow.changed[i], {}), [&](unsigned lane) {
        const unsigned held_by = value(held[i << numbers::LaneBits | lane].holder);
        flow.able[i].erase(held_by);
        flow.able[i].insert_if(flow.credited[i].contains(lane), held_by);
      });
    });
  }

  /// Flits of all packets that got a VC in the region.
  std::uint64_t sent_in_all() const { return std::accumulate(sent.begin(), sent.begin() + ports, std::uint64_t{0}); }

  router_id first;
  unsigned size;   ///< routers that there are
  unsigned ports;  ///< of all 64

  lane_flow<Lanes> flow;
  /// Input lanes that wait for an output VC, none of which was to be had when they asked: by the port that they want;
  /// then those that have a choice.
  alignas(64) std::array<sets, numbers::MostPorts + 1> parked{};
  std::uint64_t parking = 0;  ///< routers with input lanes that are parked
  std::uint64_t freed = 0;    ///< of those, routers in which an output VC may be had again for those that are parked
  sets freed_lanes{};         ///< in them, output lanes that came free

  // By lane in the region, input or output.
  alignas(64) std::array<held_lanes, RegionLanes> held;  ///< the pointers of VC allocation point behind these
  std::array<slot_index, RegionLanes> newest{};  ///< of an output lane: the slot of its last head, where that goes
  // By port in the region.
  channel_ends<RegionPorts> flits;                ///< output: where they arrive
  std::array<lane_id, RegionPorts> heads_to{};    ///< output: the FIFO there
  channel_ends<RegionPorts> credits;              ///< input: where it is told of slots that come free
  std::array<std::uint64_t, RegionPorts> sent{};  ///< output: flits of all packets that got a VC of it
  sparse_pointers<numbers> pointers;              ///< of the switch allocator, where `dense` does not keep them

  dense_switch dense;
  std::vector<cables> of_flits, of_credits;  ///< one of each; none where `dense` is never used
  bool is_dense = false;  ///< `dense` is in use, and much expected: pointers, and which lane wants what, stand there
  std::uint64_t sent_then = 0;  ///< in all, when the form of the switch was last chosen
  unsigned cycles = 0;          ///< since then, in which there was something to do
};

}  // namespace weft::engine
