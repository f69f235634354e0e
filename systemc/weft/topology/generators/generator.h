// SPDX-License-Identifier: Apache-2.0
/// Helpers that the network generators share.
#pragma once

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "weft/topology/generators/topology_kind.h"
#include "weft/topology/options.h"
#include "weft/topology/topology.h"

namespace weft::generator_detail {

inline constexpr std::uint64_t MaxNodes = std::uint64_t{1} << 20;    ///< most nodes that a generator makes
inline constexpr std::uint64_t MaxRouters = std::uint64_t{1} << 20;  ///< most routers that a generator makes

template <class... Arguments>
[[noreturn]] void reject(fmt::format_string<Arguments...> text, Arguments&&... arguments) {
  throw std::invalid_argument("topology: " + fmt::format(text, std::forward<Arguments>(arguments)...));
}

/// Rejects invalid options.
/// \param needed minimum number of VCs of the routing with the name \p routing
inline void check_options(const network_options& o, unsigned needed = 1, const char* routing = "") {
  if (o.link_cycles == 0) reject("link_cycles is 0; a channel takes at least 1 cycle");
  if (o.node_cycles == 0) reject("node_cycles is 0; a channel takes at least 1 cycle");
  if (o.vcs == 0 || o.vcs > MaxVcs) reject("vcs is {}; give 1 to {}", o.vcs, MaxVcs);
  if (o.vcs < needed) reject("vcs is {}; {} needs at least {}", o.vcs, routing, needed);
}

inline void check_nic_ports(const network_options& o) {
  if (o.nic_ports == 0) reject("nic.ports is 0; give at least 1");
}

/// Checks \p nodes, the number of nodes at each router.
inline void check_nodes(std::uint32_t nodes) {
  if (nodes == 0) reject("routers have 0 nodes; give at least 1");
}

/// Rejects networks whose routers would have too many ports: \p others ports to routers plus those to nodes.
/// \param lower further parameters that the message names as remedies, such as "order, "
/// \param whose the routers with so many ports
inline void check_ports(std::uint64_t others, std::uint64_t nodes, const network_options& options,
                        const char* lower = "", const char* whose = "routers") {
  const std::uint64_t local = nodes * options.nic_ports;
  if (others + local <= MaxPorts) return;
  reject(
      "{} have {} ports, {} to other routers and {} to nodes, and may have at most {}; lower {}nodes_per_router or "
      "nic.ports",
      whose, others + local, others, local, MaxPorts, lower);
}

/// Checks a list of routers in the key \p key: each is below \p count, the number of routers of \p whole, and none is
/// given twice.
inline void check_routers(std::vector<std::uint32_t> routers, const char* key, const char* whole, std::uint32_t count) {
  std::sort(routers.begin(), routers.end());
  if (!routers.empty() && routers.back() >= count)
    reject("{} has {}; {} has routers 0 to {}", key, routers.back(), whole, count - 1);
  if (const auto twice = std::adjacent_find(routers.begin(), routers.end()); twice != routers.end())
    reject("{} has {} twice; give each router once", key, *twice);
}

/// Sets the phits of the channels for which \p applies returns true.
/// \param width bits of these channels, from the key \p key; 0: their phits remain
template <class Applies>
void set_width(const network_plan& plan, topology& t, std::uint32_t width, const char* key, Applies applies) {
  if (width == 0) return;
  if (plan.flit_bits % width != 0 || plan.flit_bits / width > MaxPhits)
    reject("{} is {}; give a divisor of {}, the payload bits of a flit, that is at least {}", key, width,
           plan.flit_bits, (plan.flit_bits + MaxPhits - 1) / MaxPhits);
  for (channel& c : t.channels)
    if (applies(c)) c.phits = plan.flit_bits / width;
}

/// Adds the channels that leave router \p r: one to each of its neighbors, in the order of ports. The lists of
/// \p neighbours are sorted, and every channel has one back.
inline void connect(topology& t, router_id r, const std::vector<std::vector<router_id>>& neighbours, unsigned cycles) {
  for (std::uint32_t port = 0; port < neighbours[r].size(); ++port) {
    const router_id other = neighbours[r][port];
    const auto& theirs = neighbours[other];
    const auto back = static_cast<std::uint32_t>(std::lower_bound(theirs.begin(), theirs.end(), r) - theirs.begin());
    t.channels.push_back({{r, port}, {other, back}, cycles});
  }
}

/// Appends the names of \p count ports that lead to nodes.
inline void name_local_ports(std::vector<std::string>& names, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) names.push_back(count == 1 ? "local" : fmt::format("local{}", i));
}

/// Attaches the next \p count nodes to \p router. Their ports start at port \p first.
inline void attach_nodes(topology& t, router_id router, std::uint32_t first, unsigned count, const network_options& o) {
  for (unsigned n = 0; n < count; ++n) {
    node_attachment node{{}, o.node_cycles, {}};
    for (std::uint32_t i = 0; i < o.nic_ports; ++i) node.ports.push_back({router, first++});
    t.nodes.push_back(std::move(node));
  }
}

/// Attaches the next \p count nodes to \p router and appends their ports to \p info. Returns the first of these ports.
inline std::uint32_t attach_nodes(topology& t, router_id router, router_info& info, unsigned count,
                                  const network_options& o) {
  const auto first = static_cast<std::uint32_t>(info.port_names.size());
  name_local_ports(info.port_names, std::size_t{count} * o.nic_ports);
  info.ports = static_cast<unsigned>(info.port_names.size());
  attach_nodes(t, router, first, count, o);
  return first;
}

// Keys that several topologies share.

inline topology_key shape_key() {
  return {"shape", list_option<topology_options>{&topology_options::shape, 1, 1U << 20, 1, grid_rule::MaxDimensions},
          "routers",
          "Number of routers in each dimension, x first. For example, `[8, 8]` is a grid of 8 by 8 routers. Router (x, "
          "y, …) has the number x + y · side x + …."};
}

inline topology_key direction_key() {
  return {"direction",
          choice_of<topology_options, ring_direction, &topology_options::direction>(
              {{"two_way", ring_direction::TwoWay}, {"one_way", ring_direction::OneWay}}),
          "",
          "Direction of the channels in rings: to both neighbors (`two_way`), or only to the next router (`one_way`)."};
}

/// The key \p name, for the width of \p which links.
inline topology_key width_key(std::string name, std::uint32_t topology_options::*field, const std::string& which) {
  return {
      std::move(name), integer_option<topology_options, std::uint32_t>{field, 0, 256}, "bits",
      fmt::format("Width of {}, in bits of payload; `0`: that of other links. It must divide `flit.payload_bits`, as "
                  "`network.link.width` must.",
                  which)};
}

inline topology_key nodes_per_router_key() {
  return {"nodes_per_router",
          integer_option<topology_options, std::uint32_t>{&topology_options::nodes_per_router, 1, MaxPorts}, "",
          "Number of nodes at each router (concentration). Each node has its own NIC. Node n is at router n / "
          "`nodes_per_router`, rounded down."};
}

/// The product of \p count and all \p factors. If the product is far too large, the result is another number that is
/// too large.
inline std::uint64_t product(std::uint64_t count, const std::vector<std::uint32_t>& factors) {
  for (const std::uint32_t factor : factors)
    if (count <= std::uint64_t{1} << 32) count *= factor;
  return count;
}

}  // namespace weft::generator_detail
