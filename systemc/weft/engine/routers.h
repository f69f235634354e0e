/// All routers of a network, and the channels between them, cycle by cycle.
///
/// The behaviour is that of pin::router, event for event (docs/03_reference/router.md); the decisions are those of
/// weft/core. What differs is the order of the work: one pass a pipeline stage over those routers that have something to
/// do in it, sets of lanes in place of wires, and wheels of events in place of registers. A router without work is not
/// looked at.
///
/// A cycle has three parts: begin() takes what arrives, advance() allocates, and what advance() sends arrives in later
/// cycles. Between them the owner moves flits at the borders.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <vector>

#include "weft/core/allocation.h"
#include "weft/core/parameters.h"
#include "weft/core/routing.h"
#include "weft/engine/event_wheel.h"
#include "weft/engine/lane_set.h"
#include "weft/engine/packet_pool.h"
#include "weft/topology/topology.h"

namespace weft::engine {

/// One channel between a node and its router: where the node's flits go in and out.
using attachment_id = std::uint32_t;

/// A flit, or a credit, on its way to a NIC.
struct ejected_flit {
  attachment_id to = 0;
  std::uint32_t vc = 0;
  stored_flit flit;
};
struct returned_credit {
  attachment_id to = 0;
  std::uint32_t vc = 0;
};

/// \tparam Words, Lanes size of the sets and of the arrays over lanes: a router has Lanes lanes at most, stride included
/// \tparam Shift        a port has 1 << Shift lanes, if that is known when compiling; else negative
template <unsigned Words, unsigned Lanes, int Shift>
class routers {
  static_assert(Lanes <= 64 * Words && Lanes <= 256, "a place has a byte for the lane");

 public:
  using set = lane_set<Words>;

  /// \param ejection_depth flits of an ejection VC's buffer; 0: nodes take every flit, without credits
  routers(const topology& graph, const router_parameters& parameters, unsigned ejection_depth,
          const packet_pool& packets)
      : m_vcs(parameters.vcs),
        m_vc_mask(first_vcs(parameters.vcs)),
        m_stride_bits(stride_bits(parameters.vcs)),
        m_depth_shift(bits_for(parameters.depth)),
        m_depth_mask((1U << m_depth_shift) - 1),
        m_cut_through(parameters.flow == flow_control::VirtualCutThrough),
        m_same_cycle(parameters.pipeline == 3),
        m_stages(parameters.pipeline <= 4 ? 1 : parameters.pipeline - 3),
        m_ports(most_ports(graph)),
        m_lanes(m_ports << shift()),
        m_packets(packets),
        m_rules(graph.routing),
        m_flits(1 + m_stages + longest(graph), graph.channels.size() + attachments(graph)),
        m_ejections(1 + m_stages + longest(graph), attachments(graph)),
        m_credits(1 + longest(graph), graph.channels.size() + attachments(graph)),
        m_source_credits(1 + longest(graph), attachments(graph)),
        m_allocating(graph.routers.size()),
        m_switching(graph.routers.size()) {
    m_routers.resize(graph.routers.size());
    m_ends.resize(graph.routers.size() * m_ports);
    m_buffers.resize(graph.routers.size() * m_lanes << m_depth_shift);
    for (router& r : m_routers) {
      for (unsigned lane = 0; lane < m_lanes; ++lane) {
        if ((lane & stride_mask()) >= m_vcs) continue;
        r.free.insert(lane);
        r.out[lane].credits = static_cast<std::uint16_t>(parameters.depth);
      }
    }
    connect(graph, ejection_depth);
    find_coordinates(graph);
  }

  static bool fits(const topology& graph, unsigned vcs) {
    const unsigned bits = stride_bits(vcs);
    return most_ports(graph) << bits <= Lanes && (Shift < 0 || Shift == static_cast<int>(bits));
  }

  // ---------------------------------------------------------------------------------------------------------------
  // The borders

  /// The flit arrives in the router of \p from in \p cycle.
  void inject(attachment_id from, unsigned vc, stored_flit flit, cycle_t cycle) {
    ++m_inside;
    m_flits.push(cycle, {m_attachments[from] + vc, flit});
  }
  /// The router of \p from may use a slot of VC \p vc of its ejection buffer again, from \p cycle on.
  void return_credit(attachment_id from, unsigned vc, cycle_t cycle) {
    m_credits.push(cycle, m_attachments[from] + vc);
  }
  /// Flits that reach NICs in \p cycle.
  event_wheel<ejected_flit>::list ejected(cycle_t cycle) const { return m_ejections.at(cycle); }
  /// Credits that count at NICs from \p cycle on.
  event_wheel<returned_credit>::list source_credits(cycle_t cycle) const { return m_source_credits.at(cycle); }

  // ---------------------------------------------------------------------------------------------------------------
  // A cycle

  /// Credits and flits of \p now arrive.
  void begin(cycle_t now) {
    for (const place at : m_credits.at(now)) take_credit(at);
    m_credits.clear(now);
    for (const arrival& a : m_flits.at(now)) take_flit(a);
    m_flits.clear(now);
  }

  /// The rest of cycle \p now.
  void advance(cycle_t now) {
    m_allocating.filter([this](std::size_t r) { return allocate_vcs(static_cast<router_id>(r)); });
    if (m_same_cycle) activate();
    m_switching.filter([this, now](std::size_t r) { return allocate_switch(static_cast<router_id>(r), now); });
    if (!m_same_cycle) activate();
    compute_routes();
    const auto ejected_now = m_ejections.at(now);
    m_inside -= static_cast<std::uint64_t>(ejected_now.end() - ejected_now.begin());
    m_ejections.clear(now);
    m_source_credits.clear(now);
  }

  /// Nothing is on its way and nobody waits: as long as nobody injects, a cycle changes nothing.
  bool quiet() const { return m_inside == 0 && m_credits.empty() && m_source_credits.empty(); }

  // ---------------------------------------------------------------------------------------------------------------
  // Reports

  /// Flits that each output port has put on its channel up to cycle \p now.
  std::vector<channel_count> channel_counts(const topology& graph, cycle_t now) const {
    std::vector<std::uint64_t> sent(m_ends.size());  // counted when they were granted the switch
    std::transform(m_ends.begin(), m_ends.end(), sent.begin(), [](const port_ends& ends) { return ends.sent; });
    m_flits.for_each(now, [&](cycle_t cycle, const arrival& a) {
      const place from = ends_of(a.to).credits_to;
      if (ends_of(a.to).from_router && cycle - ends_of(a.to).in_cycles > now)
        --sent[(from >> LaneBits) * m_ports + ((from & LaneMask) >> shift())];
    });
    m_ejections.for_each(now, [&](cycle_t cycle, const ejected_flit& e) {
      const place from = m_attachments[e.to];
      if (cycle - ends_of(from).out_cycles > now) --sent[(from >> LaneBits) * m_ports + ((from & LaneMask) >> shift())];
    });
    std::vector<channel_count> counts;
    for (router_id r = 0; r < m_routers.size(); ++r)
      for (unsigned port = 0; port < graph.routers[r].ports; ++port)
        counts.push_back({r, port, sent[r * m_ports + port]});
    return counts;
  }

  /// Flits that were granted a switch since the start.
  std::uint64_t hops() const {
    return std::accumulate(m_ends.begin(), m_ends.end(), std::uint64_t{0},
                           [](std::uint64_t sum, const port_ends& ends) { return sum + ends.sent; });
  }

  std::vector<blocked_packet> blocked() const {
    std::vector<blocked_packet> result;
    for (router_id id = 0; id < m_routers.size(); ++id) {
      const router& r = m_routers[id];
      for_each_lane(r.occupied, [&](unsigned lane) {
        const unsigned port = lane >> shift(), vc = lane & stride_mask();
        const packet_id packet = m_packets[front(id, lane).packet()].what.id;
        const unsigned out = r.in[lane].output;
        if (r.waiting.contains(lane))
          result.push_back(
              {id, port, vc, packet, blocked_packet::reason::OutputVc, out >> shift(), vc_set{r.in[lane].wanted}});
        else if (r.active.contains(lane) && r.out[out].credits == 0)
          result.push_back({id, port, vc, packet, blocked_packet::reason::Credit, out >> shift(),
                            vc_set{1} << (out & stride_mask())});
      });
    }
    return result;
  }

 private:
  /// A lane of the network: router and lane.
  using place = std::uint32_t;
  static constexpr unsigned LaneBits = 8;
  static constexpr place LaneMask = (1U << LaneBits) - 1;
  static constexpr std::uint16_t Plenty = 0xffff;  ///< credits of a receiver that takes everything

  // No bytes: what is written through them might be anything, for all a compiler knows.
  struct input_lane {
    std::uint16_t read = 0, count = 0;  ///< of its FIFO
    std::uint16_t output = 0;           ///< the output lane it holds; waiting: the first lane of its output port
    std::uint16_t wanted = 0;           ///< VCs that it may have, while it waits
    std::uint16_t pointer = 0;          ///< of VC allocation, as vc_pointers::input
  };
  struct output_lane {
    std::uint16_t credits = 0;
    std::uint16_t holder = 0;   ///< input lane, if it is not free
    std::uint16_t pointer = 0;  ///< of VC allocation, as vc_pointers::output
  };

  struct router {
    // input lanes
    set occupied;  ///< with a flit
    set active;    ///< with an output VC
    set credited;  ///< whose output VC has a credit
    set waiting;   ///< with a route, without an output VC
    // output lanes
    set free;  ///< nobody holds them
    std::array<input_lane, Lanes> in;
    std::array<output_lane, Lanes> out;
    /// As switch_pointers.
    std::array<std::uint16_t, MaxPorts> output_of_input{}, vc_of_input{}, input_of_output{};
  };

  /// Both ends of a port.
  struct port_ends {
    std::uint32_t flits_to = 0;    ///< what leaves goes to this place (its first lane), or this attachment
    std::uint32_t credits_to = 0;  ///< what came in is given back to this place, or this attachment
    std::uint16_t out_cycles = 0, in_cycles = 0;  ///< latency of the channels
    std::uint64_t sent = 0;                       ///< flits that were granted the output
    bool to_router = false, from_router = false;
    bool unlimited = false;  ///< the receiver needs no credits
  };

  struct arrival {
    place to;
    stored_flit flit;
  };

  static unsigned bits_for(unsigned n) {
    unsigned bits = 0;
    while (1U << bits < n) ++bits;
    return bits;
  }
  static unsigned stride_bits(unsigned vcs) { return bits_for(vcs); }
  static unsigned most_ports(const topology& graph) {
    unsigned most = 1;
    for (const router_info& r : graph.routers) most = std::max(most, r.ports);
    return most;
  }
  static unsigned longest(const topology& graph) {
    unsigned most = 1;
    for (const channel& c : graph.channels) most = std::max(most, c.cycles);
    for (const node_attachment& n : graph.nodes) most = std::max(most, n.cycles);
    return most;
  }
  static std::size_t attachments(const topology& graph) {
    std::size_t count = 0;
    for (const node_attachment& n : graph.nodes) count += n.ports.size();
    return count;
  }

  unsigned shift() const { return Shift >= 0 ? static_cast<unsigned>(Shift) : m_stride_bits; }
  /// Of a lane, the bits that are its VC.
  unsigned stride_mask() const { return (1U << shift()) - 1; }
  place at(router_id r, unsigned port) const { return r << LaneBits | port << shift(); }
  port_ends& ends_of(place p) { return m_ends[(p >> LaneBits) * m_ports + ((p & LaneMask) >> shift())]; }
  const port_ends& ends_of(place p) const { return m_ends[(p >> LaneBits) * m_ports + ((p & LaneMask) >> shift())]; }

  void connect(const topology& graph, unsigned ejection_depth) {
    for (const channel& c : graph.channels) {
      const place from = at(c.from.router, c.from.port), to = at(c.to.router, c.to.port);
      ends_of(from).flits_to = to;
      ends_of(from).to_router = true;
      ends_of(from).out_cycles = static_cast<std::uint16_t>(c.cycles);
      ends_of(to).credits_to = from;
      ends_of(to).from_router = true;
      ends_of(to).in_cycles = static_cast<std::uint16_t>(c.cycles);
    }
    for (const node_attachment& node : graph.nodes) {
      for (const port_ref& port : node.ports) {
        const place local = at(port.router, port.port);
        port_ends& ends = ends_of(local);
        ends.flits_to = ends.credits_to = static_cast<attachment_id>(m_attachments.size());
        ends.out_cycles = ends.in_cycles = static_cast<std::uint16_t>(node.cycles);
        ends.unlimited = ejection_depth == 0;
        router& r = m_routers[port.router];
        const unsigned first = local & LaneMask;
        for (unsigned vc = 0; vc < m_vcs; ++vc)
          r.out[first + vc].credits = ends.unlimited ? Plenty : static_cast<std::uint16_t>(ejection_depth);
        m_attachments.push_back(local);
      }
    }
  }

  /// Where all routers have dimension-order rules of one shape, the coordinates of every node are divided out only once.
  void find_coordinates(const topology& graph) {
    const auto same = [&](const route_rule& rule) {
      const dimension_order_rule &a = rule.dimension_order, &b = m_rules.front().dimension_order;
      return rule.which == route_rule::kind::DimensionOrder && a.dimensions == b.dimensions && a.size == b.size &&
             a.stride == b.stride;
    };
    if (!std::all_of(m_rules.begin(), m_rules.end(), same)) return;
    for (node_id node = 0; node < graph.nodes.size(); ++node)
      m_coordinates.push_back(m_rules.front().dimension_order.coordinates_of(node));
  }

  stored_flit* buffer(router_id r, unsigned lane) { return &m_buffers[(r * m_lanes + lane) << m_depth_shift]; }
  const stored_flit& front(router_id r, unsigned lane) const {
    return m_buffers[((r * m_lanes + lane) << m_depth_shift) + m_routers[r].in[lane].read];
  }

  void take_credit(place p) {
    const router_id id = p >> LaneBits;
    const unsigned lane = p & LaneMask;
    router& r = m_routers[id];
    if (r.out[lane].credits++ == 0 && !r.free.contains(lane)) {
      const unsigned holder = r.out[lane].holder;
      r.credited.insert(holder);
      if (r.occupied.contains(holder) && r.active.contains(holder)) m_switching.insert(id);
    }
    if (m_cut_through && r.waiting.any()) m_allocating.insert(id);
  }

  void take_flit(const arrival& a) {
    const router_id id = a.to >> LaneBits;
    const unsigned lane = a.to & LaneMask;
    router& r = m_routers[id];
    input_lane& in = r.in[lane];
    buffer(id, lane)[(in.read + in.count) & m_depth_mask] = a.flit;
    if (in.count++ != 0) return;
    r.occupied.insert(lane);
    // A head at the front: the packet before it has left.
    if (a.flit.head())
      m_heads.push_back(a.to);
    else if (r.active.contains(lane) && r.credited.contains(lane))
      m_switching.insert(id);
  }

  /// VC allocation of one router. Returns whether somebody lost, and may win without anything else happening.
  bool allocate_vcs(router_id id) {
    router& r = m_routers[id];
    if (r.waiting.is_single()) {
      const unsigned lane = r.waiting.lowest();
      const vc_set candidates = candidates_of(r, id, lane);
      if (candidates != 0) assign(r, id, lane, pick(r, lane, candidates));
      return false;
    }
    bool lost = false;
    set requested;  // output lanes
    for_each_lane(r.waiting, [&](unsigned lane) {
      const vc_set candidates = candidates_of(r, id, lane);
      if (candidates == 0) return;
      const unsigned out = pick(r, lane, candidates);
      if (!requested.contains(out)) {
        requested.insert(out);
        m_favourite[out] = static_cast<std::uint16_t>(lane);
        return;
      }
      lost = true;
      const auto turn = [&](unsigned contender) { return (contender - r.out[out].pointer) & (Lanes - 1); };
      if (turn(lane) < turn(m_favourite[out])) m_favourite[out] = static_cast<std::uint16_t>(lane);
    });
    for_each_lane(requested, [&](unsigned out) { assign(r, id, m_favourite[out], out); });
    return lost;
  }

  /// Admissible VCs that nobody holds and that have room.
  vc_set candidates_of(const router& r, router_id id, unsigned lane) const {
    const unsigned first = r.in[lane].output;
    vc_set vcs = r.free.field(first, r.in[lane].wanted);
    if (m_cut_through) {
      const std::uint32_t flits = m_packets[front(id, lane).packet()].travels;
      for_each_member(vcs, [&](unsigned vc) {
        if (r.out[first + vc].credits < flits) vcs &= ~(vc_set{1} << vc);
      });
    }
    return vcs;
  }
  unsigned pick(const router& r, unsigned lane, vc_set candidates) const {
    return r.in[lane].output + favourite_vc(candidates, r.in[lane].output, r.in[lane].pointer);
  }

  void assign(router& r, router_id id, unsigned lane, unsigned out) {
    r.waiting.erase(lane);
    r.free.erase(out);
    r.in[lane].output = static_cast<std::uint16_t>(out);
    r.in[lane].pointer = static_cast<std::uint16_t>((out + 1) & (Lanes - 1));
    r.out[out].holder = static_cast<std::uint16_t>(lane);
    r.out[out].pointer = static_cast<std::uint16_t>((lane + 1) & (Lanes - 1));
    m_assigned.push_back(id << LaneBits | lane);
  }

  /// Those that won an output VC may ask for the switch.
  void activate() {
    for (const place p : m_assigned) {
      const router_id id = p >> LaneBits;
      const unsigned lane = p & LaneMask;
      router& r = m_routers[id];
      r.active.insert(lane);
      if (r.out[r.in[lane].output].credits == 0) {
        r.credited.erase(lane);
        continue;
      }
      r.credited.insert(lane);
      m_switching.insert(id);
    }
    m_assigned.clear();
  }

  /// Switch allocation of one router. Returns whether somebody may be granted the switch in the next cycle.
  bool allocate_switch(router_id id, cycle_t now) {
    router& r = m_routers[id];
    const set ready = r.occupied & r.active & r.credited;
    if (ready.is_single()) {
      if (ready.any()) grant(r, id, ready.lowest(), now);
    } else {
      port_set outputs = 0;
      std::array<port_set, MaxPorts> rivals;
      std::array<unsigned, MaxPorts> lane_of;
      for (set left = ready; left.any();) {
        unsigned lane = left.lowest();
        const unsigned port = lane >> shift(), first = port << shift();
        const vc_set vcs = left.field(first, m_vc_mask);
        left.erase_field(first, m_vc_mask);
        unsigned output = unsigned{r.in[lane].output} >> shift();
        if ((vcs & (vcs - 1)) != 0) {
          const switch_request request =
              choose_request(vcs, r.output_of_input[port], r.vc_of_input[port],
                             [&](unsigned vc) { return unsigned{r.in[first + vc].output} >> shift(); });
          lane = first + request.vc;
          output = request.output;
        }
        lane_of[port] = lane;
        rivals[output] = (outputs >> output & 1 ? rivals[output] : 0) | port_set{1} << port;
        outputs |= port_set{1} << output;
      }
      for_each_member(outputs, [&](unsigned output) {
        grant(r, id, lane_of[round_robin(rivals[output], r.input_of_output[output])], now);
      });
    }
    return (r.occupied & r.active & r.credited).any();
  }

  /// The first flit of \p lane leaves.
  void grant(router& r, router_id id, unsigned lane, cycle_t now) {
    const unsigned port = lane >> shift(), vc = lane & stride_mask();
    input_lane& in = r.in[lane];
    const unsigned out = in.output, out_port = out >> shift(), out_vc = out & stride_mask();
    r.output_of_input[port] = static_cast<std::uint16_t>(out_port + 1);
    r.vc_of_input[port] = static_cast<std::uint16_t>(vc + 1);
    r.input_of_output[out_port] = static_cast<std::uint16_t>(port + 1);

    stored_flit flit = buffer(id, lane)[in.read];
    in.read = static_cast<std::uint16_t>((in.read + 1) & m_depth_mask);
    const bool last = --in.count == 0;
    if (last) r.occupied.erase(lane);

    const port_ends& back = m_ends[id * m_ports + port];
    if (back.from_router)
      m_credits.push(now + 1 + back.in_cycles, back.credits_to + vc);
    else
      m_source_credits.push(now + 1 + back.in_cycles, {back.credits_to, vc});

    port_ends& ahead = m_ends[id * m_ports + out_port];
    ++ahead.sent;
    if (!ahead.unlimited && --r.out[out].credits == 0) r.credited.erase(lane);
    flit.pass_router();
    const cycle_t arrives = now + 1 + m_stages + ahead.out_cycles;
    if (ahead.to_router)
      m_flits.push(arrives, {ahead.flits_to + out_vc, flit});
    else
      m_ejections.push(arrives, {ahead.flits_to, out_vc, flit});

    if (!flit.tail()) return;
    r.active.erase(lane);
    r.free.insert(out);
    if (r.waiting.any()) m_freed.push_back(id);
    if (!last) m_next_heads.push_back(id << LaneBits | lane);
  }

  /// Heads that came to the front in this cycle get their route, and wait for an output VC from the next cycle on.
  void compute_routes() {
    for (const place p : m_heads) {
      const router_id id = p >> LaneBits;
      const unsigned lane = p & LaneMask;
      router& r = m_routers[id];
      const route way = route_of(id, lane >> shift(), lane & stride_mask(), front(id, lane).destination());
      r.in[lane].output = static_cast<std::uint16_t>(way.port << shift());
      r.in[lane].wanted = static_cast<std::uint16_t>(way.vcs);
      r.waiting.insert(lane);
      m_allocating.insert(id);
    }
    m_heads.clear();
    std::swap(m_heads, m_next_heads);  // behind a tail that left in this cycle: at the front from the next one on
    for (const router_id id : m_freed) m_allocating.insert(id);
    m_freed.clear();
  }

  route route_of(router_id id, unsigned port, unsigned vc, node_id destination) const {
    if (!m_coordinates.empty()) return m_rules[id].dimension_order.towards(m_coordinates[destination], port);
    return m_rules[id]({port, vc, destination});
  }

  const unsigned m_vcs;
  const vc_set m_vc_mask;        ///< all VCs of a port
  const unsigned m_stride_bits;  ///< a port has 1 << m_stride_bits lanes
  const unsigned m_depth_shift;  ///< a FIFO has 1 << m_depth_shift slots
  const unsigned m_depth_mask;
  const bool m_cut_through;
  const bool m_same_cycle;  ///< S = 3: VC and switch allocation share a cycle
  const unsigned m_stages;  ///< of the crossbar
  const unsigned m_ports;   ///< of the router with the most
  const unsigned m_lanes;
  const packet_pool& m_packets;
  const std::vector<route_rule> m_rules;
  std::vector<std::array<std::uint32_t, dimension_order_rule::MaxDimensions>> m_coordinates;  ///< of nodes, or empty

  std::vector<router> m_routers;
  std::vector<port_ends> m_ends;       ///< m_ports a router
  std::vector<stored_flit> m_buffers;  ///< FIFO by FIFO
  std::vector<place> m_attachments;    ///< the first lane of each

  event_wheel<arrival> m_flits;
  event_wheel<ejected_flit> m_ejections;
  event_wheel<place> m_credits;
  event_wheel<returned_credit> m_source_credits;

  index_set m_allocating;                    ///< routers in which VC allocation may have a winner
  index_set m_switching;                     ///< routers in which switch allocation may have one
  std::vector<place> m_heads, m_next_heads;  ///< to be routed in this cycle, in the next one
  std::vector<place> m_assigned;             ///< won an output VC in this cycle
  std::vector<router_id> m_freed;            ///< an output VC has come free, for those that wait
  std::array<std::uint16_t, Lanes> m_favourite{};
  std::uint64_t m_inside = 0;  ///< flits that have been injected and have not reached a NIC
};

}  // namespace weft::engine
