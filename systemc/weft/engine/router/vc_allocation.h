// SPDX-License-Identifier: Apache-2.0
/// VC allocation in a region: heads that wait get output VCs, and leave their FIFOs for those behind.
///
/// What has to look at a packet or at a route goes through a list of the lanes that it concerns: those with a head
/// that waits. The loops avoid jumps that depend on the traffic, which cannot be foreseen.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "weft/core/ways.h"
#include "weft/engine/base/bounded_list.h"
#include "weft/engine/base/lane_numbers.h"
#include "weft/engine/base/packet_pool.h"
#include "weft/engine/base/word_vectors.h"
#include "weft/engine/decisions/vc_choice.h"
#include "weft/engine/router/fabric_parameters.h"
#include "weft/engine/router/head_fifos.h"
#include "weft/engine/router/head_routes.h"
#include "weft/engine/router/lane_flow.h"
#include "weft/engine/router/region.h"
#include "weft/engine/router/vc_offers.h"

namespace weft::engine {

template <unsigned Lanes, int Shift>
class vc_allocation {
 public:
  using numbers = lane_numbers<Lanes, Shift>;
  using region_t = region<Lanes, Shift>;
  using view = typename head_fifos<Lanes, Shift>::view;

  vc_allocation(const fabric_parameters& fabric, numbers number, view fifos, const head_routes& routes,
                packet_pool& packets)
      : m_number(number),
        m_fifos(fifos),
        m_fabric(fabric),
        m_routes(routes),
        m_packets(packets),
        m_unparks_all(fabric.cut_through || routes.adaptive()),
        m_waiting(RegionLanes + SpareRoom),
        m_heads(RegionLanes),
        m_long(RegionLanes) {}

  /// A credit may help heads that are parked, or a VC of any port.
  bool unparks_all() const { return m_unparks_all; }

  /// Heads that are parked wait again where an output VC that they want came free.
  [[gnu::noinline]] void unpark(region_t& here) const {
    lane_flow<Lanes>& flow = here.flow;
    for_each_of(here.freed, [&](unsigned i) {
      const set freed = std::exchange(here.freed_lanes[i], set());
      set left{};
      for (unsigned port = 0; port <= m_fabric.ports; ++port) {
        set& parked = here.parked[port][i];
        const bool all = m_unparks_all || port == m_fabric.ports;
        if (all || freed.field(port << m_number.shift(), m_number.stride_set()) != 0)
          flow.waiting[i] = flow.waiting[i] | std::exchange(parked, set());
        left = left | parked;
      }
      if (!left.any()) here.parking &= ~(std::uint64_t{1} << i);
    });
    flow.may_wait |= here.freed;
    here.freed = 0;
  }

  /// The output lane of the region that \p flit gets in input lane \p in, where it alone asks; behind the last: none.
  unsigned choose_alone(const region_t& here, unsigned in, stored_flit flit) const {
    return choose(here, general_offer<Lanes, Shift>(m_fabric, m_number, m_routes, m_packets, here)(in, flit), in);
  }

  /// A packet has gone from lane \p in of the region to lane \p out, and is no longer there.
  static void note_passed(region_t& here, unsigned in, unsigned out) {
    here.held[in].output = to_byte(out & LaneMask);
    here.held[out].holder = to_byte(in & LaneMask);
  }

  /// Heads that wait ask for an output VC. One that finds none free parks until one comes free.
  void allocate(region_t& here) {
    if (here.flow.may_wait != 0) serve_all(here);
  }

 private:
  using set = typename numbers::set;
  using sets = typename numbers::sets;
  using slot_index = typename numbers::slot_index;
  using head_t = asking_head<slot_index>;
  static constexpr unsigned LaneBits = numbers::LaneBits, LaneMask = numbers::LaneMask;
  static constexpr unsigned RegionLanes = numbers::RegionLanes;

  static constexpr std::uint16_t Nothing = 0xffff;  ///< offered to a head: another one got it
  static_assert(RegionLanes + MaxPorts < Nothing);

  /// A packet of several flits that got an output VC.
  struct long_packet {
    std::uint16_t lane;  ///< of the region
    std::uint32_t flits;
  };

  [[gnu::noinline]] void serve_all(region_t& here) {
    if (m_routes.plain())
      serve(here, plain_offer<Lanes, Shift>(m_number, m_routes, here));
    else
      serve(here, general_offer<Lanes, Shift>(m_fabric, m_number, m_routes, m_packets, here));
    for (const long_packet& p : m_long) here.flow.begin_packet(p.lane >> LaneBits, p.lane & LaneMask, p.flits);
    m_long.clear();
  }

  template <typename Offer>
  WEFT_INLINE void serve(region_t& here, const Offer& offer) {
    const unsigned first = lowest_of(here.flow.may_wait);
    if (!here.flow.expects_much && has_one_member(here.flow.may_wait) && here.flow.waiting[first].is_single()) {
      here.flow.may_wait = 0;
      if (here.flow.waiting[first].any())
        serve_single(here, first << LaneBits | here.flow.waiting[first].lowest(), offer);
      return;
    }
    run_on_bits(m_vectors, [&](auto) {
      const std::size_t count = list_waiting(here);
      head_t* const heads = m_heads.data();
      find_offers(here, offer, heads, count);
      settle_rivalries(here, heads, heads + count);
      if (here.is_dense)
        hand_on<Offer, true>(here, heads, heads + count);
      else
        hand_on<Offer, false>(here, heads, heads + count);
    });
    if (here.flow.hand_out(m_lost, m_taken)) here.note_credits();
  }

  /// Where only one waits, as it mostly is where little happens.
  template <typename Offer>
  WEFT_INLINE void serve_single(region_t& here, unsigned in, const Offer& offer) {
    head_t head;
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
  std::size_t list_waiting(const region_t& here) {
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
  void find_offers(const region_t& here, const Offer& offer, head_t* heads, std::size_t count) const {
    const view all = m_fifos;
    const std::uint16_t* const waiting = m_waiting.data();
    const lane_id first = here.first << LaneBits;
    for (std::size_t k = 0; k < count; ++k) {
      heads[k].in = waiting[k];
      heads[k].flit = all.front(first + waiting[k]);
    }
    for (head_t* head = heads; head != heads + count; ++head) choose(here, offer, *head);
  }

  /// Offers a head its favourite among the output VCs that are to be had.
  template <typename Offer>
  WEFT_INLINE void choose(const region_t& here, const Offer& offer, head_t& head) const {
    head.offer = static_cast<std::uint16_t>(choose(here, offer(head.in, head.flit), head.in));
  }
  WEFT_INLINE unsigned choose(const region_t& here, const port_vcs& of, unsigned in) const {
    const unsigned favourite = favourite_lane<Lanes>(of.vcs, of.first, value(here.held[in].output) + 1);
    const unsigned out = opaque((in & ~LaneMask) | favourite);
    return of.vcs == 0 ? RegionLanes + of.parks : out;
  }

  void park(region_t& here, const head_t& head) const {
    const unsigned i = head.in >> LaneBits, lane = head.in & LaneMask;
    here.flow.waiting[i].erase(lane);
    here.parked[head.offer - RegionLanes][i].insert(lane);
    here.parking |= std::uint64_t{1} << i;
  }

  /// Every head takes its offer, unless another takes the same one whose turn is before: that is rare.
  void settle_rivalries(region_t& here, head_t* heads, head_t* end) {
    for (head_t* head = heads; head != end; ++head) {
      const unsigned in = head->in, out = head->offer, i = in >> LaneBits, out_lane = out & LaneMask;
      if (out >= RegionLanes) {
        park(here, *head);
        continue;
      }
      if (m_taken[i].contains(out_lane)) {
        head_t* rival = head - 1;
        while (rival->offer != out) --rival;
        const unsigned pointer = value(here.held[out].holder) + 1;
        head_t* const loser = has_turn_before<Lanes>(rival->in, in, pointer) ? head : rival;
        m_lost[i].insert(loser->in & LaneMask);
        loser->offer = Nothing;
      }
      m_taken[i].insert(out_lane);
    }
  }

  /// Heads that take their offers leave their FIFOs for those behind. In two loops, for the second one writes to
  /// addresses that are known late: the loads of the next head would wait for that.
  template <typename Offer, bool IsDense>
  WEFT_INLINE void hand_on(region_t& here, head_t* heads, head_t* end) {
    const view all = m_fifos;
    slot_index* const read = all.read + (here.first << LaneBits);
    const bool uses_up_way = !Offer::IsPlain && m_routes.uses_up_way();
    head_t* going = heads;
    for (head_t* head = heads; head != end; ++head) {
      const unsigned in = head->in, out = head->offer, i = in >> LaneBits, port = out >> m_number.shift();
      if (out >= RegionLanes) continue;
      here.held[in].output = to_byte(out & LaneMask);
      here.held[out].holder = to_byte(in & LaneMask);
      view::pop(read[in]);
      stored_flit flit = head->flit;
      flit.pass_router();
      going->flit = flit;
      all.find_slot(*going, here.heads_to[port] + (out & m_number.stride_mask()),
                    here.flow.settled[i].contains(out & LaneMask), here.newest[out]);
      ++here.sent[port];
      if (IsDense) here.dense.hold(i, in & LaneMask, out & LaneMask);
      if (uses_up_way) use_up_way(flit);
      if (!flit.tail()) begin_long(here, in, port, flit);
      ++going;
    }
    for (const head_t* head = heads; head != going; ++head) view::write(*head);
  }

  /// A packet of several flits gets a VC of a port.
  void begin_long(region_t& here, unsigned in, unsigned port, stored_flit head) {
    const std::uint32_t flits = m_packets[head.packet()].travels;
    here.sent[port] += flits - 1;
    m_long.push({static_cast<std::uint16_t>(in), flits});
  }

  /// The step of a way that led through this router.
  void use_up_way(stored_flit head) {
    std::uint64_t& way = m_packets[head.packet()].way;
    way = source_path::rest(way);
  }

  const vectors m_vectors = best_vectors();
  const numbers m_number;
  const view m_fifos;
  const fabric_parameters& m_fabric;
  const head_routes& m_routes;
  packet_pool& m_packets;
  const bool m_unparks_all;
  // Of the region that is under way.
  alignas(64) sets m_taken{};            ///< output lanes that were got in this cycle
  alignas(64) sets m_lost{};             ///< input lanes that wanted one of those and did not get it
  std::vector<std::uint16_t> m_waiting;  ///< input lanes of the region that ask for an output VC
  std::vector<head_t> m_heads;           ///< theirs
  bounded_list<long_packet> m_long;      ///< packets of several flits that got one
};

}  // namespace weft::engine
