// SPDX-License-Identifier: Apache-2.0
/// Reads routing functions of routers, as to_json() writes them.

#include <algorithm>
#include <limits>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "weft/core/printable.h"
#include "weft/core/suggest.h"
#include "weft/topology/files/yaml_routing.h"
#include "weft/topology/routing_kind.h"

namespace weft {
namespace {

/// Reads a number for each dimension. \param dimensions number of dimensions; 0: the length of the list
template <class List>
void read_dimensions(const yaml_section& s, const char* key, List& to, unsigned& dimensions) {
  const std::vector<std::uint64_t> found = s.numbers(key, MaxNumber);
  if (found.empty() || found.size() > grid_rule::MaxDimensions || (dimensions != 0 && dimensions != found.size())) {
    s.errors().add(s.mark(), fmt::format("{}: expected a number for each of 1 to {} dimensions, got {}", s.path(key),
                                         grid_rule::MaxDimensions, found.size()));
    return;
  }
  dimensions = static_cast<unsigned>(found.size());
  for (std::size_t d = 0; d < found.size(); ++d) to[d] = static_cast<typename List::value_type>(found[d]);
}

grid_rule read_grid(const yaml_section& s, unsigned vcs) {
  grid_rule rule;
  rule.algorithm = *find_grid_routing(s.text("rule"))->grid;
  rule.dimensions = 0;
  read_dimensions(s, "size", rule.size, rule.dimensions);
  read_dimensions(s, "stride", rule.stride, rule.dimensions);
  read_dimensions(s, "here", rule.here, rule.dimensions);
  read_dimensions(s, "order", rule.order, rule.dimensions);
  rule.local_ports = static_cast<unsigned>(s.number("local_ports", 1, MaxPorts, 1));
  rule.nodes = static_cast<unsigned>(s.number("nodes", 1, MaxPorts, 1));
  rule.rings = s.has("rings");
  rule.one_way = rule.rings && s.choice("rings", {"two_way", "one_way"}) == 1;
  rule.vcs = read_vcs(s, "vcs", first_vcs(vcs));
  std::vector<std::string> selections;
  for (const auto& [name, selection] : selection_rules()) selections.push_back(name);
  if (s.has("selection")) rule.selection = selection_rules()[s.choice("selection", selections)].second;
  if (s.has("congestion") && rule.selection != selection_rule::WhenCongested)
    s.errors().add(s.mark_of("congestion"), fmt::format("{}: has no effect without selection: when_congested; leave it "
                                                        "out, or give both",
                                                        s.path("congestion")));
  rule.congestion = static_cast<std::uint32_t>(s.number("congestion", 0, 100, UsualCongestion));
  return rule;
}

tree_rule read_tree(const yaml_section& s, unsigned vcs) {
  tree_rule rule;
  std::vector<std::string> names;
  for (const auto& [name, up] : ascents()) names.push_back(name);
  rule.up = ascents()[s.choice("ascent", names)].second;
  rule.first = static_cast<node_id>(s.needed_number("first", 0, MaxNumber));
  rule.span = static_cast<std::uint32_t>(s.needed_number("span", 1, MaxNumber));
  rule.children = static_cast<unsigned>(s.needed_number("children", 1, MaxPorts));
  rule.child_ports = static_cast<unsigned>(s.number("child_ports", 1, MaxPorts, 1));
  rule.parents = static_cast<unsigned>(s.needed_number("parents", 0, MaxPorts));
  rule.divisor = s.needed_number("divisor", 1, std::numeric_limits<std::uint64_t>::max());
  rule.vcs = read_vcs(s, "vcs", first_vcs(vcs));
  return rule;
}

cube_rule read_cube(const yaml_section& s, bool adaptive, unsigned vcs) {
  cube_rule rule;
  rule.adaptive = adaptive;
  rule.dimensions = static_cast<unsigned>(s.needed_number("dimensions", 1, MaxPorts - 1));
  rule.here = static_cast<router_id>(s.needed_number("here", 0, MaxNumber));
  rule.nodes = static_cast<unsigned>(s.number("nodes", 1, MaxPorts, 1));
  rule.local_ports = static_cast<unsigned>(s.number("local_ports", 1, MaxPorts, 1));
  rule.vcs = read_vcs(s, "vcs", first_vcs(vcs));
  return rule;
}

void read_row(const YAML::Node& row, const std::string& path, yaml_errors& errors, std::size_t nodes,
              table_rule& rule) {
  if (!row.IsSequence() || row.size() == 0) return errors.wrong(row.Mark(), path, "a list of routes", row);
  std::vector<node_id> first;
  std::vector<route> what;
  for (std::size_t i = 0; i < row.size(); ++i) {
    const yaml_section r(errors, row[i], fmt::format("{}[{}]", path, i),
                         {"from", "port", "vcs", "choices", "choice_vcs"});
    const std::uint64_t least = first.empty() ? 0 : first.back() + 1;
    const std::uint64_t most = first.empty() ? 0 : std::max<std::uint64_t>(least, nodes - 1);
    first.push_back(static_cast<node_id>(r.needed_number("from", least, most)));
    for (const auto& [ports, vcs] : {std::pair("port", "vcs"), {"choices", "choice_vcs"}})
      if (r.has(ports) && !r.has(vcs))
        errors.add(r.mark_of(ports), fmt::format("{}: has no effect without {}; give both, or neither for no route",
                                                 r.path(ports), r.path(vcs)));
    if (r.has("choice_vcs") && !r.has("choices"))
      errors.add(r.mark_of("choice_vcs"), fmt::format("{}: has no effect without {}; give both, or neither",
                                                      r.path("choice_vcs"), r.path("choices")));
    route one;
    one.port = static_cast<std::uint8_t>(r.number("port", 0, MaxPorts - 1, 0));
    one.vcs = read_vcs(r, "vcs", 0);
    for (const std::uint64_t port : r.numbers("choices", MaxPorts - 1)) one.choices |= port_set{1} << port;
    one.choice_vcs = read_vcs(r, "choice_vcs", 0);
    what.push_back(one);
  }
  rule.add_row(first, what, nodes);
}

/// Reads layers: their number, with equal shares of the VCs, or the number of VCs of each.
void read_layers(const yaml_section& s, table_rule& rule) {
  if (!s.has("layers") || !s["layers"].IsSequence())
    return rule.divide(static_cast<unsigned>(s.number("layers", 1, MaxVcs, 1)));
  std::vector<unsigned> sizes;
  for (const std::uint64_t size : s.numbers("layers", MaxVcs)) sizes.push_back(static_cast<unsigned>(size));
  try {
    rule.divide(sizes);
  } catch (const std::invalid_argument& e) {
    s.errors().add(s.mark_of("layers"), fmt::format("{}: {}", s.path("layers"), e.what()));
  }
}

table_rule read_rows(const yaml_section& s, std::size_t nodes) {
  table_rule rule;
  s.need("rows");
  s.each("rows", "rows",
         [&](const YAML::Node& row, const std::string& path) { read_row(row, path, s.errors(), nodes, rule); });
  std::map<std::pair<unsigned, unsigned>, std::string> given;  // path of the first entry, by port and VC
  s.each("inputs", "inputs", [&](const YAML::Node& input, const std::string& path) {
    const yaml_section i(s.errors(), input, path, {"port", "vc", "row"});
    const auto port = static_cast<unsigned>(i.needed_number("port", 0, MaxPorts - 1));
    const auto vc = static_cast<unsigned>(i.needed_number("vc", 0, MaxVcs - 1));
    const auto [first, is_new] = given.emplace(std::pair(port, vc), path);
    if (!is_new)
      s.errors().add(input.Mark(),
                     fmt::format("{}: {} has the same port and VC; give only one of the two", path, first->second));
    rule.use_row(port, vc, static_cast<unsigned>(i.needed_number("row", 0, table_rule::MaxRows - 1)));
  });
  read_layers(s, rule);
  return rule;
}

detour_rule read_detour(const yaml_section& s, bool selects, std::size_t nodes) {
  detour_rule rule(read_rows(s, nodes));
  rule.part_vcs = static_cast<unsigned>(s.needed_number("part_vcs", 1, MaxVcs / 2));
  for (const std::uint64_t port : s.numbers("node_ports", MaxPorts - 1)) rule.node_ports |= port_set{1} << port;
  rule.selects = selects;
  if (selects) rule.threshold = static_cast<std::uint32_t>(s.needed_number("threshold", 0, MaxDetourThreshold));
  return rule;
}

}  // namespace

route_rule read_rule(yaml_errors& errors, const YAML::Node& n, const std::string& path, const topology& t,
                     unsigned vcs) {
  const std::string name = n.IsMap() && n["rule"] && n["rule"].IsScalar() ? n["rule"].Scalar() : "";
  const auto section = [&](std::vector<std::string> names) {
    names.insert(names.begin(), "rule");
    return yaml_section(errors, n, path, std::move(names));
  };
  if (find_grid_routing(name) != nullptr)
    return read_grid(
        section({"size", "stride", "here", "order", "local_ports", "vcs", "nodes", "rings", "selection", "congestion"}),
        vcs);
  if (name == "table") return read_rows(section({"rows", "inputs", "layers"}), t.nodes.size());
  if (name == "valiant_by_table")
    return read_detour(section({"rows", "inputs", "part_vcs", "node_ports"}), false, t.nodes.size());
  if (name == "ugal")
    return read_detour(section({"rows", "inputs", "part_vcs", "node_ports", "threshold"}), true, t.nodes.size());
  if (name == "nearest_common_ancestor")
    return read_tree(section({"ascent", "first", "span", "children", "child_ports", "parents", "divisor", "vcs"}), vcs);
  if (name == "e_cube" || name == "minimal_adaptive_cube")
    return read_cube(section({"dimensions", "here", "nodes", "local_ports", "vcs"}), name != "e_cube", vcs);
  if (name == "source") return source_rule{read_vcs(section({"vcs"}), "vcs", first_vcs(vcs))};
  std::vector<std::string> names;
  for (const routing_kind& r : grid_routings()) names.push_back(r.name);
  names.insert(names.end(), {"table", "valiant_by_table", "ugal", "nearest_common_ancestor", "e_cube",
                             "minimal_adaptive_cube", "source"});
  errors.add(n.Mark(), fmt::format("{}.rule: expected one of {}, got {}{}", path, fmt::join(names, ", "),
                                   in_quotes(name), did_you_mean(name, names)));
  return {};
}

}  // namespace weft
