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

  wait_recorder(const fabric_parameters& fabric, numbers number, view fifos)
      : m_number(number),
        m_fifos(fifos),
        m_first_nic(fabric.first_nic << LaneBits),
        m_same_cycle(fabric.same_cycle),
        m_uniform(fabric.uniform),
        m_stages(fabric.stages),
        m_catches_up(cycles_to_switch(fabric.same_cycle)),
        m_cycles(1 + fabric.stages + fabric.longest),
        m_hop(fabric.uniform ? m_cycles + m_catches_up : 0),
        m_slots(std::size_t{1} << bits_for(static_cast<unsigned>(fabric.reach()) + 1)),
        m_lanes(std::size_t{fabric.first_nic} << LaneBits),
        m_due(m_lanes.size()),
        m_spilled(m_lanes.size()),
        m_sets(fabric.first_nic / RegionRouters, wait_sets<Lanes>(!fabric.uniform, m_catches_up, m_vectors)),
        m_late(m_sets.size() * m_slots),
        m_inlets(fabric.nic_ports),
        m_list(numbers::RegionLanes + SpareRoom) {}

  /// A flit of a packet leaves the NIC in cycle \p now, and arrives in input lane \p to in cycle \p arrival.
  /// \param stalled cycles that it was there and had no credit; none: all since the flit before it
  void inject(nic_port from, lane_id to, stored_flit flit, cycle_t now, cycle_t arrival,
              std::optional<std::uint32_t> stalled) {
    waits_in_nic& nic = m_inlets[from];
    const cycle_t before = nic.waits().sum();
    nic.leave(flit.head(), now, stalled);
    if (flit.head()) {
      if (flit.packet() >= m_packets.size()) m_packets.resize(flit.packet() + std::size_t{1});
      m_packets[flit.packet()] = {static_cast<std::uint32_t>(arrival) + m_catches_up};
    } else if (nic.waits().sum() != before) {
      expect({{0, 0, nic.waits().nic}, to}, late_at(arrival));
    }
  }

  /// Flits reach lanes of region \p number in cycle \p now, and have not been counted yet.
  void note_arrivals(const region_t& here, std::size_t number, cycle_t now) {
    std::vector<late_flits>& late = late_at(now)[number];
    wait_sets<Lanes>& waiting = m_sets[number];
    const lane_id first = here.first << LaneBits;
    // Those that count come first, without a jump that could not be foreseen.
    late_flits* end = late.data();
    for (const late_flits& flit : late) {
      const unsigned i = (flit.to - first) >> LaneBits, lane = flit.to & LaneMask;
      *end = flit;
      end += !here.flow.occupied[i].contains(lane) & waiting.has_gap(i, lane, now);
    }
    for (const late_flits* flit = late.data(); flit != end; ++flit) {
      const unsigned i = (flit->to - first) >> LaneBits, lane = flit->to & LaneMask;
      waiting.forget_lost(i, lane);
      // It is later than the flit before it, which has left.
      wait_causes waits = flit->waits;
      const std::uint32_t due = m_due[flit->to] - here.flow.flits_left(i, lane);
      waits.catch_up(static_cast<std::uint32_t>(now) + m_catches_up - due, m_catches_up);
      m_lanes[flit->to].waits = waits;
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
        for_each_of_many(here, m_told.heads, routers, [&](unsigned in) { tell_head(here, waiting, in, now); });
      if (m_told.any_going_on) tell_going_on(here, routers, now);
      if (m_told.any_tails) for_each_told(here, m_told.tails, routers, [&](unsigned in) { tell_tail(here, in, now); });
    });
    if (!m_told.any_overflow) return;
    for_each_told(here, m_told.overflow, routers,
                  [&](unsigned in) { m_spilled[lane_of(here, in)] = spilled_of(here, in) + m_told.MostLost; });
  }

  /// Heads in the routers \p asked have got output VCs in cycle \p now.
  void note_vcs(const region_t& here, std::size_t number, std::uint64_t asked, cycle_t now) {
    if (!m_sets[number].note_vcs(here.flow, asked, m_poor)) return;
    for_each_of(asked, [&](unsigned i) {
      for_each_lane(m_poor[i], [&](unsigned lane) {
        m_due[lane_of(here, i << LaneBits | lane)] = static_cast<std::uint32_t>(now) + (m_same_cycle ? 0 : 1);
      });
    });
  }

  /// A packet's tail reaches its NIC in cycle \p arrival, by a channel of \p cycles.
  void note_end(packet_handle packet, cycle_t arrival, unsigned cycles) { m_packets[packet].left = arrival - cycles; }

  /// Of a packet of so many flits, which has come to its end through so many routers.
  account of(packet_handle packet, std::uint32_t flits, std::uint32_t routers) const {
    const packet_account& p = m_packets[packet];
    const std::uint32_t granted = static_cast<std::uint32_t>(p.left) - 1 - m_stages;
    const std::uint32_t late = granted - p.due_after(routers - 1, m_hop) - (flits - 1);
    return {{p.vc_allocation(late) - p.nic, p.switch_allocation, p.credit, p.nic}, p.left};
  }

 private:
  static constexpr unsigned LaneBits = numbers::LaneBits, LaneMask = numbers::LaneMask;

  /// Flits behind a head: of a lane, the last one that was looked at; of the way to a lane, one that is later than the
  /// one before it.
  struct late_flits {
    wait_causes waits;
    lane_id to;  ///< where they go
  };
  /// A packet as its head left the last router, or, if it has come to the last one, as its last flit did.
  struct packet_account {
    std::uint32_t due = 0;  ///< cycle in which its head would be granted the switch in the first router if it were
                            ///< alone; where channels differ, in the next router. Modulo 2^32
    std::uint32_t switch_allocation = 0, credit = 0, nic = 0;
    cycle_t left = 0;

    std::uint32_t due_after(std::uint32_t routers, std::uint32_t hop) const { return due + routers * hop; }
    /// Of its head, which is so late.
    std::uint32_t vc_allocation(std::uint32_t late) const { return late - switch_allocation - credit; }
  };

  static lane_id lane_of(const region_t& here, unsigned in) { return (here.first << LaneBits) + in; }

  /// Those that arrive in \p cycle, by region.
  std::vector<late_flits>* late_at(cycle_t cycle) { return &m_late[(cycle & (m_slots - 1)) * m_sets.size()]; }

  /// Calls \p f(lane of the region) for all \p lanes, in \p routers.
  template <typename F>
  WEFT_INLINE static void for_each_told(const region_t& here, const sets& lanes, std::uint64_t routers, F f) {
    for_each_of(here.flow.expects_much ? which_have_any(lanes.data()) : routers,
                [&](unsigned i) { for_each_lane(lanes[i], [&](unsigned lane) { f(i << LaneBits | lane); }); });
  }

  /// The same for sets that may have many members: then jumps from router to router could not be foreseen, and a list
  /// takes less time.
  template <typename F>
  WEFT_INLINE void for_each_of_many(const region_t& here, const sets& lanes, std::uint64_t routers, F f) {
    constexpr int ManyRouters = 24;
    if (!here.flow.expects_much || __builtin_popcountll(which_have_any(lanes.data())) < ManyRouters)
      return for_each_told(here, lanes, routers, f);
    const std::size_t count = list_lanes<Lanes>(lanes, m_list.data(), m_vectors);
    for (std::size_t k = 0; k < count; ++k) f(m_list[k]);
  }

  std::uint32_t spilled_of(const region_t& here, unsigned in) const {
    return m_told.spilled[in >> LaneBits].contains(in & LaneMask) ? m_spilled[lane_of(here, in)] : 0;
  }
  std::uint32_t lost_by(const region_t& here, unsigned in) const {
    return m_told.lost_by(in >> LaneBits, in & LaneMask) + spilled_of(here, in);
  }

  /// The output port, in the region, that a lane's flits go to.
  unsigned port_of(const region_t& here, unsigned in) const {
    return ((in & ~LaneMask) | value(here.held[in].output)) >> m_number.shift();
  }

  WEFT_INLINE void tell_head(const region_t& here, wait_sets<Lanes>& waiting, unsigned in, cycle_t now) {
    const unsigned i = in >> LaneBits, lane = in & LaneMask;
    std::uint32_t& due_of_lane = m_due[lane_of(here, in)];
    const stored_flit head = m_fifos.last(lane_of(here, in));
    packet_account& packet = m_packets[head.packet()];
    const auto cycle = static_cast<std::uint32_t>(now);
    const std::uint32_t lost = lost_by(here, in);
    packet.switch_allocation += lost;
    packet.credit += (cycle - due_of_lane - lost) & -std::uint32_t{waiting.take_poor(i, lane)};
    if (head.tail() && m_uniform) return;
    const unsigned port = port_of(here, in);
    const lane_id to = here.flits.to[port] + (value(here.held[in].output) & m_number.stride_mask());
    const bool goes_on = to < m_first_nic;
    if (!head.tail()) {
      const std::uint32_t due = packet.due_after(head.routers(), m_hop);
      m_lanes[lane_of(here, in)] = {{packet.vc_allocation(cycle - due), packet.switch_allocation, 0}, to};
      due_of_lane = due + here.flow.flits_left(i, lane);
      waiting.note_last_router_if(!goes_on, i, lane);
    }
    if (!m_uniform && goes_on) packet.due += here.flits.cycles[port] + m_catches_up;
  }

  /// Flits behind heads that go to other routers.
  WEFT_INLINE void tell_going_on(const region_t& here, std::uint64_t routers, cycle_t now) {
    late_flits* const lanes = &m_lanes[here.first << LaneBits];
    std::vector<late_flits>* const usual = late_at(now + m_cycles);
    for_each_of_many(here, m_told.going_on, routers, [=, &here](unsigned in) {
      late_flits& at = lanes[in];
      at.waits.switch_allocation += lost_by(here, in);
      expect(at, m_uniform ? usual : late_at(now + here.flits.cycles[port_of(here, in)]));
    });
  }

  /// A tail that goes to a node.
  WEFT_INLINE void tell_tail(const region_t& here, unsigned in, cycle_t now) {
    wait_causes waits = m_lanes[lane_of(here, in)].waits;
    waits.switch_allocation += lost_by(here, in);
    packet_account& packet = m_packets[m_fifos.last(lane_of(here, in)).packet()];
    packet.switch_allocation = waits.switch_allocation;
    packet.credit = waits.credit(static_cast<std::uint32_t>(now) - (m_due[lane_of(here, in)] - 1));
    packet.nic = waits.nic;
  }

  static void expect(const late_flits& flit, std::vector<late_flits>* arriving) {
    arriving[flit.to / numbers::RegionLanes].push_back(flit);
  }

  const vectors m_vectors = best_vectors();
  const numbers m_number;
  const view m_fifos;
  const lane_id m_first_nic;
  const bool m_same_cycle, m_uniform;
  const unsigned m_stages;
  const std::uint32_t m_catches_up;
  const std::uint32_t m_cycles;  ///< from a grant to the arrival in the next router, where channels do not differ
  const std::uint32_t m_hop;     ///< from router to router, of a head that is alone; 0 where channels differ
  const std::size_t m_slots;     ///< of a wheel, a power of two
  large_array<late_flits>
      m_lanes;  ///< of packets with flits behind their heads that hold an output lane, or held it last
  /// By lane. Of a head that had no credit when it got its VC: the cycle from which on it could have asked for the
  /// switch. Then that in which the flit behind its tail would be granted it if the packet were alone. Modulo 2^32.
  large_array<std::uint32_t> m_due;
  large_array<std::uint32_t> m_spilled;         ///< by lane: lost cycles that wait_sets has not got any more
  large_array<wait_sets<Lanes>> m_sets;         ///< by region
  std::vector<std::vector<late_flits>> m_late;  ///< by slot, that of the cycle in which they arrive, and region
  std::vector<waits_in_nic> m_inlets;
  std::vector<packet_account> m_packets;  ///< by handle
  // Of the region that is under way.
  std::vector<std::uint16_t> m_list;  ///< lanes of the region
  told_lanes<Lanes> m_told;
  alignas(64) sets m_winners{}, m_poor{};
};

}  // namespace weft::engine
