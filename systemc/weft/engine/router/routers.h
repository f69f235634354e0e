// SPDX-License-Identifier: Apache-2.0
/// All routers of a network and the channels between them, simulated cycle by cycle.
///
/// The behavior is that of pin::router, event by event (docs/03_reference/router.md). The work is ordered by pipeline
/// stage instead of by module. Work that is the same for every VC is done on sets of VCs, for 64 routers at a time.
/// docs/03_reference/engine.md describes the method and the classes.
///
/// In each cycle both allocators select before anything moves. They therefore use the state of the output VCs at the
/// end of the previous cycle.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "weft/core/network_model.h"
#include "weft/core/parameters.h"
#include "weft/engine/base/bounded_list.h"
#include "weft/engine/base/channel_meters.h"
#include "weft/engine/base/huge_pages.h"
#include "weft/engine/base/nic_port.h"
#include "weft/engine/base/packet_pool.h"
#include "weft/engine/base/router_vc_set.h"
#include "weft/engine/base/vc_numbering.h"
#include "weft/engine/router/fabric_parameters.h"
#include "weft/engine/router/grant_meter.h"
#include "weft/engine/router/head_fifos.h"
#include "weft/engine/router/head_routes.h"
#include "weft/engine/router/in_flight.h"
#include "weft/engine/router/mesh_fast_path.h"
#include "weft/engine/router/nic_border.h"
#include "weft/engine/router/region.h"
#include "weft/engine/router/region_team.h"
#include "weft/engine/router/region_worker.h"
#include "weft/engine/router/vc_flow_state.h"
#include "weft/engine/router/wait_recorder.h"
#include "weft/topology/topology.h"

namespace weft::engine {

/// \tparam RouterVcs, Shift as in vc_numbering
template <unsigned RouterVcs, int Shift>
class routers {
 public:
  /// See generic_routers.
  static constexpr bool SupportsEjectionCredits = false;

  /// \param records whether the waits of packets are recorded
  /// \param meters  receives the flits of all channels; null if their activity is not recorded
  routers(const topology& graph, const fabric_parameters& fabric, packet_pool& packets, bool records,
          channel_meters* meters)
      : m_fabric(fabric),
        m_number(fabric.vcs),
        m_packets(packets),
        m_fifos(m_fabric, m_number),
        m_routes(graph, m_fabric, packets),
        m_worker(m_fabric, m_number, m_fifos.all(), m_routes, packets),
        m_border(m_fabric, m_number, m_fifos.all(), m_worker.channels(), packets),
        m_mesh_fast_path(graph, m_number, m_routes, m_border, m_regions),
        m_team(m_worker, m_regions),
        m_nodes_act_early(m_fabric.ejection_depth != 0) {
    m_regions.reserve(region_count());
    for (std::size_t first = 0; first < graph.routers.size(); first += RegionRouters)
      m_regions.emplace_back(static_cast<router_id>(first), m_fabric, m_number);
    for (const channel& c : graph.channels) connect(c);
    for (const node_attachment& node : graph.nodes)
      for (const port_ref& local : node.ports) connect(node, local);
    for (region_t& r : m_regions) m_worker.switches().build_channel_bundles(r);
    if (records) m_recorder.emplace(m_fabric, m_number, m_fifos.all());
    if (meters != nullptr) m_meter.emplace(m_fabric, m_number, m_fifos.all(), *meters);
    m_worker.record(m_recorder ? &*m_recorder : nullptr, m_meter ? &*m_meter : nullptr);
  }
  routers(const routers&) = delete;
  routers& operator=(const routers&) = delete;

  static bool fits(const fabric_parameters& fabric) {
    const unsigned bits = bits_for(fabric.vcs);
    return fabric.ports << bits <= RouterVcs && (Shift < 0 || Shift == static_cast<int>(bits)) &&
           fabric.slots <= 1U << 8 * sizeof(typename numbers::slot_index);
  }

  // ---------------------------------------------------------------------------------------------------------------
  // The interface to NICs; see nic_border

  void inject(nic_port from, unsigned vc, stored_flit flit, cycle_t cycle, bool drained) {
    m_border.inject(from, vc, flit, cycle, drained);
  }
  /// Reports the flit of the last inject() to the wait recorder: it leaves the NIC in cycle \p now and was stalled as
  /// described at wait_recorder::inject().
  void note_injection(nic_port from, unsigned vc, stored_flit flit, cycle_t now, cycle_t cycle,
                      std::optional<std::uint32_t> stalled) {
    m_recorder->inject(from, m_border.inlet_of(from) + vc, flit, now, cycle, stalled);
  }
  /// The wait recorder, which is empty if waits are not recorded.
  std::optional<wait_recorder<RouterVcs, Shift>>& recorder() { return m_recorder; }
  void return_credit(nic_port from, unsigned vc, cycle_t cycle) { m_border.return_credit(from, vc, cycle); }
  template <typename F, typename C>
  void reach_nics(cycle_t cycle, F note_flit, C receive_credit) {
    m_border.receive(cycle, note_flit, receive_credit);
  }
  const bounded_list<moving_flit>& ejected() const { return m_border.ejected(); }

  // ---------------------------------------------------------------------------------------------------------------
  // A cycle

  /// See driven_model. To be called between two windows.
  void set_threads(unsigned count, std::uint64_t flits_each) {
    if (records()) return;
    m_team.set_threads(count, flits_each, [this] {
      return std::make_unique<worker>(m_fabric, m_number, m_fifos.all(), m_routes, m_packets);
    });
  }

  /// Minimum number of cycles from an event in a router to its first effect on another router or a NIC.
  cycle_t lookahead() const { return m_fabric.lookahead; }

  /// Begins to simulate the cycles from \p now to \p end in other threads, while the nodes simulate them, if this is
  /// worthwhile. advance() for the same cycles must follow.
  void start(cycle_t now, cycle_t end) {
    if (!m_nodes_act_early) m_team.start(now, end, m_border.inside());
  }
  /// Waits until other threads have ended what start() has begun; abandon(): if an exception prevents advance().
  void complete() { m_team.complete(); }
  void abandon() { m_team.abandon(); }

  /// Simulates the cycles from \p now to \p end, at most lookahead() cycles. All events of NICs in these cycles must
  /// have been passed to the routers before.
  void advance(cycle_t now, cycle_t end) {
    if (records()) return m_team.template advance<true>(now, end);
    if (m_nodes_act_early) m_team.start(now, end, m_border.inside());
    m_team.template advance<false>(now, end);
  }

  /// Simulates cycles in which NICs have no work. It begins with cycle \p now and ends at \p end, when an event reaches
  /// a NIC, or when the routers are idle. A network of several regions simulates no cycle here, because it is not
  /// worthwhile.
  /// \return the cycle after the last simulated one
  cycle_t advance_routers_only(cycle_t now, cycle_t end) {
    if (region_count() != 1) return now;
    m_border.clear_ejected();
    return records() ? advance_routers_only_in<true>(now, end) : advance_routers_only_in<false>(now, end);
  }

  /// Whether in cycle \p now no flit or credit is in flight and no flit waits, so that nothing changes until the next
  /// injection.
  bool is_idle(cycle_t now) const { return m_border.inside() == 0 && channels().no_credits_in_flight(now); }

  // ---------------------------------------------------------------------------------------------------------------
  // A packet without contention. These functions require that nothing else moves and that all credits are back

  /// Whether source and destination of a packet determine the routers that it passes.
  bool has_fixed_paths() const { return m_routes.are_fixed(); }

  /// Whether routes depend on data of a packet that are not in its head flit.
  bool needs_packets() const { return !m_routes.plain(); }

  /// The duration and length of a packet's path through the network.
  struct path_cost {
    std::uint32_t cycles = 0;   ///< cycles from the arrival of its head in the first router to its arrival at a NIC
    std::uint32_t routers = 0;  ///< number of routers that it passes
  };

  /// Predicts the path of \p head, which enters from \p nic.
  /// \return the cost of the path; nothing if the packet never arrives
  std::optional<path_cost> predict(nic_port_vc nic, stored_flit head) {
    path_cost found;
    const auto end = walk_path(nic, head, [&](const region_t& region, unsigned, unsigned out) {
      found.cycles += m_fabric.cycles_to_switch + region.flits.cycles[out >> shift()];
      ++found.routers;
    });
    return end ? std::optional(found) : std::nullopt;
  }

  /// Applies the crossing of a packet of \p flits flits that was predicted: updates pointers and counters on its path.
  /// \return the VC on which the packet reaches a NIC
  nic_port_vc pass(nic_port_vc nic, stored_flit head, std::uint32_t flits) {
    if (m_mesh_fast_path.fit() && m_team.all_sparse()) return m_mesh_fast_path.pass(nic, head.destination(), flits);
    return *walk_path(nic, head, [&](region_t& region, unsigned in, unsigned out) {
      m_worker.vcs().note_passed(region, in, out);
      m_worker.switches().note_passed(region, in, out);
      region.sent[out >> shift()] += flits;
    });
  }

  /// Maximum number of cycles from the arrival of a packet's tail at a NIC until all credits of the packet are back.
  cycle_t credit_drain_cycles() const { return m_fabric.longest + 1; }

  // ---------------------------------------------------------------------------------------------------------------
  // Reports

  /// Number of flits that each output port has put on its channel up to cycle \p now.
  std::vector<channel_count> channel_counts(const topology& graph, cycle_t now) const {
    std::vector<std::array<std::uint64_t, numbers::MostPorts>> sent(graph.routers.size());
    for (router_id id = 0; id < sent.size(); ++id) {  // flits are counted when their packet gets a VC
      for (unsigned port = 0; port < m_fabric.ports; ++port) {
        const vc_id first = m_number.first_vc_id(id, port);
        sent[id][port] = region_of(first).sent[m_number.port_in_region(first)];
      }
    }
    m_mesh_fast_path.for_each_count([&](router_id id, unsigned port, std::uint64_t flits) { sent[id][port] += flits; });
    for_each_rest([&](router_id id, unsigned port, std::uint32_t flits) { sent[id][port] -= flits; });
    const auto discount = [&](cycle_t arrives, std::size_t router, unsigned vc_index) {
      const auto to = static_cast<vc_id>(router << VcIndexBits | vc_index);
      const vc_id from =
          m_border.is_nic(to) ? m_border.router_of_nic(to) : region_of(to).credits.to[m_number.port_in_region(to)];
      if (m_border.is_nic(from)) return;
      const unsigned cycles = region_of(from).flits.cycles[m_number.port_in_region(from)];
      if (arrives - (cycles - 1 - m_fabric.stages) > now) --sent[from >> VcIndexBits][(from & VcIndexMask) >> shift()];
    };
    channels().for_each_thread([&](const auto& of_thread) { of_thread.flits.for_each(now, discount); });
    std::vector<channel_count> counts;
    for (router_id r = 0; r < sent.size(); ++r)
      for (unsigned port = 0; port < graph.routers[r].ports; ++port) counts.push_back({r, port, sent[r][port]});
    return counts;
  }

  /// Number of flits in each buffer in cycle \p now, as network_model::buffered().
  std::vector<std::uint32_t> buffered(const topology& graph, cycle_t now) const {
    std::vector<std::uint32_t> counts;
    for (router_id r = 0; r < graph.routers.size(); ++r) {
      for (unsigned port = 0; port < graph.routers[r].ports; ++port) {
        const vc_id first = m_number.first_vc_id(r, port);
        for (unsigned vc = 0; vc < m_fabric.vcs; ++vc)
          counts.push_back(region_of(first).flow.flits_in(r % RegionRouters, (first & VcIndexMask) + vc) +
                           std::uint32_t{channels().has_flit(now, r, (first & VcIndexMask) + vc)});
      }
    }
    return counts;
  }

  /// Number of switch grants to flits since the start.
  std::uint64_t hops() const {
    std::uint64_t sum = m_mesh_fast_path.hops();
    for (const region_t& r : m_regions) sum += r.sent_in_all();
    for_each_rest([&](router_id, unsigned, std::uint32_t flits) { sum -= flits; });
    return sum;
  }

  std::vector<blocked_packet> blocked() const {
    std::vector<blocked_packet> result;
    for (const region_t& region : m_regions)
      for (unsigned i = 0; i < region.size; ++i)
        for_each_vc(region.flow.occupied[i],
                    [&](unsigned vc_index) { report_if_blocked(region, i, vc_index, result); });
    return result;
  }

 private:
  using numbers = vc_numbering<RouterVcs, Shift>;
  using region_t = region<RouterVcs, Shift>;
  using worker = region_worker<RouterVcs, Shift>;
  using sets = typename numbers::sets;
  static constexpr unsigned VcIndexBits = numbers::VcIndexBits, VcIndexMask = numbers::VcIndexMask;
  static constexpr unsigned RegionVcs = numbers::RegionVcs;
  static constexpr std::size_t MostHops = 65'535;  ///< maximum number of routers that a flit can count

  const in_flight<RouterVcs>& channels() const { return m_worker.channels(); }
  bool records() const { return m_recorder || m_meter; }
  unsigned shift() const { return m_number.shift(); }
  std::size_t region_count() const { return m_fabric.first_nic / RegionRouters; }
  region_t& region_of(vc_id id) { return m_regions[id / RegionVcs]; }
  const region_t& region_of(vc_id id) const { return m_regions[id / RegionVcs]; }

  void connect(const channel& c) {
    const vc_id from = m_number.first_vc_id(c.from.router, c.from.port);
    const vc_id to = m_number.first_vc_id(c.to.router, c.to.port);
    region_t &sender = region_of(from), &receiver = region_of(to);
    const unsigned out = m_number.port_in_region(from), in = m_number.port_in_region(to);
    sender.flits.to[out] = sender.heads_to[out] = to;
    sender.flits.cycles[out] = static_cast<std::uint16_t>(1 + m_fabric.stages + c.cycles);
    receiver.credits.to[in] = from;
    receiver.credits.cycles[in] = static_cast<std::uint16_t>(1 + c.cycles);
  }

  void connect(const node_attachment& node, const port_ref& local) {
    const vc_id first = m_number.first_vc_id(local.router, local.port);
    region_t& r = region_of(first);
    const unsigned port = m_number.port_in_region(first);
    r.flits.to[port] = r.credits.to[port] = m_border.nic_of_router(first);
    r.heads_to[port] = m_border.fifo_of(m_border.add(first));
    r.flits.cycles[port] = static_cast<std::uint16_t>(1 + m_fabric.stages + node.cycles);
    r.credits.cycles[port] = static_cast<std::uint16_t>(1 + node.cycles);
    for (unsigned vc = 0; vc < m_fabric.vcs; ++vc)
      r.flow.set_credits(local.router % RegionRouters, (first & VcIndexMask) + vc, m_fabric.ejection_depth);
  }

  /// Calls \p visit(region, input VC, output VC) for each router on the path of \p head.
  /// \return the VC at the end of the path; nothing if the packet never arrives
  template <typename F>
  std::optional<nic_port_vc> walk_path(nic_port_vc nic, stored_flit head, F visit) {
    vc_id at = m_border.inlet_of(nic);
    for (std::size_t hops = 0; !m_border.is_nic(at); ++hops) {
      region_t& region = region_of(at);
      const unsigned in = numbers::vc_in_region(at), out = m_worker.vcs().choose_uncontended(region, in, head);
      if (out >= RegionVcs || hops == MostHops) return std::nullopt;
      visit(region, in, out);
      at = region.flits.to[out >> shift()] + (out & m_number.stride_mask());
    }
    return m_border.nic_at(m_border.router_of_nic(at));
  }

  template <bool Records>
  cycle_t advance_routers_only_in(cycle_t now, cycle_t end) {
    while (now < end && !m_border.has_events(now) && !is_idle(now))
      m_worker.template advance<Records>(m_regions.front(), 0, now++);
    return now;
  }

  void report_if_blocked(const region_t& region, unsigned i, unsigned vc_index,
                         std::vector<blocked_packet>& result) const {
    if (region.flow.next_heads[i].contains(vc_index)) return;  // the head does not wait yet
    const router_id id = region.first + i;
    const vc_id fifo = id << VcIndexBits | vc_index;
    const unsigned port = vc_index >> shift(), vc = vc_index & m_number.stride_mask();
    if (!region.flow.holding[i].contains(vc_index)) {
      const stored_flit head = m_fifos.all().front(fifo);
      const route requested = m_routes.of(head, id, port, vc);
      result.push_back({id, port, vc, m_packets[head.packet()].what.id, blocked_packet::reason::OutputVc,
                        requested.port, requested.vcs, requested.choices, requested.choice_vcs});
      return;
    }
    const unsigned held = value(region.held[i << VcIndexBits | vc_index].output);
    if (region.flow.credited[i].contains(held)) return;
    result.push_back({id, port, vc, m_packets[m_fifos.all().last(fifo).packet()].what.id,
                      blocked_packet::reason::Credit, held >> shift(), vc_set{1} << (held & m_number.stride_mask()), 0,
                      0});
  }

  /// Calls \p f(router, output port, flits) for all packets with an output VC. \p flits is the number of the packet's
  /// flits that have not been granted the switch.
  template <typename F>
  void for_each_rest(F f) const {
    for (const region_t& region : m_regions) {
      for (unsigned i = 0; i < region.size; ++i) {
        for_each_vc(region.flow.holding[i], [&](unsigned vc_index) {
          f(region.first + i, value(region.held[i << VcIndexBits | vc_index].output) >> shift(),
            region.flow.flits_left(i, vc_index));
        });
      }
    }
  }

  const fabric_parameters m_fabric;
  const vc_numbering<RouterVcs, Shift> m_number;
  packet_pool& m_packets;
  head_fifos<RouterVcs, Shift> m_fifos;
  const head_routes m_routes;
  worker m_worker;
  nic_border<RouterVcs, Shift> m_border;
  large_array<region_t> m_regions;
  mesh_fast_path<RouterVcs, Shift> m_mesh_fast_path;
  std::optional<wait_recorder<RouterVcs, Shift>> m_recorder;  ///< exists if waits are recorded
  std::optional<grant_meter<RouterVcs, Shift>> m_meter;       ///< exists if the activity is recorded
  region_team<RouterVcs, Shift> m_team;
  /// Whether nodes return credits that routers may use in the window in which they are returned.
  const bool m_nodes_act_early;
};

}  // namespace weft::engine
