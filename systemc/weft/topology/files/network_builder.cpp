// SPDX-License-Identifier: Apache-2.0
#include "weft/topology/files/network_builder.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "weft/core/printable.h"
#include "weft/topology/names.h"

namespace weft {

void expect_filled(const std::vector<std::uint32_t>& shape, std::size_t routers) {
  if (shape.empty()) return;
  std::size_t places = 1;
  for (const std::uint32_t side : shape) places = std::min<std::size_t>(places * side, routers + 1);
  if (places != routers)
    throw std::invalid_argument(
        fmt::format("shape: {} has {} than the network, which has {}; give sides whose product is the number of "
                    "routers, or leave shape out",
                    fmt::join(shape, "x"), places < routers ? "fewer routers" : "more routers", routers));
}

router_id network_builder::add_router(std::string name, std::vector<std::string> ports,
                                      std::vector<std::uint32_t> coordinates) {
  const auto number = static_cast<router_id>(m_network.routers.size());
  const std::string shown =
      name.empty() ? fmt::format("router {}", number) : fmt::format("router {} ({})", number, abridged(name));
  if (ports.size() > MaxPorts)
    throw std::invalid_argument(fmt::format("{} has {} ports; give at most {}", shown, ports.size(), MaxPorts));
  for (std::size_t i = 0; i < ports.size(); ++i)
    if (std::find(ports.begin(), ports.begin() + static_cast<std::ptrdiff_t>(i), ports[i]) !=
        ports.begin() + static_cast<std::ptrdiff_t>(i))
      throw std::invalid_argument(
          fmt::format("{} has two ports {}; give each port its own name", shown, in_quotes(ports[i])));
  m_use.push_back({!ports.empty(), std::vector<port_use>(ports.size())});
  router_info router;
  router.ports = static_cast<unsigned>(ports.size());
  router.port_names = std::move(ports);
  router.coordinates = std::move(coordinates);
  router.name = std::move(name);
  m_network.routers.push_back(std::move(router));
  return number;
}

std::string network_builder::name_of(router_id router) const { return router_name(m_network, router); }

std::string network_builder::label(router_id router) const {
  const std::string& name = m_network.routers[router].name;
  return name.empty() ? fmt::format("r{}", router) : name;
}

std::uint32_t network_builder::new_port(router_id router, const std::string& name) {
  router_info& r = m_network.routers[router];
  if (r.ports == MaxPorts) {
    throw std::invalid_argument(
        fmt::format("{} has more than {} links and nodes, but a router has at most {} ports; remove some",
                    name_of(router), MaxPorts, MaxPorts));
  }
  r.port_names.push_back(name);
  m_use[router].ports.emplace_back();
  return r.ports++;
}

std::optional<std::uint32_t> network_builder::port_named(router_id router, const std::string& name) {
  const std::vector<std::string>& names = m_network.routers[router].port_names;
  const auto found = std::find(names.begin(), names.end(), name);
  if (found != names.end()) return static_cast<std::uint32_t>(found - names.begin());
  if (m_use[router].listed) return std::nullopt;
  return new_port(router, name);
}

void network_builder::reserve(const end& e) {
  if (e.port) m_use[e.router].ports[*e.port].reserved = true;
}

port_ref network_builder::occupy(const end& e, bool out, bool in, const std::string& name, const std::string& what) {
  router_use& use = m_use[e.router];
  const auto is_free = [&](const port_use& p) { return (!out || p.out.empty()) && (!in || p.in.empty()); };
  std::optional<std::uint32_t> port = e.port;
  if (!port && use.listed) {
    const auto found =
        std::find_if(use.ports.begin(), use.ports.end(), [&](const port_use& p) { return !p.reserved && is_free(p); });
    if (found == use.ports.end())
      throw std::invalid_argument(fmt::format("{} has no free port left; list more ports", name_of(e.router)));
    port = static_cast<std::uint32_t>(found - use.ports.begin());
  }
  if (!port) {
    // The opposite direction of a one-way link uses the same port.
    const std::vector<std::string>& names = m_network.routers[e.router].port_names;
    std::string chosen = name;
    for (unsigned i = 2; !port; chosen = fmt::format("{}#{}", name, i++)) {
      const auto found = std::find(names.begin(), names.end(), chosen);
      if (found == names.end()) {
        port = new_port(e.router, chosen);
        use.ports[*port].automatic = true;
      } else if (const auto at = static_cast<std::uint32_t>(found - names.begin());
                 out != in && use.ports[at].automatic && is_free(use.ports[at])) {
        port = at;
      }
    }
  }
  port_use& taken = use.ports[*port];
  const port_ref ref{e.router, *port};
  if (!is_free(taken)) {
    throw std::invalid_argument(fmt::format("{} is used twice, by {} and {}; give each of them its own port",
                                            full_name(m_network, ref), out && !taken.out.empty() ? taken.out : taken.in,
                                            what));
  }
  if (out) taken.out = what;
  if (in) taken.in = what;
  return ref;
}

void network_builder::add_link(const end& from, const end& to, bool two_way, const channel& sizes,
                               const std::string& what) {
  const port_ref a = occupy(from, true, two_way, label(to.router), what);
  const port_ref b = occupy(to, two_way, true, label(from.router), what);
  m_network.channels.push_back({a, b, sizes.cycles, sizes.phits});
  if (two_way) m_network.channels.push_back({b, a, sizes.cycles, sizes.phits});
}

void network_builder::add_node(const std::vector<end>& ends, unsigned cycles, const std::string& what) {
  node_attachment node{{}, cycles, {}};
  for (const end& e : ends) node.ports.push_back(occupy(e, true, true, "local", what));
  m_network.nodes.push_back(std::move(node));
}

}  // namespace weft
