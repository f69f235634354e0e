// SPDX-License-Identifier: Apache-2.0
/// Fast path for isolated packets in a mesh with dimension-order routing.
///
/// A run is a sequence of routers that a packet leaves through the same port. The coordinates of source and destination
/// determine the port of each run and the number of its routers. So no route has to be computed and no channel has to
/// be looked up, and the flits of a run are counted only at its two ends.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "weft/core/grid_routing.h"
#include "weft/core/types.h"
#include "weft/engine/base/huge_pages.h"
#include "weft/engine/base/nic_port.h"
#include "weft/engine/base/vc_numbering.h"
#include "weft/engine/decisions/packed_dimension_order.h"
#include "weft/engine/decisions/vc_choice.h"
#include "weft/engine/router/head_routes.h"
#include "weft/engine/router/nic_border.h"
#include "weft/engine/router/region.h"
#include "weft/engine/router/vc_allocation.h"
#include "weft/topology/topology.h"

namespace weft::engine {

template <unsigned RouterVcs, int Shift>
class mesh_fast_path {
 public:
  using numbers = vc_numbering<RouterVcs, Shift>;
  using region_t = region<RouterVcs, Shift>;

  mesh_fast_path(const topology& graph, numbers number, const head_routes& routes,
                 const nic_border<RouterVcs, Shift>& border, large_array<region_t>& regions)
      : m_number(number), m_routes(routes), m_border(border), m_regions(regions) {
    if (!routes.plain() || !is_whole_mesh(graph)) return;
    m_rule = *graph.routing.front().as<grid_rule>();
    m_ports = 2 * m_rule.dimensions + 1;
    m_changes.resize(graph.routers.size() * m_ports);
  }

  /// Whether the fast path can be used: routes are plain(), routers are numbered by coordinates, and the mesh is
  /// complete.
  bool fit() const { return !m_changes.empty(); }

  /// Sends a packet of \p flits flits from \p nic to \p destination: updates pointers and counters. for_each_count()
  /// reports the flits. Requires fit(), and that all regions use sparse_switch.
  /// \return the VC on which the packet reaches a NIC
  nic_port_vc pass(nic_port_vc nic, node_id destination, std::uint32_t flits) {
    const packed_dimension_order& order = m_routes.order();
    const vc_id inlet = m_border.inlet_of(nic.port());
    place at{inlet >> VcIndexBits, inlet & VcIndexMask, nic.vc()};
    const std::uint64_t here = m_routes.router_at()[at.router], there = m_routes.node_at()[destination];
    for (unsigned i = 0; i < m_rule.dimensions; ++i) {
      const int offset = order.distance(here, there, i);
      if (offset == 0) continue;
      const bool down = offset < 0;
      const unsigned d = m_rule.order[i], port = 2 * d + down, hops = static_cast<unsigned>(down ? -offset : offset);
      changes(at.router, port) += flits;
      traverse(at, port, hops, down ? -m_rule.stride[d] : m_rule.stride[d]);
      changes(at.router, port) -= flits;
      m_hops += std::uint64_t{flits} * hops;
    }
    const router_id last = at.router;
    const unsigned local = m_ports - 1;
    changes(last, local) += flits;
    traverse(at, local, 1, 0);
    m_hops += flits;
    return m_border.nic_at(m_number.first_vc_id(last, local) + at.vc);
  }

  /// Calls \p f(router, output port, flits) for all ports through which packets of pass() may have left.
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

  /// Number of switch grants to flits, summed over all routers.
  std::uint64_t hops() const { return m_hops; }

 private:
  static constexpr unsigned VcIndexBits = numbers::VcIndexBits, VcIndexMask = numbers::VcIndexMask;

  /// The input VC at which the packet enters a router.
  struct place {
    router_id router;
    unsigned first;  ///< VC index of VC 0 of the input port
    unsigned vc;
  };

  /// Passes \p routers routers and leaves each of them through \p port. The number of the next router is larger by \p
  /// step. The VC in a router depends on the VC in the previous router, but the addresses of the routers' state do not.
  /// The state of the next routers is therefore prefetched.
  void traverse(place& at, unsigned port, unsigned routers, std::uint32_t step) {
    const unsigned shift = m_number.shift(), out_first = port << shift;
    const vc_set vcs = m_rule.vcs;
    auto [router, first, vc] = at;
    for (; routers != 0; --routers) {
      region_t& here = m_regions[router / RegionRouters];
      const unsigned base = router % RegionRouters << VcIndexBits, in_port = first >> shift;
      vc_ownership* const held = &here.held[base];
      auto* const pointers = &here.pointers.at[base >> shift];
      __builtin_prefetch(held, 1);
      __builtin_prefetch(pointers, 1);
      const unsigned in = first + vc, out = preferred_vc_index<RouterVcs>(vcs, out_first, value(held[in].output) + 1);
      held[in].output = to_byte(out);
      held[out].holder = to_byte(in);
      pointers[in_port].vc_of_input_port = to_byte(in + 1);
      pointers[in_port].output_of_input = to_byte(port + 1);
      pointers[port].input_of_output = to_byte(in_port + 1);
      router += step;
      first = (port ^ 1) << shift;
      vc = out & m_number.stride_mask();
    }
    at = {router, first, vc};
  }

  /// The number of flits that leave the router through the port, minus the number that arrive from the previous router
  /// in the same direction.
  std::uint64_t& changes(router_id router, unsigned port) { return m_changes[std::size_t{router} * m_ports + port]; }

  bool has_one_before(std::size_t router, unsigned d, bool down) const {
    const std::uint32_t at = static_cast<std::uint32_t>(router) / m_rule.stride[d] % m_rule.size[d];
    return down ? at + 1 < m_rule.size[d] : at > 0;
  }

  /// Whether the network is a complete mesh. Requires that all routers have a grid rule without rings.
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
  const nic_border<RouterVcs, Shift>& m_border;
  large_array<region_t>& m_regions;
  grid_rule m_rule;                      ///< the rule of any router
  unsigned m_ports = 0;                  ///< number of ports of a router; the last port leads to its node
  std::vector<std::uint64_t> m_changes;  ///< by router and port, see changes(); empty if the fast path cannot be used
  std::uint64_t m_hops = 0;
};

}  // namespace weft::engine
