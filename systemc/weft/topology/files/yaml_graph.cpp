// SPDX-License-Identifier: Apache-2.0
#include "weft/topology/files/yaml_graph.h"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "weft/core/printable.h"

namespace weft {
namespace {

constexpr std::uint64_t AnyNumber = std::numeric_limits<std::uint64_t>::max();

}  // namespace

template <class F>
void yaml_graph::attempt(const YAML::Mark& mark, const std::string& path, F use) {
  try {
    use();
  } catch (const std::invalid_argument& e) {
    m_errors.add(mark, fmt::format("{}: {}", path, e.what()));
  }
}

void yaml_graph::read(const yaml_section& top) {
  for (const char* key : {"routers", "nodes"})
    if (top.need(key) && top[key].IsSequence() && top[key].size() == 0)
      m_errors.add(top[key].Mark(), fmt::format("{}: the list is empty; give at least one", key));
  top.each("routers", "routers", [&](const YAML::Node& n, const std::string& path) { read_router(n, path); });
  m_errors.throw_if_any();  // the following sections refer to routers
  m_width = top.number("width", 1, MaxNumber, 0);
  for (const char* key : {"links", "channels"})
    top.each(key, "links", [&](const YAML::Node& n, const std::string& path) { read_link(n, path); });
  top.each("nodes", "nodes", [&](const YAML::Node& n, const std::string& path) { read_node(n, path); });
  convert_widths();
  connect();
  m_errors.throw_if_any();
}

void yaml_graph::assign_path_ids(topology& t) const {
  for (node_id n = 0; n < t.nodes.size(); ++n) t.nodes[n].path_ids = m_nodes[n].path_ids;
}

void yaml_graph::reject_path_ids() const {
  for (const node& n : m_nodes)
    if (n.has_path_ids)
      m_errors.add(n.path_ids_mark,
                   fmt::format("{}.ways: has no effect without a list of routing functions; leave it out, or give the "
                               "list",
                               n.path));
}

void yaml_graph::read_router(const YAML::Node& n, const std::string& path) {
  std::string name;
  std::vector<std::string> ports;
  std::vector<std::uint32_t> coordinates;
  if (text_in(n) && !whole_number_in(n)) {
    name = n.Scalar();
  } else {
    const yaml_section s(m_errors, n, path, {"name", "ports", "coordinates"});
    name = s.text("name");
    s.each("ports", "names", [&](const YAML::Node& port, const std::string& where) {
      if (const auto text = text_in(port))
        ports.push_back(*text);
      else
        m_errors.wrong(port.Mark(), where, "the name of a port", port);
    });
    for (const std::uint64_t coordinate : s.numbers("coordinates", MaxNumber))
      coordinates.push_back(static_cast<std::uint32_t>(coordinate));
  }
  if (m_names.called(name))
    m_errors.add(n.Mark(),
                 fmt::format("{}: there are two routers {}; give each router its own name", path, in_quotes(name)));
  m_names.add(name);
  attempt(n.Mark(), path, [&] { m_builder.add_router(name, ports, coordinates); });
}

std::optional<std::uint32_t> yaml_graph::read_port(const YAML::Node& n, const std::string& name, bool is_number,
                                                   router_id router, const std::string& path) {
  std::optional<std::uint32_t> port;
  attempt(n.Mark(), path, [&] {
    const std::vector<std::string>& names = m_builder.network().routers[router].port_names;
    if (is_number) {
      const std::uint64_t number = *parse_number<std::uint64_t>(name);
      if (number < names.size())
        port = static_cast<std::uint32_t>(number);
      else
        m_errors.add(n.Mark(), fmt::format("{}: {} has no port {}; it has {}", path, m_builder.name_of(router), number,
                                           names.empty() ? "no list of ports" : fmt::format("{}", names.size())));
      return;
    }
    port = m_builder.port_named(router, name);
    if (!port)
      m_errors.add(n.Mark(), fmt::format("{}: {} has no port {}{}", path, m_builder.name_of(router), in_quotes(name),
                                         names_hint(name, names)));
  });
  return port;
}

/// {router: hub, port: east}.
std::optional<yaml_graph::end> yaml_graph::read_end_in_parts(const YAML::Node& n, const std::string& path) {
  const yaml_section s(m_errors, n, path, {"router", "port"});
  if (!s.need("router")) return std::nullopt;
  const auto router = m_names.read(s["router"], s.path("router"));
  if (!router) return std::nullopt;
  if (!s.has("port")) return end{*router, std::nullopt};
  const YAML::Node port = s["port"];
  if (!port.IsScalar()) {
    m_errors.wrong(s.mark_of("port"), s.path("port"), "a port", port);
    return std::nullopt;
  }
  const auto number = read_port(port, port.Scalar(), whole_number_in(port).has_value(), *router, s.path("port"));
  return number ? std::optional(end{*router, number}) : std::nullopt;
}

/// "hub", "hub.east", 0, or a map.
std::optional<yaml_graph::end> yaml_graph::read_end(const YAML::Node& n, const std::string& path) {
  if (n.IsMap()) return read_end_in_parts(n, path);
  const std::string text = n.IsScalar() ? n.Scalar() : "";
  const std::size_t dot = text.find('.');
  if (!n.IsScalar() || m_names.called(text) || dot == std::string::npos) {
    const auto router = m_names.read(n, path);
    return router ? std::optional(end{*router, std::nullopt}) : std::nullopt;
  }
  const std::string name = text.substr(0, dot);
  const auto router = m_names.called(name);
  if (!router) {
    m_errors.add(n.Mark(), fmt::format("{}: there is no router {}{}", path, in_quotes(name), m_names.hint(name)));
    return std::nullopt;
  }
  const auto port = read_port(n, text.substr(dot + 1), false, *router, path);
  return port ? std::optional(end{*router, port}) : std::nullopt;
}

/// Returns whether the section contains both ends of the link; an end that does not exist stays empty.
bool yaml_graph::read_ends(const yaml_section& s, const std::string& path, std::optional<end>& from,
                           std::optional<end>& to) {
  if (s.has("between") == (s.has("from") || s.has("to"))) {
    m_errors.add(s.mark(), fmt::format("{}: expected either 'between: [a, b]' for a two-way link, or 'from: a' and "
                                       "'to: b' for a one-way link",
                                       path));
    return false;
  }
  if (s.has("between")) {
    const YAML::Node ends = s["between"];
    if (!ends.IsSequence() || ends.size() != 2) {
      m_errors.add(s.mark_of("between"),
                   fmt::format("{}: expected a list of two routers, got {}", s.path("between"),
                               ends.IsSequence() ? fmt::format("a list of {}", ends.size()) : shown(ends)));
      return false;
    }
    from = read_end(ends[0], s.path("between[0]"));
    to = read_end(ends[1], s.path("between[1]"));
  } else if (s.need("from") && s.need("to")) {
    from = read_end(s["from"], s.path("from"));
    to = read_end(s["to"], s.path("to"));
  }
  return true;
}

/// Reads the width of a link: in bits, or as the number of parts into which the link cuts a flit.
void yaml_graph::read_width(const yaml_section& s, const std::string& path, link& l) {
  if (s.has("width") && s.has("phits"))
    m_errors.add(s.mark_of("phits"), fmt::format("{}: has no effect, because {} gives the width of the link; give one "
                                                 "of the two",
                                                 s.path("phits"), s.path("width")));
  l.sizes.phits = static_cast<unsigned>(s.number("phits", 1, MaxPhits, 1));
  if (s.has("phits")) return;
  width w;
  w.mark = s.mark_of("width");
  w.path = s.has("width") ? s.path("width") : path;
  w.bits = s.number("width", 1, MaxNumber, m_width);
  w.link = m_links.size();
  if (w.bits != 0) m_widths.push_back(std::move(w));
}

void yaml_graph::read_link(const YAML::Node& n, const std::string& path) {
  const yaml_section s(m_errors, n, path, {"between", "from", "to", "cycles", "width", "phits"});
  std::optional<end> from, to;
  if (!s.is_map() || !read_ends(s, path, from, to)) return;
  link l;
  l.mark = n.Mark();
  l.path = path;
  l.two_way = s.has("between");
  l.sizes.cycles = static_cast<unsigned>(s.number("cycles", 1, MaxFileCycles, 1));
  read_width(s, path, l);
  if (!from || !to) return;
  if (from->router == to->router) {
    m_errors.add(n.Mark(),
                 fmt::format("{}: it joins {} to itself; name two routers", path, m_builder.name_of(from->router)));
    return;
  }
  l.from = *from;
  l.to = *to;
  m_links.push_back(std::move(l));
}

void yaml_graph::read_node(const YAML::Node& n, const std::string& path) {
  node read;
  read.mark = n.Mark();
  read.path = path;
  const auto add = [&](const YAML::Node& which, const std::string& name) {
    if (const auto e = read_end(which, name)) read.ends.push_back(*e);
  };
  if (!n.IsMap()) {
    add(n, path);
  } else {
    const yaml_section s(m_errors, n, path, {"router", "ports", "cycles", "ways"});
    read.cycles = static_cast<unsigned>(s.number("cycles", 1, MaxFileCycles, 1));
    if (s.has("router") == s.has("ports")) {
      m_errors.add(n.Mark(), fmt::format("{}: expected either 'router: a' or 'ports: [a, b]'", path));
      return;
    }
    if (s.has("router")) add(s["router"], s.path("router"));
    s.each("ports", "ports", add);
    if (s.has("ports") && s["ports"].IsSequence() && s["ports"].size() == 0)
      m_errors.add(s["ports"].Mark(), fmt::format("{}: the list is empty; give at least one", s.path("ports")));
    if (s.has("ways")) {
      read.path_ids_mark = s.mark_of("ways");
      read.has_path_ids = true;
      const yaml_section path_ids(m_errors, s["ways"], s.path("ways"), {"count", "seed", "by_destination"});
      for (const char* const key : {"count", "seed"})
        if (path_ids.has(key) && path_ids.has("by_destination"))
          m_errors.add(path_ids.mark_of(key),
                       fmt::format("{}: has no effect, because {} fixes the path ids; give one of the two",
                                   path_ids.path(key), path_ids.path("by_destination")));
      read.path_ids.count = path_ids.number("count", 1, AnyNumber, 1);
      read.path_ids.seed = path_ids.number("seed", 0, AnyNumber, 0);
      read.path_ids.by_destination = path_ids.numbers("by_destination", AnyNumber);
    }
  }
  m_nodes.push_back(std::move(read));
}

/// Converts the widths of links to numbers of phits. Without flits of a known width, the widest link is as wide as a
/// flit.
void yaml_graph::convert_widths() {
  std::uint64_t flit = m_options.flit_bits;
  if (flit == 0)
    for (const width& w : m_widths) flit = std::max(flit, w.bits);
  for (const width& w : m_widths) {
    if (w.bits <= flit && flit % w.bits == 0 && flit / w.bits <= MaxPhits) {
      if (w.link < m_links.size()) m_links[w.link].sizes.phits = static_cast<unsigned>(flit / w.bits);
      continue;
    }
    const char* const whose = m_options.flit_bits != 0 ? "the width of flits" : "the width of the widest link";
    if (w.bits > flit)
      m_errors.add(w.mark, fmt::format("{}: {} bits exceed {}, {}, but a link carries at most one flit per cycle; give "
                                       "at most {}",
                                       w.path, w.bits, whose, flit, flit));
    else
      m_errors.add(w.mark, fmt::format("{}: width {} does not divide {}, {}, into 2 to {} parts; give a divisor of {} "
                                       "that is at least {}",
                                       w.path, w.bits, whose, flit, MaxPhits, flit, (flit + MaxPhits - 1) / MaxPhits));
  }
}

void yaml_graph::connect() {
  for (const link& l : m_links) {
    m_builder.reserve(l.from);
    m_builder.reserve(l.to);
  }
  for (const node& n : m_nodes)
    for (const end& e : n.ends) m_builder.reserve(e);
  for (const link& l : m_links)
    attempt(l.mark, l.path, [&] { m_builder.add_link(l.from, l.to, l.two_way, l.sizes, l.path); });
  for (const node& n : m_nodes) attempt(n.mark, n.path, [&] { m_builder.add_node(n.ends, n.cycles, n.path); });
}

}  // namespace weft
