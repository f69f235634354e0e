// SPDX-License-Identifier: Apache-2.0
/// Where packets wait on their way through the routers of a network: what is written down, cycle by cycle, for an
/// observer that wants to know it. core/wait_accounts.h says how waits are counted.
///
/// Little is: what can be told from when a packet came and left is not counted on the way. Of a head it is written down
/// what it waited for the switch and for credits, where it did; that it waited for VCs is what remains of the cycles
/// by which its packet is late at the end. wait_sets says which flits there is something to write down of.
///
/// The engine knows no flits but heads. So the waits of those behind are kept by input lane, as of the last one that
/// was looked at. If a flit comes to an empty lane with a gap before it, it is as late there as in the router before,
/// which has left word of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "weft/core/types.h"
#include "weft/core/wait_accounts.h"
#include "weft/engine/base/huge_pages.h"
#include "weft/engine/base/lane_numbers.h"
#include "weft/engine/base/nic_port.h"
#include "weft/engine/base/packet_pool.h"
#include "weft/engine/base/word_vectors.h"
#include "weft/engine/router/fabric_parameters.h"
#include "weft/engine/router/head_fifos.h"
#include "weft/engine/router/lane_flow.h"
#include "weft/engine/router/region.h"
#include "weft/engine/router/switch_stage.h"
#include "weft/engine/router/wait_sets.h"

namespace weft::engine {

template <unsigned Lanes, int Shift>
class wait_recorder {
 public:
  using numbers = lane_numbers<Lanes, Shift>;
  using region_t = region<Lanes, Shift>;
  using set = typename numbers::set;
  using sets = typename numbers::sets;
  using view = typename head_fifos<Lanes, Shift>::view;

  /// What became of a packet in the routers.
  struct account {
    router_waits waits;
    cycle_t left;  ///< cycle in which its tail was put on the channel to the node
  };

  wait_recorder(const fabric_parameters& fabric, numbers number, view fifos, const packet_pool& packets)
      : m_number(number),
        m_pool(packets),
        m_fifos(fifos),
        m_first_nic(fabric.first_nic << LaneBits),
        m_same_cycle(fabric.same_cycle),
        m_uniform(fabric.uniform),
        m_stages(fabric.stages),
        m_catches_up(cycles_to_switch(fabric.same_cycle)),
        m_hop(fabric.uniform ? 1 + fabric.stages + fabric.longest + m_catches_up : 0),
        m_slots(std::size_t{1} << bits_for(static_cast<unsigned>(fabric.reach()) + 1)),
        m_lanes(std::size_t{fabric.first_nic} << LaneBits),
        m_sets(fabric.first_nic / RegionRouters, wait_sets<Lanes>(!fabric.uniform, m_catches_up, m_vectors)),
        m_late(m_sets.size() * m_slots),
        m_inlets(fabric.nic_ports) {}

  /// A flit of a packet leaves the NIC in cycle \p now, and arrives in input lane \p to in cycle \p arrival.
  /// \param stalled cycles that it was there and had no credit; none: all since the flit before it
  void inject(nic_port from, lane_id to, stored_flit flit, cycle_t now, cycle_t arrival,
              std::optional<std::uint32_t> stalled) {
    waits_in_nic& nic = m_inlets[from];
    const cycle_t before = nic.waits().sum();
    nic.leave(flit.head(), now, stalled);
    if (flit.head()) {
      if (flit.packet() >= m_packets.size()) m_packets.resize(flit.packet() + std::size_t{1});
      m_packets[flit.packet()] = {arrival + m_catches_up};
    } else if (nic.waits().sum() != before) {
      expect(to, arrival, nic.waits());
    }
  }

  /// Flits reach lanes of region \p number in cycle \p now, and have not been counted yet.
  void note_arrivals(const region_t& here, std::size_t number, cycle_t now) {
    std::vector<late_flit>& late = late_in(number, now);
    for (const late_flit& flit : late) {
      const unsigned router = numbers::router_in_region(flit.to), lane = flit.to & LaneMask;
      if (here.flow.occupied[router].contains(lane) || !m_sets[number].has_gap(router, lane, now)) continue;
      m_sets[number].forget_lost(router, lane);
      m_lanes[flit.to].lost = 0;
      m_lanes[flit.to].waits.follow(flit.waits, m_catches_up);
    }
    late.clear();
  }

  /// The lanes of region \p number that send in cycle \p now have been chosen, and nothing has moved.
  void note_grants(const region_t& here, std::size_t number, const switch_stage<Lanes, Shift>& chosen, cycle_t now) {
    wait_sets<Lanes>& waiting = m_sets[number];
    std::uint64_t routers;
    if (here.is_dense) {
      routers = waiting.note_grants(here.flow, chosen.dense_winners(), now, m_told);
    } else {
      for (const std::uint16_t in : chosen.winners()) m_winners[in >> LaneBits].insert(in & LaneMask);
      routers = waiting.note_grants(here.flow, m_winners, now, m_told);
      for (const std::uint16_t in : chosen.winners()) m_winners[in >> LaneBits] = {};
    }
    if (routers == 0) return;
    run_on_bits(m_vectors, [&](auto) {
      if (m_told.any_heads)
        for_each_told(here, m_told.heads, routers, [&](unsigned in) { tell_head(here, waiting, in, now); });
      if (m_told.any_others)
        for_each_told(here, m_told.others, routers, [&](unsigned in) { tell_other(here, in, now); });
    });
    if (!m_told.any_overflow) return;
    for_each_told(here, m_told.overflow, routers,
                  [&](unsigned in) { m_lanes[lane_of(here, in)].lost += m_told.MostLost; });
  }

  /// Heads in the routers \p asked have got output VCs in cycle \p now.
  void note_vcs(const region_t& here, std::size_t number, std::uint64_t asked, cycle_t now) {
    if (!m_sets[number].note_vcs(here.flow, asked, m_poor)) return;
    for_each_of(asked, [&](unsigned i) {
      for_each_lane(m_poor[i], [&](unsigned lane) {
        m_lanes[lane_of(here, i << LaneBits | lane)].cycle = now + (m_same_cycle ? 0 : 1);
      });
    });
  }

  /// A packet's tail reaches its NIC in cycle \p arrival, by a channel of \p cycles.
  void note_end(packet_handle packet, cycle_t arrival, unsigned cycles) { m_packets[packet].left = arrival - cycles; }

  /// Of a packet of so many flits, which has come to its end through so many routers.
  account of(packet_handle packet, std::uint32_t flits, std::uint32_t routers) const {
    const packet_account& p = m_packets[packet];
    const cycle_t granted = p.left - 1 - m_stages;
    return {p.waits(granted - p.due_after(routers - 1, m_hop) - (flits - 1)), p.left};
  }

 private:
  static constexpr unsigned LaneBits = numbers::LaneBits, LaneMask = numbers::LaneMask;

  /// A flit behind a head, later than the one before it, on its way to a lane.
  struct late_flit {
    lane_id to;
    router_waits waits;
  };
  /// Of a packet with flits behind its head that holds an output lane, or held it last.
  struct alignas(32) lane_account {
    waits_in_router waits;   ///< of the last flit that was looked at
    std::uint32_t lost = 0;  ///< cycles that wait_sets has not got any more
    /// Of a head that had no credit when it got its VC: the cycle from which on it could have asked for the switch.
    /// Then that in which the flit behind its tail would be granted it if the packet were alone.
    cycle_t cycle = 0;
  };
  /// A packet as its head left the last router, or, if it has come to the last one, as its last flit did.
  struct packet_account {
    cycle_t due = 0;  ///< cycle in which its head would be granted the switch in the first router if it were alone;
                      ///< where channels differ, in the next router
    std::uint32_t switch_allocation = 0, credit = 0, nic = 0;
    cycle_t left = 0;

    cycle_t due_after(std::uint32_t routers, std::uint32_t hop) const { return due + std::uint64_t{routers} * hop; }
    /// In all \p late; what is left is for VCs.
    router_waits waits(cycle_t late) const {
      return {static_cast<std::uint32_t>(late) - switch_allocation - credit - nic, switch_allocation, credit, nic};
    }
  };

  static lane_id lane_of(const region_t& here, unsigned in) { return (here.first << LaneBits) + in; }

  std::vector<late_flit>& late_in(std::size_t region, cycle_t cycle) {
    return m_late[region * m_slots + (cycle & (m_slots - 1))];
  }

  /// Calls \p f(lane of the region) for all \p lanes, in \p routers. They are few: a list of them would take longer.
  template <typename F>
  WEFT_INLINE static void for_each_told(const region_t& here, const sets& lanes, std::uint64_t routers, F f) {
    for_each_of(here.flow.expects_much ? which_have_any(lanes.data()) : routers,
                [&](unsigned i) { for_each_lane(lanes[i], [&](unsigned lane) { f(i << LaneBits | lane); }); });
  }

  std::uint32_t take_lost(lane_account& at, unsigned in) {
    return m_told.lost_by(in >> LaneBits, in & LaneMask) + std::exchange(at.lost, 0);
  }

  /// Where a lane's flits arrive.
  lane_id destination(const region_t& here, unsigned in, unsigned& port) const {
    const unsigned out = value(here.held[in].output);
    port = ((in & ~LaneMask) | out) >> m_number.shift();
    return here.flits.to[port] + (out & m_number.stride_mask());
  }

  WEFT_INLINE void tell_head(const region_t& here, wait_sets<Lanes>& waiting, unsigned in, cycle_t now) {
    const unsigned i = in >> LaneBits, lane = in & LaneMask;
    lane_account& at = m_lanes[lane_of(here, in)];
    const stored_flit head = m_fifos.last(lane_of(here, in));
    packet_account& packet = m_packets[head.packet()];
    const std::uint32_t lost = take_lost(at, in);
    packet.switch_allocation += lost;
    if (waiting.take_poor(i, lane)) packet.credit += static_cast<std::uint32_t>(now - at.cycle) - lost;
    if (head.tail() && m_uniform) return;
    unsigned port;
    const bool goes_on = destination(here, in, port) < m_first_nic;
    if (!head.tail()) {
      const cycle_t due = packet.due_after(head.routers(), m_hop);
      at.waits.begin(packet.waits(now - due));
      at.cycle = due + m_pool[head.packet()].travels;
      if (!goes_on) waiting.note_last_router(i, lane);
    }
    if (!m_uniform && goes_on) packet.due += here.flits.cycles[port] + m_catches_up;
  }

  WEFT_INLINE void tell_other(const region_t& here, unsigned in, cycle_t now) {
    lane_account& at = m_lanes[lane_of(here, in)];
    const cycle_t due = at.cycle - here.flow.flits_left(in >> LaneBits, in & LaneMask);
    at.waits.grant(now - due, take_lost(at, in));
    unsigned port;
    const lane_id to = destination(here, in, port);
    const router_waits& waits = at.waits.waits();
    if (to < m_first_nic) return expect(to, now + here.flits.cycles[port], waits);
    packet_account& packet = m_packets[m_fifos.last(lane_of(here, in)).packet()];
    packet.switch_allocation = waits.switch_allocation;
    packet.credit = waits.credit;
    packet.nic = waits.nic;
  }

  void expect(lane_id to, cycle_t arrival, const router_waits& waits) {
    late_in(to / numbers::RegionLanes, arrival).push_back({to, waits});
  }

  const vectors m_vectors = best_vectors();
  const numbers m_number;
  const packet_pool& m_pool;
  const view m_fifos;
  const lane_id m_first_nic;
  const bool m_same_cycle, m_uniform;
  const unsigned m_stages;
  const std::uint32_t m_catches_up;
  const std::uint32_t m_hop;  ///< from router to router, of a head that is alone; 0 where channels differ
  const std::size_t m_slots;  ///< of a wheel, a power of two
  large_array<lane_account> m_lanes;
  large_array<wait_sets<Lanes>> m_sets;        ///< by region
  std::vector<std::vector<late_flit>> m_late;  ///< by region and slot: by the cycle in which they arrive
  std::vector<waits_in_nic> m_inlets;
  std::vector<packet_account> m_packets;  ///< by handle
  // Of the region that is under way.
  told_lanes<Lanes> m_told;
  alignas(64) sets m_winners{}, m_poor{};
};

}  // namespace weft::engine
