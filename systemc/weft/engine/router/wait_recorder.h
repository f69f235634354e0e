// SPDX-License-Identifier: Apache-2.0
/// Where packets wait on their way through the routers of a network: what is written down, cycle by cycle, for an
/// observer that wants to know it. core/wait_accounts.h says how waits are counted.
///
/// The engine knows no flits but heads. So waits are kept by input lane, for the flit that was granted the switch last.
/// Those of a head stand with its packet while it goes from router to router. A flit behind it is as late as the one
/// before it, unless its lane ran empty: only of flits that are later than the one before them the next lane is told.
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
    cycle_t left = 0;  ///< cycle in which its tail was put on the channel to the node
  };

  wait_recorder(const fabric_parameters& fabric, numbers number, view fifos)
      : m_number(number),
        m_fifos(fifos),
        m_first_nic(fabric.first_nic << LaneBits),
        m_same_cycle(fabric.same_cycle),
        m_stages(fabric.stages),
        m_catches_up(cycles_to_switch(fabric.same_cycle)),
        m_lanes(std::size_t{fabric.first_nic} << LaneBits),
        m_expecting(fabric.first_nic),
        m_inlets(fabric.nic_ports) {}

  /// A flit of \p packet leaves the NIC in cycle \p now, and arrives in input lane \p to in cycle \p arrival.
  /// \param stalled cycles that it was there and had no credit; none: all since the flit before it
  void inject(nic_port from, lane_id to, stored_flit flit, cycle_t now, cycle_t arrival,
              std::optional<std::uint32_t> stalled) {
    waits_in_nic& nic = m_inlets[from];
    const cycle_t before = nic.waits().sum();
    nic.leave(flit.head(), now, stalled);
    if (flit.head()) {
      if (flit.packet() >= m_packets.size()) m_packets.resize(flit.packet() + std::size_t{1});
      m_packets[flit.packet()].head = {arrival + m_catches_up, {}};
    } else if (nic.waits().sum() != before) {
      expect(to, arrival, nic.waits());
    }
  }

  /// Flits reach lanes in cycle \p now, and have not been counted yet. Parameters as of lane_flow::arrive().
  void note_arrivals(const region_t& here, const set* flits, std::uint64_t touched, cycle_t now) {
    for_each_of(touched, [&](unsigned i) {
      for_each_lane(flits[i] & m_expecting[here.first + i], [&](unsigned lane) {
        const lane_id number = (here.first + i) << LaneBits | lane;
        if (m_late[m_lanes[number].first].arrival != now) return;
        const router_waits waits = take_late(number);
        if (!here.flow.occupied[i].contains(lane)) m_lanes[number].waits.follow(waits, m_catches_up);
      });
    });
  }

  /// The lanes that send in cycle \p now have been chosen, and nothing has moved.
  void note_grants(const region_t& here, const switch_stage<Lanes, Shift>& chosen, cycle_t now) {
    const lane_flow<Lanes>& flow = here.flow;
    if (flow.may_send == 0) return;
    lane_account* const lanes = &m_lanes[here.first << LaneBits];
    if (here.is_dense) {
      const sets& winners = chosen.dense_winners();
      for (unsigned i = 0; i < RegionRouters; ++i) m_losing[i] = (flow.occupied[i] & flow.able[i]) ^ winners[i];
      for_each_listed(winners, [&](unsigned in) { grant(here, in, now); });
      for_each_listed(m_losing, [&](unsigned in) { lanes[in].waits.lose(); });
      return;
    }
    for_each_of(flow.may_send, [&](unsigned i) { m_losing[i] = flow.occupied[i] & flow.able[i]; });
    for (const std::uint16_t in : chosen.winners()) {
      m_losing[in >> LaneBits].erase(in & LaneMask);
      grant(here, in, now);
    }
    for_each_of(flow.may_send, [&](unsigned i) {
      for_each_lane(m_losing[i], [&](unsigned lane) { lanes[i << LaneBits | lane].waits.lose(); });
    });
  }

  /// VC allocation is to come.
  void before_vcs(const region_t& here) {
    m_asking = here.flow.may_wait;
    for_each_of(m_asking, [&](unsigned i) { m_held[i] = here.flow.holding[i]; });
  }
  /// It has come, in cycle \p now: heads have got output VCs.
  void note_vcs(const region_t& here, cycle_t now) {
    for_each_of(m_asking, [&](unsigned i) {
      for_each_lane(here.flow.holding[i] ^ m_held[i], [&](unsigned lane) {
        const lane_id number = (here.first + i) << LaneBits | lane;
        lane_account& at = m_lanes[number];
        at.packet = m_fifos.last(number).packet();
        at.at_head = true;
        at.waits.begin(m_packets[at.packet].head, now + (m_same_cycle ? 0 : 1));
      });
    });
  }

  /// Of a packet whose tail reaches its NIC.
  const account& of(packet_handle packet) const { return m_packets[packet].done; }

 private:
  static constexpr unsigned LaneBits = numbers::LaneBits, LaneMask = numbers::LaneMask;
  static constexpr std::uint32_t None = ~std::uint32_t{0};

  /// A flit behind a head, later than the one before it, on its way to a lane.
  struct late_flit {
    cycle_t arrival;
    router_waits waits;
    std::uint32_t next;  ///< on its way there, or free
  };
  struct alignas(64) lane_account {
    waits_in_router waits;
    packet_handle packet = NoPacket;          ///< that holds an output lane, or held it last
    bool at_head = false;                     ///< of it nothing has been sent
    std::uint32_t first = None, last = None;  ///< late flits on their way to the lane
  };
  struct packet_account {
    waits_of_head head;
    account done;
  };

  /// Calls \p f(lane of the region) for all lanes of a region.
  template <typename F>
  void for_each_listed(const sets& lanes, F f) {
    const std::size_t count = list_lanes<Lanes>(lanes, m_list.data(), m_vectors);
    for (std::size_t k = 0; k < count; ++k) f(m_list[k]);
  }

  void grant(const region_t& here, unsigned in, cycle_t now) {
    lane_account& at = m_lanes[(here.first << LaneBits) + in];
    const bool is_later = at.waits.grant(now);
    const bool is_tail = here.flow.ending[in >> LaneBits].contains(in & LaneMask);
    if (!is_later && !is_tail) return;
    const bool was_head = std::exchange(at.at_head, false);
    const unsigned out = value(here.output[in]), port = ((in & ~LaneMask) | out) >> m_number.shift();
    const lane_id to = here.flits.to[port] + (out & m_number.stride_mask());
    if (to >= m_first_nic) {
      if (is_tail) m_packets[at.packet].done = {at.waits.waits(), now + 1 + m_stages};
    } else if (was_head) {
      waits_of_head head = at.waits.head();
      head.due += here.flits.cycles[port] + m_catches_up;
      m_packets[at.packet].head = head;
    } else if (is_later) {
      expect(to, now + here.flits.cycles[port], at.waits.waits());
    }
  }

  void expect(lane_id to, cycle_t arrival, const router_waits& waits) {
    std::uint32_t number = m_free;
    if (number == None) {
      number = static_cast<std::uint32_t>(m_late.size());
      m_late.emplace_back();
    } else {
      m_free = m_late[number].next;
    }
    m_late[number] = {arrival, waits, None};
    lane_account& at = m_lanes[to];
    if (at.first == None) {
      at.first = number;
      m_expecting[to >> LaneBits].insert(to & LaneMask);
    } else {
      m_late[at.last].next = number;
    }
    at.last = number;
  }

  router_waits take_late(lane_id lane) {
    lane_account& at = m_lanes[lane];
    const std::uint32_t number = at.first;
    at.first = m_late[number].next;
    if (at.first == None) m_expecting[lane >> LaneBits].erase(lane & LaneMask);
    m_late[number].next = m_free;
    m_free = number;
    return m_late[number].waits;
  }

  const vectors m_vectors = best_vectors();
  const numbers m_number;
  const view m_fifos;
  const lane_id m_first_nic;
  const bool m_same_cycle;
  const unsigned m_stages;
  const std::uint32_t m_catches_up;
  large_array<lane_account> m_lanes;
  large_array<set> m_expecting;  ///< by router: lanes that late flits are on their way to
  std::vector<waits_in_nic> m_inlets;
  std::vector<packet_account> m_packets;  ///< by handle
  std::vector<late_flit> m_late;
  std::uint32_t m_free = None;  ///< of these
  // Of the region that is under way.
  alignas(64) sets m_losing{};  ///< lanes that asked for the switch, and will wait
  sets m_held{};                ///< lanes that held an output lane before VC allocation
  std::uint64_t m_asking = 0;   ///< routers in which heads asked for one
  std::vector<std::uint16_t> m_list = std::vector<std::uint16_t>(numbers::RegionLanes + SpareRoom);
};

}  // namespace weft::engine
