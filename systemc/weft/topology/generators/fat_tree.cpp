// SPDX-License-Identifier: Apache-2.0
#include "weft/topology/generators/fat_tree.h"

#include <algorithm>

#include "weft/core/random.h"
#include "weft/topology/generators/generator.h"

namespace weft {
namespace {

using generator_detail::MaxNodes;
using generator_detail::MaxRouters;
using generator_detail::reject;

using numbers = std::vector<std::uint32_t>;

/// A level. Level 0, the nodes, uses the first three fields only.
struct level {
  std::uint32_t below = 1;    ///< nodes below a router, M_l
  std::uint32_t alike = 1;    ///< routers with the same nodes below, W_l
  std::uint32_t parents = 0;  ///< parents of a router
  std::uint32_t children = 0;
  std::uint32_t child_ports = 1;  ///< channels to each child
  std::uint32_t count = 0;        ///< number of routers
  router_id first = 0;            ///< the first of these routers

  std::uint32_t first_up() const { return children * child_ports; }
};

void check_shape(const fat_tree_shape& s) {
  if (s.children.empty()) {
    reject("a fat tree has 0 levels; give children and parents a number for each level, such as [4, 4] and [1, 4]");
  }
  if (s.children.size() != s.parents.size()) {
    reject("children [{}] has {} levels and parents [{}] has {}; give both a number for each level",
           fmt::join(s.children, ", "), s.children.size(), fmt::join(s.parents, ", "), s.parents.size());
  }
  const auto check_each = [](const numbers& list, const char* name) {
    if (std::find(list.begin(), list.end(), 0U) != list.end()) {
      reject("{} [{}] has a 0; every number must be at least 1", name, fmt::join(list, ", "));
    }
  };
  check_each(s.children, "children");
  check_each(s.parents, "parents");

  std::uint64_t nodes = 1;
  for (const std::uint32_t m : s.children) {
    nodes *= m;  // cannot overflow: at most 2^20 times 2^32
    if (nodes > MaxNodes) {
      reject("children [{}] make more than {} nodes; choose smaller numbers or fewer levels",
             fmt::join(s.children, ", "), MaxNodes);
    }
  }
  if (nodes < 2) {
    reject("children [{}] make one node; a network needs at least 2, such as [2]", fmt::join(s.children, ", "));
  }
}

void check_ports(const fat_tree_shape& s, unsigned nic_ports) {
  if (std::uint64_t{s.parents[0]} * nic_ports > MaxPorts) {
    reject("nodes have {} ports, {} to each of {} routers, and may have at most {}; lower {}parents[0]",
           std::uint64_t{s.parents[0]} * nic_ports, nic_ports, s.parents[0], MaxPorts,
           nic_ports > 1 ? "nic.ports or " : "");
  }
  for (std::size_t l = 0; l < s.children.size(); ++l) {
    const unsigned each = l == 0 ? nic_ports : 1;
    const std::uint64_t down = std::uint64_t{s.children[l]} * each;
    const std::uint64_t up = l + 1 < s.parents.size() ? s.parents[l + 1] : 0;
    if (down + up <= MaxPorts) continue;
    std::string remedy = each > 1 ? "nic.ports or " : "";
    remedy += fmt::format("children[{}]", l);
    if (up > 0) remedy += fmt::format(" or parents[{}]", l + 1);
    reject("routers of level {} have {} ports, {} down and {} up, and may have at most {}; lower {}", l + 1, down + up,
           down, up, MaxPorts, remedy);
  }
}

/// Levels 0 … h. \p s has passed check_shape().
std::vector<level> levels_of(const fat_tree_shape& s, unsigned nic_ports) {
  std::uint32_t nodes = 1;
  for (const std::uint32_t m : s.children) nodes *= m;
  std::vector<level> levels(1);
  levels[0].parents = s.parents[0];
  std::uint64_t routers = 0;
  for (std::size_t l = 0; l < s.children.size(); ++l) {
    level next;
    next.below = levels.back().below * s.children[l];
    const std::uint64_t alike = std::uint64_t{levels.back().alike} * s.parents[l];
    const std::uint64_t count = alike * (nodes / next.below);
    if (routers + count > MaxRouters) {
      reject("children [{}] and parents [{}] make more than {} routers; choose fewer parents or levels",
             fmt::join(s.children, ", "), fmt::join(s.parents, ", "), MaxRouters);
    }
    next.alike = static_cast<std::uint32_t>(alike);
    next.count = static_cast<std::uint32_t>(count);
    next.first = static_cast<router_id>(routers);
    next.children = s.children[l];
    next.child_ports = l == 0 ? nic_ports : 1;
    next.parents = l + 1 < s.parents.size() ? s.parents[l + 1] : 0;
    routers += count;
    levels.push_back(next);
  }
  return levels;
}

std::vector<std::string> port_names(const level& l, bool lowest) {
  std::vector<std::string> names;
  if (lowest) {
    generator_detail::name_local_ports(names, l.first_up());
  } else {
    for (std::uint32_t i = 0; i < l.children; ++i) names.push_back(fmt::format("down{}", i));
  }
  for (std::uint32_t i = 0; i < l.parents; ++i) names.push_back(fmt::format("up{}", i));
  return names;
}

/// The channels that leave router number \p r of level \p l.
void connect(topology& t, const std::vector<level>& levels, std::size_t l, std::uint32_t r, unsigned cycles) {
  const level &here = levels[l], &below = levels[l - 1];
  const std::uint32_t subtree = r / here.alike, copy = r % here.alike;
  for (std::uint32_t c = 0; l > 1 && c < here.children; ++c) {
    const std::uint32_t child = (subtree * here.children + c) * below.alike + copy % below.alike;
    t.channels.push_back({{here.first + r, c}, {below.first + child, below.first_up() + copy / below.alike}, cycles});
  }
  for (std::uint32_t u = 0; u < here.parents; ++u) {
    const level& above = levels[l + 1];
    const std::uint32_t parent = subtree / above.children * above.alike + copy + u * here.alike;
    t.channels.push_back(
        {{here.first + r, here.first_up() + u}, {above.first + parent, subtree % above.children}, cycles});
  }
}

void add_routers(topology& t, const fat_tree_parameters& p, const std::vector<level>& levels, std::size_t l,
                 std::uint32_t widest) {
  const level& here = levels[l];
  const std::vector<std::string> names = port_names(here, l == 1);
  tree_rule rule;
  rule.up = p.up;
  rule.span = levels[l - 1].below;
  rule.children = here.children;
  rule.parents = here.parents;
  rule.child_ports = here.child_ports;
  rule.divisor = here.alike / levels[0].parents;
  rule.vcs = first_vcs(p.options.vcs);
  for (std::uint32_t r = 0; r < here.count; ++r) {
    // Distributed evenly from left to right, so that a router is above the middle of its subtree.
    const auto x = static_cast<std::uint32_t>(((2 * std::uint64_t{r} + 1) * widest / here.count - 1) / 2);
    t.routers.push_back({static_cast<unsigned>(names.size()), names, {x, static_cast<std::uint32_t>(l - 1)}});
    rule.first = r / here.alike * here.below;
    t.routing.emplace_back(rule);
    connect(t, levels, l, r, p.options.link_cycles);
  }
}

void add_nodes(topology& t, const fat_tree_parameters& p, const std::vector<level>& levels) {
  const level& lowest = levels[1];
  const std::uint32_t parents = levels[0].parents;
  const std::uint64_t ascents = levels.back().alike / parents;
  for (node_id n = 0; n < levels.back().below; ++n) {
    node_attachment node{{}, p.options.node_cycles, {}};
    for (std::uint32_t i = 0; i < parents; ++i) {
      for (std::uint32_t k = 0; k < lowest.child_ports; ++k) {
        node.ports.push_back({n / lowest.children * parents + i, n % lowest.children * lowest.child_ports + k});
      }
    }
    if (p.up == ascent::Random && ascents > 1) {
      node.path_ids.count = ascents;
      node.path_ids.seed = stream_key(p.seed, n, stream_purpose::PathId);
    }
    t.nodes.push_back(std::move(node));
  }
}

fat_tree_shape uniform(std::uint32_t levels, std::uint32_t children, std::uint32_t parents) {
  return {numbers(levels, children), numbers(levels, parents)};
}

list_option<topology_options> levels_option(std::vector<std::uint32_t> topology_options::*field) {
  return {field, 1, 1U << 20, 1, 20};
}

topology_kind make_fat_tree_kind() {
  topology_kind kind{};
  kind.name = "fat_tree";
  kind.noun = "a fat tree";
  kind.description = "an extended generalized fat tree";
  kind.keys = {{"children", levels_option(&topology_options::children), "",
                "Number of children of a router on each level (m1, m2, …), beginning with the routers that have the "
                "nodes. Together with `parents`, this defines an XGFT(h; m1 … mh; w1 … wh). For a k-ary n-tree, "
                "`children` is `[k, k, …]` and `parents` is `[1, k, …]`; for FT(m, h), they are `[m/2, …, m/2, m]` and "
                "`[1, m/2, …]`; for GFT(h, m, w), they are `[m, m, …]` and `[w, w, …]`."},
               {"parents", levels_option(&topology_options::parents), "",
                "Number of parents of a node, of a router on the first level, and so on (w1, w2, …). The list has as "
                "many numbers as `children`."}};
  kind.usual = &nearest_common_ancestor_routing();
  kind.routings = {kind.usual};
  kind.count_nodes = [](const network_plan& plan) { return generator_detail::product(1, plan.topology.children); };
  kind.make = [](const network_plan& plan) {
    return make_fat_tree(
        {{plan.topology.children, plan.topology.parents}, plan.network, plan.routing_choices.ascent, plan.seed});
  };
  return kind;
}

void check_levels(std::uint32_t levels) {
  if (levels == 0 || levels > 20) reject("a fat tree has {} levels; give 1 to 20", levels);
}

}  // namespace

fat_tree_shape fixed_arity_tree(std::uint32_t ports, std::uint32_t levels) {
  check_levels(levels);
  if (ports < 2 || ports % 2 != 0) reject("FT(m, h) has m = {} ports; give an even number of at least 2", ports);
  fat_tree_shape s = uniform(levels, ports / 2, ports / 2);
  s.children.back() = ports;
  s.parents.front() = 1;
  return s;
}

fat_tree_shape generalised_tree(std::uint32_t levels, std::uint32_t children, std::uint32_t parents) {
  check_levels(levels);
  return uniform(levels, children, parents);
}

fat_tree_shape k_ary_n_tree(std::uint32_t arity, std::uint32_t levels) {
  check_levels(levels);
  fat_tree_shape s = uniform(levels, arity, arity);
  s.parents.front() = 1;
  return s;
}

topology make_fat_tree(const fat_tree_parameters& p) {
  generator_detail::check_options(p.options);
  generator_detail::check_nic_ports(p.options);
  check_shape(p.shape);
  check_ports(p.shape, p.options.nic_ports);
  const std::vector<level> levels = levels_of(p.shape, p.options.nic_ports);
  const auto by_count = [](const level& a, const level& b) { return a.count < b.count; };
  const std::uint32_t widest = std::max_element(levels.begin(), levels.end(), by_count)->count;

  topology t;
  t.kind = "fat_tree";
  t.algorithm = ascent_name(p.up);
  for (std::size_t l = 1; l < levels.size(); ++l) add_routers(t, p, levels, l, widest);
  add_nodes(t, p, levels);
  return t;
}

const std::vector<std::pair<std::string, ascent>>& ascents() {
  static const std::vector<std::pair<std::string, ascent>> All = {{"destination_modulo", ascent::DestinationModulo},
                                                                  {"random", ascent::Random},
                                                                  {"least_loaded", ascent::LeastLoaded}};
  return All;
}

const std::string& ascent_name(ascent up) {
  return std::find_if(ascents().begin(), ascents().end(), [up](const auto& a) { return a.second == up; })->first;
}

const routing_kind& nearest_common_ancestor_routing() {
  static const routing_kind Kind = [] {
    routing_kind kind;
    kind.name = "nearest_common_ancestor";
    kind.description = "only in fat trees, up to the nearest common ancestor and then down (1)";
    kind.keys = {{"ascent", choice_of<routing_options, ascent, &routing_options::ascent>(ascents()), "",
                  "How a packet selects the next parent on its way up a fat tree: by a digit of its destination "
                  "(D-mod-k), at random, or by the most credits."}};
    return kind;
  }();
  return Kind;
}

const topology_kind& fat_tree_topology() {
  static const topology_kind Kind = make_fat_tree_kind();
  return Kind;
}

}  // namespace weft
