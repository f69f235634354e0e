// SPDX-License-Identifier: Apache-2.0
/// All routers of a network and the channels between them, for any choice of router parts. The generic path of the
/// engine: it calls the decisions of weft/router for each router and each cycle, and makes no other assumption about
/// them. The events are those of pin::router (docs/03_reference/router.md).
///
/// The class has the functions that model, send_path and receive_path use; class routers, which is faster and supports
/// one combination of choices, has the same ones.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <vector>

#include "weft/core/network_model.h"
#include "weft/core/types.h"
#include "weft/engine/base/bounded_list.h"
#include "weft/engine/base/channel_meters.h"
#include "weft/engine/base/nic_port.h"
#include "weft/engine/base/packet_pool.h"
#include "weft/engine/base/travel_table.h"
#include "weft/engine/generic/event_wheel.h"
#include "weft/engine/generic/flit_waits.h"
#include "weft/engine/router/fabric_parameters.h"
#include "weft/engine/router/head_routes.h"
#include "weft/router/priorities.h"
#include "weft/router/speculation.h"
#include "weft/router/switch_allocation.h"
#include "weft/router/switch_holds.h"
#include "weft/router/vc_allocation.h"
#include "weft/topology/topology.h"

namespace weft::engine {

class generic_routers {
 public:
  /// Whether nodes may return credits without an ejection buffer (nic_parameters::ejection_credits).
  static constexpr bool SupportsEjectionCredits = true;

  /// \param records whether the waits of packets are recorded
  /// \param meters  receives the flits of all channels; null if their activity is not recorded
  generic_routers(const topology& graph, const fabric_parameters& fabric, packet_pool& packets, bool records,
                  channel_meters* meters);
  generic_routers(const generic_routers&) = delete;
  generic_routers& operator=(const generic_routers&) = delete;

  // ---------------------------------------------------------------------------------------------------------------
  // The interface to NICs

  /// Sends a flit from NIC port \p from to its router, where it arrives in \p cycle.
  void inject(nic_port from, unsigned vc, stored_flit flit, cycle_t cycle, bool /*drained*/) {
    ++m_inside;
    m_flits.add(cycle, {m_inlets[from], static_cast<std::uint16_t>(vc), true, 0, flit});
  }
  /// Records the waits of the flit of the last inject(), which leaves the NIC in cycle \p now.
  void note_injection(nic_port from, unsigned /*vc*/, stored_flit flit, cycle_t now, cycle_t /*cycle*/,
                      std::optional<std::uint32_t> stalled) {
    m_recorder->inject(from, m_inlets[from], flit.head(), now, stalled);
  }
  /// The recorder of waits, which is empty if waits are not recorded.
  std::optional<flit_waits>& recorder() { return m_recorder; }
  /// Returns a credit for VC \p vc of the ejection buffer of \p from to its router, which can use it from \p cycle on.
  void return_credit(nic_port from, unsigned vc, cycle_t cycle) { m_credits.add(cycle, {m_inlets[from], vc}); }

  /// Collects the flits and the credits that reach NICs in \p cycle; ejected() returns the flits. The results of the
  /// previous call are discarded.
  /// \param note_flit      is called with the VC (nic_port_vc) of every flit
  /// \param receive_credit is called with the VC (nic_port_vc) of every credit
  template <typename F, typename C>
  void reach_nics(cycle_t cycle, F note_flit, C receive_credit) {
    m_inside -= m_ejected.size();
    m_ejected.clear();
    for (const moving_flit& moving : m_nic_flits.at(cycle)) {
      note_flit(moving.nic);
      m_ejected.push(moving);
    }
    m_nic_flits.clear(cycle);
    for (const nic_port_vc nic : m_nic_credits.at(cycle)) receive_credit(nic);
    m_nic_credits.clear(cycle);
  }
  const bounded_list<moving_flit>& ejected() const { return m_ejected; }

  // ---------------------------------------------------------------------------------------------------------------
  // Cycles

  /// Minimum number of cycles from an event in a router to its first effect on another router or a NIC.
  cycle_t lookahead() const { return m_fabric.lookahead; }
  /// Simulates the cycles from \p now to \p end, at most lookahead() cycles. All events of NICs in these cycles must
  /// have been passed to the routers before.
  void advance(cycle_t now, cycle_t end) {
    for (cycle_t cycle = now; cycle < end; ++cycle) step(cycle);
  }
  // This path uses one thread.
  static void set_threads(unsigned, std::uint64_t) {}
  static void start(cycle_t, cycle_t) {}
  static void complete() {}
  static void abandon() {}
  /// Simulates no cycle: this path has no faster form for cycles without work in NICs.
  static cycle_t advance_routers_only(cycle_t now, cycle_t /*end*/) { return now; }
  /// Whether no flit or credit is in flight and no flit waits, so that nothing changes until the next injection.
  bool is_idle(cycle_t /*now*/) const {
    return m_inside == 0 && m_credits.pending() == 0 && m_nic_credits.pending() == 0;
  }

  // ---------------------------------------------------------------------------------------------------------------
  // Packets without contention are not predicted on this path

  static bool has_fixed_paths() { return false; }
  static bool needs_packets() { return true; }
  static std::optional<travel> predict(nic_port_vc, stored_flit) { return std::nullopt; }
  static nic_port_vc pass(nic_port_vc, stored_flit, std::uint32_t) {
    throw std::logic_error("a packet that was not predicted cannot be passed");
  }
  cycle_t credit_drain_cycles() const { return m_fabric.longest + 1; }

  // ---------------------------------------------------------------------------------------------------------------
  // Reports

  /// Number of flits that each output port has put on its channel up to cycle \p now.
  std::vector<channel_count> channel_counts(const topology& graph, cycle_t now) const;
  /// Number of flits in each buffer in cycle \p now, as network_model::buffered().
  std::vector<std::uint32_t> buffered(const topology& graph, cycle_t now) const;
  /// Number of switch grants to flits since the start.
  std::uint64_t hops() const;
  std::vector<blocked_packet> blocked() const;

 private:
  struct input_vc {
    std::uint32_t first = 0;    ///< slot of its first flit
    std::uint32_t flits = 0;    ///< number of flits in it
    std::uint32_t tails = 0;    ///< number of tails among them
    std::uint8_t out_port = 0;  ///< of an active VC
    std::uint8_t out_vc = 0;
    route requested;          ///< of a waiting VC
    cycle_t front_since = 0;  ///< cycle in which its first flit became the first
  };
  /// The allocators of a router.
  struct allocators {
    allocator_design of_vcs;
    allocator_design of_switch;
    allocator_design of_heads;  ///< the second switch allocator, which speculation may have
  };
  /// The other end of the channel at a port. Ports of all routers are numbered router by router.
  struct channel_end {
    std::uint32_t port = 0;  ///< port of a router, or port of a NIC
    std::uint16_t cycles = 0;
    bool is_nic = false;
    std::uint8_t phits = 1;  ///< of a flit on the channel to that end
  };
  /// A flit that arrives at an input port.
  struct arrival {
    std::uint32_t port;
    std::uint16_t vc;
    bool from_node;
    std::uint32_t stamp;  ///< with priorities, its stamp in the router before
    stored_flit flit;
  };
  /// A credit that arrives at an output port.
  struct returned_credit {
    std::uint32_t port;
    std::uint32_t vc;
  };
  /// The router of a port, and the number of the port in this router.
  struct port_place {
    std::uint32_t router;
    std::uint32_t number;
  };

  void connect(const topology& graph);
  void make_allocators(const topology& graph);
  void step(cycle_t now);
  void accept(cycle_t now);
  void step(std::uint32_t router, cycle_t now);
  vc_requests vc_requests_of(std::uint32_t router) const;
  switch_requests switch_requests_of(std::uint32_t router) const;
  switch_requests speculative_requests_of(std::uint32_t router, const vc_requests& heads, port_set busy) const;
  head_priorities head_priorities_of(std::uint32_t router, const vc_requests& heads) const;
  vc_priorities vc_priorities_of(std::uint32_t router, port_set inputs) const;
  std::uint32_t priority_at(std::uint32_t vc) const;
  switch_matching allocate_switch_of(std::uint32_t router, const vc_requests& heads, const vc_grants& granted,
                                     switch_requests& requests, cycle_t now);
  switch_matching match(std::uint32_t router, const switch_requests& requests);
  switch_matching match_speculatively(std::uint32_t router, const vc_grants& granted, const switch_requests& requests,
                                      const switch_requests& speculative);
  vc_set winners_of(std::uint32_t router, unsigned port, const vc_grants& granted) const;
  void add_winners(std::uint32_t router, const vc_grants& granted, switch_requests& requests) const;
  port_set waiting_without(const switch_holds& holds, const switch_requests& requests, std::uint32_t router) const;
  void update_holds(std::uint32_t router, const switch_matching& granted);
  port_set busy_outputs_of(std::uint32_t router, cycle_t now) const;
  void drop_busy(std::uint32_t router, port_set busy, switch_requests& requests);
  void grant_vcs(std::uint32_t router, const vc_grants& granted, cycle_t from);
  void send(std::uint32_t router, const switch_requests& requests, const switch_matching& granted, cycle_t now);
  void send(std::uint32_t port, unsigned vc, std::uint32_t out_port, cycle_t now);
  void leave(std::uint32_t out_port, unsigned out_vc, stored_flit flit, std::uint32_t stamp, cycle_t now);
  vc_set whole_packets(std::uint32_t in_port) const;
  void compute_routes(std::uint32_t router);
  route selected_output(std::uint32_t router, unsigned in_port, unsigned in_vc) const;
  vc_set available(std::uint32_t out_port, vc_set vcs, std::uint32_t packet, bool whole) const;
  unsigned credits(std::uint32_t out_port, unsigned vc) const;
  std::uint32_t credits_of(std::uint32_t out_port, vc_set vcs) const;
  void consume_credit(std::uint32_t out_port, unsigned vc);
  void accept_credit(std::uint32_t out_port, unsigned vc);
  void find_credited(std::uint32_t out_port);
  bool has_credit(std::uint32_t out_port, unsigned vc) const { return (m_credited[out_port] >> vc & 1) != 0; }
  void report_if_blocked(std::uint32_t vc, std::vector<blocked_packet>& result) const;
  /// Whether heads have priorities or prefer some output VCs.
  bool orders_heads() const { return has_priorities() || m_fabric.rules.prefer_empty; }
  bool has_priorities() const { return m_fabric.priority != priority_kind::None; }
  bool needs_lengths() const { return m_fabric.rules.cut_through || m_routes.adaptive(); }
  /// Whether the VCs of \p out_port share their credits.
  bool is_shared(std::uint32_t out_port) const {
    return m_fabric.rules.shared_buffers && (m_fabric.nodes_share || !m_outlets[out_port].is_nic);
  }
  stored_flit front(std::uint32_t vc) const { return m_buffers[vc * m_ring + m_inputs[vc].first]; }

  const fabric_parameters m_fabric;
  cycle_t m_now = 0;  ///< the cycle that is simulated
  const unsigned m_ports, m_vcs;
  const unsigned m_ring;  ///< size of the ring of an input VC
  const switch_inputs m_switch_inputs;
  std::vector<allocators> m_allocators;            ///< by number of ports of a router
  std::size_t m_vc_words = 0, m_switch_words = 0;  ///< largest numbers of words of their states
  packet_pool& m_packets;
  const head_routes m_routes;

  // By port of all routers, numbered router by router
  std::vector<port_place> m_places;
  std::vector<channel_end> m_outlets, m_upstream;  ///< where its flits go; where its credits go
  std::vector<std::uint32_t> m_inlets;             ///< by NIC port: the port to which it is connected
  std::vector<vc_set> m_occupied;                  ///< input VCs with flits
  /// Input VCs without a packet, or with one whose route is computed in this cycle; with a head that waits for an
  /// output VC; with a packet that has an output VC.
  std::vector<vc_set> m_idle, m_waiting, m_active;
  std::vector<vc_set> m_free, m_credited;  ///< output VCs that no input VC holds; with room for a flit behind them
  std::vector<std::uint32_t> m_capacity;   ///< credits of an empty VC; 0 if the receiver accepts every flit
  std::vector<shared_room> m_rooms;        ///< of the buffers behind output ports; empty if no VCs share a buffer
  std::vector<std::uint64_t> m_sent;       ///< number of flits granted to this output port
  std::vector<cycle_t> m_idle_from;  ///< first cycle in which a narrow channel accepts a flit; empty if all are wide
  // By VC of all routers, numbered port by port
  std::vector<input_vc> m_inputs;
  std::vector<std::uint32_t> m_credit_counts;  ///< credits of each output VC; see buffer_sharing::limit
  std::vector<stored_flit> m_buffers;          ///< the flits of each input VC, a ring
  std::vector<std::uint32_t> m_stamps;         ///< with priorities, the stamp of each of these flits
  // By router
  std::vector<std::uint8_t> m_ports_of;                   ///< number of ports
  std::vector<std::uint16_t> m_vc_state, m_switch_state;  ///< the states of the allocators
  std::vector<std::uint16_t> m_holds;                     ///< the states of switch_holds.h, empty if it is not used
  std::vector<port_set> m_occupied_ports;                 ///< input ports with flits
  std::vector<std::uint64_t> m_busy;                      ///< routers with flits, 64 per word

  event_wheel<arrival> m_flits;
  event_wheel<returned_credit> m_credits;
  event_wheel<moving_flit> m_nic_flits;
  event_wheel<nic_port_vc> m_nic_credits;
  bounded_list<moving_flit> m_ejected;
  std::uint64_t m_inside = 0;  ///< number of flits that have been injected and are not processed by a NIC yet
  std::optional<flit_waits> m_recorder;
  channel_meters* const m_meters;
};

}  // namespace weft::engine
