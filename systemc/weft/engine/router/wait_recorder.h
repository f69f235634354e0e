// SPDX-License-Identifier: Apache-2.0
/// Records the waits of packets in the routers of a network, cycle by cycle. It exists if an observer needs the waits.
/// core/wait_accounts.h defines how waits are counted.
///
/// The recorder stores only what cannot be derived from the arrival and departure of a packet. For a head it stores the
/// waits for the switch and for credits, if there are any; the remaining lateness of the packet at the end is its wait
/// for VCs. wait_sets determines the flits for which something must be stored.
///
/// The engine simulates only heads as flits. The waits of body and tail flits are therefore stored per input VC, for
/// the last flit that was processed. A flit that arrives at an empty VC after a gap has the lateness that the previous
/// router stored for it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "weft/core/types.h"
#include "weft/core/wait_accounts.h"
#include "weft/engine/base/huge_pages.h"
#include "weft/engine/base/nic_port.h"
#include "weft/engine/base/packet_pool.h"
#include "weft/engine/base/vc_numbering.h"
#include "weft/engine/base/word_vectors.h"
#include "weft/engine/router/fabric_parameters.h"
#include "weft/engine/router/head_fifos.h"
#include "weft/engine/router/region.h"
#include "weft/engine/router/switch_stage.h"
#include "weft/engine/router/vc_flow_state.h"
#include "weft/engine/router/wait_sets.h"

namespace weft::engine {

template <unsigned RouterVcs, int Shift>
class wait_recorder {
 public:
  using numbers = vc_numbering<RouterVcs, Shift>;
  using region_t = region<RouterVcs, Shift>;
  using set = typename numbers::set;
  using sets = typename numbers::sets;
  using view = typename head_fifos<RouterVcs, Shift>::view;

  /// The waits of a packet in the routers.
  struct account {
    router_waits waits;
    cycle_t left;  ///< cycle in which its tail was put on the channel to the node
  };

  wait_recorder(const fabric_parameters& fabric, numbers number, view fifos)
      : m_number(number),
        m_fifos(fifos),
        m_first_nic(fabric.first_nic << VcIndexBits),
        m_same_cycle(fabric.same_cycle),
        m_uniform(fabric.uniform),
        m_stages(fabric.stages),
        m_catches_up(fabric.cycles_to_switch),
        m_cycles(1 + fabric.stages + fabric.longest),
        m_hop(fabric.uniform ? m_cycles + m_catches_up : 0),
        m_slots(std::size_t{1} << bits_for(static_cast<unsigned>(fabric.reach()) + 1)),
        m_by_vc(std::size_t{fabric.first_nic} << VcIndexBits),
        m_due(m_by_vc.size()),
        m_spilled(m_by_vc.size()),
        m_sets(fabric.first_nic / RegionRouters, wait_sets<RouterVcs>(!fabric.uniform, m_catches_up, m_vectors)),
        m_late(m_sets.size() * m_slots),
        m_inlets(fabric.nic_ports),
        m_list(numbers::RegionVcs + SpareRoom) {}

  /// Records that a flit leaves the NIC in cycle \p now and arrives in input VC \p to in cycle \p arrival.
  /// \param stalled number of cycles in which the flit was present without a credit; unset: all cycles since the
  ///        previous flit
  void inject(nic_port from, vc_id to, stored_flit flit, cycle_t now, cycle_t arrival,
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

  /// Records the flits that reach VCs of region \p number in cycle \p now. The region has not counted them yet.
  void note_arrivals(const region_t& region, std::size_t number, cycle_t now) {
    std::vector<late_flits>& late = late_at(now)[number];
    wait_sets<RouterVcs>& waiting = m_sets[number];
    const vc_id first = region.first << VcIndexBits;
    // Entries whose waits count move to the front of the list, without mispredicted branches.
    late_flits* end = late.data();
    for (const late_flits& flit : late) {
      const unsigned i = (flit.to - first) >> VcIndexBits, vc_index = flit.to & VcIndexMask;
      *end = flit;
      end += !region.flow.occupied[i].contains(vc_index) & waiting.has_gap(i, vc_index, now);
    }
    for (const late_flits* flit = late.data(); flit != end; ++flit) {
      const unsigned i = (flit->to - first) >> VcIndexBits, vc_index = flit->to & VcIndexMask;
      waiting.discard_lost_cycles(i, vc_index);
      // The flit is later than the previous flit, which has left.
      wait_causes waits = flit->waits;
      const std::uint32_t due = m_due[flit->to] - region.flow.flits_left(i, vc_index);
      waits.catch_up(static_cast<std::uint32_t>(now) + m_catches_up - due, m_catches_up);
      m_by_vc[flit->to].waits = waits;
    }
    late.clear();
  }

  /// Records the VCs of region \p number that were selected to send in cycle \p now. Nothing has moved yet.
  void note_grants(const region_t& region, std::size_t number, const switch_stage<RouterVcs, Shift>& chosen,
                   cycle_t now) {
    wait_sets<RouterVcs>& waiting = m_sets[number];
    std::uint64_t routers;
    if (region.is_dense) {
      routers = waiting.note_grants(region.flow, chosen.dense_winners(), now, m_reported);
    } else {
      for (const std::uint16_t in : chosen.winners()) m_winners[in >> VcIndexBits].insert(in & VcIndexMask);
      routers = waiting.note_grants(region.flow, m_winners, now, m_reported);
      for (const std::uint16_t in : chosen.winners()) m_winners[in >> VcIndexBits] = {};
    }
    if (routers == 0) return;
    run_on_bits(m_vectors, [&](auto) {
      if (m_reported.any_heads)
        for_each_of_many(region, m_reported.heads, routers,
                         [&](unsigned in) { report_head(region, waiting, in, now); });
      if (m_reported.any_forwarded) report_forwarded(region, routers, now);
      if (m_reported.any_tails)
        for_each_reported(region, m_reported.tails, routers, [&](unsigned in) { report_tail(region, in, now); });
    });
    if (!m_reported.any_overflow) return;
    for_each_reported(region, m_reported.overflow, routers, [&](unsigned in) {
      m_spilled[vc_id_of(region, in)] = spilled_of(region, in) + m_reported.MostLost;
    });
  }

  /// Records the heads in the routers \p requesting that have got output VCs in cycle \p now.
  void note_vcs(const region_t& region, std::size_t number, std::uint64_t requesting, cycle_t now) {
    if (!m_sets[number].note_vcs(region.flow, requesting, m_uncredited)) return;
    for_each_of(requesting, [&](unsigned i) {
      for_each_vc(m_uncredited[i], [&](unsigned vc_index) {
        m_due[vc_id_of(region, i << VcIndexBits | vc_index)] = static_cast<std::uint32_t>(now) + (m_same_cycle ? 0 : 1);
      });
    });
  }

  /// Records that the tail of a packet reaches its NIC in cycle \p arrival, through a channel of \p cycles cycles.
  void note_end(packet_handle packet, cycle_t arrival, unsigned cycles) { m_packets[packet].left = arrival - cycles; }

  /// Returns the account of a packet of \p flits flits that has passed \p routers routers.
  account of(packet_handle packet, std::uint32_t flits, std::uint32_t routers) const {
    const packet_account& p = m_packets[packet];
    const std::uint32_t granted = static_cast<std::uint32_t>(p.left) - 1 - m_stages;
    const std::uint32_t late = granted - p.due_after(routers - 1, m_hop) - (flits - 1);
    return {{p.vc_allocation(late) - p.nic, p.switch_allocation, p.credit, p.nic}, p.left};
  }

 private:
  static constexpr unsigned VcIndexBits = numbers::VcIndexBits, VcIndexMask = numbers::VcIndexMask;

  /// The waits of a body or tail flit. The entry of a VC belongs to the flit that the VC processed last. An entry of a
  /// channel belongs to a flit that is later than the flit before it.
  struct late_flits {
    wait_causes waits;
    vc_id to;  ///< VC to which the flit goes
  };
  /// The waits of a packet at the time at which its head left the last router so far. At the final router, the time at
  /// which its last flit left.
  struct packet_account {
    std::uint32_t due = 0;  ///< cycle in which its head would be granted the switch in the first router of an empty
                            ///< network; if channels have different latencies, in the next router. Modulo 2^32
    std::uint32_t switch_allocation = 0, credit = 0, nic = 0;
    cycle_t left = 0;

    std::uint32_t due_after(std::uint32_t routers, std::uint32_t hop) const { return due + routers * hop; }
    /// The wait of its head for VCs, if its lateness is \p late.
    std::uint32_t vc_allocation(std::uint32_t late) const { return late - switch_allocation - credit; }
  };

  static vc_id vc_id_of(const region_t& region, unsigned in) { return (region.first << VcIndexBits) + in; }

  /// The entries of the flits that arrive in \p cycle, by region.
  std::vector<late_flits>* late_at(cycle_t cycle) { return &m_late[(cycle & (m_slots - 1)) * m_sets.size()]; }

  /// Calls \p f(VC of the region) for all VCs in \p vcs of the routers \p routers.
  template <typename F>
  WEFT_INLINE static void for_each_reported(const region_t& region, const sets& vcs, std::uint64_t routers, F f) {
    for_each_of(region.flow.expects_much ? which_have_any(vcs.data()) : routers,
                [&](unsigned i) { for_each_vc(vcs[i], [&](unsigned vc_index) { f(i << VcIndexBits | vc_index); }); });
  }

  /// Does the same for sets that may have many members. It first makes a list, because branches between routers would
  /// be mispredicted.
  template <typename F>
  WEFT_INLINE void for_each_of_many(const region_t& region, const sets& vcs, std::uint64_t routers, F f) {
    constexpr int ManyRouters = 24;
    if (!region.flow.expects_much || __builtin_popcountll(which_have_any(vcs.data())) < ManyRouters)
      return for_each_reported(region, vcs, routers, f);
    const std::size_t count = list_vcs<RouterVcs>(vcs, m_list.data(), m_vectors);
    for (std::size_t k = 0; k < count; ++k) f(m_list[k]);
  }

  std::uint32_t spilled_of(const region_t& region, unsigned in) const {
    return m_reported.spilled[in >> VcIndexBits].contains(in & VcIndexMask) ? m_spilled[vc_id_of(region, in)] : 0;
  }
  std::uint32_t lost_cycles_of(const region_t& region, unsigned in) const {
    return m_reported.lost_cycles_of(in >> VcIndexBits, in & VcIndexMask) + spilled_of(region, in);
  }

  /// The output port, as a port of the region, to which the flits of a VC go.
  unsigned port_of(const region_t& region, unsigned in) const {
    return ((in & ~VcIndexMask) | value(region.held[in].output)) >> m_number.shift();
  }

  WEFT_INLINE void report_head(const region_t& region, wait_sets<RouterVcs>& waiting, unsigned in, cycle_t now) {
    const unsigned i = in >> VcIndexBits, vc_index = in & VcIndexMask;
    std::uint32_t& due_of_vc = m_due[vc_id_of(region, in)];
    const stored_flit head = m_fifos.last(vc_id_of(region, in));
    packet_account& packet = m_packets[head.packet()];
    const auto cycle = static_cast<std::uint32_t>(now);
    const std::uint32_t lost_cycles = lost_cycles_of(region, in);
    packet.switch_allocation += lost_cycles;
    packet.credit += (cycle - due_of_vc - lost_cycles) & -std::uint32_t{waiting.clear_uncredited(i, vc_index)};
    if (head.tail() && m_uniform) return;
    const unsigned port = port_of(region, in);
    const vc_id to = region.flits.to[port] + (value(region.held[in].output) & m_number.stride_mask());
    const bool is_forwarded = to < m_first_nic;
    if (!head.tail()) {
      const std::uint32_t due = packet.due_after(head.routers(), m_hop);
      m_by_vc[vc_id_of(region, in)] = {{packet.vc_allocation(cycle - due), packet.switch_allocation, 0}, to};
      due_of_vc = due + region.flow.flits_left(i, vc_index);
      waiting.note_last_router_if(!is_forwarded, i, vc_index);
    }
    if (!m_uniform && is_forwarded) packet.due += region.flits.cycles[port] + m_catches_up;
  }

  /// Reports the waits of body flits that go to other routers.
  WEFT_INLINE void report_forwarded(const region_t& region, std::uint64_t routers, cycle_t now) {
    late_flits* const vcs = &m_by_vc[region.first << VcIndexBits];
    std::vector<late_flits>* const usual = late_at(now + m_cycles);
    for_each_of_many(region, m_reported.forwarded, routers, [=, &region](unsigned in) {
      late_flits& at = vcs[in];
      at.waits.switch_allocation += lost_cycles_of(region, in);
      expect(at, m_uniform ? usual : late_at(now + region.flits.cycles[port_of(region, in)]));
    });
  }

  /// Reports the waits of a tail that goes to a node.
  WEFT_INLINE void report_tail(const region_t& region, unsigned in, cycle_t now) {
    wait_causes waits = m_by_vc[vc_id_of(region, in)].waits;
    waits.switch_allocation += lost_cycles_of(region, in);
    packet_account& packet = m_packets[m_fifos.last(vc_id_of(region, in)).packet()];
    packet.switch_allocation = waits.switch_allocation;
    packet.credit = waits.credit(static_cast<std::uint32_t>(now) - (m_due[vc_id_of(region, in)] - 1));
    packet.nic = waits.nic;
  }

  static void expect(const late_flits& flit, std::vector<late_flits>* arriving) {
    arriving[flit.to / numbers::RegionVcs].push_back(flit);
  }

  const vectors m_vectors = best_vectors();
  const numbers m_number;
  const view m_fifos;
  const vc_id m_first_nic;
  const bool m_same_cycle, m_uniform;
  const unsigned m_stages;
  const std::uint32_t m_catches_up;
  const std::uint32_t m_cycles;     ///< cycles from a grant to the arrival in the next router, if all channels have the
                                    ///< same latency
  const std::uint32_t m_hop;        ///< cycles from router to router of a head without contention; 0 if channels have
                                    ///< different latencies
  const std::size_t m_slots;        ///< slots of a wheel, a power of two
  large_array<late_flits> m_by_vc;  ///< by VC: packets with body flits that hold an output VC, or held it last
  /// By VC. Before a head that had no credit when it got its VC is sent: the cycle from which on it could have
  /// requested the switch. Afterwards: the cycle in which the flit that follows its tail would be granted the switch
  /// without contention. Modulo 2^32.
  large_array<std::uint32_t> m_due;
  large_array<std::uint32_t> m_spilled;         ///< by VC: lost cycles in addition to the count in wait_sets
  large_array<wait_sets<RouterVcs>> m_sets;     ///< by region
  std::vector<std::vector<late_flits>> m_late;  ///< entries of flits on channels, by slot of the arrival cycle and
                                                ///< region
  std::vector<waits_in_nic> m_inlets;
  std::vector<packet_account> m_packets;  ///< by handle
  // These members belong to the current region
  std::vector<std::uint16_t> m_list;  ///< VCs of the region
  reported_vcs<RouterVcs> m_reported;
  alignas(64) sets m_winners{}, m_uncredited{};
};

}  // namespace weft::engine
