// SPDX-License-Identifier: Apache-2.0
/// Computes the offers to heads that request an output VC. An offer is a port and its free VCs.
#pragma once

#include <algorithm>
#include <cstdint>

#include "weft/core/members.h"
#include "weft/core/route.h"
#include "weft/engine/base/packet_pool.h"
#include "weft/engine/base/vc_numbering.h"
#include "weft/engine/router/fabric_parameters.h"
#include "weft/engine/router/head_routes.h"
#include "weft/engine/router/region.h"
#include "weft/router/output_selection.h"

namespace weft::engine {

/// An output port, given by its VC 0, and VCs of this port.
struct port_vcs {
  unsigned first;
  vc_set vcs;
  unsigned
      parks;  ///< list in which a head without a VC waits: that of this port, or the last list, which stands for any
              ///< port
};

/// Computes offers for any routes and parameters.
template <unsigned RouterVcs, int Shift>
class general_offer {
 public:
  using numbers = vc_numbering<RouterVcs, Shift>;
  static constexpr bool IsPlain = false;

  general_offer(const fabric_parameters& fabric, numbers number, const head_routes& routes, const packet_pool& packets,
                const region<RouterVcs, Shift>& of)
      : m_fabric(fabric), m_number(number), m_routes(routes), m_packets(packets), m_region(of) {}

  /// Returns the offer to \p head.
  /// \param in input VC of the region, whose first head is \p head
  port_vcs operator()(unsigned in, stored_flit head) const {
    const unsigned i = in >> numbers::VcIndexBits, vc_index = in & numbers::VcIndexMask;
    const unsigned in_port = vc_index >> m_number.shift(), in_vc = vc_index & m_number.stride_mask();
    const route requested = m_routes.of(head, m_region.first + i, in_port, in_vc);
    const vc_set sure = free_vcs(i, head, requested.port, requested.vcs, false);
    if (!m_routes.adaptive()) return {first_of(requested.port), sure, requested.port};
    const route selected = select(i, head, requested, sure, in_port, in_vc);
    return {first_of(selected.port), selected.vcs, m_fabric.ports};
  }

 private:
  /// Selects one of the possible outputs of \p head. \param sure the free VCs of its sure offer
  route select(unsigned i, stored_flit head, const route& requested, vc_set sure, unsigned in_port,
               unsigned in_vc) const {
    const output_choice& choice = m_routes.choice();
    const bool whole = must_fit(choice, requested);
    const vc_set counted = counted_vcs(choice, requested, first_vcs(m_fabric.vcs));
    route_offers offers;
    offers.sure = sure;
    for_each_member(requested.choices, [&](unsigned port) {
      offers.choice_vcs[port] = free_vcs(i, head, port, requested.choice_vcs, whole);
      offers.credits[port] = credits_of(i, port, counted);
    });
    if (!choice.detours) {
      if (m_routes.is_node_port(m_region.first + i, in_port))
        leave_channel_to_network(requested, m_fabric.ports, offers);
      route best = select_output(choice, requested, m_fabric.ports, in_port + in_vc, m_fabric.depth,
                                 m_fabric.depth * m_fabric.vcs, offers);
      std::uint16_t of_vcs[MaxVcs];
      for (unsigned vc = 0; vc < m_fabric.vcs; ++vc)
        of_vcs[vc] = static_cast<std::uint16_t>(credits(i, first_of(best.port) + vc));
      best.vcs = emptiest_vcs(best.vcs, of_vcs, m_fabric.vcs);
      return best;
    }
    offers.sure_credits = credits_of(i, requested.port, requested.vcs);
    return select_detour(requested, choice.threshold, m_fabric.depth, offers);
  }

  unsigned first_of(unsigned port) const { return port << m_number.shift(); }

  /// Returns those of \p vcs, VCs of \p port, that no input VC holds and that have needed_credits().
  vc_set free_vcs(unsigned i, stored_flit head, unsigned port, vc_set vcs, bool whole) const {
    vcs = m_region.flow.free[i].field(first_of(port), vcs);
    if (m_fabric.rules.cut_through || whole) {
      const std::uint32_t flits =
          needed_credits(m_fabric.rules, whole, m_packets[head.packet()].travels, m_fabric.depth);
      for_each_member(vcs, [&](unsigned vc) {
        if (credits(i, first_of(port) + vc) < flits) vcs &= ~(vc_set{1} << vc);
      });
    }
    return vcs;
  }

  /// Number of free flits in the buffer behind an output VC.
  unsigned credits(unsigned i, unsigned vc_index) const {
    return m_region.flow.counted[i].contains(vc_index) ? m_region.flow.credits_of(i, vc_index) : PlentyOfCredits;
  }

  /// Number of free flits in the buffers behind \p vcs, VCs of an output port.
  std::uint32_t credits_of(unsigned i, unsigned port, vc_set vcs) const {
    std::uint32_t sum = 0;
    for_each_member(vcs, [&](unsigned vc) { sum += credits(i, first_of(port) + vc); });
    return sum;
  }

  const fabric_parameters& m_fabric;
  const numbers m_number;
  const head_routes& m_routes;
  const packet_pool& m_packets;
  const region<RouterVcs, Shift>& m_region;
};

/// Computes the same offers faster if routes are plain().
template <unsigned RouterVcs, int Shift>
class plain_offer {
 public:
  using numbers = vc_numbering<RouterVcs, Shift>;
  static constexpr bool IsPlain = true;

  plain_offer(numbers number, const head_routes& routes, const region<RouterVcs, Shift>& of)
      : m_number(number),
        m_order(routes.order()),
        m_router_at(routes.router_at() + of.first),
        m_node_at(routes.node_at()),
        m_free(of.flow.free.data()) {}

  port_vcs operator()(unsigned in, stored_flit head) const {
    const unsigned i = in >> numbers::VcIndexBits;
    const unsigned port = m_order.port_towards(m_router_at[i], m_node_at[head.destination()]);
    const unsigned first = port << m_number.shift();
    return {first, m_free[i].field(first, m_order.vcs()), port};
  }

 private:
  const numbers m_number;
  const packed_dimension_order m_order;
  const std::uint64_t* const m_router_at;
  const std::uint64_t* const m_node_at;
  const router_vc_set<RouterVcs>* const m_free;
};

}  // namespace weft::engine
