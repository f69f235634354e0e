// SPDX-License-Identifier: Apache-2.0
/// What heads that ask for an output VC are offered: a port, and the VCs of it that are to be had.
#pragma once

#include <algorithm>
#include <cstdint>

#include "weft/core/allocation.h"
#include "weft/core/route.h"
#include "weft/engine/base/lane_numbers.h"
#include "weft/engine/base/packet_pool.h"
#include "weft/engine/router/fabric_parameters.h"
#include "weft/engine/router/head_routes.h"
#include "weft/engine/router/region.h"

namespace weft::engine {

/// The first lane of an output port, and VCs of that port.
struct port_vcs {
  unsigned first;
  vc_set vcs;
  unsigned
      parks;  ///< where a head that finds no VC waits until one comes free: at this port, or behind the last one at any
};

/// The offer for any routes and parameters.
template <unsigned Lanes, int Shift>
class general_offer {
 public:
  using numbers = lane_numbers<Lanes, Shift>;
  static constexpr bool IsPlain = false;

  general_offer(const fabric_parameters& fabric, numbers number, const head_routes& routes, const packet_pool& packets,
                const region<Lanes, Shift>& here)
      : m_fabric(fabric), m_number(number), m_routes(routes), m_packets(packets), m_here(here) {}

  /// \param in   the input lane of the region at the front of which the head stands
  port_vcs operator()(unsigned in, stored_flit head) const {
    const unsigned i = in >> numbers::LaneBits, lane = in & numbers::LaneMask;
    const unsigned in_port = lane >> m_number.shift(), in_vc = lane & m_number.stride_mask();
    const route asked = m_routes.of(head, m_here.first + i, in_port, in_vc);
    const vc_set sure = free_vcs(i, head, asked.port, asked.vcs, false);
    if (!m_routes.adaptive()) return {first_of(asked.port), sure, asked.port};
    route_offers offers;
    offers.sure = sure;
    for_each_member(asked.choices, [&](unsigned port) {
      offers.choice_vcs[port] = free_vcs(i, head, port, asked.choice_vcs, asked.vcs != 0);
      offers.credits[port] = 0;
      for (unsigned vc = 0; vc < m_fabric.vcs; ++vc) offers.credits[port] += credits(i, first_of(port) + vc);
    });
    const route taken = take_up(asked, m_fabric.ports, in_port + in_vc, m_fabric.depth, offers);
    return {first_of(taken.port), taken.vcs, m_fabric.ports};
  }

 private:
  unsigned first_of(unsigned port) const { return port << m_number.shift(); }

  /// Of \p vcs, VCs of a port, those that no lane holds and that have room: under virtual cut-through for the packet;
  /// else, where it must be \p whole, for the packet or all there is.
  vc_set free_vcs(unsigned i, stored_flit head, unsigned port, vc_set vcs, bool whole) const {
    vcs = m_here.flow.free[i].field(first_of(port), vcs);
    if (m_fabric.cut_through || whole) {
      const std::uint32_t packet = m_packets[head.packet()].travels;
      const std::uint32_t flits = m_fabric.cut_through ? packet : std::min(packet, m_fabric.depth);
      for_each_member(vcs, [&](unsigned vc) {
        if (credits(i, first_of(port) + vc) < flits) vcs &= ~(vc_set{1} << vc);
      });
    }
    return vcs;
  }

  /// Flits for which there is room behind an output lane.
  unsigned credits(unsigned i, unsigned lane) const {
    constexpr unsigned Plenty = 0xffff;  // the receiver takes everything
    return m_here.flow.counted[i].contains(lane) ? m_here.flow.credits_of(i, lane) : Plenty;
  }

  const fabric_parameters& m_fabric;
  const numbers m_number;
  const head_routes& m_routes;
  const packet_pool& m_packets;
  const region<Lanes, Shift>& m_here;
};

/// The same where the routes are plain.
template <unsigned Lanes, int Shift>
class plain_offer {
 public:
  using numbers = lane_numbers<Lanes, Shift>;
  static constexpr bool IsPlain = true;

  plain_offer(numbers number, const head_routes& routes, const region<Lanes, Shift>& here)
      : m_number(number),
        m_order(routes.order()),
        m_router_at(routes.router_at() + here.first),
        m_node_at(routes.node_at()),
        m_free(here.flow.free.data()) {}

  port_vcs operator()(unsigned in, stored_flit head) const {
    const unsigned i = in >> numbers::LaneBits;
    const unsigned port = m_order.port_towards(m_router_at[i], m_node_at[head.destination()]);
    const unsigned first = port << m_number.shift();
    return {first, m_free[i].field(first, m_order.vcs()), port};
  }

 private:
  const numbers m_number;
  const packed_dimension_order m_order;
  const std::uint64_t* const m_router_at;
  const std::uint64_t* const m_node_at;
  const lane_set<Lanes>* const m_free;
};

}  // namespace weft::engine
