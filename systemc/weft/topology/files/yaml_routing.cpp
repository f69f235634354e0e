// SPDX-License-Identifier: Apache-2.0
#include "weft/topology/files/yaml_routing.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "weft/topology/kinds.h"
#include "weft/topology/names.h"
#include "weft/topology/routing/path_search.h"
#include "weft/topology/routing/routing_tables.h"

namespace weft {
namespace {

enum algorithm : std::size_t { UpDown, Shortest, Source, Table };

class reader {
 public:
  reader(topology& t, const yaml_section& top, const yaml_graph& graph, const read_options& options)
      : m_topology(t), m_top(top), m_graph(graph), m_options(options), m_errors(top.errors()) {}

  void read() {
    if (!m_top.has("routing") || !m_top["routing"].IsSequence()) reject_rule_keys();
    if (!m_top.has("routing")) return route_network(m_topology, *m_options.routing, m_options.plan());
    const YAML::Node n = m_top["routing"];
    if (n.IsSequence()) return read_rules();
    if (!n.IsScalar())
      return read_map(
          {m_errors, n, "routing", {"algorithm", "root", "routes", "paths", "others", "threshold", "weight"}});
    const std::size_t how = m_top.choice("routing", names_of(graph_routings()));
    m_errors.throw_if_any();
    route_network(m_topology, *graph_routings()[how], m_options.plan());
  }

 private:
  /// Rejects keys that apply only to a list of routing functions, as in files written by `weft topology --json`.
  void reject_rule_keys() {
    if (m_top.has("algorithm"))
      m_errors.add(m_top.mark_of("algorithm"),
                   "algorithm: has no effect without a list of routing functions; write routing: NAME, or routing: "
                   "{algorithm: NAME, …}");
    m_graph.reject_path_ids();
    m_errors.throw_if_any();
  }

  void read_map(const yaml_section& s) {
    static const std::vector<std::string> Names{"up_down", "shortest",         "source", "table",
                                                "ugal",    "minimal_adaptive", "valiant"};
    static const std::vector<std::vector<std::string>> Keys{
        {"root", "weight"}, {"weight"}, {"paths", "others", "weight"}, {"routes"}, {"threshold"}, {"weight"}, {}};
    const std::size_t how = s.choice("algorithm", Names);
    for (const char* key : {"root", "routes", "paths", "others", "threshold", "weight"}) {
      if (s.has(key) && std::count(Keys[how].begin(), Keys[how].end(), key) == 0)
        m_errors.add(s.mark_of(key),
                     fmt::format("{}: {} routing has no such key; leave it out", s.path(key), Names[how]));
    }
    m_errors.throw_if_any();
    switch (how) {
      case UpDown:
        return read_up_down(s);
      case Shortest:
        return read_shortest(s);
      case Source:
        return read_paths(s);
      case Table:
        return read_table(s);
      default:
        read_other_kind(s, Names[how]);
    }
  }

  void read_other_kind(const yaml_section& s, const std::string& name) {
    routing_plan plan = m_options.plan();
    plan.choices.threshold =
        static_cast<std::uint32_t>(s.number("threshold", 0, MaxDetourThreshold, plan.choices.threshold));
    plan.choices.weight = read_weight(s);
    m_errors.throw_if_any();
    const auto& kinds = graph_routings();
    const auto kind = std::find_if(kinds.begin(), kinds.end(), [&](const routing_kind* k) { return k->name == name; });
    route_network(m_topology, **kind, plan);
  }

  static path_weight read_weight(const yaml_section& s) {
    if (!s.has("weight")) return path_weight::Hops;
    std::vector<std::string> names;
    for (const auto& [name, weight] : path_weights()) names.push_back(name);
    return path_weights()[s.choice("weight", names)].second;
  }

  void read_shortest(const yaml_section& s) {
    const path_weight weight = read_weight(s);
    m_errors.throw_if_any();
    route_shortest_layered(m_topology, m_options.vcs, weight);
  }

  void read_up_down(const yaml_section& s) {
    std::optional<router_id> root;
    if (s.has("root")) root = m_graph.names().read(s["root"], "routing.root");
    const path_weight weight = read_weight(s);
    m_errors.throw_if_any();
    route_up_down(m_topology, m_options.vcs, root, weight);
  }

  void read_table(const yaml_section& s) {
    check_table_size(m_topology);  // before lists of all pairs are allocated
    s.need("routes");
    s.each("routes", "routes", [&](const YAML::Node& n, const std::string& path) { read_route(n, path); });
    add_others();
    m_errors.throw_if_any();
    route_from_table(m_topology, m_entries, m_options.vcs);
  }

  void read_route(const YAML::Node& n, const std::string& path) {
    const yaml_section r(m_errors, n, path, {"at", "to", "port", "next", "vcs"});
    if (!r.need("at") || !r.need("to")) return;
    const auto at = m_graph.names().read(r["at"], r.path("at"));
    if (!at) return;
    if (r.has("port") == r.has("next")) {
      m_errors.add(n.Mark(), fmt::format("{}: expected either 'port: east' or 'next: hub'", path));
      return;
    }
    const auto port =
        r.has("port") ? read_port(r["port"], *at, r.path("port")) : port_towards(r["next"], *at, r.path("next"));
    if (!port) return;
    table_entry e;
    e.at = *at;
    e.port = *port;
    e.vcs = read_vcs(r, "vcs", first_vcs(m_options.vcs));
    const YAML::Node to = r["to"];
    if (to.IsScalar() && to.Scalar() == "others") return m_others.push_back(e);
    const auto add = [&](const YAML::Node& which, const std::string& where) {
      e.to = static_cast<node_id>(read_number(m_errors, which, where, 0, m_topology.nodes.size() - 1, 0));
      m_entries.push_back(e);
    };
    if (to.IsSequence() && to.size() == 0)
      m_errors.add(to.Mark(), fmt::format("{}: the list is empty; give at least one", r.path("to")));
    else if (to.IsSequence())
      r.each("to", "nodes", add);
    else
      add(to, r.path("to"));
  }

  /// Adds the routes to `others`: all nodes at other routers without a given route.
  void add_others() {
    std::vector<std::vector<bool>> given(m_topology.routers.size(), std::vector<bool>(m_topology.nodes.size()));
    for (const table_entry& e : m_entries) given[e.at][e.to] = true;
    for (table_entry e : m_others) {
      for (e.to = 0; e.to < m_topology.nodes.size(); ++e.to) {
        const auto& ports = m_topology.nodes[e.to].ports;
        const bool here = std::any_of(ports.begin(), ports.end(), [&](port_ref p) { return p.router == e.at; });
        if (!given[e.at][e.to] && !here) m_entries.push_back(e);
      }
    }
  }

  std::optional<std::uint32_t> read_port(const YAML::Node& n, router_id router, const std::string& path) {
    const std::vector<std::string>& names = m_topology.routers[router].port_names;
    const std::string text = n.IsScalar() ? n.Scalar() : "";
    const auto found = std::find(names.begin(), names.end(), text);
    if (found != names.end()) return static_cast<std::uint32_t>(found - names.begin());
    const auto number = whole_number_in(n);
    if (number && *number < names.size()) return static_cast<std::uint32_t>(*number);
    m_errors.add(n.Mark(), fmt::format("{}: {} has no port {}{}", path, router_name(m_topology, router), shown(n),
                                       names_hint(text, names)));
    return std::nullopt;
  }

  std::optional<std::uint32_t> port_towards(const YAML::Node& n, router_id router, const std::string& path) {
    const auto next = m_graph.names().read(n, path);
    if (!next) return std::nullopt;
    if (m_leaving.empty()) m_leaving = channel_lists(m_topology).leaving;
    for (const std::uint32_t c : m_leaving[router])
      if (m_topology.channels[c].to.router == *next) return m_topology.channels[c].from.port;
    m_errors.add(n.Mark(), fmt::format("{}: there is no link from {} to {}", path, router_name(m_topology, router),
                                       router_name(m_topology, *next)));
    return std::nullopt;
  }

  void read_paths(const yaml_section& s) {
    std::vector<given_path> given;
    s.each("paths", "paths", [&](const YAML::Node& n, const std::string& path) {
      const yaml_section p(m_errors, n, path, {"from", "to", "through"});
      given_path one;
      one.from = static_cast<node_id>(p.needed_number("from", 0, m_topology.nodes.size() - 1));
      one.to = static_cast<node_id>(p.needed_number("to", 0, m_topology.nodes.size() - 1));
      p.need("through");
      p.each("through", "routers", [&](const YAML::Node& r, const std::string& where) {
        if (const auto router = m_graph.names().read(r, where)) one.through.push_back(*router);
      });
      given.push_back(std::move(one));
    });
    const std::size_t others = s.has("others") ? s.choice("others", {"shortest", "up_down"}) : 0;
    const path_weight weight = read_weight(s);
    m_errors.throw_if_any();
    route_by_source(m_topology, m_options.vcs, static_cast<source_paths>(others), given, weight);
  }

  void read_rules() {
    m_topology.algorithm = m_top.has("algorithm") ? m_top.text("algorithm") : "custom";
    m_graph.assign_path_ids(m_topology);
    m_top.each("routing", "routing functions", [&](const YAML::Node& n, const std::string& path) {
      m_topology.routing.push_back(read_rule(m_errors, n, path, m_topology, m_options.vcs));
    });
    draw_within_quadrants();
  }

  /// With ROMM, sources draw among the routers on shortest paths.
  void draw_within_quadrants() {
    for (node_attachment& node : m_topology.nodes) {
      const router_id r = node.ports.front().router;
      const grid_rule* const rule = r < m_topology.routing.size() ? m_topology.routing[r].as<grid_rule>() : nullptr;
      if (rule != nullptr && rule->algorithm == grid_algorithm::Romm && node.path_ids.drawn())
        node.path_ids.within = rule->minimal_quadrant();
    }
  }

  topology& m_topology;
  const yaml_section& m_top;
  const yaml_graph& m_graph;
  const read_options& m_options;
  yaml_errors& m_errors;
  std::vector<std::vector<std::uint32_t>> m_leaving;  ///< channels that leave each router; empty until first needed
  std::vector<table_entry> m_entries, m_others;
};

}  // namespace

void read_routing(topology& t, const yaml_section& top, const yaml_graph& graph, const read_options& options) {
  reader(t, top, graph, options).read();
}

}  // namespace weft
