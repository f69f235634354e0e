#include "weft/topology/files/read_topology.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <set>
#include <sstream>
#include <utility>

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include "weft/core/suggest.h"
#include "weft/topology/analysis/check.h"
#include "weft/topology/files/network_builder.h"
#include "weft/topology/files/yaml_document.h"
#include "weft/topology/names.h"
#include "weft/topology/kinds.h"

namespace weft {
namespace {

constexpr const char* Format = "weft-topology-1";

/// "; did you mean 'hub'?", or which there are.
std::string hint(const std::string& name, const std::vector<std::string>& names) {
  constexpr std::size_t Most = 16, Shortest = 3;
  const std::string near = name.size() < Shortest ? "" : did_you_mean(name, names);
  if (!near.empty() || names.empty() || names.size() > Most) return near;
  return fmt::format("; there are {}", fmt::join(names, ", "));
}

bool is_number(const YAML::Node& node) {
  return node.IsScalar() && node.Tag() != "!" && parse_number<std::uint64_t>(node.Scalar());
}

/// Collects faults.
class fault_list {
 public:
  explicit fault_list(std::string file) : m_file(std::move(file)) {}

  void add(const YAML::Mark& mark, std::string message) {
    m_found.push_back({fmt::format("{}:{}:{}", m_file, mark.line + 1, mark.column + 1), std::move(message)});
  }
  void throw_if_any() const {
    if (!m_found.empty()) throw topology_file_error(m_found);
  }

 private:
  std::string m_file;
  std::vector<diagnostic> m_found;
};

/// A map with keys that are known beforehand.
class section {
 public:
  section(fault_list& faults, const YAML::Node& node, std::string path, const std::vector<std::string>& keys)
      : m_faults(&faults), m_node(node), m_path(std::move(path)) {
    if (!node.IsMap()) {
      faults.add(node.Mark(), fmt::format("{}: expected a map with {}, got {}", m_path.empty() ? "topology" : m_path,
                                          fmt::join(keys, ", "), shown(node)));
      return;
    }
    std::set<std::string> seen;
    for (const auto& entry : node) {
      const std::string name = entry.first.IsScalar() ? entry.first.Scalar() : shown(entry.first);
      if (std::find(keys.begin(), keys.end(), name) == keys.end()) {
        std::string near = did_you_mean(name, keys);
        if (near.empty()) near = fmt::format("; expected one of {}", fmt::join(keys, ", "));
        faults.add(entry.first.Mark(),
                   fmt::format("unknown key '{}'{}{}", name, m_path.empty() ? "" : " in " + m_path, near));
      } else if (!seen.insert(name).second) {
        faults.add(entry.first.Mark(), fmt::format("key '{}' is given twice", name));
      } else {
        m_values.emplace_back(name, entry.second);
      }
    }
  }

  bool has(const std::string& key) const { return find(key) != nullptr; }
  YAML::Node operator[](const std::string& key) const { return *find(key); }
  std::string path(const std::string& key) const { return m_path.empty() ? key : m_path + "." + key; }
  const YAML::Node& node() const { return m_node; }
  fault_list& faults() const { return *m_faults; }

  bool need(const std::string& key) const {
    if (has(key)) return true;
    if (m_node.IsMap())
      m_faults->add(m_node.Mark(), fmt::format("{}: '{}' is missing", m_path.empty() ? "topology" : m_path, key));
    return false;
  }

  std::uint64_t number(const std::string& key, std::uint64_t min, std::uint64_t max, std::uint64_t otherwise) const {
    return has(key) ? number(*m_faults, *find(key), path(key), min, max, otherwise) : otherwise;
  }
  std::uint64_t needed_number(const std::string& key, std::uint64_t min, std::uint64_t max) const {
    return need(key) ? number(key, min, max, min) : min;
  }
  static std::uint64_t number(fault_list& faults, const YAML::Node& node, const std::string& path, std::uint64_t min,
                              std::uint64_t max, std::uint64_t otherwise) {
    const std::optional<std::uint64_t> value =
        is_number(node) ? parse_number<std::uint64_t>(node.Scalar()) : std::nullopt;
    if (value && *value >= min && *value <= max) return *value;
    faults.add(node.Mark(),
               fmt::format("{}: expected a whole number from {} to {}, got {}", path, min, max, shown(node)));
    return otherwise;
  }

  std::string text(const std::string& key) const {
    if (!has(key)) return {};
    const YAML::Node node = *find(key);
    if (node.IsScalar() && !node.Scalar().empty()) return node.Scalar();
    m_faults->add(node.Mark(), fmt::format("{}: expected a text, got {}", path(key), shown(node)));
    return {};
  }

  /// One of \p names, its place there.
  std::size_t choice(const std::string& key, const std::vector<std::string>& names) const {
    if (!need(key)) return 0;
    const YAML::Node node = *find(key);
    const auto found = std::find(names.begin(), names.end(), node.IsScalar() ? node.Scalar() : "");
    if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
    m_faults->add(node.Mark(), fmt::format("{}: expected one of {}, got {}{}", path(key), fmt::join(names, ", "),
                                           shown(node), node.IsScalar() ? did_you_mean(node.Scalar(), names) : ""));
    return 0;
  }

  /// Calls \p f(element, path) for each element of a list.
  template <class F>
  void each(const std::string& key, const char* of, F f) const {
    if (!has(key)) return;
    const YAML::Node list = *find(key);
    if (!list.IsSequence()) {
      m_faults->add(list.Mark(), fmt::format("{}: expected a list of {}, got {}", path(key), of, shown(list)));
      return;
    }
    for (std::size_t i = 0; i < list.size(); ++i) f(list[i], fmt::format("{}[{}]", path(key), i));
  }

  std::vector<std::uint64_t> numbers(const std::string& key, std::uint64_t max) const {
    std::vector<std::uint64_t> found;
    each(key, "whole numbers", [&](const YAML::Node& element, const std::string& where) {
      found.push_back(number(*m_faults, element, where, 0, max, 0));
    });
    return found;
  }

  vc_set vcs(const std::string& key, vc_set otherwise) const {
    if (!has(key)) return otherwise;
    vc_set set = 0;
    for (const std::uint64_t v : numbers(key, MaxVcs - 1)) set |= vc_set{1} << v;
    return set;
  }

 private:
  const YAML::Node* find(const std::string& key) const {
    for (const auto& [name, value] : m_values)
      if (name == key) return &value;
    return nullptr;
  }

  fault_list* m_faults;
  YAML::Node m_node;
  std::string m_path;
  std::vector<std::pair<std::string, YAML::Node>> m_values;
};

constexpr std::uint64_t MaxNumber = std::numeric_limits<std::uint32_t>::max();

class reader {
 public:
  reader(const std::string& file, const read_options& options) : m_faults(file), m_options(options) {}

  topology read(const std::string& text) {
    YAML::Node root;
    try {
      root = load_document(text);
    } catch (const YAML::Exception& e) {
      m_faults.add(e.mark, "YAML syntax: " + e.msg);
    }
    m_faults.throw_if_any();
    if (!root.IsDefined() || root.IsNull()) {
      m_faults.add({}, fmt::format("the file is empty; expected a topology, which begins with 'format: {}'", Format));
      m_faults.throw_if_any();
    }
    const section top(
        m_faults, root, "",
        {"format", "kind", "algorithm", "shape", "width", "routers", "links", "channels", "nodes", "routing"});
    if (top.need("format") && top.text("format") != Format)
      m_faults.add(top["format"].Mark(), fmt::format("format: expected {}, got {}", Format, shown(top["format"])));
    for (const char* key : {"routers", "nodes"})
      if (top.need(key) && top[key].IsSequence() && top[key].size() == 0)
        m_faults.add(top[key].Mark(), fmt::format("{}: the list is empty; give at least one", key));

    top.each("routers", "routers", [&](const YAML::Node& n, const std::string& path) { read_router(n, path); });
    m_faults.throw_if_any();  // what follows refers to routers
    m_width = top.number("width", 1, MaxNumber, 0);
    for (const char* key : {"links", "channels"})
      top.each(key, "links", [&](const YAML::Node& n, const std::string& path) { read_link(n, path); });
    top.each("nodes", "nodes", [&](const YAML::Node& n, const std::string& path) { read_node(n, path); });
    check_widths();
    connect();
    m_faults.throw_if_any();

    topology t = m_builder.take();
    t.kind = top.has("kind") ? top.text("kind") : "custom";
    for (const std::uint64_t side : top.numbers("shape", MaxNumber))
      t.shape.push_back(static_cast<std::uint32_t>(side));
    const YAML::Mark at = top.has("routing") ? top["routing"].Mark() : root.Mark();
    try {
      read_routing(t, top);
      m_faults.throw_if_any();
      check_structure(t, m_options.vcs);
    } catch (const topology_file_error&) {
      throw;
    } catch (const std::exception& e) {
      m_faults.add(at, e.what());
    }
    m_faults.throw_if_any();
    return t;
  }

 private:
  using end = network_builder::end;

  struct link {
    YAML::Mark mark;
    std::string path;
    end from, to;
    bool two_way;
    unsigned cycles;
  };
  struct node {
    YAML::Mark mark;
    std::string path;
    std::vector<end> ends;
    unsigned cycles;
    way_rule ways;
  };
  struct width {
    YAML::Mark mark;
    std::string path;
    std::uint64_t bits;
  };

  // ---- Graph ----

  void read_router(const YAML::Node& n, const std::string& path) {
    std::string name;
    std::vector<std::string> ports;
    std::vector<std::uint32_t> coordinates;
    if (n.IsScalar() && !is_number(n) && !n.Scalar().empty()) {
      name = n.Scalar();
    } else {
      const section s(m_faults, n, path, {"name", "ports", "coordinates"});
      name = s.text("name");
      s.each("ports", "names", [&](const YAML::Node& port, const std::string& where) {
        if (port.IsScalar() && !port.Scalar().empty())
          ports.push_back(port.Scalar());
        else
          m_faults.add(port.Mark(), fmt::format("{}: expected the name of a port, got {}", where, shown(port)));
      });
      for (const std::uint64_t place : s.numbers("coordinates", MaxNumber))
        coordinates.push_back(static_cast<std::uint32_t>(place));
    }
    if (!name.empty() && std::find(m_names.begin(), m_names.end(), name) != m_names.end())
      m_faults.add(n.Mark(), fmt::format("{}: there are two routers '{}'; give each its own name", path, name));
    m_names.push_back(name);
    try {
      m_builder.add_router(name, ports, coordinates);
    } catch (const std::invalid_argument& e) {
      m_faults.add(n.Mark(), fmt::format("{}: {}", path, e.what()));
    }
  }

  std::optional<router_id> router_called(const std::string& name) const {
    const auto found = std::find(m_names.begin(), m_names.end(), name);
    if (found == m_names.end() || name.empty()) return std::nullopt;
    return static_cast<router_id>(found - m_names.begin());
  }

  std::optional<router_id> read_router_ref(const YAML::Node& n, const std::string& path) {
    if (is_number(n)) {
      const std::uint64_t number = *parse_number<std::uint64_t>(n.Scalar());
      if (number < m_names.size()) return static_cast<router_id>(number);
      m_faults.add(n.Mark(), fmt::format("{}: there is no router {}, only 0 to {}", path, number, m_names.size() - 1));
      return std::nullopt;
    }
    if (n.IsScalar()) {
      if (const auto router = router_called(n.Scalar())) return router;
      m_faults.add(n.Mark(), fmt::format("{}: there is no router '{}'{}", path, n.Scalar(), hint(n.Scalar(), m_names)));
    } else {
      m_faults.add(n.Mark(), fmt::format("{}: expected the name or number of a router, got {}", path, shown(n)));
    }
    return std::nullopt;
  }

  std::optional<std::uint32_t> read_port(const YAML::Node& n, const std::string& name, bool number, router_id router,
                                         const std::string& path) {
    try {
      const std::vector<std::string>& names = m_builder.network().routers[router].port_names;
      if (number) {
        const std::uint64_t at = *parse_number<std::uint64_t>(name);
        if (at < names.size()) return static_cast<std::uint32_t>(at);
        m_faults.add(n.Mark(), fmt::format("{}: {} has no port {}; it has {}", path, m_builder.name_of(router), at,
                                           names.empty() ? "no list of ports" : fmt::format("{}", names.size())));
        return std::nullopt;
      }
      if (const auto port = m_builder.port_named(router, name)) return port;
      m_faults.add(n.Mark(),
                   fmt::format("{}: {} has no port '{}'{}", path, m_builder.name_of(router), name, hint(name, names)));
    } catch (const std::invalid_argument& e) {
      m_faults.add(n.Mark(), fmt::format("{}: {}", path, e.what()));
    }
    return std::nullopt;
  }

  /// "hub", "hub.east", 0, or {router: hub, port: east}.
  std::optional<end> read_end(const YAML::Node& n, const std::string& path) {
    if (n.IsMap()) {
      const section s(m_faults, n, path, {"router", "port"});
      if (!s.need("router")) return std::nullopt;
      const auto router = read_router_ref(s["router"], s.path("router"));
      if (!router) return std::nullopt;
      if (!s.has("port")) return end{*router, std::nullopt};
      const YAML::Node port = s["port"];
      if (!port.IsScalar()) {
        m_faults.add(port.Mark(), fmt::format("{}: expected a port, got {}", s.path("port"), shown(port)));
        return std::nullopt;
      }
      const auto at = read_port(port, port.Scalar(), is_number(port), *router, s.path("port"));
      return at ? std::optional(end{*router, at}) : std::nullopt;
    }
    const std::string text = n.IsScalar() ? n.Scalar() : "";
    const std::size_t dot = text.find('.');
    if (!n.IsScalar() || router_called(text) || dot == std::string::npos) {
      const auto router = read_router_ref(n, path);
      return router ? std::optional(end{*router, std::nullopt}) : std::nullopt;
    }
    const std::string name = text.substr(0, dot);
    const auto router = router_called(name);
    if (!router) {
      m_faults.add(n.Mark(), fmt::format("{}: there is no router '{}'{}", path, name, hint(name, m_names)));
      return std::nullopt;
    }
    const auto at = read_port(n, text.substr(dot + 1), false, *router, path);
    return at ? std::optional(end{*router, at}) : std::nullopt;
  }

  void read_link(const YAML::Node& n, const std::string& path) {
    const section s(m_faults, n, path, {"between", "from", "to", "cycles", "width"});
    if (!n.IsMap()) return;
    const bool two_way = s.has("between");
    if (two_way == (s.has("from") || s.has("to"))) {
      m_faults.add(n.Mark(),
                   fmt::format("{}: expected either 'between: [a, b]', a link both ways, or 'from: a' and 'to: "
                               "b', one way",
                               path));
      return;
    }
    std::optional<end> from, to;
    if (two_way) {
      const YAML::Node ends = s["between"];
      if (!ends.IsSequence() || ends.size() != 2) {
        m_faults.add(ends.Mark(),
                     fmt::format("{}: expected a list of two routers, got {}", s.path("between"),
                                 ends.IsSequence() ? fmt::format("{} of them", ends.size()) : shown(ends)));
        return;
      }
      from = read_end(ends[0], s.path("between[0]"));
      to = read_end(ends[1], s.path("between[1]"));
    } else if (s.need("from") && s.need("to")) {
      from = read_end(s["from"], s.path("from"));
      to = read_end(s["to"], s.path("to"));
    }
    const auto cycles = static_cast<unsigned>(s.number("cycles", 1, MaxFileCycles, 1));
    if (s.has("width"))
      m_widths.push_back({s["width"].Mark(), s.path("width"), s.number("width", 1, MaxNumber, m_width)});
    else if (m_width != 0)
      m_widths.push_back({n.Mark(), path, m_width});
    if (from && to && from->router == to->router)
      m_faults.add(n.Mark(),
                   fmt::format("{}: it joins {} to itself; name two routers", path, m_builder.name_of(from->router)));
    else if (from && to)
      m_links.push_back({n.Mark(), path, *from, *to, two_way, cycles});
  }

  void read_node(const YAML::Node& n, const std::string& path) {
    node read{n.Mark(), path, {}, 1, {}};
    const auto add = [&](const YAML::Node& where, const std::string& name) {
      if (const auto e = read_end(where, name)) read.ends.push_back(*e);
    };
    if (!n.IsMap()) {
      add(n, path);
    } else {
      const section s(m_faults, n, path, {"router", "ports", "cycles", "ways"});
      read.cycles = static_cast<unsigned>(s.number("cycles", 1, MaxFileCycles, 1));
      if (s.has("router") == s.has("ports")) {
        m_faults.add(n.Mark(), fmt::format("{}: expected either 'router: a' or 'ports: [a, b]'", path));
        return;
      }
      if (s.has("router")) add(s["router"], s.path("router"));
      s.each("ports", "ports", add);
      if (s.has("ports") && s["ports"].IsSequence() && s["ports"].size() == 0)
        m_faults.add(s["ports"].Mark(), fmt::format("{}: the list is empty; give at least one", s.path("ports")));
      if (s.has("ways")) {
        const section ways(m_faults, s["ways"], s.path("ways"), {"count", "seed", "by_destination"});
        constexpr std::uint64_t Any = std::numeric_limits<std::uint64_t>::max();
        read.ways.count = ways.number("count", 1, Any, 1);
        read.ways.seed = ways.number("seed", 0, Any, 0);
        read.ways.by_destination = ways.numbers("by_destination", Any);
      }
    }
    m_nodes.push_back(std::move(read));
  }

  void check_widths() {
    if (m_widths.empty()) return;
    const std::uint64_t right = m_options.flit_bits != 0 ? m_options.flit_bits : m_widths.front().bits;
    for (const width& w : m_widths) {
      if (w.bits == right) continue;
      m_faults.add(w.mark,
                   fmt::format("{}: the link is {} bits wide, but {} {}; unequal widths would take routers that cut "
                               "flits, and Weft has none: make all {}",
                               w.path, w.bits, m_options.flit_bits != 0 ? "flits have" : "others are", right, right));
    }
  }

  void connect() {
    for (const link& l : m_links) {
      m_builder.reserve(l.from);
      m_builder.reserve(l.to);
    }
    for (const node& n : m_nodes)
      for (const end& e : n.ends) m_builder.reserve(e);
    for (const link& l : m_links)
      attempt(l.mark, l.path, [&] { m_builder.add_link(l.from, l.to, l.two_way, l.cycles, l.path); });
    for (const node& n : m_nodes) attempt(n.mark, n.path, [&] { m_builder.add_node(n.ends, n.cycles, n.path); });
  }

  template <class F>
  void attempt(const YAML::Mark& mark, const std::string& path, F f) {
    try {
      f();
    } catch (const std::invalid_argument& e) {
      m_faults.add(mark, fmt::format("{}: {}", path, e.what()));
    }
  }

  // ---- Routing ----

  void read_routing(topology& t, const section& top) {
    static const std::vector<std::string> Names{"up_down", "shortest", "source", "table"};
    if (!top.has("routing")) return m_options.routing->route(t, m_options.vcs);
    const YAML::Node n = top["routing"];
    if (n.IsSequence()) return read_rules(t, top);
    if (n.IsScalar()) {
      const std::size_t how = top.choice("routing", names_of(graph_routings()));
      m_faults.throw_if_any();
      return graph_routings()[how]->route(t, m_options.vcs);
    }
    const section s(m_faults, n, "routing", {"algorithm", "root", "routes", "paths", "others"});
    const std::size_t how = s.choice("algorithm", Names);
    static const std::vector<std::vector<std::string>> Keys{{"root"}, {}, {"paths", "others"}, {"routes"}};
    for (const char* key : {"root", "routes", "paths", "others"}) {
      if (s.has(key) && std::count(Keys[how].begin(), Keys[how].end(), key) == 0)
        m_faults.add(s[key].Mark(), fmt::format("{}: {} routing has no such key", s.path(key), Names[how]));
    }
    m_faults.throw_if_any();
    if (how == 0) {
      std::optional<router_id> root;
      if (s.has("root")) root = read_router_ref(s["root"], "routing.root");
      m_faults.throw_if_any();
      return route_up_down(t, m_options.vcs, root);
    }
    if (how == 1) {
      route_shortest_layered(t, m_options.vcs);
      return;
    }
    if (how == 2) return read_paths(t, s);
    read_table(t, s);
  }

  void read_table(topology& t, const section& s) {
    std::vector<table_entry> entries;
    std::vector<std::vector<bool>> given(t.routers.size(), std::vector<bool>(t.nodes.size()));
    std::vector<table_entry> others;
    s.need("routes");
    s.each("routes", "routes", [&](const YAML::Node& n, const std::string& path) {
      const section r(m_faults, n, path, {"at", "to", "port", "next", "vcs"});
      if (!r.need("at") || !r.need("to")) return;
      const auto at = read_router_ref(r["at"], r.path("at"));
      if (!at) return;
      if (r.has("port") == r.has("next")) {
        m_faults.add(n.Mark(), fmt::format("{}: expected either 'port: east' or 'next: hub'", path));
        return;
      }
      const auto port = r.has("port") ? read_own_port(t, r["port"], *at, r.path("port"))
                                      : port_towards(t, r["next"], *at, r.path("next"));
      if (!port) return;
      table_entry e{*at, 0, *port, r.vcs("vcs", first_vcs(m_options.vcs))};
      const YAML::Node to = r["to"];
      if (to.IsScalar() && to.Scalar() == "others") return others.push_back(e);
      const auto add = [&](const YAML::Node& which, const std::string& where) {
        e.to = static_cast<node_id>(section::number(m_faults, which, where, 0, t.nodes.size() - 1, 0));
        given[*at][e.to] = true;
        entries.push_back(e);
      };
      if (to.IsSequence())
        r.each("to", "nodes", add);
      else
        add(to, r.path("to"));
    });
    for (table_entry e : others) {
      for (e.to = 0; e.to < t.nodes.size(); ++e.to) {
        const auto& ports = t.nodes[e.to].ports;
        const bool here = std::any_of(ports.begin(), ports.end(), [&](port_ref p) { return p.router == e.at; });
        if (!given[e.at][e.to] && !here) entries.push_back(e);
      }
    }
    m_faults.throw_if_any();
    route_from_table(t, entries, m_options.vcs);
  }

  /// A port of a router that is complete.
  std::optional<std::uint32_t> read_own_port(const topology& t, const YAML::Node& n, router_id router,
                                             const std::string& path) {
    const std::vector<std::string>& names = t.routers[router].port_names;
    const std::string text = n.IsScalar() ? n.Scalar() : "";
    const auto found = std::find(names.begin(), names.end(), text);
    if (found != names.end()) return static_cast<std::uint32_t>(found - names.begin());
    if (is_number(n) && *parse_number<std::uint64_t>(text) < names.size())
      return static_cast<std::uint32_t>(*parse_number<std::uint64_t>(text));
    m_faults.add(n.Mark(),
                 fmt::format("{}: {} has no port {}{}", path, router_name(t, router), shown(n), hint(text, names)));
    return std::nullopt;
  }

  std::optional<std::uint32_t> port_towards(const topology& t, const YAML::Node& n, router_id router,
                                            const std::string& path) {
    const auto next = read_router_ref(n, path);
    if (!next) return std::nullopt;
    for (const channel& c : t.channels)
      if (c.from.router == router && c.to.router == *next) return c.from.port;
    m_faults.add(n.Mark(), fmt::format("{}: there is no link from {} to {}", path, router_name(t, router),
                                       router_name(t, *next)));
    return std::nullopt;
  }

  void read_paths(topology& t, const section& s) {
    std::vector<given_path> given;
    s.each("paths", "paths", [&](const YAML::Node& n, const std::string& path) {
      const section p(m_faults, n, path, {"from", "to", "through"});
      given_path one;
      one.from = static_cast<node_id>(p.needed_number("from", 0, t.nodes.size() - 1));
      one.to = static_cast<node_id>(p.needed_number("to", 0, t.nodes.size() - 1));
      p.need("through");
      p.each("through", "routers", [&](const YAML::Node& r, const std::string& where) {
        if (const auto router = read_router_ref(r, where)) one.through.push_back(*router);
      });
      given.push_back(std::move(one));
    });
    const std::size_t others = s.has("others") ? s.choice("others", {"shortest", "up_down"}) : 0;
    m_faults.throw_if_any();
    route_by_source(t, m_options.vcs, static_cast<source_paths>(others), given);
  }

  // ---- Routing functions, as to_json() writes them ----

  void read_rules(topology& t, const section& top) {
    t.algorithm = top.has("algorithm") ? top.text("algorithm") : "custom";
    for (node_id n = 0; n < t.nodes.size(); ++n) t.nodes[n].ways = m_nodes[n].ways;
    top.each("routing", "routing functions",
             [&](const YAML::Node& n, const std::string& path) { t.routing.push_back(read_rule(n, path, t)); });
  }

  route_rule read_rule(const YAML::Node& n, const std::string& path, const topology& t) {
    const std::string name = n.IsMap() && n["rule"] && n["rule"].IsScalar() ? n["rule"].Scalar() : "";
    if (find_grid_routing(name))
      return read_grid(
          {m_faults, n, path, {"rule", "size", "stride", "here", "order", "local_ports", "vcs", "nodes", "rings"}});
    if (name == "table") return read_rows({m_faults, n, path, {"rule", "rows", "inputs", "layers"}}, t);
    if (name == "nearest_common_ancestor") {
      return read_tree({m_faults,
                        n,
                        path,
                        {"rule", "ascent", "first", "span", "children", "child_ports", "parents", "divisor", "vcs"}});
    }
    if (name == "e_cube" || name == "minimal_adaptive_cube") {
      const section s(m_faults, n, path, {"rule", "dimensions", "here", "nodes", "local_ports", "vcs"});
      cube_rule rule;
      rule.adaptive = name != "e_cube";
      rule.dimensions = static_cast<unsigned>(s.needed_number("dimensions", 1, MaxPorts - 1));
      rule.here = static_cast<router_id>(s.needed_number("here", 0, MaxNumber));
      rule.nodes = static_cast<unsigned>(s.number("nodes", 1, MaxPorts, 1));
      rule.local_ports = static_cast<unsigned>(s.number("local_ports", 1, MaxPorts, 1));
      rule.vcs = s.vcs("vcs", first_vcs(m_options.vcs));
      return rule;
    }
    if (name == "source") {
      const section s(m_faults, n, path, {"rule", "vcs"});
      return source_rule{s.vcs("vcs", first_vcs(m_options.vcs))};
    }
    std::vector<std::string> names;
    for (const routing_kind& r : grid_routings()) names.push_back(r.name);
    names.insert(names.end(), {"table", "nearest_common_ancestor", "e_cube", "minimal_adaptive_cube", "source"});
    m_faults.add(n.Mark(), fmt::format("{}.rule: expected one of {}, got '{}'{}", path, fmt::join(names, ", "), name,
                                       did_you_mean(name, names)));
    return {};
  }

  grid_rule read_grid(const section& s) {
    grid_rule rule;
    rule.algorithm = *find_grid_routing(s.text("rule"))->grid;
    const auto list = [&](const char* key, auto& to) {
      const std::vector<std::uint64_t> found = s.numbers(key, MaxNumber);
      if (found.empty() || found.size() > grid_rule::MaxDimensions ||
          (rule.dimensions != found.size() && to.data() != static_cast<const void*>(rule.size.data()))) {
        m_faults.add(s.node().Mark(), fmt::format("{}: expected a number for each of 1 to {} dimensions, got {}",
                                                  s.path(key), grid_rule::MaxDimensions, found.size()));
        return;
      }
      rule.dimensions = static_cast<unsigned>(found.size());
      for (std::size_t d = 0; d < found.size(); ++d)
        to[d] = static_cast<typename std::decay_t<decltype(to)>::value_type>(found[d]);
    };
    list("size", rule.size);
    list("stride", rule.stride);
    list("here", rule.here);
    list("order", rule.order);
    rule.local_ports = static_cast<unsigned>(s.number("local_ports", 1, MaxPorts, 1));
    rule.nodes = static_cast<unsigned>(s.number("nodes", 1, MaxPorts, 1));
    rule.rings = s.has("rings");
    rule.one_way = rule.rings && s.choice("rings", {"two_way", "one_way"}) == 1;
    rule.vcs = s.vcs("vcs", first_vcs(m_options.vcs));
    return rule;
  }

  tree_rule read_tree(const section& s) {
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
    rule.vcs = s.vcs("vcs", first_vcs(m_options.vcs));
    return rule;
  }

  table_rule read_rows(const section& s, const topology& t) {
    table_rule rule;
    s.need("rows");
    s.each("rows", "rows", [&](const YAML::Node& row, const std::string& path) {
      std::vector<node_id> first;
      std::vector<route> what;
      if (!row.IsSequence() || row.size() == 0) {
        m_faults.add(row.Mark(), fmt::format("{}: expected a list of routes, got {}", path, shown(row)));
        return;
      }
      for (std::size_t i = 0; i < row.size(); ++i) {
        const section r(m_faults, row[i], fmt::format("{}[{}]", path, i),
                        {"from", "port", "vcs", "choices", "choice_vcs"});
        const std::uint64_t least = first.empty() ? 0 : first.back() + 1;
        const std::uint64_t most = first.empty() ? 0 : std::max<std::uint64_t>(least, t.nodes.size() - 1);
        first.push_back(static_cast<node_id>(r.needed_number("from", least, most)));
        route one;
        one.port = static_cast<std::uint8_t>(r.number("port", 0, MaxPorts - 1, 0));
        one.vcs = r.vcs("vcs", 0);
        for (const std::uint64_t port : r.numbers("choices", MaxPorts - 1)) one.choices |= port_set{1} << port;
        one.choice_vcs = r.vcs("choice_vcs", 0);
        what.push_back(one);
      }
      rule.add_row(first, what, t.nodes.size());
    });
    s.each("inputs", "inputs", [&](const YAML::Node& input, const std::string& path) {
      const section i(m_faults, input, path, {"port", "vc", "row"});
      rule.use_row(static_cast<unsigned>(i.needed_number("port", 0, MaxPorts - 1)),
                   static_cast<unsigned>(i.needed_number("vc", 0, MaxVcs - 1)),
                   static_cast<unsigned>(i.needed_number("row", 0, table_rule::MaxRows - 1)));
    });
    rule.divide(static_cast<unsigned>(s.number("layers", 1, MaxVcs, 1)));
    return rule;
  }

  fault_list m_faults;
  const read_options m_options;
  network_builder m_builder;
  std::vector<std::string> m_names;  ///< of routers
  std::vector<link> m_links;
  std::vector<node> m_nodes;
  std::vector<width> m_widths;
  std::uint64_t m_width = 0;  ///< of links that say nothing; 0: nothing is said
};

}  // namespace

topology_file_error::topology_file_error(std::vector<diagnostic> found)
    : std::invalid_argument(one_line_each(found)), m_found(std::move(found)) {}

topology read_topology(const std::string& text, const std::string& file, const read_options& options) {
  return reader(file, options).read(text);
}

}  // namespace weft
