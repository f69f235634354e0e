// SPDX-License-Identifier: Apache-2.0
#include "weft/topology/files/export.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "weft/core/escape.h"
#include "weft/core/members.h"
#include "weft/topology/names.h"
#include "weft/topology/routing_kind.h"
#include "weft/topology/wiring.h"

namespace weft {
namespace {

using json = nlohmann::ordered_json;

// ---- JSON ----

json port_json(port_ref port) { return {{"router", port.router}, {"port", port.port}}; }

json vcs_json(vc_set vcs) {
  json list = json::array();
  for (unsigned v = 0; v < 32; ++v) {
    if (vcs >> v & 1) list.push_back(v);
  }
  return list;
}

json route_json(const route& r) {
  json one = json::object();
  if (r.vcs != 0) one = {{"port", r.port}, {"vcs", vcs_json(r.vcs)}};
  if (r.adaptive()) {
    json ports = json::array();
    for_each_member(r.choices, [&](unsigned port) { ports.push_back(port); });
    one["choices"] = std::move(ports);
    one["choice_vcs"] = vcs_json(r.choice_vcs);
  }
  return one;
}

/// Runs of destinations: {"from": first, route…}.
json row_json(const table_rule& rule, unsigned row) {
  json runs = json::array();
  const route* last = nullptr;
  for (std::size_t part = 0; part < rule.parts(row); ++part) {
    const route& entry = rule.part_entry(row, part);
    if (last != nullptr && *last == entry) continue;
    json run = {{"from", rule.part_begin(row, part)}};
    run.update(route_json(entry));
    runs.push_back(std::move(run));
    last = &entry;
  }
  return runs;
}

json rule_json(const table_rule& rule, const router_info& router) {
  json rows = json::array();
  for (unsigned row = 0; row < rule.rows(); ++row) rows.push_back(row_json(rule, row));
  json one = {{"rule", "table"}, {"rows", std::move(rows)}};
  if (rule.layers() > 1 && rule.vcs_of_layer(0) == 0) one["layers"] = rule.layers();
  for (unsigned layer = 0; layer < rule.layers() && rule.vcs_of_layer(layer) != 0; ++layer)
    one["layers"].push_back(count_members(rule.vcs_of_layer(layer)));
  json inputs = json::array();
  for (unsigned port = 0; port < router.ports; ++port)
    for (unsigned vc = 0; vc < MaxVcs; ++vc)
      if (rule.row_of(port, vc) != 0) inputs.push_back({{"port", port}, {"vc", vc}, {"row", rule.row_of(port, vc)}});
  if (!inputs.empty()) one["inputs"] = std::move(inputs);
  return one;
}

json rule_json(const grid_rule& rule, const router_info&) {
  const auto used = [&](const auto& numbers) {
    return json(std::vector<unsigned>(numbers.begin(), numbers.begin() + rule.dimensions));
  };
  json one = {{"rule", grid_routing(rule.algorithm).name},
              {"size", used(rule.size)},
              {"stride", used(rule.stride)},
              {"here", used(rule.here)},
              {"order", used(rule.order)},
              {"local_ports", rule.local_ports},
              {"vcs", vcs_json(rule.vcs)}};
  if (rule.nodes > 1) one["nodes"] = rule.nodes;
  if (rule.rings) one["rings"] = rule.one_way ? "one_way" : "two_way";
  for (const auto& [name, selection] : selection_rules())
    if (selection == rule.selection && selection != selection_rule::MostCredits) one["selection"] = name;
  if (rule.selection == selection_rule::WhenCongested) one["congestion"] = rule.congestion;
  return one;
}

json rule_json(const tree_rule& rule, const router_info&) {
  json one = {{"rule", "nearest_common_ancestor"},
              {"ascent", ascent_name(rule.up)},
              {"first", rule.first},
              {"span", rule.span},
              {"children", rule.children},
              {"parents", rule.parents},
              {"divisor", rule.divisor},
              {"vcs", vcs_json(rule.vcs)}};
  if (rule.child_ports > 1) one["child_ports"] = rule.child_ports;
  return one;
}

json rule_json(const cube_rule& rule, const router_info&) {
  return {{"rule", rule.adaptive ? "minimal_adaptive_cube" : "e_cube"},
          {"dimensions", rule.dimensions},
          {"here", rule.here},
          {"nodes", rule.nodes},
          {"local_ports", rule.local_ports},
          {"vcs", vcs_json(rule.vcs)}};
}

json rule_json(const source_rule& rule, const router_info&) {
  return {{"rule", "source"}, {"vcs", vcs_json(rule.vcs)}};
}

json rule_json(const detour_rule& rule, const router_info& router) {
  json one = rule_json(rule.table(), router);
  one["rule"] = rule.selects ? "ugal" : "valiant_by_table";
  one["part_vcs"] = rule.part_vcs;
  one["node_ports"] = json::array();
  for_each_member(rule.node_ports, [&](unsigned port) { one["node_ports"].push_back(port); });
  if (rule.selects) one["threshold"] = rule.threshold;
  return one;
}

json routing_json(const topology& t) {
  json list = json::array();
  for (router_id r = 0; r < t.routing.size(); ++r)
    list.push_back(t.routing[r].visit([&](const auto& rule) { return rule_json(rule, t.routers[r]); }));
  return list;
}

// ---- GraphML ----

/// Escapes \p text as content of an element. Readers may merge whitespace and remove it around the text, so everything
/// except single blanks within the text becomes a character reference.
std::string xml_content(const std::string& text) {
  const std::string escaped = xml_attribute(text);
  std::string content;
  for (std::size_t at = 0; at < escaped.size(); ++at) {
    const bool is_kept = escaped[at] != ' ' || (at > 0 && at + 1 < escaped.size() && escaped[at - 1] != ' ');
    content += is_kept ? std::string(1, escaped[at]) : "&#32;";
  }
  return content;
}

// ---- Graphviz ----

constexpr int Pitch = 108;       // points between routers
constexpr double Offset = 50.0;  // points from a router to its nodes
constexpr double Pi = 3.14159265358979323846;

struct drawn_point {
  long x = 0;
  long y = 0;
};

bool has_coordinates(const topology& t) {
  return std::all_of(t.routers.begin(), t.routers.end(),
                     [](const router_info& r) { return r.coordinates.size() == 1 || r.coordinates.size() == 2; });
}

drawn_point point_of(const router_info& router) {
  return {long{Pitch} * router.coordinates[0], router.coordinates.size() > 1 ? long{Pitch} * router.coordinates[1] : 0};
}

/// Position of a router's node, counted clockwise from the lower left corner.
drawn_point beside(drawn_point router, std::size_t i, std::size_t count) {
  const double angle = Pi * (1.25 + 2.0 * static_cast<double>(i) / static_cast<double>(count));
  return {router.x + std::lround(Offset * std::cos(angle)), router.y + std::lround(Offset * std::sin(angle))};
}

std::string pos(drawn_point p) { return fmt::format(", pos=\"{},{}!\"", p.x, p.y); }

}  // namespace

json to_json(const topology& t) {
  json routers = json::array(), channels = json::array(), nodes = json::array();
  for (const router_info& r : t.routers) {
    json one = {{"coordinates", r.coordinates}, {"ports", r.port_names}};
    if (!r.name.empty()) one["name"] = r.name;
    routers.push_back(std::move(one));
  }
  for (const channel& c : t.channels) {
    channels.push_back({{"from", port_json(c.from)}, {"to", port_json(c.to)}, {"cycles", c.cycles}});
    if (c.phits > 1) channels.back()["phits"] = c.phits;
  }
  for (const node_attachment& n : t.nodes) {
    json ports = json::array();
    for (const port_ref port : n.ports) ports.push_back(port_json(port));
    json one = {{"ports", std::move(ports)}, {"cycles", n.cycles}};
    if (n.path_ids.drawn()) one["ways"] = {{"count", n.path_ids.count}, {"seed", n.path_ids.seed}};
    if (!n.path_ids.by_destination.empty()) one["ways"] = {{"by_destination", n.path_ids.by_destination}};
    nodes.push_back(std::move(one));
  }
  return {{"format", "weft-topology-1"},   {"kind", t.kind},
          {"algorithm", t.algorithm},      {"shape", t.shape},
          {"routers", std::move(routers)}, {"channels", std::move(channels)},
          {"nodes", std::move(nodes)},     {"routing", routing_json(t)}};
}

std::string to_graphml(const topology& t) {
  std::string text =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n";
  for (const auto& [of, name, type] : {std::array<const char*, 3>{"graph", "kind", "string"},
                                       {"graph", "shape", "string"},
                                       {"node", "type", "string"},
                                       {"node", "name", "string"},
                                       {"node", "coordinates", "string"},
                                       {"edge", "cycles", "int"},
                                       {"edge", "phits", "int"}}) {
    text += fmt::format("  <key id=\"{1}\" for=\"{0}\" attr.name=\"{1}\" attr.type=\"{2}\"/>\n", of, name, type);
  }
  const auto data = [](const char* key, const std::string& value) {
    return value.empty() ? value : fmt::format("<data key=\"{}\">{}</data>", key, xml_content(value));
  };
  const auto numbers = [](const std::vector<std::uint32_t>& list) { return fmt::format("{}", fmt::join(list, " ")); };
  text += fmt::format("  <graph edgedefault=\"directed\">\n    {}{}\n", data("kind", t.kind),
                      data("shape", numbers(t.shape)));
  for (router_id r = 0; r < t.routers.size(); ++r) {
    const router_info& router = t.routers[r];
    text += fmt::format("    <node id=\"r{}\">{}{}{}", r, data("type", "router"), data("name", router.name),
                        data("coordinates", numbers(router.coordinates)));
    for (const std::string& port : router.port_names) text += fmt::format("<port name=\"{}\"/>", xml_attribute(port));
    text += "</node>\n";
  }
  for (node_id n = 0; n < t.nodes.size(); ++n)
    text += fmt::format("    <node id=\"n{}\">{}</node>\n", n, data("type", "node"));
  for (const channel& c : t.channels) {
    text += fmt::format(
        "    <edge source=\"r{}\" sourceport=\"{}\" target=\"r{}\" targetport=\"{}\">{}</edge>\n", c.from.router,
        xml_attribute(port_name(t, c.from)), c.to.router, xml_attribute(port_name(t, c.to)),
        data("cycles", std::to_string(c.cycles)) + data("phits", c.phits > 1 ? std::to_string(c.phits) : ""));
  }
  for (node_id n = 0; n < t.nodes.size(); ++n) {
    for (const port_ref port : t.nodes[n].ports) {
      text += fmt::format("    <edge directed=\"false\" source=\"n{}\" target=\"r{}\" targetport=\"{}\">{}</edge>\n", n,
                          port.router, xml_attribute(port_name(t, port)),
                          data("cycles", std::to_string(t.nodes[n].cycles)));
    }
  }
  return text + "  </graph>\n</graphml>\n";
}

std::string to_graphviz(const topology& t) {
  const bool fixed = has_coordinates(t);
  std::string text;
  text += "digraph weft {\n";
  // Positions are in points. The attribute inputscale declares this to neato, which expects inches unless run with -n.
  text += fmt::format("  graph [layout=neato, {}, splines=line, outputorder=edgesfirst, pad=0.3];\n",
                      fixed ? "inputscale=72, overlap=true" : "overlap=false");
  text += "  node [fontname=\"Helvetica\", fontsize=11, fixedsize=true, style=filled, penwidth=1];\n";
  text += "  edge [arrowsize=0.5, fontname=\"Helvetica\", fontsize=9, color=\"#404040\"];\n";

  for (router_id r = 0; r < t.routers.size(); ++r) {
    text += fmt::format(
        "  r{} [label=\"{}\", tooltip=\"router {} ({})\", shape=square, width=0.5, "
        "fillcolor=\"#dce6f2\"{}];\n",
        r, r, r, fmt::join(t.routers[r].coordinates, ","), fixed ? pos(point_of(t.routers[r])) : "");
  }

  std::vector<std::vector<node_id>> nodes_at(t.routers.size());
  for (node_id n = 0; n < t.nodes.size(); ++n) nodes_at[t.nodes[n].ports.front().router].push_back(n);
  for (router_id r = 0; r < t.routers.size(); ++r) {
    for (std::size_t i = 0; i < nodes_at[r].size(); ++i) {
      const node_id n = nodes_at[r][i];
      text += fmt::format(
          "  n{} [label=\"{}\", tooltip=\"node {}\", shape=circle, width=0.3, fontsize=9, "
          "fillcolor=\"#f6f0dc\"{}];\n",
          n, n, n, fixed ? pos(beside(point_of(t.routers[r]), i, nodes_at[r].size())) : "");
    }
  }

  for (const link_line& l : lines_between(t)) {
    const channel& c = t.channels[l.channel];
    const std::string label = c.cycles == 1 ? "" : fmt::format(", label=\"{}\"", c.cycles);
    text +=
        fmt::format("  r{} -> r{} [dir={}{}];\n", c.from.router, c.to.router, l.two_way ? "both" : "forward", label);
  }
  for (node_id n = 0; n < t.nodes.size(); ++n) {
    for (const port_ref port : t.nodes[n].ports)
      text += fmt::format("  n{} -> r{} [dir=none, color=\"#909090\"];\n", n, port.router);
  }
  text += "}\n";
  return text;
}

}  // namespace weft
