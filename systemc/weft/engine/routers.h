/// All routers of a network, and the channels between them, cycle by cycle.
///
/// The behaviour is that of pin::router, event for event (docs/03_reference/router.md); the decisions are those of
/// weft/core. What differs is the order of the work: one pass a pipeline stage over a list of those lanes that have
/// something to do in it, sets of lanes in place of wires, and wheels of events in place of registers. A router without
/// work is not looked at. The passes avoid jumps that depend on the traffic, for nobody can foresee them: rivals bid with
/// their turn, and the least bid wins.
///
/// In a cycle both allocators choose before anybody moves, so that they see output VCs as the cycle before left them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "weft/core/allocation.h"
#include "weft/core/parameters.h"
#include "weft/core/routing.h"
#include "weft/core/vc_classes.h"
#include "weft/engine/dense_switch.h"
#include "weft/engine/event_wheel.h"
#include "weft/engine/huge_pages.h"
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

/// \tparam Lanes a router has as many at most, stride included: 32, 64 or 256
/// \tparam Shift a port has 1 << Shift lanes, if that is known when compiling; else negative
template <unsigned Lanes, int Shift>
class routers {
  static_assert(Lanes <= 256, "a place has 24 bits at least for the router");

 public:
  using set = lane_set<Lanes>;

  /// \param ejection_depth flits of an ejection VC's buffer; 0: nodes take every flit, without credits
  routers(const topology& graph, const router_parameters& parameters, unsigned ejection_depth, packet_pool& packets)
      : m_vcs(parameters.vcs),
        m_class_vcs(vcs_of_class(parameters)),
        m_most_ports(most_ports(graph)),
        m_stride_bits(stride_bits(parameters.vcs)),
        m_depth_shift(bits_for(parameters.depth)),
        m_depth_mask((1U << m_depth_shift) - 1),
        m_depth(parameters.depth),
        m_cut_through(parameters.flow == flow_control::VirtualCutThrough),
        m_same_cycle(parameters.pipeline == 3),
        m_stages(parameters.pipeline <= 4 ? 1 : parameters.pipeline - 3),
        m_lookahead(earliest(graph)),
        m_packets(packets),
        m_rules(graph.routing),
        m_adaptive(std::any_of(m_rules.begin(), m_rules.end(), [](const route_rule& r) { return r.adaptive(); })),
        m_uses_up_way(std::any_of(m_rules.begin(), m_rules.end(), [](const route_rule& r) { return r.uses_up_way(); })),
        m_ejections(reach(graph), attachments(graph)),
        m_source_credits(reach(graph), attachments(graph)),
        m_woken(RegionRouters * most_ports(graph)),
        m_bids(RegionRouters * most_ports(graph) * m_vcs),
        m_rivals(RegionRouters * set::Words),
        m_asking(RegionRouters * most_ports(graph)),
        m_asked(RegionRouters * most_ports(graph)),
        m_granted(RegionRouters * most_ports(graph)) {
    for (std::size_t first = 0; first < graph.routers.size(); first += RegionRouters)
      m_regions.emplace_back(static_cast<router_id>(first), graph.routers.size() - first, reach(graph),
                             most_ports(graph), m_vcs);
    m_routers.resize(graph.routers.size());
    m_lanes.resize(graph.routers.size() << LaneBits);
    m_ports.resize(m_lanes.size() >> shift());
    m_buffers.resize(m_lanes.size() << m_depth_shift);
    for (std::size_t p = 0; p < m_lanes.size(); ++p) {
      if ((p & stride_mask()) >= m_vcs) continue;
      m_routers[p >> LaneBits].free.insert(static_cast<unsigned>(p & LaneMask));
      m_lanes[p].credits = static_cast<std::uint16_t>(parameters.depth);
      // All pointers are 0 at first, as if the lanes before had sent.
      m_lanes[p].output = static_cast<place>(p | LaneMask);
      const place router_before = static_cast<place>(p & ~std::size_t{LaneMask}) - (1U << shift());
      port& own = port_of(static_cast<place>(p));
      own.sent_from = static_cast<place>(p & ~std::size_t{stride_mask()}) - 1;
      own.sent_to = own.taken_from = router_before;
    }
    connect(graph, ejection_depth);
    find_coordinates(graph);
  }

  /// Channels between nodes and routers.
  static std::size_t attachments(const topology& graph) {
    std::size_t count = 0;
    for (const node_attachment& n : graph.nodes) count += n.ports.size();
    return count;
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
    const attachment& at = m_attachments[from];
    m_ejections.push(at.flits, cycle, {at.first + vc, flit});
  }
  /// The router of \p from may use a slot of VC \p vc of its ejection buffer again, from \p cycle on.
  void return_credit(attachment_id from, unsigned vc, cycle_t cycle) {
    const place first = m_attachments[from].first;
    region_of(first).credits.push(cycle, {first + vc});
  }
  /// Flits that reach NICs in \p cycle.
  event_wheel<moving_flit>::list ejected(cycle_t cycle) const { return m_ejections.at(cycle); }
  /// Credits that count at NICs from \p cycle on.
  event_wheel<moving_credit>::list source_credits(cycle_t cycle) const { return m_source_credits.at(cycle); }

  // ---------------------------------------------------------------------------------------------------------------
  // A cycle

  /// Cycles that go by, at least, until anything that a router does reaches another one, or a NIC.
  cycle_t lookahead() const { return m_lookahead; }

  /// The cycles from \p now to \p end, lookahead() at most. What NICs do in them must be known before.
  void advance(cycle_t now, cycle_t end) {
    const std::size_t count = m_regions.size();
    for (std::size_t i = 0; i < count; ++i) {
      if (count > CachedRegions) {
        if (i + 2 < count) fetch_lanes(m_regions[i + 2], now);
        if (i + 1 < count) fetch_ports(m_regions[i + 1]);
      }
      for (cycle_t cycle = now; cycle < end; ++cycle) advance(m_regions[i], cycle);
    }
    for (; now < end; ++now) {
      m_inside -= m_ejections.at(now).size();
      m_ejections.clear(now);
      m_source_credits.clear(now);
    }
  }

  /// Nothing is on its way and nobody waits: as long as nobody injects, a cycle changes nothing.
  bool quiet() const {
    return m_inside == 0 && m_source_credits.empty() &&
           std::all_of(m_regions.begin(), m_regions.end(), [](const region& r) { return r.credits.empty(); });
  }

  // ---------------------------------------------------------------------------------------------------------------
  // Reports

  /// Flits that each output port has put on its channel up to cycle \p now.
  std::vector<channel_count> channel_counts(const topology& graph, cycle_t now) const {
    std::vector<std::uint64_t> sent(m_ports.size());  // counted when they were granted the switch
    std::transform(m_ports.begin(), m_ports.end(), sent.begin(), [](const port& p) { return p.sent; });
    const auto take_back = [&](place from, cycle_t arrives) {
      if (arrives - (port_of(from).flit_cycles - 1 - m_stages) > now) --sent[from >> shift()];
    };
    for (const region& r : m_regions) {
      r.flits.for_each(now, [&](cycle_t cycle, const moving_flit& f) {
        if (port_of(f.to).credits != m_source_credits.entry()) take_back(m_lanes[f.to].credits_to, cycle);
      });
    }
    m_ejections.for_each(
        now, [&](cycle_t cycle, const moving_flit& f) { take_back(m_attachments[f.nic().attachment()].first, cycle); });
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
    std::vector<place> waiting;
    for (const region& r : m_regions) waiting.insert(waiting.end(), r.waiting.begin(), r.waiting.end());
    std::sort(waiting.begin(), waiting.end());
    for (router_id id = 0; id < m_routers.size(); ++id) {
      const router& r = m_routers[id];
      for_each_lane(m_regions[id / RegionRouters].occupied[id % RegionRouters], [&](unsigned index) {
        const place p = id << LaneBits | index;
        const unsigned number = index >> shift(), vc = index & stride_mask();
        const packet_id packet = m_packets[front(p).packet()].what.id;
        const unsigned held = m_lanes[p].output & LaneMask;
        const lane& out = m_lanes[id << LaneBits | held];
        if (r.parked.contains(index) || std::binary_search(waiting.begin(), waiting.end(), p)) {
          const route way = route_of(p);
          result.push_back({id, number, vc, packet, blocked_packet::reason::OutputVc, way.port, way.vcs, way.choices,
                            way.choice_vcs});
        } else if (!r.free.contains(held) && out.holder == index && out.credits == 0) {
          result.push_back({id, number, vc, packet, blocked_packet::reason::Credit, held >> shift(),
                            vc_set{1} << (held & stride_mask()), 0, 0});
        }
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

  static constexpr std::uint16_t None = 0xffff;              ///< no bid for an output port is higher
  static constexpr std::uint32_t NoBid = ~std::uint32_t{0};  ///< the same for an output VC; of no lane

  // No bytes: what is written through them might be anything, for all a compiler knows.

  /// What belongs to a number of a lane: to the input VC, and to the output VC. The pointers of VC allocation point behind
  /// `output` and `holder`.
  struct alignas(32) lane {
    stored_flit front;                ///< input: the first flit; the others are in the FIFO
    place output = 0;                 ///< input: the output lane that it holds, or held last
    std::uint32_t credits_to = 0;     ///< input: who is told of a free slot
    std::uint32_t flits_to = 0;       ///< output: where its flits arrive
    std::uint32_t least_bid = NoBid;  ///< output: of those that ask for it in this cycle: turn, input lane
    std::uint16_t read = 0;           ///< input: flits that have left, modulo 2^16
    std::uint16_t written = 0;        ///< input: flits that have come
    std::uint16_t credits = 0;        ///< output
    std::uint16_t holder = LaneMask;  ///< output: input lane; free: the one that held it last
  };
  static_assert(sizeof(lane) == 32);

  /// An input lane that asks for an output VC, and which.
  struct vc_bid {
    place from, to;
  };

  /// A VC that asks for the switch: its turn, then its place.
  using request = std::uint64_t;

  /// Both sides of a port. The pointers of the switch allocator point behind the lanes that sent last.
  struct alignas(64) port {
    moving_flit** flits = nullptr;                     ///< output: the entry of the wheel on which they travel
    moving_credit** credits = nullptr;                 ///< input: the same for the slots that come free
    std::uint64_t sent = 0;                            ///< flits that were granted the output
    std::uint16_t flit_cycles = 0, credit_cycles = 0;  ///< from the grant to the arrival
    std::uint16_t cost = 1;                            ///< credits for a flit; 0: the receiver takes everything
    std::uint16_t least_input = None;                  ///< output: the bid of the input lane that gets it
    place sent_from = 0, sent_to = 0;                  ///< input: the lanes between which its last flit went
    place taken_from = 0;                              ///< output: the input lane that its last flit came from
  };

  /// Sets of lanes of a router, for VC allocation.
  struct alignas(2 * sizeof(set)) router {
    set parked;  ///< input lanes that wait for an output VC, none of which was to be had when they asked last
    set free;    ///< output lanes that nobody holds
  };

  /// Where a node's flits come in.
  struct attachment {
    place first;          ///< lane
    moving_flit** flits;  ///< the entry of the wheel on which they travel
  };

  /// Lanes of a router that ask for the switch, of one machine word.
  struct rivals {
    place first;
    typename set::word_t lanes;
  };

  /// Routers that go through some cycles together, and what is on its way to them. What they do in as many cycles as
  /// nothing needs less to get from router to router depends on nobody else, so a region is done with before the next one
  /// begins: its routers are in the cache for all stages of all these cycles.
  static constexpr unsigned RegionBits = 6, RegionRouters = 1U << RegionBits;
  static constexpr unsigned MostCyclesAtOnce = 4;   ///< more do not pay: what is on its way must have room
  static constexpr unsigned CyclesOfWay = 256;      ///< after so many cycles a region looks at how much goes on in it
  static constexpr std::size_t CachedRegions = 32;  ///< of more it pays to fetch what the next one looks at
  struct region {
    region(router_id first_router, std::size_t routers_left, cycle_t reach, unsigned ports, unsigned vcs)
        : first(first_router),
          size(static_cast<unsigned>(std::min<std::size_t>(routers_left, RegionRouters))),
          dense(fits_dense_switch(ports, vcs) ? std::make_unique<dense_switch>() : nullptr),
          flits(reach, RegionRouters * ports),
          credits(reach, RegionRouters * ports),
          heads(RegionRouters * ports * vcs),
          waiting(RegionRouters * ports * vcs) {}

    const router_id first;
    const unsigned size;  ///< routers that there are
    // Input lanes of each router. Those that are in both sets ask for the switch.
    alignas(64) std::array<set, RegionRouters> occupied{};  ///< with a flit
    alignas(64) std::array<set, RegionRouters> able{};      ///< with an output VC that has a credit
    std::uint64_t parking = 0;                              ///< routers with input lanes that are parked
    std::uint64_t freed = 0;  ///< of those, routers in which an output VC may be had again for those that are parked
    std::unique_ptr<dense_switch> dense;  ///< none where it does not fit
    bool is_dense = false;                ///< it is in use: pointers and wishes stand there as well
    std::uint64_t granted = 0;            ///< flits in this turn of choose_way()
    unsigned cycles = 0;                  ///< of this turn
    event_wheel<moving_flit> flits;
    event_wheel<moving_credit> credits;
    bounded_list<place> heads;    ///< heads that came to the front of their lane: from the next cycle on they wait
    bounded_list<place> waiting;  ///< input lanes that ask for an output VC

    /// Routers in which somebody asks for the switch. To look at all of them in vectors costs less than to keep a set
    /// of them up to date.
    std::uint64_t switching() const { return which_meet(occupied, able); }
  };

  static bool fits_dense_switch(unsigned ports, unsigned vcs) {
    return Lanes == 32 && RegionRouters == dense_switch::Routers && ports <= dense_switch::MaxPorts &&
           stride_bits(vcs) == dense_switch::FieldBits;
  }
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
  /// Cycles from a grant to the first of what it causes: to the credit.
  static cycle_t earliest(const topology& graph) {
    unsigned least = MostCyclesAtOnce;
    for (const channel& c : graph.channels) least = std::min(least, 1 + c.cycles);
    for (const node_attachment& n : graph.nodes) least = std::min(least, 1 + n.cycles);
    return least;
  }
  /// Cycles from the first of those that are done at once to what the last of them causes, at most.
  cycle_t reach(const topology& graph) const { return m_lookahead + m_stages + longest(graph); }

  unsigned shift() const { return Shift >= 0 ? static_cast<unsigned>(Shift) : m_stride_bits; }
  /// Of a lane, the bits that are its VC.
  unsigned stride_mask() const { return (1U << shift()) - 1; }
  place first_lane(router_id r, unsigned number) const { return r << LaneBits | number << shift(); }
  port& port_of(place p) { return m_ports[p >> shift()]; }
  const port& port_of(place p) const { return m_ports[p >> shift()]; }
  region& region_of(place p) { return m_regions[p >> (LaneBits + RegionBits)]; }
  /// In the arrays of a region, the router of \p p.
  static unsigned router_in_region(place p) { return (p >> LaneBits) % RegionRouters; }
  /// In the sets of a region, the router of \p p, if \p condition.
  static std::uint64_t router_bit(place p, bool condition = true) {
    return std::uint64_t{condition} << router_in_region(p);
  }

  void connect(const topology& graph, unsigned ejection_depth) {
    for (const channel& c : graph.channels) {
      const place from = first_lane(c.from.router, c.from.port), to = first_lane(c.to.router, c.to.port);
      port& sender = port_of(from);
      sender.flits = region_of(to).flits.entry();
      sender.flit_cycles = static_cast<std::uint16_t>(1 + m_stages + c.cycles);
      port& receiver = port_of(to);
      receiver.credits = region_of(from).credits.entry();
      receiver.credit_cycles = static_cast<std::uint16_t>(1 + c.cycles);
      for (unsigned vc = 0; vc < m_vcs; ++vc) {
        m_lanes[from + vc].flits_to = to + vc;
        m_lanes[to + vc].credits_to = from + vc;
      }
    }
    for (const node_attachment& node : graph.nodes) {
      for (const port_ref& local : node.ports) {
        const place first = first_lane(local.router, local.port);
        port& p = port_of(first);
        p.flits = m_ejections.entry();
        p.credits = m_source_credits.entry();
        p.flit_cycles = static_cast<std::uint16_t>(1 + m_stages + node.cycles);
        p.credit_cycles = static_cast<std::uint16_t>(1 + node.cycles);
        p.cost = ejection_depth != 0;
        for (unsigned vc = 0; vc < m_vcs; ++vc) {
          lane& l = m_lanes[first + vc];
          l.flits_to = l.credits_to = static_cast<std::uint32_t>(m_attachments.size() << attachment_vc::VcBits | vc);
          l.credits = p.cost == 0 ? Plenty : static_cast<std::uint16_t>(ejection_depth);
        }
        m_attachments.push_back({first, region_of(first).flits.entry()});
      }
    }
  }

  /// Where all routers have dimension-order rules of one kind, the coordinates of every node are divided out only once.
  void find_coordinates(const topology& graph) {
    const auto* first = m_rules.front().as<grid_rule>();
    const auto same = [&](const route_rule& rule) {
      const auto* other = rule.as<grid_rule>();
      return other != nullptr && packed_dimension_order::fits(*other) && other->dimensions == first->dimensions &&
             other->size == first->size && other->stride == first->stride && other->order == first->order;
    };
    if (first == nullptr || !std::all_of(m_rules.begin(), m_rules.end(), same)) return;
    for (const route_rule& rule : m_rules) m_dimension_order.emplace_back(*rule.as<grid_rule>());
    for (node_id node = 0; node < graph.nodes.size(); ++node)
      m_coordinates.push_back(packed_dimension_order::pack(*first, first->coordinates_of(node)));
    m_plain = !m_cut_through && m_class_vcs == m_vcs && m_dimension_order.front().has_one_local_port();
  }

  /// The same value, of which the compiler knows nothing: so it makes no jump of it that nobody could foresee.
  template <typename T>
  static T opaque(T value) {
    asm("" : "+r"(value));
    return value;
  }
  /// \p yes if \p condition, else \p no, by a conditional move.
  template <typename T>
  static T either(bool condition, T yes, T no) {
    yes = opaque(yes), no = opaque(no);
    return condition ? yes : no;
  }

  stored_flit* fifo(place p) { return &m_buffers[std::size_t{p} << m_depth_shift]; }
  const stored_flit& front(place p) const { return m_lanes[p].front; }

  void advance(region& here, cycle_t now) {
    // Who wins an output VC may ask for the switch in the next cycle, or in this one if both allocators share a stage.
    take_credits(here, now);
    take_flits(here, now);
    if (m_same_cycle) allocate_vcs(here);
    allocate_switch(here);
    if (!m_same_cycle) allocate_vcs(here);
    for (const place p : here.heads) here.waiting.push(p);  // routed in this cycle
    here.heads.clear();
    grant(here, now);
    if (here.dense != nullptr && ++here.cycles == CyclesOfWay) choose_way(here);
  }

  /// Of a region that comes soon, the cache gets the lanes in which something will happen: by the time that the region
  /// comes they are there.
  void fetch_lanes(const region& soon, cycle_t now) const {
    for (const moving_credit& c : soon.credits.at(now)) fetch(&m_lanes[c.to]);
    for (const moving_flit& f : soon.flits.at(now)) fetch(&m_lanes[f.to]);
    for (const place p : soon.waiting) fetch(&m_lanes[p]);
    for_each_ready(soon, [this](place p) { fetch(&m_lanes[p]); });
  }
  /// The same for what follows from those lanes.
  void fetch_ports(const region& soon) const {
    for_each_ready(soon, [this](place p) {
      const place to = m_lanes[p].output;
      fetch(&m_lanes[to]);
      fetch(&port_of(p));
      fetch(&port_of(to));
    });
    if (m_coordinates.empty()) return;
    for (const place p : soon.waiting) fetch(&m_coordinates[front(p).destination()]);
  }
  static void fetch(const void* line) {
    __builtin_prefetch(line);
    asm volatile("");  // g++ leaves calls out that do nothing but this
  }

  /// Calls \p f(place) for the input lanes that ask for the switch.
  template <typename F>
  static void for_each_ready(const region& of, F f) {
    for (unsigned i = 0; i < RegionRouters; ++i)
      for_each_lane(of.occupied[i] & of.able[i], [&](unsigned lane) { f((of.first + i) << LaneBits | lane); });
  }

  void take_credits(region& here, cycle_t now) {
    for (const moving_credit& c : here.credits.at(now)) m_woken.push_if(m_lanes[c.to].credits++ == 0, c.to);
    for (const place p : m_woken) wake_holder(here, p);
    m_woken.clear();
    if (m_cut_through || m_adaptive) {  // what had no room may have some
      for (const moving_credit& c : here.credits.at(now)) here.freed |= router_bit(c.to) & here.parking;
    }
    here.credits.clear(now);
  }

  /// The output lane \p p has a credit again.
  void wake_holder(region& here, place p) {
    if (m_routers[p >> LaneBits].free.contains(p & LaneMask)) return;
    here.able[router_in_region(p)].insert(m_lanes[p].holder);
  }

  void take_flits(region& here, cycle_t now) {
    for (const moving_flit& f : here.flits.at(now)) {
      const place p = f.to;
      lane& in = m_lanes[p];
      const bool first = in.read == in.written;
      *either(first, &in.front, fifo(p) + (in.written & m_depth_mask)) = f.flit;
      here.heads.push_if(first & f.flit.head(), p);  // the packet before it has left
      ++in.written;
      here.occupied[router_in_region(p)].insert(p & LaneMask);
    }
    here.flits.clear(now);
  }

  /// \p r, a route in a class of its own, for the class of input VC \p vc.
  route of_class(route r, unsigned vc) const {
    return m_class_vcs == m_vcs ? r : in_block(r, first_of_block(vc, m_class_vcs));
  }

  /// The route of the head at the front of \p p.
  route route_of(place p) const {
    const router_id id = p >> LaneBits;
    const unsigned number = (p & LaneMask) >> shift();
    const node_id destination = front(p).destination();
    const unsigned vc = p & stride_mask();
    if (!m_coordinates.empty()) return of_class(m_dimension_order[id].towards(m_coordinates[destination], number), vc);
    const route_query query{number, m_class_vcs == m_vcs ? vc : vc % m_class_vcs, destination,
                            m_packets[front(p).packet()].way};
    return of_class(m_rules[id](query), vc);
  }

  /// Those that wait bid for an output VC; the least bid gets it. Who finds none that is free parks until one comes free.
  void allocate_vcs(region& here) {
    for (std::uint64_t left = here.freed; left != 0; left &= left - 1) {
      const router_id id = here.first + static_cast<unsigned>(__builtin_ctzll(left));
      router& r = m_routers[id];
      for_each_lane(r.parked, [&](unsigned index) { here.waiting.push(id << LaneBits | index); });
      r.parked = set();
    }
    here.parking &= ~here.freed;
    here.freed = 0;
    if (m_plain)
      bid(here, [this](const router& r, place p) { return plain_offer(r, p); });
    else
      bid(here, [this](const router& r, place p) { return take_up(r, p, route_of(p)); });
    give_vcs(here);
  }

  /// \param offer (router, place) → a port and the VCs of it that are to be had
  template <typename Offer>
  void bid(region& here, Offer offer) {
    for (const place p : here.waiting) {
      router& r = m_routers[p >> LaneBits];
      const unsigned index = p & LaneMask;
      const auto [number, vcs] = offer(std::as_const(r), p);
      if (vcs == 0) {
        r.parked.insert(index);
        here.parking |= router_bit(p);
        continue;
      }
      const place to = (p & ~LaneMask) | favourite(vcs, number << shift(), m_lanes[p].output + 1);
      lane& out = m_lanes[to];
      const unsigned lane_turn = (index - out.holder - 1) & LaneMask;
      out.least_bid = std::min(out.least_bid, lane_turn << 16 | index);
      m_bids.push({p, to});
    }
    here.waiting.clear();
  }

  /// Of every output VC, the least bid wins; the others go on waiting.
  void give_vcs(region& here) {
    for (const vc_bid& b : m_bids) {
      const unsigned in = b.from & LaneMask, out = b.to & LaneMask;
      lane& held = m_lanes[b.to];
      if ((held.least_bid & 0xffff) != in) {
        here.waiting.push(b.from);
        continue;
      }
      held.least_bid = NoBid;
      held.holder = static_cast<std::uint16_t>(in);
      lane& holder = m_lanes[b.from];
      if (here.is_dense) here.dense->want(router_in_region(b.from), in, wanted(holder), out >> shift());
      holder.output = b.to;
      m_routers[b.from >> LaneBits].free.erase(out);
      here.able[router_in_region(b.from)].insert_if(held.credits != 0, in);
    }
    m_bids.clear();
  }

  /// The lane of favourite_vc(). Where all lanes of a router are one word, the word turns: what lies before the pointer
  /// comes behind it, and if the pointer is at another port, the VCs of this one stay in order.
  static unsigned favourite(vc_set candidates, unsigned first, unsigned pointer) {
    if constexpr (Lanes != 32) return first + favourite_vc(candidates, first, pointer & LaneMask);
    const unsigned by = (pointer - first) & LaneMask;
    return (lowest(candidates >> by | candidates << (-by & LaneMask)) + pointer) & LaneMask;
  }

  /// An output port, and VCs of it.
  struct port_vcs {
    unsigned port;
    vc_set vcs;
  };

  /// The same as take_up() of route_of(), where the routes are dimension order to a single local port, VCs have no classes
  /// and packets need not find room.
  port_vcs plain_offer(const router& r, place p) const {
    const packed_dimension_order& order = m_dimension_order[p >> LaneBits];
    const unsigned number = order.port_towards(m_coordinates[front(p).destination()]);
    return {number, r.free.field(number << shift(), order.vcs())};
  }

  /// Of what the head at the front of \p p asks for, a port and the VCs of it that are to be had.
  port_vcs take_up(const router& r, place p, const route& asked) const {
    const auto available = [&](unsigned number, vc_set vcs, bool whole) {
      return free_vcs(r, p, number << shift(), vcs, whole);
    };
    if (!m_adaptive) return {asked.port, available(asked.port, asked.vcs, false)};
    const unsigned contender = ((p & LaneMask) >> shift()) + (p & stride_mask());
    const route taken = weft::take_up(asked, contender, m_depth, available, [&](unsigned number) {
      const lane* first = &m_lanes[(p & ~LaneMask) + (number << shift())];
      return std::accumulate(first, first + m_vcs, 0U, [](unsigned sum, const lane& l) { return sum + l.credits; });
    });
    return {taken.port, taken.vcs};
  }

  /// Of \p vcs, VCs of the port whose lanes begin at \p first, those that nobody holds and that have room: under virtual
  /// cut-through for the packet; else, where it must be \p whole, for the packet or all there is.
  vc_set free_vcs(const router& r, place p, unsigned first, vc_set vcs, bool whole) const {
    vcs = r.free.field(first, vcs);
    if (m_cut_through || whole) {
      const std::uint32_t packet = m_packets[front(p).packet()].travels;
      const std::uint32_t flits = m_cut_through ? packet : std::min(packet, m_depth);
      for_each_member(vcs, [&](unsigned vc) {
        if (m_lanes[(p & ~LaneMask) + first + vc].credits < flits) vcs &= ~(vc_set{1} << vc);
      });
    }
    return vcs;
  }

  void allocate_switch(region& here) {
    if (here.is_dense) {
      choose_winners(here);
    } else {
      choose_inputs(here);
      choose_outputs();
    }
  }

  /// Switch allocation for all routers of the region together.
  void choose_winners(region& here) {
    if constexpr (Lanes == 32) {
      const auto& winners = here.dense->allocate(here.occupied, here.able, here.size, m_most_ports);
      for (unsigned i = 0; i < here.size; ++i)
        for_each_lane(winners[i], [&](unsigned index) { m_granted.push((here.first + i) << LaneBits | index); });
    }
  }

  /// The output port that an input lane asks the switch for, if it asks.
  unsigned wanted(const lane& in) const { return (in.output & LaneMask) >> shift(); }

  /// From now on switches are allocated in the way that would have been cheaper in the cycles past.
  void choose_way(region& here) {
    const bool was_dense = here.is_dense;
    here.is_dense = here.granted >= CyclesOfWay * here.size * dense_switch::worthwhile();
    here.granted = here.cycles = 0;
    if (was_dense || !here.is_dense) return;
    *here.dense = dense_switch();
    for (unsigned i = 0; i < here.size; ++i) {
      const place first = (here.first + i) << LaneBits;
      for (unsigned number = 0; number < m_most_ports; ++number) {
        const place own = first + (number << shift());
        const port& p = port_of(own);
        const auto port_after = [&](place sent) { return (sent + (1U << shift()) - first) >> shift(); };
        here.dense->set_pointers(i, number, {port_after(p.sent_to), p.sent_from + 1 - own, port_after(p.taken_from)});
      }
      for (unsigned index = 0; index < Lanes; ++index)
        here.dense->want(i, index, wanted(m_lanes[first + index]), wanted(m_lanes[first + index]));
    }
  }

  /// The input side of switch allocation: the VCs of an input port bid for the request that the port makes.
  void choose_inputs(const region& here) {
    for (std::uint64_t left = here.switching(); left != 0; left &= left - 1) {
      const auto i = static_cast<unsigned>(__builtin_ctzll(left));
      const place first = (here.first + i) << LaneBits;
      const set ready = here.occupied[i] & here.able[i];
      const bool alone = ready.is_single();
      m_granted.push_if(alone, first | ready.lowest());
      for (unsigned w = 0; w < set::Words; ++w)
        m_rivals.push_if(!alone & (ready.word[w] != 0), {first + w * set::Bits, ready.word[w]});
    }
    if (m_rivals.begin() == m_rivals.end()) return;
    // One loop over the lanes of all routers: nobody can foresee where the lanes of one router end.
    const rivals* of = m_rivals.begin();
    typename set::word_t left = of->lanes;
    place last_port = ~place{0};
    request least = 0;
    while (of != m_rivals.end()) {
      const place p = of->first + static_cast<unsigned>(__builtin_ctzll(left));
      left &= left - 1;
      const auto over = opaque(static_cast<typename set::word_t>(left == 0));
      of += over;
      left |= of->lanes & -over;
      // The lanes of a port come one after the other: the last entry of the list is the port's, until the next port.
      const port& in = port_of(p);
      const place number = p >> shift();
      const unsigned output = m_lanes[p].output >> shift();
      const unsigned own = request_turn(p, output, in.sent_from + 1, (in.sent_to >> shift()) + 1);
      const request r = std::uint64_t{own} << 32 | p;
      const bool is_new = number != last_port;
      least = std::min(least | -std::uint64_t{is_new}, r);
      m_asking.replace_or_push(is_new, least);
      last_port = number;
    }
    m_rivals.clear();
  }

  /// The output side: input ports bid for the output ports.
  void choose_outputs() {
    for (const request asking : m_asking) {
      const place p = static_cast<place>(asking);
      const place to = m_lanes[p].output;
      port& out = port_of(to);
      m_asked.push_if(out.least_input == None, to);
      const unsigned own = turn(p >> shift(), (out.taken_from >> shift()) + 1) << 8 | (p & LaneMask);
      out.least_input = std::min(out.least_input, static_cast<std::uint16_t>(own));
    }
    m_asking.clear();
    for (const place asked : m_asked) {
      port& out = port_of(asked);
      m_granted.push((asked & ~LaneMask) | (out.least_input & 0xff));
      out.least_input = None;
    }
    m_asked.clear();
  }

  /// Heads that are routed by their source use up the step of their way that led through this router.
  void use_up_ways() {
    for (const place p : m_granted) {
      if (!front(p).head()) continue;
      std::uint64_t& way = m_packets[front(p).packet()].way;
      way = source_path::rest(way);
    }
  }

  /// The first flits of those that were granted the switch leave.
  void grant(region& here, cycle_t now) {
    if (m_uses_up_way) use_up_ways();
    here.granted += static_cast<std::size_t>(m_granted.end() - m_granted.begin());
    for (const place p : m_granted) {
      lane& in = m_lanes[p];
      const place to = in.output;
      lane& out = m_lanes[to];
      port &back = port_of(p), &ahead = port_of(to);

      stored_flit flit = in.front;
      flit.pass_router();
      m_ejections.push(ahead.flits, now + ahead.flit_cycles, {out.flits_to, flit});
      m_source_credits.push(back.credits, now + back.credit_cycles, {in.credits_to});
      ++ahead.sent;
      back.sent_from = ahead.taken_from = p;
      back.sent_to = to;

      ++in.read;
      const bool last = in.read == in.written;
      in.front = *either(last, &in.front, fifo(p) + (in.read & m_depth_mask));
      out.credits = static_cast<std::uint16_t>(out.credits - ahead.cost);
      const unsigned i = router_in_region(p);
      router& r = m_routers[p >> LaneBits];
      const bool tail = flit.tail();
      here.occupied[i].take_out_if(last, p & LaneMask);
      here.able[i].take_out_if(tail | (out.credits == 0), p & LaneMask);
      r.free.insert_if(tail, to & LaneMask);
      here.freed |= router_bit(p, tail) & here.parking;
      here.heads.push_if(tail & !last, p);  // the head behind it comes to the front in the next cycle
    }
    m_granted.clear();
  }

  const unsigned m_vcs;
  const unsigned m_class_vcs;  ///< VCs of a class
  const unsigned m_most_ports;
  const unsigned m_stride_bits;  ///< a port has 1 << m_stride_bits lanes
  const unsigned m_depth_shift;  ///< a FIFO has 1 << m_depth_shift slots
  const unsigned m_depth_mask;
  const unsigned m_depth;  ///< flits of a FIFO
  const bool m_cut_through;
  bool m_plain = false;     ///< plain_offer() will do
  const bool m_same_cycle;  ///< S = 3: VC and switch allocation share a cycle
  const unsigned m_stages;  ///< of the crossbar
  const cycle_t m_lookahead;
  packet_pool& m_packets;
  const std::vector<route_rule> m_rules;
  const bool m_adaptive;                                  ///< routes have choices
  const bool m_uses_up_way;                               ///< source routing
  large_array<packed_dimension_order> m_dimension_order;  ///< of routers, if all rules are of one kind; else empty
  large_array<std::uint64_t> m_coordinates;               ///< of nodes, or empty

  large_array<router> m_routers;
  large_array<lane> m_lanes;           ///< by place
  large_array<port> m_ports;           ///< by the place of any of its lanes >> shift()
  large_array<stored_flit> m_buffers;  ///< FIFO by FIFO
  large_array<attachment> m_attachments;

  std::deque<region> m_regions;                 ///< they do not move
  event_wheel<moving_flit> m_ejections;         ///< to NICs
  event_wheel<moving_credit> m_source_credits;  ///< to NICs

  // Of the region and the stage that are under way.
  bounded_list<place> m_woken;     ///< output lanes that have a credit again
  bounded_list<vc_bid> m_bids;     ///< what those that wait ask for
  bounded_list<rivals> m_rivals;   ///< of the routers in which more than one lane asks for the switch
  bounded_list<request> m_asking;  ///< of every input port, what it asks the switch for
  bounded_list<place> m_asked;     ///< output ports that are asked for, by one of their lanes
  bounded_list<place> m_granted;   ///< input lanes that were granted the switch
  std::uint64_t m_inside = 0;      ///< flits that have been injected and have not reached a NIC
};

}  // namespace weft::engine
