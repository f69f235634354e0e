#include "weft/topology/mesh.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace weft {
namespace {

constexpr std::uint64_t MaxNodes = std::uint64_t{1} << 20;

template <class... Arguments>
[[noreturn]] void reject(fmt::format_string<Arguments...> text, Arguments&&... arguments) {
  throw std::invalid_argument("mesh: " + fmt::format(text, std::forward<Arguments>(arguments)...));
}

void check_shape(const std::vector<std::uint32_t>& shape) {
  if (shape.empty() || shape.size() > grid_rule::MaxDimensions) {
    reject("shape has {} sides; give 1 to {}, such as [8, 8]", shape.size(), grid_rule::MaxDimensions);
  }
  std::uint64_t nodes = 1;
  for (const std::uint32_t side : shape) {
    if (side == 0) reject("shape [{}] has a side of 0; every side must be at least 1", fmt::join(shape, ", "));
    nodes *= side;  // cannot overflow: at most 2^20 times 2^32
    if (nodes > MaxNodes) {
      reject("shape [{}] has more than {} nodes; choose smaller sides", fmt::join(shape, ", "), MaxNodes);
    }
  }
  if (nodes < 2) {
    reject("shape [{}] has one node; a network needs at least 2, such as [2]", fmt::join(shape, ", "));
  }
}

/// \p order, or 0, 1, … where it is empty; checked to be a permutation.
std::vector<unsigned> checked_order(std::vector<unsigned> order, unsigned dimensions) {
  std::vector<unsigned> natural(dimensions);
  std::iota(natural.begin(), natural.end(), 0U);
  if (order.empty()) return natural;
  if (!std::is_permutation(order.begin(), order.end(), natural.begin(), natural.end())) {
    reject("order [{}] must name each dimension of the shape once: a permutation of [{}]", fmt::join(order, ", "),
           fmt::join(natural, ", "));
  }
  return order;
}

void check_numbers(const mesh_parameters& p) {
  if (p.link_cycles == 0) reject("link_cycles is 0; a channel takes at least 1 cycle");
  if (p.node_cycles == 0) reject("node_cycles is 0; a channel takes at least 1 cycle");
  const unsigned room = MaxPorts - 2 * static_cast<unsigned>(p.shape.size());
  if (p.nic_ports == 0 || p.nic_ports > room) {
    reject("nic_ports is {}; with {} dimensions give 1 to {}, for a router has at most {} ports", p.nic_ports,
           p.shape.size(), room, MaxPorts);
  }
  if (p.vcs == 0 || p.vcs > MaxVcs) reject("vcs is {}; give 1 to {}", p.vcs, MaxVcs);
}

std::vector<std::string> port_names(unsigned dimensions, unsigned nic_ports) {
  std::vector<std::string> names;
  for (unsigned d = 0; d < dimensions; ++d) {
    names.push_back(std::string("+") + "xyzw"[d]);
    names.push_back(std::string("-") + "xyzw"[d]);
  }
  if (nic_ports == 1) {
    names.emplace_back("local");
  } else {
    for (unsigned i = 0; i < nic_ports; ++i) names.push_back(fmt::format("local{}", i));
  }
  return names;
}

}  // namespace

topology make_mesh(const mesh_parameters& p) {
  check_shape(p.shape);
  check_numbers(p);
  const auto dimensions = static_cast<unsigned>(p.shape.size());
  const std::vector<unsigned> order = checked_order(p.order, dimensions);

  // What the routers have in common; only grid_rule::here differs.
  grid_rule rule;
  rule.dimensions = dimensions;
  rule.local_ports = p.nic_ports;
  rule.vcs = first_vcs(p.vcs);
  std::uint32_t nodes = 1;
  for (unsigned d = 0; d < dimensions; ++d) {
    rule.size[d] = p.shape[d];
    rule.stride[d] = nodes;
    rule.order[d] = static_cast<std::uint8_t>(order[d]);
    nodes *= p.shape[d];
  }
  const auto& stride = rule.stride;
  const std::vector<std::string> names = port_names(dimensions, p.nic_ports);

  topology t;
  t.kind = "mesh";
  t.algorithm = "dimension_order";
  t.shape = p.shape;
  for (router_id r = 0; r < nodes; ++r) {
    router_info router{static_cast<unsigned>(names.size()), names, {}};
    node_attachment node{{}, p.node_cycles, {}};
    for (unsigned d = 0; d < dimensions; ++d) {
      const std::uint32_t place = r / stride[d] % p.shape[d];
      router.coordinates.push_back(place);
      rule.here[d] = place;
      const std::uint32_t plus = 2 * d, minus = 2 * d + 1;
      if (place + 1 < p.shape[d]) t.channels.push_back({{r, plus}, {r + stride[d], minus}, p.link_cycles});
      if (place > 0) t.channels.push_back({{r, minus}, {r - stride[d], plus}, p.link_cycles});
    }
    for (unsigned i = 0; i < p.nic_ports; ++i) node.ports.push_back({r, 2 * dimensions + i});
    t.routers.push_back(std::move(router));
    t.nodes.push_back(std::move(node));
    t.routing.push_back(rule);
  }
  return t;
}

}  // namespace weft
