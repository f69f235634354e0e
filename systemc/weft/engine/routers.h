/// All routers of a network, and the channels between them, cycle by cycle.
///
/// The behaviour is that of pin::router, event for event (docs/03_reference/router.md); the decisions are those of
/// weft/core. What differs is the order of the work: one pass a pipeline stage over those routers that have something to
/// do in it, sets of lanes in place of wires, and wheels of events in place of registers. A router without work is not
/// looked at.
///
/// In a cycle VC allocation comes first, so that it sees routes and free output VCs as the cycle before left them; then
/// flits arrive, heads get their route, and the switch is allocated.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
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

/// A VC of such a channel.
struct attachment_vc {
  static constexpr unsigned VcBits = 4;
  static_assert(MaxVcs <= 1U << VcBits);

  std::uint32_t number = 0;

  attachment_id attachment() const { return number >> VcBits; }
  unsigned vc() const { return number & ((1U << VcBits) - 1); }
};

/// A credit, or a flit, on its way to a lane of a router or to a VC of a NIC.
struct moving_credit {
  std::uint32_t to = 0;
  attachment_vc nic() const { return {to}; }
};
struct moving_flit {
  std::uint32_t to = 0;
  stored_flit flit;
  attachment_vc nic() const { return {to}; }
};

/// \tparam Words, Lanes size of the sets and of the arrays over lanes: a router has Lanes lanes at most, stride included
/// \tparam Shift        a port has 1 << Shift lanes, if that is known when compiling; else negative
template <unsigned Words, unsigned Lanes, int Shift>
class routers {
  static_assert(Lanes <= 64 * Words && Lanes <= 256, "a place has 24 bits at least for the router");

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
        m_packets(packets),
        m_rules(graph.routing),
        m_flits(1 + m_stages + longest(graph), graph.channels.size() + attachments(graph)),
        m_ejections(1 + m_stages + longest(graph), attachments(graph)),
        m_credits(1 + longest(graph), graph.channels.size() + attachments(graph)),
        m_source_credits(1 + longest(graph), attachments(graph)),
        m_allocating(graph.routers.size()),
        m_switching(graph.routers.size()),
        m_woken(graph.routers.size()) {
    m_routers.resize(graph.routers.size());
    m_lanes.resize(graph.routers.size() * Lanes);
    m_ports.resize(m_lanes.size() >> shift());
    m_buffers.resize(m_lanes.size() << m_depth_shift);
    for (std::size_t p = 0; p < m_lanes.size(); ++p) {
      if ((p & stride_mask()) >= m_vcs) continue;
      m_routers[p >> LaneBits].free.insert(static_cast<unsigned>(p & LaneMask));
      m_lanes[p].credits = static_cast<std::uint16_t>(parameters.depth);
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
    m_credits.push(cycle, {m_attachments[from] + vc});
  }
  /// Flits that reach NICs in \p cycle.
  event_wheel<moving_flit>::list ejected(cycle_t cycle) const { return m_ejections.at(cycle); }
  /// Credits that count at NICs from \p cycle on.
  event_wheel<moving_credit>::list source_credits(cycle_t cycle) const { return m_source_credits.at(cycle); }

  // ---------------------------------------------------------------------------------------------------------------
  // A cycle

  void advance(cycle_t now) {
    take_credits(now);
    m_allocating.filter([this, now](std::size_t r) { return allocate_vcs(static_cast<router_id>(r), now); });
    for (const place p : m_heads) compute_route(p);
    m_heads.clear();
    for (const moving_flit& f : m_flits.at(now)) take_flit(f);
    m_flits.clear(now);
    m_switching.filter([this, now](std::size_t r) { return allocate_switch(static_cast<router_id>(r), now); });
    m_switching.take_over(m_woken);
    m_inside -= m_ejections.at(now).size();
    m_ejections.clear(now);
    m_source_credits.clear(now);
  }

  /// Nothing is on its way and nobody waits: as long as nobody injects, a cycle changes nothing.
  bool quiet() const { return m_inside == 0 && m_credits.empty() && m_source_credits.empty(); }

  // ---------------------------------------------------------------------------------------------------------------
  // Reports

  /// Flits that each output port has put on its channel up to cycle \p now.
  std::vector<channel_count> channel_counts(const topology& graph, cycle_t now) const {
    std::vector<std::uint64_t> sent(m_ports.size());  // counted when they were granted the switch
    std::transform(m_ports.begin(), m_ports.end(), sent.begin(), [](const port& p) { return p.sent; });
    const auto take_back = [&](place from, cycle_t arrives) {
      const std::size_t index = from >> shift();
      if (arrives - (m_ports[index].flit_cycles - 1 - m_stages) > now) --sent[index];
    };
    m_flits.for_each(now, [&](cycle_t cycle, const moving_flit& f) {
      if (port_of(f.to).credits == &m_credits) take_back(port_of(f.to).credits_to, cycle);
    });
    m_ejections.for_each(
        now, [&](cycle_t cycle, const moving_flit& f) { take_back(m_attachments[f.nic().attachment()], cycle); });
    std::vector<channel_count> counts;
    for (router_id r = 0; r < m_routers.size(); ++r)
      for (unsigned number = 0; number < graph.routers[r].ports; ++number)
        counts.push_back({r, number, sent[first_lane(r, number) >> shift()]});
    return counts;
  }

  /// Flits that were granted a switch since the start.
  std::uint64_t hops() const {
    return std::accumulate(m_ports.begin(), m_ports.end(), std::uint64_t{0},
                           [](std::uint64_t sum, const port& p) { return sum + p.sent; });
  }

  std::vector<blocked_packet> blocked() const {
    std::vector<blocked_packet> result;
    for (router_id id = 0; id < m_routers.size(); ++id) {
      const router& r = m_routers[id];
      for_each_lane(r.occupied, [&](unsigned index) {
        const place p = id << LaneBits | index;
        const lane& in = m_lanes[p];
        const unsigned number = index >> shift(), vc = index & stride_mask();
        const unsigned out_port = unsigned{in.output} >> shift(), out_vc = in.output & stride_mask();
        const packet_id packet = m_packets[front(p).packet()].what.id;
        if (r.waiting.contains(index))
          result.push_back({id, number, vc, packet, blocked_packet::reason::OutputVc, out_port, vc_set{in.wanted}});
        else if (r.active.contains(index) && m_lanes[id << LaneBits | in.output].credits == 0)
          result.push_back({id, number, vc, packet, blocked_packet::reason::Credit, out_port, vc_set{1} << out_vc});
      });
    }
    return result;
  }

 private:
  /// A lane of the network: router and lane.
  using place = std::uint32_t;
  static constexpr unsigned LaneBits = Lanes == 32 ? 5 : Lanes == 64 ? 6 : 8;
  static_assert(Lanes == 1U << LaneBits);
  static constexpr place LaneMask = Lanes - 1;
  static constexpr std::uint16_t Plenty = 0xffff;  ///< credits of a receiver that takes everything

  // No bytes: what is written through them might be anything, for all a compiler knows.

  /// What belongs to a number of a lane: to the input VC, and to the output VC.
  struct alignas(16) lane {
    std::uint16_t read = 0, count = 0;  ///< input: of its FIFO
    std::uint16_t output = 0;           ///< input: the output lane it holds; waiting: the first lane of its output port
    std::uint16_t wanted = 0;           ///< input: VCs that it may have, while it waits
    std::uint16_t input_pointer = 0;    ///< input: of VC allocation, as vc_pointers::input
    std::uint16_t output_pointer = 0;   ///< output: as vc_pointers::output
    std::uint16_t credits = 0;          ///< output
    std::uint16_t holder = 0;           ///< output: input lane, if it is not free
  };

  /// Both sides of a port.
  struct alignas(64) port {
    event_wheel<moving_flit>* flits = nullptr;         ///< on which what leaves travels
    event_wheel<moving_credit>* credits = nullptr;     ///< on which slots of what came in are given back
    std::uint32_t flits_to = 0, credits_to = 0;        ///< for VC 0
    std::uint16_t flit_cycles = 0, credit_cycles = 0;  ///< from the grant to the arrival
    std::uint16_t cost = 1;                            ///< credits for a flit; 0: the receiver takes everything
    std::uint16_t output_of_input = 0, vc_of_input = 0, input_of_output = 0;  ///< as switch_pointers
    std::uint64_t sent = 0;                                                   ///< flits that were granted the output
  };

  struct alignas(64) router {
    // input lanes
    set occupied;  ///< with a flit
    set active;    ///< with an output VC
    set credited;  ///< whose output VC has a credit
    set waiting;   ///< with a route, without an output VC
    set won;       ///< got their output VC in cycle `won_in`, so late that they ask for the switch from the next one on
    cycle_t won_in = Never;
    // output lanes
    set free;  ///< nobody holds them
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
  place first_lane(router_id r, unsigned number) const { return r << LaneBits | number << shift(); }
  port& port_of(place p) { return m_ports[p >> shift()]; }
  const port& port_of(place p) const { return m_ports[p >> shift()]; }

  void connect(const topology& graph, unsigned ejection_depth) {
    for (const channel& c : graph.channels) {
      const place from = first_lane(c.from.router, c.from.port), to = first_lane(c.to.router, c.to.port);
      port& sender = port_of(from);
      sender.flits = &m_flits;
      sender.flits_to = to;
      sender.flit_cycles = static_cast<std::uint16_t>(1 + m_stages + c.cycles);
      port& receiver = port_of(to);
      receiver.credits = &m_credits;
      receiver.credits_to = from;
      receiver.credit_cycles = static_cast<std::uint16_t>(1 + c.cycles);
    }
    for (const node_attachment& node : graph.nodes) {
      for (const port_ref& local : node.ports) {
        const place first = first_lane(local.router, local.port);
        port& p = port_of(first);
        p.flits = &m_ejections;
        p.credits = &m_source_credits;
        p.flits_to = p.credits_to = static_cast<std::uint32_t>(m_attachments.size() << attachment_vc::VcBits);
        p.flit_cycles = static_cast<std::uint16_t>(1 + m_stages + node.cycles);
        p.credit_cycles = static_cast<std::uint16_t>(1 + node.cycles);
        p.cost = ejection_depth != 0;
        for (unsigned vc = 0; vc < m_vcs; ++vc)
          m_lanes[first + vc].credits = p.cost == 0 ? Plenty : static_cast<std::uint16_t>(ejection_depth);
        m_attachments.push_back(first);
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

  stored_flit& slot(place p, unsigned i) { return m_buffers[(std::size_t{p} << m_depth_shift) + (i & m_depth_mask)]; }
  const stored_flit& front(place p) const { return m_buffers[(std::size_t{p} << m_depth_shift) + m_lanes[p].read]; }

  void take_credits(cycle_t now) {
    for (const moving_credit& c : m_credits.at(now)) {
      if (m_lanes[c.to].credits++ == 0) wake_holder(c.to);
      const router_id id = c.to >> LaneBits;
      if (m_cut_through && m_routers[id].waiting.any()) m_allocating.insert(id);
    }
    m_credits.clear(now);
  }

  /// The output lane \p p has a credit again.
  void wake_holder(place p) {
    const router_id id = p >> LaneBits;
    router& r = m_routers[id];
    if (r.free.contains(p & LaneMask)) return;
    const unsigned holder = m_lanes[p].holder;
    r.credited.insert(holder);
    if (r.occupied.contains(holder) && r.active.contains(holder)) m_switching.insert(id);
  }

  void take_flit(const moving_flit& f) {
    lane& in = m_lanes[f.to];
    slot(f.to, in.read + unsigned{in.count}) = f.flit;
    if (in.count++ != 0) return;
    const router_id id = f.to >> LaneBits;
    const unsigned index = f.to & LaneMask;
    router& r = m_routers[id];
    r.occupied.insert(index);
    if (f.flit.head())  // the packet before it has left
      compute_route(f.to);
    else if (r.active.contains(index) && r.credited.contains(index))
      m_switching.insert(id);
  }

  /// The head at the front of \p p gets its route, and waits for an output VC from the next cycle on.
  void compute_route(place p) {
    const router_id id = p >> LaneBits;
    const unsigned index = p & LaneMask;
    const route way = route_of(id, index >> shift(), index & stride_mask(), front(p).destination());
    m_lanes[p].output = static_cast<std::uint16_t>(way.port << shift());
    m_lanes[p].wanted = static_cast<std::uint16_t>(way.vcs);
    m_routers[id].waiting.insert(index);
    m_allocating.insert(id);
  }

  route route_of(router_id id, unsigned number, unsigned vc, node_id destination) const {
    if (!m_coordinates.empty()) return m_rules[id].dimension_order.towards(m_coordinates[destination], number);
    return m_rules[id]({number, vc, destination});
  }

  /// VC allocation of one router. Returns whether somebody lost, and may win without anything else happening.
  bool allocate_vcs(router_id id, cycle_t now) {
    router& r = m_routers[id];
    const place first = id << LaneBits;
    const set before = r.active;
    bool lost = false;
    if (r.waiting.is_single()) {
      const unsigned in = r.waiting.lowest();
      const vc_set candidates = candidates_of(r, first | in);
      if (candidates == 0) return false;
      assign(r, first, in, pick(first | in, candidates));
    } else {
      set requested;  // output lanes
      for_each_lane(r.waiting, [&](unsigned in) {
        const vc_set candidates = candidates_of(r, first | in);
        if (candidates == 0) return;
        const unsigned out = pick(first | in, candidates);
        if (!requested.contains(out)) {
          requested.insert(out);
          m_favourite[out] = static_cast<std::uint16_t>(in);
          return;
        }
        lost = true;
        const unsigned pointer = m_lanes[first | out].output_pointer;
        const auto lane_turn = [&](unsigned contender) { return (contender - pointer) & (Lanes - 1); };
        if (lane_turn(in) < lane_turn(m_favourite[out])) m_favourite[out] = static_cast<std::uint16_t>(in);
      });
      for_each_lane(requested, [&](unsigned out) { assign(r, first, m_favourite[out], out); });
    }
    if (m_same_cycle) {
      m_switching.insert(id);
    } else {
      r.won = r.active - before;
      r.won_in = now;
      m_woken.insert(id);
    }
    return lost;
  }

  /// Admissible VCs that nobody holds and that have room.
  vc_set candidates_of(const router& r, place in) const {
    const unsigned first = m_lanes[in].output;
    vc_set vcs = r.free.field(first, m_lanes[in].wanted);
    if (m_cut_through) {
      const std::uint32_t flits = m_packets[front(in).packet()].travels;
      const lane* const out = &m_lanes[(in & ~LaneMask) | first];
      for_each_member(vcs, [&](unsigned vc) {
        if (out[vc].credits < flits) vcs &= ~(vc_set{1} << vc);
      });
    }
    return vcs;
  }
  unsigned pick(place in, vc_set candidates) const {
    return m_lanes[in].output + favourite_vc(candidates, m_lanes[in].output, m_lanes[in].input_pointer);
  }

  /// The input lane \p in gets the output lane \p out of the same router, whose lanes begin at \p first.
  void assign(router& r, place first, unsigned in, unsigned out) {
    lane& held = m_lanes[first | out];
    held.holder = static_cast<std::uint16_t>(in);
    held.output_pointer = static_cast<std::uint16_t>((in + 1) & (Lanes - 1));
    lane& holder = m_lanes[first | in];
    holder.output = static_cast<std::uint16_t>(out);
    holder.input_pointer = static_cast<std::uint16_t>((out + 1) & (Lanes - 1));
    r.free.erase(out);
    r.waiting.erase(in);
    r.active.insert(in);
    r.credited.erase(in);
    r.credited.insert_if(held.credits != 0, in);
  }

  /// Switch allocation of one router. Returns whether somebody may be granted the switch in the next cycle.
  bool allocate_switch(router_id id, cycle_t now) {
    router& r = m_routers[id];
    const place first = id << LaneBits;
    set ready = r.occupied & r.active & r.credited;
    if (r.won_in == now) ready = ready - r.won;
    if (ready.is_single()) {
      if (ready.any()) grant(r, first | ready.lowest(), now);
    } else {
      // Of each output port, the input lane whose port is the first in turn: turn, then lane.
      std::array<std::uint16_t, MaxPorts> best;
      best.fill(0xffff);
      port_set outputs = 0;
      while (ready.any()) {
        unsigned in = ready.lowest();
        const unsigned number = in >> shift();
        const vc_set vcs = ready.field(number << shift(), m_vc_mask);
        ready.erase_field(number << shift(), m_vc_mask);
        if ((vcs & (vcs - 1)) != 0) in = choose_lane(first | number << shift(), vcs);
        const unsigned output = unsigned{m_lanes[first | in].output} >> shift();
        const unsigned pointer = m_ports[(first >> shift()) + output].input_of_output;
        best[output] = std::min(best[output], static_cast<std::uint16_t>(turn(number, pointer) << 8 | in));
        outputs |= port_set{1} << output;
      }
      for_each_member(outputs, [&](unsigned output) { grant(r, first | (best[output] & 0xff), now); });
    }
    return (r.occupied & r.active & r.credited).any();
  }

  /// The lane that an input port asks the switch for. \p first is the port's first lane. Returns a number in the router.
  unsigned choose_lane(place first, vc_set ready) const {
    const port& p = port_of(first);
    const auto output_of = [&](unsigned vc) { return unsigned{m_lanes[first + vc].output} >> shift(); };
    return (first & LaneMask) + choose_request(ready, p.output_of_input, p.vc_of_input, output_of).vc;
  }

  /// The first flit of \p from leaves.
  void grant(router& r, place from, cycle_t now) {
    lane& in = m_lanes[from];
    const unsigned index = from & LaneMask, out_index = in.output;
    const place to = (from & ~LaneMask) | out_index;
    port &back = port_of(from), &ahead = port_of(to);
    back.output_of_input = static_cast<std::uint16_t>((out_index >> shift()) + 1);
    back.vc_of_input = static_cast<std::uint16_t>((index & stride_mask()) + 1);
    ahead.input_of_output = static_cast<std::uint16_t>((index >> shift()) + 1);

    stored_flit flit = front(from);
    in.read = static_cast<std::uint16_t>((in.read + 1U) & m_depth_mask);
    const bool last = --in.count == 0;
    r.occupied.erase_if(last, index);
    back.credits->push(now + back.credit_cycles, {back.credits_to + (index & stride_mask())});

    lane& out = m_lanes[to];
    out.credits = static_cast<std::uint16_t>(out.credits - ahead.cost);
    r.credited.erase_if(out.credits == 0, index);
    ++ahead.sent;
    flit.pass_router();
    ahead.flits->push(now + ahead.flit_cycles, {ahead.flits_to + (out_index & stride_mask()), flit});

    if (!flit.tail()) return;
    r.active.erase(index);
    r.free.insert(out_index);
    if (r.waiting.any()) m_allocating.insert(from >> LaneBits);
    if (!last) m_heads.push_back(from);
  }

  const unsigned m_vcs;
  const vc_set m_vc_mask;        ///< all VCs of a port
  const unsigned m_stride_bits;  ///< a port has 1 << m_stride_bits lanes
  const unsigned m_depth_shift;  ///< a FIFO has 1 << m_depth_shift slots
  const unsigned m_depth_mask;
  const bool m_cut_through;
  const bool m_same_cycle;  ///< S = 3: VC and switch allocation share a cycle
  const unsigned m_stages;  ///< of the crossbar
  const packet_pool& m_packets;
  const std::vector<route_rule> m_rules;
  std::vector<std::array<std::uint32_t, dimension_order_rule::MaxDimensions>> m_coordinates;  ///< of nodes, or empty

  std::vector<router> m_routers;
  std::vector<lane> m_lanes;           ///< by place
  std::vector<port> m_ports;           ///< by the place of the first lane >> shift()
  std::vector<stored_flit> m_buffers;  ///< FIFO by FIFO
  std::vector<place> m_attachments;    ///< the first lane of each

  event_wheel<moving_flit> m_flits, m_ejections;           ///< to routers, to NICs
  event_wheel<moving_credit> m_credits, m_source_credits;  ///< to routers, to NICs

  index_set m_allocating;      ///< routers in which VC allocation may have a winner
  index_set m_switching;       ///< routers in which switch allocation may have one
  index_set m_woken;           ///< the same from the next cycle on
  std::vector<place> m_heads;  ///< behind a tail that left in the cycle before: to be routed
  std::array<std::uint16_t, Lanes> m_favourite{};
  std::uint64_t m_inside = 0;  ///< flits that have been injected and have not reached a NIC
};

}  // namespace weft::engine
