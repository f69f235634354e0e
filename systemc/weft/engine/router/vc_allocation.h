// SPDX-License-Identifier: Apache-2.0
/// VC allocation in a region: waiting heads get output VCs and move to the next FIFOs.
///
/// Steps that read a packet or a route process a list of the input VCs with a waiting head. The loops have no branches
/// that depend on the traffic, because the processor would mispredict them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "weft/core/path_ids.h"
#include "weft/engine/base/bounded_list.h"
#include "weft/engine/base/packet_pool.h"
#include "weft/engine/base/vc_numbering.h"
#include "weft/engine/base/word_vectors.h"
#include "weft/engine/decisions/vc_choice.h"
#include "weft/engine/router/fabric_parameters.h"
#include "weft/engine/router/head_fifos.h"
#include "weft/engine/router/head_routes.h"
#include "weft/engine/router/region.h"
#include "weft/engine/router/vc_flow_state.h"
#include "weft/engine/router/vc_offers.h"

namespace weft::engine {

template <unsigned RouterVcs, int Shift>
class vc_allocation {
 public:
  using numbers = vc_numbering<RouterVcs, Shift>;
  using region_t = region<RouterVcs, Shift>;
  using view = typename head_fifos<RouterVcs, Shift>::view;

  vc_allocation(const fabric_parameters& fabric, numbers number, view fifos, const head_routes& routes,
                packet_pool& packets)
      : m_number(number),
        m_fifos(fifos),
        m_fabric(fabric),
        m_routes(routes),
        m_packets(packets),
        m_unparks_all(fabric.rules.cut_through || routes.adaptive()),
        m_waiting(RegionVcs + SpareRoom),
        m_heads(RegionVcs),
        m_long(RegionVcs) {}

  /// Whether a credit at any port may allow a parked head to continue.
  bool unparks_all() const { return m_unparks_all; }

  /// Whether a flit that leaves may also allow it: a head that compares its direct path with a detour may prefer the
  /// detour, and one that adapts to congestion may prefer another port, once more flits are behind an output.
  bool unparks_in_every_cycle() const {
    const output_choice& choice = m_routes.choice();
    return choice.detours || choice.selection == selection_rule::WhenCongested;
  }

  /// Makes parked heads wait again if an output VC that they request became free.
  [[gnu::noinline]] void unpark(region_t& region) const {
    vc_flow_state<RouterVcs>& flow = region.flow;
    for_each_of(region.freed, [&](unsigned i) {
      const set freed = std::exchange(region.freed_output_vcs[i], set());
      set left{};
      for (unsigned port = 0; port <= m_fabric.ports; ++port) {
        set& parked = region.parked[port][i];
        const bool all = m_unparks_all || port == m_fabric.ports;
        if (all || freed.field(port << m_number.shift(), m_number.stride_set()) != 0)
          flow.waiting[i] = flow.waiting[i] | std::exchange(parked, set());
        left = left | parked;
      }
      if (!left.any()) region.parking &= ~(std::uint64_t{1} << i);
    });
    flow.may_wait |= region.freed;
    region.freed = 0;
  }

  /// Returns the output VC of the region that \p flit in input VC \p in gets if no other head requests it; RegionVcs or
  /// more if it gets none.
  unsigned choose_uncontended(const region_t& region, unsigned in, stored_flit flit) const {
    return choose(region, general_offer<RouterVcs, Shift>(m_fabric, m_number, m_routes, m_packets, region)(in, flit),
                  in);
  }

  /// Updates the state for a packet that went from VC \p in of the region to VC \p out and has left, but was not
  /// simulated.
  static void note_passed(region_t& region, unsigned in, unsigned out) {
    region.held[in].output = to_byte(out & VcIndexMask);
    region.held[out].holder = to_byte(in & VcIndexMask);
  }

  /// Assigns output VCs to waiting heads. A head that finds no free VC parks until one becomes free.
  void allocate(region_t& region) {
    if (region.flow.may_wait != 0) serve_all(region);
  }

 private:
  using set = typename numbers::set;
  using sets = typename numbers::sets;
  using slot_index = typename numbers::slot_index;
  using head_t = requesting_head<slot_index>;
  static constexpr unsigned VcIndexBits = numbers::VcIndexBits, VcIndexMask = numbers::VcIndexMask;
  static constexpr unsigned RegionVcs = numbers::RegionVcs;

  static constexpr std::uint16_t Nothing = 0xffff;  ///< offer to a head whose preferred output VC goes to another head
  static_assert(RegionVcs + MaxPorts < Nothing);

  /// A packet of several flits that has got an output VC.
  struct long_packet {
    std::uint16_t in;  ///< its input VC, as a VC of the region
    std::uint32_t flits;
  };

  [[gnu::noinline]] void serve_all(region_t& region) {
    if (m_routes.plain())
      serve(region, plain_offer<RouterVcs, Shift>(m_number, m_routes, region));
    else
      serve(region, general_offer<RouterVcs, Shift>(m_fabric, m_number, m_routes, m_packets, region));
    for (const long_packet& p : m_long) region.flow.begin_packet(p.in >> VcIndexBits, p.in & VcIndexMask, p.flits);
    m_long.clear();
  }

  template <typename Offer>
  WEFT_INLINE void serve(region_t& region, const Offer& offer) {
    const unsigned first = lowest_of(region.flow.may_wait);
    if (!region.flow.expects_much && has_one_member(region.flow.may_wait) && region.flow.waiting[first].is_single()) {
      region.flow.may_wait = 0;
      if (region.flow.waiting[first].any())
        serve_single(region, first << VcIndexBits | region.flow.waiting[first].lowest(), offer);
      return;
    }
    run_on_bits(m_vectors, [&](auto) {
      const std::size_t count = list_waiting(region);
      head_t* const heads = m_heads.data();
      find_offers(region, offer, heads, count);
      resolve_conflicts(region, heads, heads + count);
      if (region.is_dense)
        forward_heads<Offer, true>(region, heads, heads + count);
      else
        forward_heads<Offer, false>(region, heads, heads + count);
    });
    if (region.flow.grant_outputs(m_losers, m_granted)) region.note_credits();
  }

  /// Assigns an output VC if only one head waits, which is common at low load.
  template <typename Offer>
  WEFT_INLINE void serve_single(region_t& region, unsigned in, const Offer& offer) {
    head_t head;
    head.flit = m_fifos.front((region.first << VcIndexBits) + in);
    head.in = static_cast<std::uint16_t>(in);
    choose(region, offer, head);
    if (head.offer >= RegionVcs) {
      park(region, head);
      return;
    }
    region.flow.grant_outputs(in >> VcIndexBits, in & VcIndexMask, head.offer & VcIndexMask);
    forward_heads<Offer, false>(region, &head, &head + 1);
  }

  /// Lists the input VCs with waiting heads in m_waiting, router by router.
  /// \return their number
  std::size_t list_waiting(const region_t& region) {
    const vc_flow_state<RouterVcs>& flow = region.flow;
    if (region.is_dense) return list_vcs<RouterVcs>(flow.waiting, m_waiting.data(), m_vectors);
    std::uint16_t* end = m_waiting.data();
    for_each_of(flow.may_wait, [&](unsigned i) {
      for_each_vc(flow.waiting[i],
                  [&](unsigned vc_index) { *end++ = static_cast<std::uint16_t>(i << VcIndexBits | vc_index); });
    });
    return static_cast<std::size_t>(end - m_waiting.data());
  }

  /// Finds the heads of the waiting VCs and their offers. The iterations of the first loop are independent of each
  /// other.
  template <typename Offer>
  void find_offers(const region_t& region, const Offer& offer, head_t* heads, std::size_t count) const {
    const view all = m_fifos;
    const std::uint16_t* const waiting = m_waiting.data();
    const vc_id first = region.first << VcIndexBits;
    for (std::size_t k = 0; k < count; ++k) {
      heads[k].in = waiting[k];
      heads[k].flit = all.front(first + waiting[k]);
    }
    for (head_t* head = heads; head != heads + count; ++head) choose(region, offer, *head);
  }

  /// Offers a head its preferred VC among the free output VCs that it may use.
  template <typename Offer>
  WEFT_INLINE void choose(const region_t& region, const Offer& offer, head_t& head) const {
    head.offer = static_cast<std::uint16_t>(choose(region, offer(head.in, head.flit), head.in));
  }
  WEFT_INLINE unsigned choose(const region_t& region, const port_vcs& of, unsigned in) const {
    const unsigned preferred = preferred_vc_index<RouterVcs>(of.vcs, of.first, value(region.held[in].output) + 1);
    const unsigned out = opaque((in & ~VcIndexMask) | preferred);
    return of.vcs == 0 ? RegionVcs + of.parks : out;
  }

  void park(region_t& region, const head_t& head) const {
    const unsigned i = head.in >> VcIndexBits, vc_index = head.in & VcIndexMask;
    region.flow.waiting[i].erase(vc_index);
    region.parked[head.offer - RegionVcs][i].insert(vc_index);
    region.parking |= std::uint64_t{1} << i;
  }

  /// Resolves conflicts, which are rare: another head with the same offer precedes in round-robin order.
  void resolve_conflicts(region_t& region, head_t* heads, head_t* end) {
    for (head_t* head = heads; head != end; ++head) {
      const unsigned in = head->in, out = head->offer, i = in >> VcIndexBits, out_index = out & VcIndexMask;
      if (out >= RegionVcs) {
        park(region, *head);
        continue;
      }
      if (m_granted[i].contains(out_index)) {
        head_t* rival = head - 1;
        while (rival->offer != out) --rival;
        const unsigned pointer = value(region.held[out].holder) + 1;
        head_t* const loser = precedes<RouterVcs>(rival->in, in, pointer) ? head : rival;
        m_losers[i].insert(loser->in & VcIndexMask);
        loser->offer = Nothing;
      }
      m_granted[i].insert(out_index);
    }
  }

  /// Moves the heads that accept their offers to the next FIFOs. There are two loops: the second one writes to
  /// addresses that are known late, and in a single loop the loads of the next head would wait for these writes.
  template <typename Offer, bool IsDense>
  WEFT_INLINE void forward_heads(region_t& region, head_t* heads, head_t* end) {
    const view all = m_fifos;
    slot_index* const read = all.read + (region.first << VcIndexBits);
    const bool consumes_path = !Offer::IsPlain && m_routes.consumes_path();
    head_t* granted_end = heads;
    for (head_t* head = heads; head != end; ++head) {
      const unsigned in = head->in, out = head->offer, i = in >> VcIndexBits, port = out >> m_number.shift();
      if (out >= RegionVcs) continue;
      region.held[in].output = to_byte(out & VcIndexMask);
      region.held[out].holder = to_byte(in & VcIndexMask);
      view::pop(read[in]);
      stored_flit flit = head->flit;
      flit.pass_router();
      granted_end->flit = flit;
      all.find_slot(*granted_end, region.heads_to[port] + (out & m_number.stride_mask()),
                    region.flow.drained[i].contains(out & VcIndexMask), region.newest[out]);
      ++region.sent[port];
      if (IsDense) region.dense.hold(i, in & VcIndexMask, out & VcIndexMask);
      if (consumes_path) consume_path_step(flit);
      if (!flit.tail()) begin_long(region, in, port, flit);
      ++granted_end;
    }
    for (const head_t* head = heads; head != granted_end; ++head) view::write(*head);
  }

  /// Records that a packet of several flits gets a VC of \p port.
  void begin_long(region_t& region, unsigned in, unsigned port, stored_flit head) {
    const std::uint32_t flits = m_packets[head.packet()].travels;
    region.sent[port] += flits - 1;
    m_long.push({static_cast<std::uint16_t>(in), flits});
  }

  /// Removes the first step, which led through this router, from the path of a packet with source routing.
  void consume_path_step(stored_flit head) {
    std::uint64_t& path_id = m_packets[head.packet()].path_id;
    path_id = source_path::advance(path_id);
  }

  const vectors m_vectors = best_vectors();
  const numbers m_number;
  const view m_fifos;
  const fabric_parameters& m_fabric;
  const head_routes& m_routes;
  packet_pool& m_packets;
  const bool m_unparks_all;
  // These members belong to the current region
  alignas(64) sets m_granted{};          ///< output VCs assigned in this cycle
  alignas(64) sets m_losers{};           ///< input VCs that requested one of these VCs and did not get it
  std::vector<std::uint16_t> m_waiting;  ///< input VCs of the region that request an output VC
  std::vector<head_t> m_heads;           ///< the heads at these VCs
  bounded_list<long_packet> m_long;      ///< packets of several flits that got an output VC
};

}  // namespace weft::engine
