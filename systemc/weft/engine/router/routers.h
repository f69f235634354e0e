/// All routers of a network, and the channels between them, cycle by cycle.
///
/// The behaviour is that of pin::router, event for event (docs/03_reference/router.md); the decisions are those of
/// weft/core. What differs is the order of the work. What is the same for every lane (what arrives, what may ask for
/// the switch, what is counted, where it goes) is done on sets of lanes, 64 routers at a time (lane_flow, dense_switch, cables);
/// what has to look at a packet or at a route goes through a list of those lanes that it concerns. That are the heads: only they
/// stand in FIFOs, and are written into the one that they are bound for when they get its VC. All other flits are but counted;
/// a bit in a set says when one arrives. A router without work is not looked at. The passes avoid jumps that depend on the
/// traffic, for nobody can foresee them: rivals bid with their turn, and the least bid wins.
///
/// In a cycle both allocators choose before anybody moves, so that they see output VCs as the cycle before left them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "weft/core/allocation.h"
#include "weft/core/network_model.h"
#include "weft/core/parameters.h"
#include "weft/core/routing.h"
#include "weft/core/vc_classes.h"
#include "weft/engine/base/bounded_list.h"
#include "weft/engine/base/huge_pages.h"
#include "weft/engine/base/packet_pool.h"
#include "weft/engine/router/cables.h"
#include "weft/engine/router/dense_switch.h"
#include "weft/engine/router/lane_flow.h"
#include "weft/engine/router/lane_set.h"
#include "weft/engine/router/set_wheel.h"
#include "weft/engine/router/word_vectors.h"
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

/// A flit on its way to a node.
struct moving_flit {
  attachment_vc nic;
  stored_flit flit;
};

/// \tparam Lanes a router has as many at most, stride included: 32, 64 or 256
/// \tparam Shift a port has 1 << Shift lanes, if that is known when compiling; else negative
template <unsigned Lanes, int Shift>
class routers {
  static_assert(Lanes <= 256, "a place has 24 bits at least for the router; lanes are bytes");

 public:
  using set = lane_set<Lanes>;
  using sets = lane_sets<Lanes>;

  /// \param ejection_depth flits of an ejection VC's buffer; 0: nodes take every flit, without credits
  routers(const topology& graph, const router_parameters& parameters, unsigned ejection_depth, packet_pool& packets)
      : m_vcs(parameters.vcs),
        m_class_vcs(vcs_of_class(parameters)),
        m_most_ports(most_ports(graph)),
        m_stride_bits(stride_bits(parameters.vcs)),
        m_depth(parameters.depth),
        m_cut_through(parameters.flow == flow_control::VirtualCutThrough),
        m_same_cycle(parameters.pipeline == 3),
        m_stages(stages(parameters)),
        m_lookahead(earliest(graph)),
        m_longest(longest(graph)),
        m_fits_dense(fits_dense_switch(most_ports(graph), parameters.vcs)),
        m_uniform(is_uniform(graph)),
        m_packets(packets),
        m_rules(graph.routing),
        m_adaptive(std::any_of(m_rules.begin(), m_rules.end(), [](const route_rule& r) { return r.adaptive(); })),
        m_unparks_all(m_cut_through || m_adaptive),
        m_uses_up_way(std::any_of(m_rules.begin(), m_rules.end(), [](const route_rule& r) { return r.uses_up_way(); })),
        m_first_nic(in_whole_regions(graph.routers.size())),
        m_read(fifo_places(graph), slot_index{1}),
        m_buffers(m_read.size() * slots(graph, parameters)),
        m_flits(reach(), 2 * m_first_nic),
        m_credits(reach(), 2 * m_first_nic),
        m_ejected(attachments(graph)),
        m_least_inputs((RegionRouters * Lanes) >> shift(), NoBid),
        m_rivals(RegionRouters * set::Words),
        m_asking(RegionRouters * most_ports(graph)),
        m_asked(RegionRouters * most_ports(graph)),
        m_waiting(RegionLanes + SpareRoom),
        m_heads(RegionLanes),
        m_long(RegionLanes),
        m_granted(RegionLanes) {
    for (std::size_t first = 0; first < m_buffers.size(); first += m_read.size()) m_slots.push_back(&m_buffers[first]);
    m_to_come.resize(attachments(graph) << shift());
    m_nic_at.resize((std::size_t{m_first_nic} << LaneBits) >> shift());
    m_fifos = {m_read.data(), m_slots.data(), static_cast<unsigned>(m_slots.size()) - 1};
    m_regions.reserve(region_count());
    for (std::size_t first = 0; first < graph.routers.size(); first += RegionRouters)
      m_regions.emplace_back(static_cast<router_id>(first), graph.routers.size() - first, m_depth, ejection_depth,
                             shift());
    for (router_id id = 0; id < graph.routers.size(); ++id) {
      lane_flow<Lanes>& flow = m_regions[id / RegionRouters].flow;
      for (unsigned number = 0; number < m_most_ports; ++number) {
        for (unsigned vc = 0; vc < m_vcs; ++vc) {
          flow.free[id % RegionRouters].insert(number << shift() | vc);
          flow.set_credits(id % RegionRouters, number << shift() | vc, m_depth);
        }
      }
    }
    connect(graph, ejection_depth);
    find_coordinates(graph);
    if (m_fits_dense) lay_cables();
  }

  /// Channels between nodes and routers.
  static std::size_t attachments(const topology& graph) {
    std::size_t count = 0;
    for (const node_attachment& n : graph.nodes) count += n.ports.size();
    return count;
  }

  static bool fits(const topology& graph, const router_parameters& parameters) {
    const unsigned bits = stride_bits(parameters.vcs);
    return most_ports(graph) << bits <= Lanes && (Shift < 0 || Shift == static_cast<int>(bits)) &&
           slots(graph, parameters) <= 1U << 8 * sizeof(slot_index);
  }

  // ---------------------------------------------------------------------------------------------------------------
  // The borders

  /// The flit arrives in the router of \p from in \p cycle.
  /// \param settled all credits of the VC were back before this flit was sent
  void inject(attachment_id from, unsigned vc, stored_flit flit, cycle_t cycle, bool settled) {
    ++m_inside;
    attachment& at = m_attachments[from];
    if (flit.head()) {
      asking_head head;
      head.flit = flit;
      m_fifos.find_slot(head, at.first + vc, settled, at.newest[vc]);
      fifos::write(head);
    }
    m_flits.at(cycle).insert(at.first >> LaneBits, (at.first + vc) & LaneMask);
  }
  /// The router of \p from may use a slot of VC \p vc of its ejection buffer again, from \p cycle on.
  void return_credit(attachment_id from, unsigned vc, cycle_t cycle) {
    const place first = m_attachments[from].first;
    m_credits.at(cycle).insert(first >> LaneBits, (first + vc) & LaneMask);
    m_no_credits_from = std::max(m_no_credits_from, cycle + 1);
  }
  /// Finds what reaches NICs in \p cycle: flits, for ejected(), and credits. What reached them before is forgotten.
  /// \param note_flit, take_credit are called with the VC (attachment_vc) of every flit and of every credit
  template <typename F, typename C>
  void reach_nics(cycle_t cycle, F note_flit, C take_credit) {
    forget_ejected();
    if (!is_for_nics(cycle)) return;
    take_nics(m_flits.at(cycle), [&](attachment_vc nic) {
      note_flit(nic);
      m_ejected.push({nic, arriving(nic)});
    });
    take_nics(m_credits.at(cycle), take_credit);
  }
  /// Flits that reach NICs in this cycle.
  const bounded_list<moving_flit>& ejected() const { return m_ejected; }

  // ---------------------------------------------------------------------------------------------------------------
  // A cycle

  /// Cycles that go by, at least, until anything that a router does reaches another one, or a NIC.
  cycle_t lookahead() const { return m_lookahead; }

  /// The cycles from \p now to \p end, lookahead() at most. What NICs do in them must be known before.
  void advance(cycle_t now, cycle_t end) {
    const bool is_large = region_count() > CachedRegions;
    for (std::size_t i = 0; i < region_count(); ++i) {
      if (is_large && i + 1 < region_count() && m_regions[i + 1].is_dense) fetch(m_regions[i + 1], now);
      for (cycle_t cycle = now; cycle < end; ++cycle) advance(m_regions[i], i, cycle);
    }
  }

  /// The cycles from \p now on, in which NICs have nothing to do, until \p end, or until something reaches NICs, or nothing goes
  /// on any more. A network of several regions does none: there it does not pay.
  /// \return the cycle after them
  cycle_t advance_alone(cycle_t now, cycle_t end) {
    if (region_count() != 1) return now;
    forget_ejected();
    while (now < end && !is_for_nics(now) && !quiet(now)) advance(m_regions.front(), 0, now++);
    return now;
  }

  /// In cycle \p now nothing is on its way and nobody waits: as long as nobody injects, a cycle changes nothing.
  bool quiet(cycle_t now) const { return m_inside == 0 && m_no_credits_from <= now; }

  // ---------------------------------------------------------------------------------------------------------------
  // Reports

  /// Flits that each output port has put on its channel up to cycle \p now.
  std::vector<channel_count> channel_counts(const topology& graph, cycle_t now) const {
    std::vector<std::array<std::uint64_t, MostPorts>> sent(graph.routers.size());
    for (router_id id = 0; id < sent.size(); ++id)  // counted packet by packet
      for (unsigned number = 0; number < m_most_ports; ++number)
        sent[id][number] = region_of(first_lane(id, number)).sent[port_in_region(first_lane(id, number))];
    for_each_rest([&](router_id id, unsigned number, std::uint32_t flits) { sent[id][number] -= flits; });
    const auto take_back = [&](place from, cycle_t arrives) {
      const router_id id = from >> LaneBits;
      const unsigned number = (from & LaneMask) >> shift();
      if (arrives - (region_of(from).flits.cycles[port_in_region(from)] - 1 - m_stages) > now) --sent[id][number];
    };
    m_flits.for_each(now, [&](cycle_t cycle, std::size_t id, unsigned lane) {
      const place to = static_cast<place>(id << LaneBits | lane);
      const place from = is_nic(to) ? router_of_nic(to) : region_of(to).credits.to[port_in_region(to)];
      if (!is_nic(from)) take_back(from, cycle);
    });
    std::vector<channel_count> counts;
    for (router_id r = 0; r < sent.size(); ++r)
      for (unsigned number = 0; number < graph.routers[r].ports; ++number)
        counts.push_back({r, number, sent[r][number]});
    return counts;
  }

  /// Flits that were granted a switch since the start.
  std::uint64_t hops() const {
    std::uint64_t sum = 0;
    for (const region& r : m_regions) sum += sent_in_all(r);
    for_each_rest([&](router_id, unsigned, std::uint32_t flits) { sum -= flits; });
    return sum;
  }

  std::vector<blocked_packet> blocked() const {
    std::vector<blocked_packet> result;
    for (const region& here : m_regions) {
      const lane_flow<Lanes>& flow = here.flow;
      for (unsigned i = 0; i < here.size; ++i) {
        const router_id id = here.first + i;
        for_each_lane(flow.occupied[i], [&](unsigned index) {
          const place p = id << LaneBits | index;
          const unsigned number = index >> shift(), vc = index & stride_mask();
          const bool holds = flow.holding[i].contains(index);
          const packet_id packet = m_packets[(holds ? m_fifos.last(p) : m_fifos.front(p)).packet()].what.id;
          const unsigned held = value(here.output[lane_in_region(p)]);
          if (flow.behind[i].contains(index)) return;  // it does not wait yet
          if (!holds) {
            const route way = route_of(p);
            result.push_back({id, number, vc, packet, blocked_packet::reason::OutputVc, way.port, way.vcs, way.choices,
                              way.choice_vcs});
          } else if (!flow.credited[i].contains(held)) {
            result.push_back({id, number, vc, packet, blocked_packet::reason::Credit, held >> shift(),
                              vc_set{1} << (held & stride_mask()), 0, 0});
          }
        });
      }
    }
    return result;
  }

 private:
  /// A lane of the network: router and lane. Behind the routers come NICs: the one at a port of router r has that port's number
  /// in r + m_first_nic.
  using place = std::uint32_t;
  static constexpr unsigned LaneBits = Lanes == 32 ? 5 : Lanes == 64 ? 6 : 8;
  static_assert(Lanes == 1U << LaneBits);
  static constexpr place LaneMask = Lanes - 1;

  /// A byte that is not a character: for all a compiler knows, what is written as one might be anything.
  enum class byte : std::uint8_t {};
  static constexpr byte to_byte(unsigned number) { return static_cast<byte>(number); }
  static constexpr unsigned value(byte b) { return static_cast<unsigned>(b); }
  static constexpr unsigned value(std::uint16_t number) { return number; }

  static constexpr std::uint16_t Nothing = 0xffff;  ///< offered to a head: somebody else got it
  static_assert(RegionRouters * Lanes + MaxPorts < Nothing);

  static constexpr std::uint16_t NoBid = 0xffff;  ///< no bid is higher

  /// A slot of a FIFO. Where a port has four VCs its FIFOs have 128 flits at most.
  using slot_index = std::conditional_t<Shift == 2, byte, std::uint16_t>;
  static_assert(MaxBufferFlits <= 512);

  /// An input lane that asks for the switch: its turn, then its number in the region.
  using request = std::uint64_t;

  static constexpr unsigned RegionLanes = RegionRouters * Lanes;
  static constexpr unsigned RegionPorts = Shift >= 0 ? RegionLanes >> Shift : RegionLanes;
  static constexpr unsigned MostPorts = std::min(Lanes, MaxPorts);

  /// The first lane of an output port, and VCs of that port.
  struct port_vcs {
    unsigned first;
    vc_set vcs;
    unsigned parks;  ///< where those who find no VC wait until one comes free
  };

  /// Where a node's flits come in.
  struct attachment {
    place first;                              ///< lane
    std::array<slot_index, MaxVcs> newest{};  ///< slots of the last heads that were sent there
  };

  /// Lanes of a router that ask for the switch, of one machine word.
  struct rivals {
    unsigned first;  ///< lane in the region
    typename set::word_t lanes;
  };

  /// A packet of several flits that got an output VC.
  struct long_packet {
    std::uint16_t lane;  ///< of the region
    std::uint32_t flits;
  };

  /// Routers that go through some cycles together. What they do in as many cycles as nothing needs less to get from router
  /// to router depends on nobody else, so a region is done with before the next one begins: its routers are in the cache for
  /// all stages of all these cycles.
  static constexpr unsigned MostCyclesAtOnce = 4;    ///< more do not pay: what is on its way must have room
  static constexpr unsigned CyclesOfWay = 256;       ///< after so many cycles a region looks at how much goes on in it
  static constexpr std::uint64_t MuchFlits = 2;      ///< a cycle: so many in a region make vectors worthwhile
  static constexpr std::size_t CachedRegions = 100;  ///< of more it pays to fetch what the next one works with
  struct region {
    region(router_id first_router, std::size_t routers_left, unsigned depth, unsigned ejection_depth, unsigned shift)
        : first(first_router),
          size(static_cast<unsigned>(std::min<std::size_t>(routers_left, RegionRouters))),
          flow(depth, ejection_depth, best_vectors()),
          dense(best_vectors()) {
      output.fill(to_byte(LaneMask));  // all pointers are 0 at first, as if the lanes before had sent
      holder.fill(to_byte(LaneMask));
      for (unsigned p = 0; p < RegionLanes >> shift; ++p) lane_pointer[p] = to_byte((p << shift) & LaneMask);
    }

    router_id first;
    unsigned size;  ///< routers that there are

    lane_flow<Lanes> flow;
    /// Input lanes that wait for an output VC, none of which was to be had when they asked: by the port that they want; then those
    /// that have a choice.
    alignas(64) std::array<sets, MostPorts + 1> parked{};
    std::uint64_t parking = 0;  ///< routers with input lanes that are parked
    std::uint64_t freed = 0;    ///< of those, routers in which an output VC may be had again for those that are parked
    sets freed_lanes{};         ///< in them, output lanes that came free

    // By lane in the region, input or output. The pointers of VC allocation point behind `output` and `holder`.
    std::array<byte, RegionLanes> output;          ///< of an input lane: the one that it holds, or held last
    std::array<byte, RegionLanes> holder;          ///< of an output lane: the one that holds it, or held it last
    std::array<slot_index, RegionLanes> newest{};  ///< of an output lane: the slot of its last head, where that goes
    // By port in the region.
    channel_ends<RegionPorts> flits;                ///< output: where they arrive
    std::array<place, RegionPorts> heads_to{};      ///< output: the FIFO there
    channel_ends<RegionPorts> credits;              ///< input: who is told of slots that come free
    std::array<std::uint64_t, RegionPorts> sent{};  ///< output: flits of all packets that got a VC of it
    // The pointers of the switch allocator, by port, where `dense` does not keep them.
    std::array<byte, RegionPorts> lane_pointer{};    ///< input
    std::array<byte, RegionPorts> output_pointer{};  ///< input
    std::array<byte, RegionPorts> input_pointer{};   ///< output

    dense_switch dense;
    std::vector<cables> ways;     ///< of flits, and of credits; none where `dense` is never used
    bool is_dense = false;        ///< `dense` is in use, and much expected: pointers, and who wants what, stand there
    std::uint64_t sent_then = 0;  ///< in all, before this turn of choose_way()
    unsigned cycles = 0;          ///< of this turn
  };

  static bool fits_dense_switch(unsigned ports, unsigned vcs) {
    return Lanes == 32 && ports <= dense_switch::MaxPorts && stride_bits(vcs) == dense_switch::FieldBits;
  }
  static unsigned bits_for(unsigned n) {
    unsigned bits = 0;
    while (1U << bits < n) ++bits;
    return bits;
  }
  static unsigned stages(const router_parameters& parameters) {
    return parameters.pipeline <= 4 ? 1 : parameters.pipeline - 3;
  }
  /// Room for the heads of all packets of which a flit is in the FIFO, and for one that got its VC and waits for a credit; if
  /// it is a NIC's that takes everything, of those on their way there.
  static unsigned slots(const topology& graph, const router_parameters& parameters) {
    constexpr unsigned Allocation = 3;  // one cycle for each allocator, and the packet that begins
    unsigned most = parameters.depth + 1;
    for (const node_attachment& n : graph.nodes) most = std::max(most, Allocation + stages(parameters) + n.cycles);
    return 1U << bits_for(most);
  }
  /// Places of all FIFOs, in whole cache lines of heads.
  std::size_t fifo_places(const topology& graph) const {
    constexpr std::size_t Line = 64 / sizeof(stored_flit);
    return (std::size_t{m_first_nic} << LaneBits) + ((attachments(graph) << shift()) + Line - 1) / Line * Line;
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

  /// All channels take as long.
  static bool is_uniform(const topology& graph) {
    const unsigned most = longest(graph);
    return std::all_of(graph.channels.begin(), graph.channels.end(),
                       [most](const channel& c) { return c.cycles == most; }) &&
           std::all_of(graph.nodes.begin(), graph.nodes.end(),
                       [most](const node_attachment& n) { return n.cycles == most; });
  }
  static router_id in_whole_regions(std::size_t count) {
    return static_cast<router_id>((count + RegionRouters - 1) / RegionRouters * RegionRouters);
  }
  /// From the first of the cycles that are done at once to what the last of them causes, at most.
  cycle_t reach() const { return m_lookahead + m_stages + m_longest; }

  unsigned shift() const { return Shift >= 0 ? static_cast<unsigned>(Shift) : m_stride_bits; }
  std::size_t region_count() const { return m_first_nic / RegionRouters; }
  /// Lanes of a port.
  unsigned stride() const { return 1U << shift(); }
  /// VCs of a port, and those that it does not have.
  vc_set stride_set() const { return (vc_set{1} << stride()) - 1; }
  /// Of a lane, the bits that are its VC.
  unsigned stride_mask() const { return stride() - 1; }
  place first_lane(router_id r, unsigned number) const { return r << LaneBits | number << shift(); }
  /// The NIC's VC at the other end of a router's lane.
  attachment_vc nic_at(place p) const {
    return {m_nic_at[p >> shift()] << attachment_vc::VcBits | (p & stride_mask())};
  }
  /// The lane at the other end of the channel.
  place router_of_nic(place p) const { return p - (m_first_nic << LaneBits); }
  bool is_nic(place p) const { return p >> LaneBits >= m_first_nic; }
  region& region_of(place p) { return m_regions[p / RegionLanes]; }
  const region& region_of(place p) const { return m_regions[p / RegionLanes]; }
  static unsigned lane_in_region(place p) { return p % RegionLanes; }
  unsigned port_in_region(place p) const { return lane_in_region(p) >> shift(); }
  static unsigned router_in_region(place p) { return lane_in_region(p) >> LaneBits; }

  void connect(const topology& graph, unsigned ejection_depth) {
    for (const channel& c : graph.channels) {
      const place from = first_lane(c.from.router, c.from.port), to = first_lane(c.to.router, c.to.port);
      region &sender = region_of(from), &receiver = region_of(to);
      sender.flits.to[port_in_region(from)] = sender.heads_to[port_in_region(from)] = to;
      sender.flits.cycles[port_in_region(from)] = static_cast<std::uint16_t>(1 + m_stages + c.cycles);
      receiver.credits.to[port_in_region(to)] = from;
      receiver.credits.cycles[port_in_region(to)] = static_cast<std::uint16_t>(1 + c.cycles);
    }
    for (const node_attachment& node : graph.nodes) {
      for (const port_ref& local : node.ports) {
        const place first = first_lane(local.router, local.port);
        region& r = region_of(first);
        const unsigned number = port_in_region(first);
        r.flits.to[number] = r.credits.to[number] = first + (m_first_nic << LaneBits);
        r.heads_to[number] = nic_fifo(static_cast<attachment_id>(m_attachments.size()));
        m_nic_at[first >> shift()] = static_cast<attachment_id>(m_attachments.size());
        r.flits.cycles[number] = static_cast<std::uint16_t>(1 + m_stages + node.cycles);
        r.credits.cycles[number] = static_cast<std::uint16_t>(1 + node.cycles);
        for (unsigned vc = 0; vc < m_vcs; ++vc)
          r.flow.set_credits(local.router % RegionRouters, (first & LaneMask) + vc, ejection_depth);
        m_attachments.push_back({first, {}});
      }
    }
  }

  void lay_cables() {
    if constexpr (Lanes == 32) {
      for (region& r : m_regions)
        for (const auto* ends : {&r.flits, &r.credits}) r.ways.emplace_back(*ends, m_vectors);
    }
  }

  /// Where all routers have the same dimension-order rule, the coordinates of every node are divided out only once.
  void find_coordinates(const topology& graph) {
    const auto* first = m_rules.front().as<grid_rule>();
    if (first == nullptr || !packed_dimension_order::fits(*first)) return;
    const auto same = [&](const route_rule& rule) {
      if (rule.as<grid_rule>() == nullptr) return false;
      grid_rule other = *rule.as<grid_rule>();
      other.here = first->here;
      return other == *first;
    };
    if (!std::all_of(m_rules.begin(), m_rules.end(), same)) return;
    m_order.emplace(*first);
    for (const route_rule& rule : m_rules) m_router_at.push_back(m_order->pack_router(rule.as<grid_rule>()->here));
    for (node_id node = 0; node < graph.nodes.size(); ++node)
      m_node_at.push_back(m_order->pack_node(first->coordinates_of(node)));
    m_plain = !m_cut_through && m_class_vcs == m_vcs && m_order->has_one_local_port();
  }

  /// A head that asks for an output VC.
  struct asking_head {
    stored_flit flit;
    stored_flit* slot;    ///< where it goes
    slot_index* read;     ///< of the FIFO there
    unsigned keep;        ///< the bits of that which stay
    std::uint16_t in;     ///< its lane of the region
    std::uint16_t offer;  ///< what it is offered: a lane of the region, or RegionLanes + where it parks
  };

  /// All FIFOs, of which only the heads are kept: a head is written into the FIFO that it is bound for when it gets its VC, and
  /// read when it gets the next one. A place of a FIFO is that of its lane; those of NICs come behind, attachment by attachment.
  /// For loops to have a copy of: what it points to does not move.
  struct fifos {
    slot_index* read;           ///< by place, modulo the slots
    stored_flit* const* slots;  ///< of each number, that of place 0
    unsigned mask;              ///< of the numbers: a FIFO is a ring

    /// The first head that has no output VC.
    const stored_flit& front(place p) const { return slots[value(read[p]) & mask][p]; }
    /// The one before it: the last one that got an output VC.
    const stored_flit& last(place p) const { return slots[(value(read[p]) - 1) & mask][p]; }
    /// The head at the front of a FIFO gets an output VC.
    static void pop(slot_index& read) { read = static_cast<slot_index>(value(read) + 1); }
    /// Finds where \p head goes: to lane \p p, behind that in the sender's slot \p newest. Where all is \p settled, the FIFO is
    /// empty and nothing is on its way there: so it starts at its first slot again. Both lie far away, and are fetched.
    void find_slot(asking_head& head, place p, bool settled, slot_index& newest) const {
      const unsigned keep = (unsigned{settled} - 1) & mask, number = (value(newest) + 1) & keep;
      newest = static_cast<slot_index>(number);
      head.slot = &slots[number][p];
      head.read = &read[p];
      head.keep = keep;
      __builtin_prefetch(head.slot, 1);
      __builtin_prefetch(head.read, 1);
    }
    /// It goes there.
    static void write(const asking_head& head) {
      *head.slot = head.flit;
      *head.read = static_cast<slot_index>(value(*head.read) & head.keep);
    }
  };

  place nic_fifo(attachment_id a) const { return (m_first_nic << LaneBits) + (a << shift()); }

  void forget_ejected() {
    m_inside -= m_ejected.size();
    m_ejected.clear();
  }
  /// Something may reach NICs in \p cycle.
  bool is_for_nics(cycle_t cycle) {
    const auto flits = m_flits.at(cycle), credits = m_credits.at(cycle);
    std::uint64_t touched = 0;
    for (std::size_t i = region_count(); i < 2 * region_count(); ++i) touched |= flits.touched[i] | credits.touched[i];
    return touched != 0;
  }
  /// Calls \p f(NIC's VC) for all events at NICs.
  template <typename F>
  void take_nics(const typename set_wheel<Lanes>::cycle_events& events, F f) const {
    for (std::size_t number = 0; number < region_count(); ++number) {
      set* const sets_there = &events.sets[m_first_nic + number * RegionRouters];
      std::uint64_t touched = events.take_touched(region_count() + number);
      if (touched == ~std::uint64_t{0}) touched = which_have_any(sets_there);
      for_each_of(touched, [&](unsigned i) {
        const place router = static_cast<place>(number * RegionRouters + i) << LaneBits;
        for_each_lane(std::exchange(sets_there[i], set()), [&](unsigned lane) { f(nic_at(router | lane)); });
      });
    }
  }

  /// The flit that arrives at a NIC.
  stored_flit arriving(attachment_vc nic) {
    std::uint32_t& to_come = m_to_come[(nic.attachment() << shift()) + nic.vc()];
    const place p = nic_fifo(nic.attachment()) + nic.vc();
    if (to_come != 0) return m_fifos.last(p).next(--to_come == 0);
    const stored_flit head = m_fifos.front(p);
    fifos::pop(m_read[p]);
    if (!head.tail()) to_come = m_packets[head.packet()].travels - 1;
    return head;
  }

  void advance(region& here, std::size_t number, cycle_t now) {
    const auto flits = m_flits.at(now), credits = m_credits.at(now);
    const std::uint64_t credited = credits.take_touched(number), reached = flits.take_touched(number);
    if ((reached | credited) == 0 && here.flow.is_idle() && here.freed == 0) return;
    if (m_unparks_all) here.freed |= credited & here.parking;  // what had no room may have some
    here.flow.arrive(flits.sets + here.first, reached);
    if (here.flow.give_back(credits.sets + here.first, credited)) note_credits(here);
    if (here.freed != 0) unpark(here);
    // Who wins an output VC may ask for the switch in the next cycle, or in this one if both allocators share a stage.
    if (m_same_cycle) allocate_vcs(here);
    allocate_switch(here);
    if (!m_same_cycle) allocate_vcs(here);
    move(here, now);
    if (++here.cycles == CyclesOfWay) choose_way(here);
  }

  /// The routers of a region about which a set says something.
  static std::uint64_t which(const sets& of) { return which_have_any(of.data()); }

  /// The region comes next: by then what it works with is in the cache, but for heads, of which it is not known where they are.
  void fetch(const region& soon, cycle_t now) {
    const place first = soon.first << LaneBits;
    fetch(&soon, sizeof(region));
    fetch(&m_read[first], RegionLanes * sizeof(slot_index));
    for (cycle_t cycle = now; cycle < now + m_lookahead; ++cycle) {
      fetch(m_flits.at(cycle).sets + soon.first, sizeof(sets));
      fetch(m_credits.at(cycle).sets + soon.first, sizeof(sets));
    }
  }
  static void fetch(const void* from, std::size_t bytes) {
    for (std::size_t line = 0; line < bytes; line += 64) {
      __builtin_prefetch(static_cast<const char*>(from) + line, 1, 2);
      asm volatile("");  // g++ leaves calls out that do nothing but this
    }
  }

  /// Output lanes that are held got their first credit, or spent the last one.
  void note_credits(region& here) {
    lane_flow<Lanes>& flow = here.flow;
    const std::uint64_t concerned = which(flow.changed);
    flow.may_send |= concerned;
    for_each_of(concerned, [&](unsigned i) {
      for_each_lane(std::exchange(flow.changed[i], set()), [&](unsigned lane) {
        const unsigned holder = value(here.holder[i << LaneBits | lane]);
        flow.able[i].erase(holder);
        flow.able[i].insert_if(flow.credited[i].contains(lane), holder);
      });
    });
  }

  /// \p r, a route in a class of its own, for the class of input VC \p vc.
  route of_class(route r, unsigned vc) const {
    return m_class_vcs == m_vcs ? r : in_block(r, first_of_block(vc, m_class_vcs));
  }

  /// The route of the head at the front of \p p.
  route route_of(place p) const {
    const router_id id = p >> LaneBits;
    const unsigned number = (p & LaneMask) >> shift();
    const stored_flit head = m_fifos.front(p);
    const node_id destination = head.destination();
    const unsigned vc = p & stride_mask();
    if (m_order) return of_class(m_order->towards(m_router_at[id], m_node_at[destination], number), vc);
    const route_query query{number, m_class_vcs == m_vcs ? vc : vc % m_class_vcs, destination,
                            m_packets[head.packet()].way};
    return of_class(m_rules[id](query), vc);
  }

  /// Those that are parked wait again where an output VC that they want came free.
  void unpark(region& here) {
    lane_flow<Lanes>& flow = here.flow;
    for_each_of(here.freed, [&](unsigned i) {
      const set freed = std::exchange(here.freed_lanes[i], set());
      set left{};
      for (unsigned port = 0; port <= m_most_ports; ++port) {
        set& parked = here.parked[port][i];
        const bool all = m_unparks_all || port == m_most_ports;
        if (all || freed.field(port << shift(), stride_set()) != 0)
          flow.waiting[i] = flow.waiting[i] | std::exchange(parked, set());
        left = left | parked;
      }
      if (!left.any()) here.parking &= ~(std::uint64_t{1} << i);
    });
    flow.may_wait |= here.freed;
    here.freed = 0;
  }

  /// Those that wait ask for an output VC. Who finds none that is free parks until one comes free.
  void allocate_vcs(region& here) {
    if (here.flow.may_wait == 0) return;
    if (m_plain)
      serve(here, plain_offer(*this, here));
    else
      serve(here, general_offer(*this, here));
    for (const long_packet& p : m_long) here.flow.begin_packet(p.lane >> LaneBits, p.lane & LaneMask, p.flits);
    m_long.clear();
  }

  /// \param offer lane in the region, head → a port and the VCs of it that are to be had
  template <typename Offer>
  void serve(region& here, const Offer& offer) {
    const unsigned first = lowest_of(here.flow.may_wait);
    if (!here.flow.expects_much && has_one_member(here.flow.may_wait) && here.flow.waiting[first].is_single()) {
      here.flow.may_wait = 0;
      if (here.flow.waiting[first].any())
        serve_single(here, first << LaneBits | here.flow.waiting[first].lowest(), offer);
      return;
    }
    run_on_bits(m_vectors, [&](auto) {
      const std::size_t count = list_waiting(here);
      asking_head* const heads = m_heads.data();
      find_offers(here, offer, heads, count);
      settle_rivalries(here, heads, heads + count);
      if (here.is_dense)
        hand_on<Offer, true>(here, heads, heads + count);
      else
        hand_on<Offer, false>(here, heads, heads + count);
    });
    if (here.flow.hand_out(m_lost, m_taken)) note_credits(here);
  }

  /// Where only one waits, as it mostly is where little happens.
  template <typename Offer>
  void serve_single(region& here, unsigned in, const Offer& offer) {
    asking_head head;
    head.flit = m_fifos.front((here.first << LaneBits) + in);
    head.in = static_cast<std::uint16_t>(in);
    choose(here, offer, head);
    if (head.offer >= RegionLanes) {
      park(here, head);
      return;
    }
    here.flow.hand_out(in >> LaneBits, in & LaneMask, head.offer & LaneMask);
    hand_on<Offer, false>(here, &head, &head + 1);
  }

  /// Those that wait, router by router: puts them into m_waiting.
  /// \return how many they are
  std::size_t list_waiting(const region& here) {
    const lane_flow<Lanes>& flow = here.flow;
    if (here.is_dense) return list_lanes<Lanes>(flow.waiting, m_waiting.data(), m_vectors);
    std::uint16_t* end = m_waiting.data();
    for_each_of(flow.may_wait, [&](unsigned i) {
      for_each_lane(flow.waiting[i], [&](unsigned lane) { *end++ = static_cast<std::uint16_t>(i << LaneBits | lane); });
    });
    return static_cast<std::size_t>(end - m_waiting.data());
  }

  /// The heads of those that wait, and what they are offered. The first loop has nothing to wait for.
  template <typename Offer>
  void find_offers(const region& here, const Offer& offer, asking_head* heads, std::size_t count) const {
    const fifos all = m_fifos;
    const std::uint16_t* const waiting = m_waiting.data();
    const place first = here.first << LaneBits;
    for (std::size_t k = 0; k < count; ++k) {
      heads[k].in = waiting[k];
      heads[k].flit = all.front(first + waiting[k]);
    }
    for (asking_head* head = heads; head != heads + count; ++head) choose(here, offer, *head);
  }

  /// Offers a head its favourite among the output VCs that are to be had.
  template <typename Offer>
  WEFT_INLINE void choose(const region& here, const Offer& offer, asking_head& head) const {
    const unsigned in = head.in;
    const port_vcs of = offer(in, head.flit);
    const unsigned out = opaque((in & ~LaneMask) | favourite(of.vcs, of.first, value(here.output[in]) + 1));
    head.offer = static_cast<std::uint16_t>(of.vcs == 0 ? RegionLanes + of.parks : out);
  }

  void park(region& here, const asking_head& head) const {
    const unsigned i = head.in >> LaneBits, lane = head.in & LaneMask;
    here.flow.waiting[i].erase(lane);
    here.parked[head.offer - RegionLanes][i].insert(lane);
    here.parking |= std::uint64_t{1} << i;
  }

  /// Whoever waits takes its offer, unless somebody else takes the same one whose turn is before: few do.
  void settle_rivalries(region& here, asking_head* heads, asking_head* end) {
    for (asking_head* head = heads; head != end; ++head) {
      const unsigned in = head->in, out = head->offer, i = in >> LaneBits, out_lane = out & LaneMask;
      if (out >= RegionLanes) {
        park(here, *head);
        continue;
      }
      if (m_taken[i].contains(out_lane)) {
        asking_head* rival = head - 1;
        while (rival->offer != out) --rival;
        const unsigned pointer = value(here.holder[out]) + 1;
        asking_head* const loser = ((rival->in - pointer) & LaneMask) < ((in - pointer) & LaneMask) ? head : rival;
        m_lost[i].insert(loser->in & LaneMask);
        loser->offer = Nothing;
      }
      m_taken[i].insert(out_lane);
    }
  }

  /// Heads that take their offers leave their FIFOs for those behind. In two loops, for the second one writes where nobody
  /// knows early: the loads of the next head would wait for that.
  template <typename Offer, bool IsDense>
  void hand_on(region& here, asking_head* heads, asking_head* end) {
    const fifos all = m_fifos;
    slot_index* const read = all.read + (here.first << LaneBits);
    const bool uses_up_way = !Offer::IsPlain && m_uses_up_way;
    asking_head* going = heads;
    for (asking_head* head = heads; head != end; ++head) {
      const unsigned in = head->in, out = head->offer, i = in >> LaneBits, port = out >> shift();
      if (out >= RegionLanes) continue;
      here.output[in] = to_byte(out & LaneMask);
      here.holder[out] = to_byte(in & LaneMask);
      fifos::pop(read[in]);
      stored_flit flit = head->flit;
      flit.pass_router();
      going->flit = flit;
      all.find_slot(*going, here.heads_to[port] + (out & stride_mask()), here.flow.settled[i].contains(out & LaneMask),
                    here.newest[out]);
      ++here.sent[port];
      if (IsDense) here.dense.hold(i, in & LaneMask, out & LaneMask);
      if (uses_up_way) use_up_way(flit);
      if (!flit.tail()) begin_long(here, in, port, flit);
      ++going;
    }
    for (const asking_head* head = heads; head != going; ++head) fifos::write(*head);
  }

  /// A packet of several flits gets a VC of a port.
  void begin_long(region& here, unsigned in, unsigned port, stored_flit head) {
    const std::uint32_t flits = m_packets[head.packet()].travels;
    here.sent[port] += flits - 1;
    m_long.push({static_cast<std::uint16_t>(in), flits});
  }

  /// The step of a way that led through this router.
  void use_up_way(stored_flit head) {
    std::uint64_t& way = m_packets[head.packet()].way;
    way = source_path::rest(way);
  }

  /// The lane of favourite_vc(); any, if there are no candidates. Where all lanes of a router are one word, the word turns: what
  /// lies before the pointer comes behind it, and if the pointer is at another port, the VCs of this one stay in order.
  static unsigned favourite(vc_set candidates, unsigned first, unsigned pointer) {
    if constexpr (Lanes != 32) return candidates == 0 ? 0 : first + favourite_vc(candidates, first, pointer & LaneMask);
    constexpr vc_set Last = vc_set{1} << 31;
    const unsigned by = (pointer - first) & LaneMask;
    return (lowest(candidates >> by | candidates << (-by & LaneMask) | Last) + pointer) & LaneMask;
  }

  /// What a head is offered that asks for an output VC.
  class general_offer {
   public:
    static constexpr bool IsPlain = false;

    general_offer(const routers& all, const region& here) : m_all(all), m_here(here) {}

    port_vcs operator()(unsigned lane, stored_flit) const {
      const place p = (m_here.first << LaneBits) + lane;
      return m_all.take_up(m_here, p, m_all.route_of(p));
    }

   private:
    const routers& m_all;
    const region& m_here;
  };

  /// The same where the routes are dimension order to a single local port, VCs have no classes and packets need not find room.
  class plain_offer {
   public:
    static constexpr bool IsPlain = true;

    plain_offer(const routers& all, const region& here)
        : m_all(all),
          m_order(*all.m_order),
          m_router_at(&all.m_router_at[here.first]),
          m_node_at(all.m_node_at.data()),
          m_free(here.flow.free.data()) {}

    port_vcs operator()(unsigned lane, stored_flit head) const {
      const unsigned i = lane >> LaneBits;
      const unsigned number = m_order.port_towards(m_router_at[i], m_node_at[head.destination()]);
      const unsigned first = number << m_all.shift();
      return {first, m_free[i].field(first, m_order.vcs()), number};
    }

   private:
    const routers& m_all;
    const packed_dimension_order m_order;
    const std::uint64_t* const m_router_at;
    const std::uint64_t* const m_node_at;
    const set* const m_free;
  };

  /// Of what the head at the front of \p p asks for, a port and the VCs of it that are to be had.
  port_vcs take_up(const region& here, place p, const route& asked) const {
    const auto available = [&](unsigned number, vc_set vcs, bool whole) {
      return free_vcs(here, p, number << shift(), vcs, whole);
    };
    if (!m_adaptive) return {unsigned{asked.port} << shift(), available(asked.port, asked.vcs, false), asked.port};
    const unsigned contender = ((p & LaneMask) >> shift()) + (p & stride_mask());
    const route taken = weft::take_up(asked, contender, m_depth, available, [&](unsigned number) {
      unsigned sum = 0;
      for (unsigned vc = 0; vc < m_vcs; ++vc) sum += credits(here, router_in_region(p), (number << shift()) + vc);
      return sum;
    });
    return {unsigned{taken.port} << shift(), taken.vcs, m_most_ports};
  }

  /// Of \p vcs, VCs of the port whose lanes begin at \p first, those that nobody holds and that have room: under virtual
  /// cut-through for the packet; else, where it must be \p whole, for the packet or all there is.
  vc_set free_vcs(const region& here, place p, unsigned first, vc_set vcs, bool whole) const {
    const unsigned i = router_in_region(p);
    vcs = here.flow.free[i].field(first, vcs);
    if (m_cut_through || whole) {
      const std::uint32_t packet = m_packets[m_fifos.front(p).packet()].travels;
      const std::uint32_t flits = m_cut_through ? packet : std::min(packet, m_depth);
      for_each_member(vcs, [&](unsigned vc) {
        if (credits(here, i, first + vc) < flits) vcs &= ~(vc_set{1} << vc);
      });
    }
    return vcs;
  }

  /// Flits for which there is room behind an output lane.
  static unsigned credits(const region& here, unsigned i, unsigned lane) {
    constexpr unsigned Plenty = 0xffff;  // the receiver takes everything
    return here.flow.counted[i].contains(lane) ? here.flow.credits_of(i, lane) : Plenty;
  }

  void allocate_switch(region& here) {
    if (here.flow.may_send == 0) return;
    if (here.is_dense) {
      choose_winners(here);
    } else {
      choose_inputs(here);
      choose_outputs(here);
    }
  }

  /// Switch allocation for all routers of the region together.
  void choose_winners(region& here) {
    if constexpr (Lanes == 32) {
      const lane_flow<Lanes>& flow = here.flow;
      here.dense.allocate(flow.occupied, flow.able, flow.ending, here.size, m_most_ports, m_leaving);
    }
  }

  /// Flits of all packets that got a VC in the region.
  std::uint64_t sent_in_all(const region& here) const {
    return std::accumulate(here.sent.begin(), here.sent.begin() + (RegionLanes >> shift()), std::uint64_t{0});
  }

  /// From now on things are done in the way that would have been cheaper in the cycles past.
  void choose_way(region& here) {
    const bool was_dense = here.is_dense;
    const std::uint64_t sent = sent_in_all(here), sent_now = sent - std::exchange(here.sent_then, sent);
    here.is_dense = m_fits_dense && sent_now >= CyclesOfWay * here.size * here.dense.worthwhile();
    here.flow.expects_much = here.is_dense || sent_now >= CyclesOfWay * MuchFlits;
    here.cycles = 0;
    if (was_dense == here.is_dense) return;
    here.dense.let_all_go();
    for (unsigned i = 0; i < here.size; ++i) {
      for (unsigned number = 0; number < m_most_ports; ++number) {
        const unsigned own = number << shift(), p = (i << LaneBits | own) >> shift();
        if (was_dense) {
          const dense_switch::pointers now = here.dense.pointers_of(i, number);
          here.output_pointer[p] = to_byte(now.output_of_input);
          here.lane_pointer[p] = to_byte(own + now.vc_of_input);
          here.input_pointer[p] = to_byte(now.input_of_output);
        } else {
          here.dense.set_pointers(
              i, number,
              {value(here.output_pointer[p]), value(here.lane_pointer[p]) - own, value(here.input_pointer[p])});
        }
      }
      if (was_dense) continue;
      for_each_lane(here.flow.holding[i],
                    [&](unsigned lane) { here.dense.hold(i, lane, value(here.output[i << LaneBits | lane])); });
    }
  }

  /// The input side of switch allocation: the VCs of an input port bid for the request that the port makes.
  void choose_inputs(region& here) {
    for_each_of(here.flow.may_send, [&](unsigned i) {
      const set ready = here.flow.occupied[i] & here.flow.able[i];
      if (!ready.any()) {
        here.flow.may_send ^= std::uint64_t{1} << i;
        return;
      }
      const bool alone = ready.is_single();
      m_granted.push_if(alone, static_cast<std::uint16_t>(i << LaneBits | ready.lowest()));
      for (unsigned w = 0; w < set::Words; ++w)
        m_rivals.push_if(!alone & (ready.word[w] != 0), {(i << LaneBits) + w * set::Bits, ready.word[w]});
    });
    if (m_rivals.begin() == m_rivals.end()) return;
    // One loop over the lanes of all routers: nobody can foresee where the lanes of one router end.
    const rivals* of = m_rivals.begin();
    typename set::word_t left = of->lanes;
    unsigned last_port = ~0U;
    request least = 0;
    while (of != m_rivals.end()) {
      const unsigned lane = of->first + static_cast<unsigned>(__builtin_ctzll(left));  // in the region
      left &= left - 1;
      const auto over = opaque(static_cast<typename set::word_t>(left == 0));
      of += over;
      left |= of->lanes & -over;
      // The lanes of a port come one after the other: the last entry of the list is the port's, until the next port.
      const unsigned port = lane >> shift();
      const unsigned own = request_turn(lane, value(here.output[lane]) >> shift(), value(here.lane_pointer[port]),
                                        value(here.output_pointer[port]));
      const request wish = std::uint64_t{own} << 32 | lane;
      const bool is_new = port != last_port;
      least = std::min(least | -std::uint64_t{is_new}, wish);
      m_asking.replace_or_push(is_new, least);
      last_port = port;
    }
    m_rivals.clear();
  }

  /// The output side: input ports bid for the output ports.
  void choose_outputs(const region& here) {
    for (const request asking : m_asking) {
      const auto lane = static_cast<unsigned>(asking);
      const unsigned port = ((lane & ~LaneMask) | value(here.output[lane])) >> shift();
      std::uint16_t& least = m_least_inputs[port];
      m_asked.push_if(least == NoBid, port);
      const unsigned own = turn((lane & LaneMask) >> shift(), value(here.input_pointer[port])) << 8 | (lane & LaneMask);
      least = std::min(least, static_cast<std::uint16_t>(own));
    }
    m_asking.clear();
    for (const unsigned asked : m_asked) {
      m_granted.push(static_cast<std::uint16_t>(((asked << shift()) & ~LaneMask) | (m_least_inputs[asked] & 0xff)));
      m_least_inputs[asked] = NoBid;
    }
    m_asked.clear();
  }

  /// The flits of those that were granted the switch leave.
  void move(region& here, cycle_t now) {
    if (here.flow.may_send == 0 || (!here.is_dense && m_granted.size() == 0)) return;
    std::uint64_t senders = ~std::uint64_t{0} >> (RegionRouters - here.size);
    if (here.is_dense)
      send_together(here, now);
    else
      senders = run_on_bits(
          m_vectors, [this, &here, now](auto) { return m_uniform ? send<true>(here, now) : send<false>(here, now); });
    m_no_credits_from = std::max(m_no_credits_from, now + 1 + m_longest + 1);
    if (here.parking != 0) note_freed(here);
    if (here.flow.depart(m_leaving, senders)) note_credits(here);
  }

  /// Output VCs come free where input lanes are parked.
  void note_freed(region& here) {
    const std::uint64_t freed = which(m_leaving.ended_outputs) & here.parking;
    for_each_of(freed, [&](unsigned i) { here.freed_lanes[i] = here.freed_lanes[i] | m_leaving.ended_outputs[i]; });
    here.freed |= freed;
  }

  /// Those that `dense` has chosen: they stand in m_leaving.
  void send_together(region& here, cycle_t now) {
    if constexpr (Lanes == 32) {
      here.ways[0].carry(m_leaving, m_leaving.sent, here.flits, m_flits, now);
      here.ways[1].carry(m_leaving, m_leaving.winners, here.credits, m_credits, now);
    }
  }

  /// Those in the list, one by one.
  /// \tparam Uniform all channels take as long
  /// \return the routers that sent something
  template <bool Uniform>
  std::uint64_t send(region& here, cycle_t now) {
    std::uint64_t senders = 0;
    departures<Lanes>& leaving = m_leaving;
    const unsigned port_shift = shift(), vc_mask = stride_mask();
    auto flits = m_flits.at(now + 1 + m_stages + m_longest), credits = m_credits.at(now + 1 + m_longest);
    for (const std::uint16_t* listed = m_granted.begin(); listed != m_granted.end(); ++listed) {
      const unsigned in = *listed, i = in >> LaneBits, number = in & LaneMask;
      const unsigned out_number = value(here.output[in]), out = (in & ~LaneMask) + out_number;
      const unsigned in_port = in >> port_shift, out_port = out >> port_shift;
      const place to = here.flits.to[out_port] + (out_number & vc_mask);
      if constexpr (!Uniform) flits = m_flits.at(now + here.flits.cycles[out_port]);
      flits.insert(to >> LaneBits, to & LaneMask);
      const place freed = here.credits.to[in_port] + (number & vc_mask);
      if constexpr (!Uniform) credits = m_credits.at(now + here.credits.cycles[in_port]);
      credits.insert(freed >> LaneBits, freed & LaneMask);

      senders |= std::uint64_t{1} << i;
      leaving.winners[i].insert(number);
      leaving.sent[i].insert(out_number);
      leaving.ended_outputs[i].insert_if(here.flow.ending[i].contains(number), out_number);
      here.lane_pointer[in_port] = to_byte(number + 1);
      here.output_pointer[in_port] = to_byte((out_number >> port_shift) + 1);
      here.input_pointer[out_port] = to_byte((number >> port_shift) + 1);
    }
    m_granted.clear();
    return senders;
  }

  /// Calls \p f(router, output port, flits) for all packets with an output VC: flits that have not been granted it yet.
  template <typename F>
  void for_each_rest(F f) const {
    for (const region& here : m_regions) {
      for (unsigned i = 0; i < here.size; ++i) {
        for_each_lane(here.flow.holding[i], [&](unsigned lane) {
          f(here.first + i, value(here.output[i << LaneBits | lane]) >> shift(), here.flow.flits_left(i, lane));
        });
      }
    }
  }

  const unsigned m_vcs;
  const unsigned m_class_vcs;  ///< VCs of a class
  const unsigned m_most_ports;
  const unsigned m_stride_bits;  ///< a port has 1 << m_stride_bits lanes
  const unsigned m_depth;        ///< flits of a FIFO
  const bool m_cut_through;
  bool m_plain = false;     ///< plain_offer() will do
  const bool m_same_cycle;  ///< S = 3: VC and switch allocation share a cycle
  const unsigned m_stages;  ///< of the crossbar
  const cycle_t m_lookahead;
  const unsigned m_longest;  ///< cycles of a channel, at most
  const vectors m_vectors = best_vectors();
  const bool m_fits_dense;  ///< `dense` can do it
  const bool m_uniform;     ///< all channels take as long
  packet_pool& m_packets;
  const std::vector<route_rule> m_rules;
  const bool m_adaptive;                          ///< routes have choices
  const bool m_unparks_all;                       ///< a credit may help them, or any VC
  const bool m_uses_up_way;                       ///< source routing
  std::optional<packed_dimension_order> m_order;  ///< if that is what all rules say
  large_array<std::uint64_t> m_router_at;         ///< then, the coordinates of routers
  large_array<std::uint64_t> m_node_at;           ///< and those of nodes

  const router_id m_first_nic;     ///< behind the routers
  large_array<slot_index> m_read;  ///< by place of an input lane: the slot of its first flit, modulo the FIFO
  large_array<stored_flit>
      m_buffers;  ///< by slot and place: at low loads few are in use, the first ones, and they lie together
  std::vector<stored_flit*> m_slots;     ///< of each number, that of place 0
  fifos m_fifos{};                       ///< made of these
  std::vector<std::uint32_t> m_to_come;  ///< by lane of NICs: flits of its packet that have not arrived
  std::vector<attachment_id> m_nic_at;   ///< by port of routers
  large_array<attachment> m_attachments;
  large_array<region> m_regions;
  set_wheel<Lanes> m_flits;             ///< to input lanes, and to NICs
  set_wheel<Lanes> m_credits;           ///< to output lanes, and to NICs
  bounded_list<moving_flit> m_ejected;  ///< in this cycle
  std::uint64_t m_inside = 0;           ///< flits that have been injected and have not reached a NIC
  cycle_t m_no_credits_from = 0;        ///< after it no credit is on its way any more

  // Of the region and the stage that are under way.
  std::vector<std::uint16_t> m_least_inputs;  ///< of those for an output port: turn, input lane
  bounded_list<rivals> m_rivals;              ///< of the routers in which more than one lane asks for the switch
  bounded_list<request> m_asking;             ///< of every input port, what it asks the switch for
  bounded_list<unsigned> m_asked;             ///< output ports of the region that are asked for
  alignas(64) sets m_taken{};                 ///< output lanes that somebody got in this cycle
  alignas(64) sets m_lost{};                  ///< input lanes that wanted one of those and did not get it
  departures<Lanes> m_leaving;
  std::vector<std::uint16_t> m_waiting;   ///< input lanes of the region that ask for an output VC
  std::vector<asking_head> m_heads;       ///< theirs
  bounded_list<long_packet> m_long;       ///< packets of several flits that got one
  bounded_list<std::uint16_t> m_granted;  ///< those that were granted the switch, where they are chosen one by one
};

}  // namespace weft::engine
