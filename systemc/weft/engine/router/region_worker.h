// SPDX-License-Identifier: Apache-2.0
/// Simulates regions in one thread: the order of the pipeline stages, the channels on which this thread sends, and the
/// working memory of its allocators. A region may be simulated by another worker in every window of cycles.
#pragma once

#include <cstddef>
#include <cstdint>

#include "weft/core/types.h"
#include "weft/engine/base/packet_pool.h"
#include "weft/engine/base/vc_numbering.h"
#include "weft/engine/base/word_vectors.h"
#include "weft/engine/router/fabric_parameters.h"
#include "weft/engine/router/grant_meter.h"
#include "weft/engine/router/head_fifos.h"
#include "weft/engine/router/head_routes.h"
#include "weft/engine/router/in_flight.h"
#include "weft/engine/router/region.h"
#include "weft/engine/router/switch_stage.h"
#include "weft/engine/router/vc_allocation.h"
#include "weft/engine/router/wait_recorder.h"

namespace weft::engine {

template <unsigned RouterVcs, int Shift>
class region_worker {
 public:
  using numbers = vc_numbering<RouterVcs, Shift>;
  using region_t = region<RouterVcs, Shift>;
  using view = typename head_fifos<RouterVcs, Shift>::view;

  region_worker(const fabric_parameters& fabric, numbers number, view fifos, const head_routes& routes,
                packet_pool& packets)
      : m_fabric(fabric),
        m_fifos(fifos),
        m_channels(fabric),
        m_vcs(fabric, number, fifos, routes, packets),
        m_switch(fabric, number, m_channels) {}
  region_worker(const region_worker&) = delete;
  region_worker& operator=(const region_worker&) = delete;

  /// Sets the recorders of advance<true>(); null: none.
  void record(wait_recorder<RouterVcs, Shift>* waits, grant_meter<RouterVcs, Shift>* grants) {
    m_recorder = waits;
    m_meter = grants;
  }

  in_flight<RouterVcs>& channels() { return m_channels; }
  const in_flight<RouterVcs>& channels() const { return m_channels; }
  const vc_allocation<RouterVcs, Shift>& vcs() const { return m_vcs; }
  const switch_stage<RouterVcs, Shift>& switches() const { return m_switch; }

  /// Simulates cycle \p now of \p region, which is region \p number.
  /// \tparam Records whether the waits or the grants of packets are recorded
  template <bool Records>
  void advance(region_t& region, std::size_t number, cycle_t now) {
    const region_events<RouterVcs> flits = m_channels.pop_flits(number, now);
    const region_events<RouterVcs> credits = m_channels.pop_credits(number, now);
    const std::uint64_t credited = credits.touched, reached = flits.touched;
    if ((reached | credited) == 0 && region.flow.is_idle() && region.freed == 0) return;
    if (m_vcs.unparks_all())
      region.freed |= credited & region.parking;  // a head whose packet had not enough room may
                                                  // have it now
    if constexpr (Records)
      if (m_recorder != nullptr) m_recorder->note_arrivals(region, number, now);
    region.flow.arrive(flits.sets, reached);
    if (region.flow.return_credits(credits.sets, credited)) region.note_credits();
    if (region.freed != 0) m_vcs.unpark(region);
    // A head that wins an output VC may request the switch in the next cycle. If both allocators share a pipeline
    // stage, it may do so in this cycle.
    if (m_fabric.same_cycle) allocate_vcs<Records>(region, number, now);
    m_switch.allocate(region);
    if constexpr (Records) note_grants(region, number, now);
    if (!m_fabric.same_cycle) allocate_vcs<Records>(region, number, now);
    m_switch.move(region, now);
    m_switch.end_cycle(region);
    if (m_vcs.unparks_in_every_cycle()) region.freed |= region.parking;
  }

  /// Prefetches the state of the next region, except for heads, whose addresses are not known yet.
  void fetch(const region_t& soon, cycle_t now) {
    fetch(&soon, sizeof(region_t));
    fetch(m_fifos.read + (soon.first << numbers::VcIndexBits),
          numbers::RegionVcs * sizeof(typename numbers::slot_index));
    for (cycle_t cycle = now; cycle < now + m_fabric.lookahead; ++cycle) {
      fetch(m_channels.flits.at(cycle).sets + soon.first, sizeof(typename numbers::sets));
      fetch(m_channels.credits.at(cycle).sets + soon.first, sizeof(typename numbers::sets));
    }
  }

 private:
  template <bool Records>
  WEFT_INLINE void allocate_vcs(region_t& region, [[maybe_unused]] std::size_t number, [[maybe_unused]] cycle_t now) {
    [[maybe_unused]] const std::uint64_t requested = region.flow.may_wait;
    m_vcs.allocate(region);
    if constexpr (Records)
      if (requested != 0 && m_recorder != nullptr) m_recorder->note_vcs(region, number, requested, now);
  }

  /// Records the flits that were granted the switch and have not moved yet.
  void note_grants(const region_t& region, std::size_t number, cycle_t now) {
    if (m_recorder != nullptr) m_recorder->note_grants(region, number, m_switch, now);
    if (m_meter != nullptr) m_meter->note_grants(region, m_switch, now);
  }

  static void fetch(const void* from, std::size_t bytes) {
    for (std::size_t line = 0; line < bytes; line += 64) {
      __builtin_prefetch(static_cast<const char*>(from) + line, 1, 2);
      asm volatile("");  // g++ removes calls that do nothing but prefetch
    }
  }

  const fabric_parameters& m_fabric;
  const view m_fifos;
  in_flight<RouterVcs> m_channels;
  vc_allocation<RouterVcs, Shift> m_vcs;
  switch_stage<RouterVcs, Shift> m_switch;
  wait_recorder<RouterVcs, Shift>* m_recorder = nullptr;
  grant_meter<RouterVcs, Shift>* m_meter = nullptr;
};

}  // namespace weft::engine
