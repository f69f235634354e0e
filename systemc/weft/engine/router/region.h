// SPDX-License-Identifier: Apache-2.0
/// The state of a region: 64 routers that are simulated together for several cycles.
///
/// No flit or credit crosses between routers in fewer than `lookahead` cycles, so a region can simulate that many
/// cycles on its own. Regions are processed one after the other, so that the state of a region stays in the cache.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "weft/core/types.h"
#include "weft/engine/base/vc_numbering.h"
#include "weft/engine/base/word_vectors.h"
#include "weft/engine/decisions/dense_switch.h"
#include "weft/engine/decisions/sparse_switch.h"
#include "weft/engine/router/channel_bundles.h"
#include "weft/engine/router/fabric_parameters.h"
#include "weft/engine/router/vc_flow_state.h"

namespace weft::engine {

template <unsigned RouterVcs, int Shift>
struct region {
  using numbers = vc_numbering<RouterVcs, Shift>;
  using sets = typename numbers::sets;
  using slot_index = typename numbers::slot_index;
  static constexpr unsigned RegionVcs = numbers::RegionVcs, RegionPorts = numbers::RegionPorts;

  region(router_id first_router, const fabric_parameters& fabric, numbers number)
      : first(first_router),
        size(static_cast<unsigned>(std::min<std::size_t>(fabric.routers - first_router, RegionRouters))),
        ports(RegionVcs >> number.shift()),
        flow(fabric.depth, fabric.ejection_depth, best_vectors()),
        dense(best_vectors()) {
    // All pointers are 0 at first, as if the last VCs had sent.
    held.fill({to_byte(numbers::VcIndexMask), to_byte(numbers::VcIndexMask)});
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

  /// Updates `able` for held output VCs that got their first credit or used their last one.
  WEFT_INLINE void note_credits() {
    const std::uint64_t concerned = which_have_any(flow.changed.data());
    flow.may_send |= concerned;
    for_each_of(concerned, [&](unsigned i) {
      for_each_vc(std::exchange(flow.changed[i], {}), [&](unsigned vc_index) {
        const unsigned held_by = value(held[i << numbers::VcIndexBits | vc_index].holder);
        flow.able[i].erase(held_by);
        flow.able[i].insert_if(flow.credited[i].contains(vc_index), held_by);
      });
    });
  }

  /// Number of flits of all packets that got an output VC in the region.
  std::uint64_t sent_in_all() const { return std::accumulate(sent.begin(), sent.begin() + ports, std::uint64_t{0}); }

  router_id first;
  unsigned size;   ///< number of routers in the region
  unsigned ports;  ///< total number of ports of 64 routers

  vc_flow_state<RouterVcs> flow;
  /// By requested port: input VCs that wait for an output VC and found none free. The last set is for heads with
  /// several possible outputs.
  alignas(64) std::array<sets, numbers::MostPorts + 1> parked{};
  std::uint64_t parking = 0;  ///< routers that have parked input VCs
  std::uint64_t freed = 0;    ///< routers with parked input VCs in which an output VC may be free again
  sets freed_output_vcs{};    ///< output VCs in these routers that became free

  // Indexed by input VC or output VC of the region
  alignas(64) std::array<vc_ownership, RegionVcs> held;  ///< the pointers of VC allocation are one behind these VCs
  std::array<slot_index, RegionVcs> newest{};            ///< by output VC: slot of its last head at the receiver
  // Indexed by port of the region
  channel_ends<RegionPorts> flits;                ///< by output port: where its flits arrive
  std::array<vc_id, RegionPorts> heads_to{};      ///< by output port: FIFO of VC 0 at the receiver
  channel_ends<RegionPorts> credits;              ///< by input port: where its credits arrive
  std::array<std::uint64_t, RegionPorts> sent{};  ///< by output port: number of flits of all packets that got a VC of
                                                  ///< the port
  sparse_pointers<numbers> pointers;              ///< pointers of the switch allocator, unless `dense` stores them

  dense_switch dense;
  std::vector<channel_bundles> of_flits, of_credits;  ///< one object each; empty if `dense` is never used
  bool is_dense = false;        ///< whether `dense` is in use and stores pointers and requests, because many events are
                                ///< expected
  std::uint64_t sent_then = 0;  ///< number of flits sent when the switch implementation was last selected
  unsigned cycles = 0;          ///< number of cycles with work since then
};

}  // namespace weft::engine
