// SPDX-License-Identifier: Apache-2.0
/// All routers of a network, and the channels between them, cycle by cycle.
///
/// The behaviour is that of pin::router, event for event (docs/03_reference/router.md). What differs is the order of
/// the work, by stage in place of by module, and its form: what is the same for every lane is done on sets of lanes,
/// 64 routers at a time. docs/03_reference/engine.md says how, and which part does what.
///
/// In a cycle both allocators choose before anything moves, so that they see output VCs as the cycle before left them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "weft/core/network_model.h"
#include "weft/core/parameters.h"
#include "weft/engine/base/bounded_list.h"
#include "weft/engine/base/huge_pages.h"
#include "weft/engine/base/lane_numbers.h"
#include "weft/engine/base/lane_set.h"
#include "weft/engine/base/nic_port.h"
#include "weft/engine/base/packet_pool.h"
#include "weft/engine/router/fabric_parameters.h"
#include "weft/engine/router/head_fifos.h"
#include "weft/engine/router/head_routes.h"
#include "weft/engine/router/in_flight.h"
#include "weft/engine/router/lane_flow.h"
#include "weft/engine/router/nic_border.h"
#include "weft/engine/router/region.h"
#include "weft/engine/router/straight_runs.h"
#include "weft/engine/router/switch_stage.h"
#include "weft/engine/router/vc_allocation.h"
#include "weft/engine/router/wait_recorder.h"
#include "weft/topology/topology.h"

namespace weft::engine {

/// \tparam Lanes, Shift see lane_numbers
template <unsigned Lanes, int Shift>
class routers {
 public:
  /// \param records the waits of packets
  routers(const topology& graph, const fabric_parameters& fabric, packet_pool& packets, bool records)
      : m_fabric(fabric),
        m_number(fabric.vcs),
        m_packets(packets),
        m_fifos(m_fabric, m_number),
        m_channels(m_fabric),
        m_routes(graph, m_fabric, packets),
        m_border(m_fabric, m_number, m_fifos.all(), m_channels, packets),
        m_vcs(m_fabric, m_number, m_fifos.all(), m_routes, packets),
        m_switch(m_fabric, m_number, m_channels),
        m_runs(graph, m_number, m_routes, m_border, m_regions) {
    m_regions.reserve(region_count());
    for (std::size_t first = 0; first < graph.routers.size(); first += RegionRouters)
      m_regions.emplace_back(static_cast<router_id>(first), m_fabric, m_number);
    for (const channel& c : graph.channels) connect(c);
    for (const node_attachment& node : graph.nodes)
      for (const port_ref& local : node.ports) connect(node, local);
    for (region_t& r : m_regions) m_switch.lay_cables(r);
    if (records) m_recorder.emplace(m_fabric, m_number, m_fifos.all());
  }
  routers(const routers&) = delete;
  routers& operator=(const routers&) = delete;

  static bool fits(const fabric_parameters& fabric) {
    const unsigned bits = bits_for(fabric.vcs);
    return fabric.ports << bits <= Lanes && (Shift < 0 || Shift == static_cast<int>(bits)) &&
           fabric.slots <= 1U << 8 * sizeof(typename numbers::slot_index);
  }

  // ---------------------------------------------------------------------------------------------------------------
  // The border: see nic_border

  void inject(nic_port from, unsigned vc, stored_flit flit, cycle_t cycle, bool settled) {
    m_border.inject(from, vc, flit, cycle, settled);
  }
  /// The same flit as in inject(), for the recorder: it leaves the NIC in cycle \p now, stalled as in
  /// wait_recorder::inject().
  void note_injection(nic_port from, unsigned vc, stored_flit flit, cycle_t now, cycle_t cycle,
                      std::optional<std::uint32_t> stalled) {
    m_recorder->inject(from, m_border.inlet_of(from) + vc, flit, now, cycle, stalled);
  }
  /// Where the waits of packets are recorded; else empty.
  std::optional<wait_recorder<Lanes, Shift>>& recorder() { return m_recorder; }
  void return_credit(nic_port from, unsigned vc, cycle_t cycle) { m_border.return_credit(from, vc, cycle); }
  template <typename F, typename C>
  void reach_nics(cycle_t cycle, F note_flit, C take_credit) {
    m_border.receive(cycle, note_flit, take_credit);
  }
  const bounded_list<moving_flit>& ejected() const { return m_border.ejected(); }

  // ---------------------------------------------------------------------------------------------------------------
  // A cycle

  /// Cycles that go by, at least, until anything that a router does reaches another one, or a NIC.
  cycle_t lookahead() const { return m_fabric.lookahead; }

  /// The cycles from \p now to \p end, lookahead() at most. What NICs do in them must be known before.
  void advance(cycle_t now, cycle_t end) { m_recorder ? advance_all<true>(now, end) : advance_all<false>(now, end); }

  /// The cycles from \p now on, in which NICs have nothing to do, until \p end, or until something reaches NICs, or
  /// nothing goes on any more. A network of several regions does none: there it does not pay.
  /// \return the cycle after them
  cycle_t advance_alone(cycle_t now, cycle_t end) {
    if (region_count() != 1) return now;
    m_border.forget_ejected();
    return m_recorder ? advance_alone_in<true>(now, end) : advance_alone_in<false>(now, end);
  }

  /// In cycle \p now nothing is on its way and nothing waits: until something is injected, a cycle changes nothing.
  bool quiet(cycle_t now) const { return m_border.inside() == 0 && m_channels.no_credits_from <= now; }

  // ---------------------------------------------------------------------------------------------------------------
  // A packet that is alone: nothing else moves, all credits are back

  /// Which routers a packet passes depends on its source and destination alone, not on what went before.
  bool has_fixed_paths() const { return m_routes.are_fixed(); }

  /// Routes depend on more of a packet than its head says.
  bool looks_at_packets() const { return !m_routes.plain(); }

  /// The way of a packet through the network.
  struct way {
    std::uint32_t cycles = 0;   ///< from the arrival of its head in the first router to that at a NIC
    std::uint32_t routers = 0;  ///< that it passes
  };

  /// That of \p head, which enters from \p nic. None if it gets nowhere.
  std::optional<way> foresee(nic_port_vc nic, stored_flit head) {
    way found;
    const auto end = follow(nic, head, [&](const region_t& here, unsigned, unsigned out) {
      found.cycles += (m_fabric.same_cycle ? 1 : 2) + here.flits.cycles[out >> shift()];
      ++found.routers;
    });
    return end ? std::optional(found) : std::nullopt;
  }

  /// A packet of so many flits, which was foreseen, goes that way and leaves its traces.
  /// \return the VC on which it reaches a NIC
  nic_port_vc pass(nic_port_vc nic, stored_flit head, std::uint32_t flits) {
    if (m_runs.fit() && m_switch.all_sparse()) return m_runs.pass(nic, head.destination(), flits);
    return *follow(nic, head, [&](region_t& here, unsigned in, unsigned out) {
      m_vcs.note_passed(here, in, out);
      m_switch.note_passed(here, in, out);
      here.sent[out >> shift()] += flits;
    });
  }

  /// Cycles from the arrival of a tail at a NIC until all credits of its packet are back, at most.
  cycle_t settling() const { return m_fabric.longest + 1; }

  // ---------------------------------------------------------------------------------------------------------------
  // Reports

  /// Flits that each output port has put on its channel up to cycle \p now.
  std::vector<channel_count> channel_counts(const topology& graph, cycle_t now) const {
    std::vector<std::array<std::uint64_t, numbers::MostPorts>> sent(graph.routers.size());
    for (router_id id = 0; id < sent.size(); ++id) {  // counted packet by packet
      for (unsigned port = 0; port < m_fabric.ports; ++port) {
        const lane_id first = m_number.first_lane(id, port);
        sent[id][port] = region_of(first).sent[m_number.port_in_region(first)];
      }
    }
    m_runs.for_each_count([&](router_id id, unsigned port, std::uint64_t flits) { sent[id][port] += flits; });
    for_each_rest([&](router_id id, unsigned port, std::uint32_t flits) { sent[id][port] -= flits; });
    m_channels.flits.for_each(now, [&](cycle_t arrives, std::size_t router, unsigned lane) {
      const auto to = static_cast<lane_id>(router << LaneBits | lane);
      const lane_id from =
          m_border.is_nic(to) ? m_border.router_of_nic(to) : region_of(to).credits.to[m_number.port_in_region(to)];
      if (m_border.is_nic(from)) return;
      const unsigned cycles = region_of(from).flits.cycles[m_number.port_in_region(from)];
      if (arrives - (cycles - 1 - m_fabric.stages) > now) --sent[from >> LaneBits][(from & LaneMask) >> shift()];
    });
    std::vector<channel_count> counts;
    for (router_id r = 0; r < sent.size(); ++r)
      for (unsigned port = 0; port < graph.routers[r].ports; ++port) counts.push_back({r, port, sent[r][port]});
    return counts;
  }

  /// As network_model::buffered(), in cycle \p now.
  std::vector<std::uint32_t> buffered(const topology& graph, cycle_t now) const {
    std::vector<std::uint32_t> counts;
    for (router_id r = 0; r < graph.routers.size(); ++r) {
      for (unsigned port = 0; port < graph.routers[r].ports; ++port) {
        const lane_id first = m_number.first_lane(r, port);
        for (unsigned vc = 0; vc < m_fabric.vcs; ++vc)
          counts.push_back(region_of(first).flow.flits_in(r % RegionRouters, (first & LaneMask) + vc) +
                           std::uint32_t{m_channels.flits.contains(now, r, (first & LaneMask) + vc)});
      }
    }
    return counts;
  }

  /// Flits that were granted a switch since the start.
  std::uint64_t hops() const {
    std::uint64_t sum = m_runs.hops();
    for (const region_t& r : m_regions) sum += r.sent_in_all();
    for_each_rest([&](router_id, unsigned, std::uint32_t flits) { sum -= flits; });
    return sum;
  }

  std::vector<blocked_packet> blocked() const {
    std::vector<blocked_packet> result;
    for (const region_t& here : m_regions)
      for (unsigned i = 0; i < here.size; ++i)
        for_each_lane(here.flow.occupied[i], [&](unsigned lane) { report_if_blocked(here, i, lane, result); });
    return result;
  }

 private:
  using numbers = lane_numbers<Lanes, Shift>;
  using region_t = region<Lanes, Shift>;
  using sets = typename numbers::sets;
  static constexpr unsigned LaneBits = numbers::LaneBits, LaneMask = numbers::LaneMask;
  static constexpr unsigned RegionLanes = numbers::RegionLanes;
  static constexpr std::size_t MostHops = 65'535;    ///< what a flit can count
  static constexpr std::size_t CachedRegions = 100;  ///< of more it pays to fetch what the next one works with

  unsigned shift() const { return m_number.shift(); }
  std::size_t region_count() const { return m_fabric.first_nic / RegionRouters; }
  region_t& region_of(lane_id lane) { return m_regions[lane / RegionLanes]; }
  const region_t& region_of(lane_id lane) const { return m_regions[lane / RegionLanes]; }

  void connect(const channel& c) {
    const lane_id from = m_number.first_lane(c.from.router, c.from.port);
    const lane_id to = m_number.first_lane(c.to.router, c.to.port);
    region_t &sender = region_of(from), &receiver = region_of(to);
    const unsigned out = m_number.port_in_region(from), in = m_number.port_in_region(to);
    sender.flits.to[out] = sender.heads_to[out] = to;
    sender.flits.cycles[out] = static_cast<std::uint16_t>(1 + m_fabric.stages + c.cycles);
    receiver.credits.to[in] = from;
    receiver.credits.cycles[in] = static_cast<std::uint16_t>(1 + c.cycles);
  }

  void connect(const node_attachment& node, const port_ref& local) {
    const lane_id first = m_number.first_lane(local.router, local.port);
    region_t& r = region_of(first);
    const unsigned port = m_number.port_in_region(first);
    r.flits.to[port] = r.credits.to[port] = m_border.nic_of_router(first);
    r.heads_to[port] = m_border.fifo_of(m_border.add(first));
    r.flits.cycles[port] = static_cast<std::uint16_t>(1 + m_fabric.stages + node.cycles);
    r.credits.cycles[port] = static_cast<std::uint16_t>(1 + node.cycles);
    for (unsigned vc = 0; vc < m_fabric.vcs; ++vc)
      r.flow.set_credits(local.router % RegionRouters, (first & LaneMask) + vc, m_fabric.ejection_depth);
  }

  /// Calls \p visit(region, input lane, output lane of it) for each router on the path of \p head.
  /// \return the VC at its end; none if it gets nowhere
  template <typename F>
  std::optional<nic_port_vc> follow(nic_port_vc nic, stored_flit head, F visit) {
    lane_id at = m_border.inlet_of(nic);
    for (std::size_t hops = 0; !m_border.is_nic(at); ++hops) {
      region_t& here = region_of(at);
      const unsigned in = numbers::lane_in_region(at), out = m_vcs.choose_alone(here, in, head);
      if (out >= RegionLanes || hops == MostHops) return std::nullopt;
      visit(here, in, out);
      at = here.flits.to[out >> shift()] + (out & m_number.stride_mask());
    }
    return m_border.nic_at(m_border.router_of_nic(at));
  }

  /// \tparam Records the waits of packets
  template <bool Records>
  void advance_all(cycle_t now, cycle_t end) {
    const bool is_large = region_count() > CachedRegions;
    for (std::size_t i = 0; i < region_count(); ++i) {
      if (is_large && i + 1 < region_count() && m_regions[i + 1].is_dense) fetch(m_regions[i + 1], now);
      for (cycle_t cycle = now; cycle < end; ++cycle) advance_region<Records>(m_regions[i], i, cycle);
    }
  }
  template <bool Records>
  cycle_t advance_alone_in(cycle_t now, cycle_t end) {
    while (now < end && !m_border.has_events(now) && !quiet(now)) advance_region<Records>(m_regions.front(), 0, now++);
    return now;
  }

  template <bool Records>
  void advance_region(region_t& here, std::size_t number, cycle_t now) {
    const auto flits = m_channels.flits.at(now), credits = m_channels.credits.at(now);
    const std::uint64_t credited = credits.take_touched(number), reached = flits.take_touched(number);
    if ((reached | credited) == 0 && here.flow.is_idle() && here.freed == 0) return;
    if (m_vcs.unparks_all()) here.freed |= credited & here.parking;  // what had no room may have some
    if constexpr (Records) m_recorder->note_arrivals(here, number, now);
    here.flow.arrive(flits.sets + here.first, reached);
    if (here.flow.give_back(credits.sets + here.first, credited)) here.note_credits();
    if (here.freed != 0) m_vcs.unpark(here);
    // A head that wins an output VC may ask for the switch in the next cycle, or in this one if both allocators share
    // a stage.
    if (m_fabric.same_cycle) allocate_vcs<Records>(here, number, now);
    m_switch.allocate(here);
    if constexpr (Records) m_recorder->note_grants(here, number, m_switch, now);
    if (!m_fabric.same_cycle) allocate_vcs<Records>(here, number, now);
    m_switch.move(here, now);
    m_switch.end_cycle(here);
  }

  template <bool Records>
  WEFT_INLINE void allocate_vcs(region_t& here, [[maybe_unused]] std::size_t number, [[maybe_unused]] cycle_t now) {
    [[maybe_unused]] const std::uint64_t asked = here.flow.may_wait;
    m_vcs.allocate(here);
    if constexpr (Records)
      if (asked != 0) m_recorder->note_vcs(here, number, asked, now);
  }

  /// The region comes next: by then what it works with is in the cache, but for heads, of which it is not known where
  /// they are.
  void fetch(const region_t& soon, cycle_t now) {
    fetch(&soon, sizeof(region_t));
    fetch(m_fifos.all().read + (soon.first << LaneBits), RegionLanes * sizeof(typename numbers::slot_index));
    for (cycle_t cycle = now; cycle < now + m_fabric.lookahead; ++cycle) {
      fetch(m_channels.flits.at(cycle).sets + soon.first, sizeof(sets));
      fetch(m_channels.credits.at(cycle).sets + soon.first, sizeof(sets));
    }
  }
  static void fetch(const void* from, std::size_t bytes) {
    for (std::size_t line = 0; line < bytes; line += 64) {
      __builtin_prefetch(static_cast<const char*>(from) + line, 1, 2);
      asm volatile("");  // g++ leaves calls out that do nothing but this
    }
  }

  void report_if_blocked(const region_t& here, unsigned i, unsigned lane, std::vector<blocked_packet>& result) const {
    if (here.flow.behind[i].contains(lane)) return;  // it does not wait yet
    const router_id id = here.first + i;
    const lane_id fifo = id << LaneBits | lane;
    const unsigned port = lane >> shift(), vc = lane & m_number.stride_mask();
    if (!here.flow.holding[i].contains(lane)) {
      const stored_flit head = m_fifos.all().front(fifo);
      const route asked = m_routes.of(head, id, port, vc);
      result.push_back({id, port, vc, m_packets[head.packet()].what.id, blocked_packet::reason::OutputVc, asked.port,
                        asked.vcs, asked.choices, asked.choice_vcs});
      return;
    }
    const unsigned held = value(here.held[i << LaneBits | lane].output);
    if (here.flow.credited[i].contains(held)) return;
    result.push_back({id, port, vc, m_packets[m_fifos.all().last(fifo).packet()].what.id,
                      blocked_packet::reason::Credit, held >> shift(), vc_set{1} << (held & m_number.stride_mask()), 0,
                      0});
  }

  /// Calls \p f(router, output port, flits) for all packets with an output VC: flits that have not been granted it yet.
  template <typename F>
  void for_each_rest(F f) const {
    for (const region_t& here : m_regions) {
      for (unsigned i = 0; i < here.size; ++i) {
        for_each_lane(here.flow.holding[i], [&](unsigned lane) {
          f(here.first + i, value(here.held[i << LaneBits | lane].output) >> shift(), here.flow.flits_left(i, lane));
        });
      }
    }
  }

  const fabric_parameters m_fabric;
  const lane_numbers<Lanes, Shift> m_number;
  const packet_pool& m_packets;
  head_fifos<Lanes, Shift> m_fifos;
  in_flight<Lanes> m_channels;
  const head_routes m_routes;
  nic_border<Lanes, Shift> m_border;
  vc_allocation<Lanes, Shift> m_vcs;
  switch_stage<Lanes, Shift> m_switch;
  large_array<region_t> m_regions;
  straight_runs<Lanes, Shift> m_runs;
  std::optional<wait_recorder<Lanes, Shift>> m_recorder;  ///< if waits are recorded
};

}  // namespace weft::engine
