// SPDX-License-Identifier: Apache-2.0
/// Packets that cross a mesh alone by dimension order, run by run.
///
/// A run is what a packet passes straight on: routers that it leaves by one port. The coordinates of both ends say
/// which port that is and how many routers there are. So in a router no route is worked out and no channel looked up,
/// and what a run adds to the counts of its routers' ports is noted at its two ends.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "weft/core/grid_routing.h"
#include "weft/core/types.h"
#include "weft/engine/base/huge_pages.h"
#include "weft/engine/base/lane_numbers.h"
#include "weft/engine/base/nic_port.h"
#include "weft/engine/decisions/packed_dimension_order.h"
#include "weft/engine/decisions/vc_choice.h"
#include "weft/engine/router/head_routes.h"
#include "weft/engine/router/nic_border.h"
#include "weft/engine/router/region.h"
#include "weft/engine/router/vc_allocation.h"
#include "weft/topology/topology.h"

namespace weft::engine {

template <unsigned Lanes, int Shift>
class straight_runs {
 public:
  using numbers = lane_numbers<Lanes, Shift>;
  using region_t = region<Lanes, Shift>;

  straight_runs(const topology& graph, numbers number, const head_routes& routes,
                const nic_border<Lanes, Shift>& border, large_array<region_t>& regions)
      : m_number(number), m_routes(routes), m_border(border), m_regions(regions) {
    if (!routes.plain() || !is_whole_mesh(graph)) return;
    m_rule = *graph.routing.front().as<grid_rule>();
    m_ports = 2 * m_rule.dimensions + 1;
    m_changes.resize(graph.routers.size() * m_ports);
  }

  /// Where routes are plain, routers are numbered by their coordinates, and no channel of the mesh is missing.
  bool fit() const { return !m_changes.empty(); }

  /// A packet of so many flits goes from \p nic to \p destination and leaves its traces, of which for_each_count()
  /// tells the flits. Where they fit, and all regions have the sparse switch.
  /// \return the VC on which it reaches a NIC
  nic_port_vc pass(nic_port_vc nic, node_id destination, std::uint32_t flits) {
    const packed_dimension_order& order = m_routes.order();
    const lane_id inlet = m_border.inlet_of(nic.port());
    place at{inlet >> LaneBits, inlet & LaneMask, nic.vc()};
    const std::uint64_t here = m_routes.router_at()[at.router], there = m_routes.node_at()[destination];
    for (unsigned i = 0; i < m_rule.dimensions; ++i) {
      const int way = order.distance(here, there, i);
      if (way == 0) continue;
      const bool down = way < 0;
      const unsigned d = m_rule.order[i], port = 2 * d + down, hops = static_cast<unsigned>(down ? -way : way);
      changes(at.router, port) += flits;
      go(at, port, hops, down ? -m_rule.stride[d] : m_rule.stride[d]);
      changes(at.router, port) -= flits;
      m_hops += std::uint64_t{flits} * hops;
    }
    const router_id last = at.router;
    const unsigned local = m_ports - 1;
    changes(last, local) += flits;
    go(at, local, 1, 0);
    m_hops += flits;
    return m_border.nic_at(m_number.first_lane(last, local) + at.vc);
  }

  /// Calls \p f(router, output port, flits) for all ports by which these packets may have left.
  template <typename F>
  void for_each_count(F f) const {
    const std::size_t routers = m_ports == 0 ? 0 : m_changes.size() / m_ports;
    std::vector<std::uint64_t> sent(routers);
    for (unsigned port = 0; port < m_ports; ++port) {
      const unsigned d = port / 2;
      const bool down = port % 2 != 0, is_local = port + 1 == m_ports;
      for (std::size_t k = 0; k < routers; ++k) {
        const std::size_t r = down ? routers - 1 - k : k;
        sent[r] = m_changes[r * m_ports + port];
        if (!is_local && has_one_before(r, d, down))
          sent[r] += sent[down ? r + m_rule.stride[d] : r - m_rule.stride[d]];
        f(static_cast<router_id>(r), port, sent[r]);
      }
    }
  }

  /// Flits that crossed a router.
  std::uint64_t hops() const { return m_hops; }

 private:
  static constexpr unsigned LaneBits = numbers::LaneBits, LaneMask = numbers::LaneMask;

  /// Where the packet comes into a router.
  struct place {
    router_id router;
    unsigned first;  ///< lane of the port
    unsigned vc;
  };

  /// Through so many routers, of which it leaves each by \p port and the next has a number \p step above. Which VC it
  /// takes depends on the one before; where the next routers' state lies does not, so that is fetched meanwhile.
  void go(place& at, unsigned port, unsigned routers, std::uint32_t step) {
    const unsigned shift = m_number.shift(), out_first = port << shift;
    const vc_set vcs = m_rule.vcs;
    auto [router, first, vc] = at;
    for (; routers != 0; --routers) {
      region_t& here = m_regions[router / RegionRouters];
      const unsigned base = router % RegionRouters << LaneBits, in_port = first >> shift;
      held_lanes* const held = &here.held[base];
      auto* const pointers = &here.pointers.at[base >> shift];
      __builtin_prefetch(held, 1);
      __builtin_prefetch(pointers, 1);
      const unsigned in = first + vc, out = favourite_lane<Lanes>(vcs, out_first, value(held[in].output) + 1);
      held[in].output = to_byte(out);
      held[out].holder = to_byte(in);
      pointers[in_port].lane_of_input = to_byte(in + 1);
      pointers[in_port].output_of_input = to_byte(port + 1);
      pointers[port].input_of_output = to_byte(in_port + 1);
      router += step;
      first = (port ^ 1) << shift;
      vc = out & m_number.stride_mask();
    }
    at = {router, first, vc};
  }

  /// So many more flits leave the router by the port than come into it straight from the one before.
  std::uint64_t& changes(router_id router, unsigned port) { return m_changes[std::size_t{router} * m_ports + port]; }

  bool has_one_before(std::size_t router, unsigned d, bool down) const {
    const std::uint32_t at = static_cast<std::uint32_t>(router) / m_rule.stride[d] % m_rule.size[d];
    return down ? at + 1 < m_rule.size[d] : at > 0;
  }

  /// All of whose routers have a rule of a grid without rings.
  static bool is_whole_mesh(const topology& graph) {
    const grid_rule& rule = *graph.routing.front().as<grid_rule>();
    std::size_t routers = 1, channels = 0;
    for (unsigned d = 0; d < rule.dimensions; ++d) routers *= rule.size[d];
    for (unsigned d = 0; d < rule.dimensions; ++d) channels += routers / rule.size[d] * (rule.size[d] - 1) * 2;
    if (graph.routers.size() != routers || graph.channels.size() != channels) return false;
    for (router_id r = 0; r < routers; ++r)
      if (graph.routing[r].as<grid_rule>()->here != rule.position_of(r).at) return false;
    for (node_id n = 0; n < graph.nodes.size(); ++n)
      if (graph.nodes[n].ports != std::vector<port_ref>{{n, 2 * rule.dimensions}}) return false;
    for (const channel& c : graph.channels) {
      const unsigned d = c.from.port / 2;
      if (d >= rule.dimensions || c.to.port != (c.from.port ^ 1)) return false;
      if (c.to.router != c.from.router + (c.from.port % 2 == 0 ? rule.stride[d] : -rule.stride[d])) return false;
    }
    return true;
  }

  const numbers m_number;
  const head_routes& m_routes;
  const nic_border<Lanes, Shift>& m_border;
  large_array<region_t>& m_regions;
  grid_rule m_rule;                      ///< of any router
  unsigned m_ports = 0;                  ///< of a router; the last one leads to its node
  std::vector<std::uint64_t> m_changes;  ///< by router and port, see changes(); empty: they do not fit
  std::uint64_t m_hops = 0;
};

}  // namespace weft::engine
