// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/schedule/formulas.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include <fmt/format.h>

#include "weft/collectives/schedule/papers_formulas_parts.h"
#include "weft/collectives/schedule/papers_numbers.h"
#include "weft/topology/analysis/distances.h"
#include "weft/topology/generators/fat_tree.h"
#include "weft/topology/generators/grid.h"
#include "weft/topology/generators/hierarchical_ring.h"
#include "weft/topology/generators/octagon.h"

namespace weft::schedule {
namespace {

using kind = network_family::kind;
using claim = papers_formula::claim;

std::size_t product(const std::vector<std::uint32_t>& values) {
  return std::accumulate(values.begin(), values.end(), std::size_t{1}, std::multiplies<>());
}

/// A straight cut: the number of routers on its smaller side and in the network, and the number of channels across it
/// in each direction.
struct halves {
  std::size_t smaller = 0;
  std::size_t all = 0;
  std::size_t channels = 1;
  std::size_t extra = 0;  ///< channels that a cut into equal halves has in addition to the straight one
};

/// The most even straight cut of a grid. If a side is odd, a cut into equal halves has a step in the middle layer.
/// \param links channels between two layers, for each router of a layer
halves halves_of_grid(std::vector<std::uint32_t> sizes, std::size_t links) {
  std::sort(sizes.begin(), sizes.end(), std::greater<>());
  const std::size_t n = product(sizes);
  std::size_t layer = n / sizes.front();
  halves cut{sizes.front() / 2 * layer, n, links * layer};
  for (std::size_t i = 1; i < sizes.size() && sizes[i - 1] % 2 == 1 && layer > 1; ++i) {
    layer /= sizes[i];
    cut.extra += links * layer;
  }
  return cut;
}

/// Cuts off the first half of the nodes: their whole subtrees of one level at the channels to the parents, and the
/// other nodes at their ports. The level is the one with the fewest channels.
halves halves_of_tree(const network_family& f) {
  const std::size_t n = product(f.sizes), half = n / 2, ports = f.parents[0];
  std::size_t channels = half * ports, below = 1, above = ports;
  for (std::size_t l = 1; l < f.sizes.size(); ++l) {
    below *= f.sizes[l - 1];
    above *= f.parents[l];
    channels = std::min(channels, half / below * above + half % below * ports);
  }
  return {half, n, channels};
}

std::optional<halves> halves_of(const network_family& f) {
  if (f.sizes.empty()) return std::nullopt;
  const std::size_t n = product(f.sizes);
  switch (f.what) {
    case kind::Ring:
      return halves{n / 2, n, std::size_t{f.one_way ? 1U : 2U}};
    case kind::HierarchicalRing:
      return halves{f.sizes.back() / 2 * (n / f.sizes.back()), n, f.one_way ? 1U : 2U};
    case kind::Mesh:
      return halves_of_grid(f.sizes, 1);
    case kind::Torus:
      return halves_of_grid(f.sizes, 2);
    case kind::Hypercube:
      return halves{n / 2, n, n / 2};
    case kind::Octagon:
      return halves{n / 2, n, 4};
    case kind::FatTree:
      return f.sizes.size() == 1 ? std::nullopt : std::optional(halves_of_tree(f));
    case kind::Other:
      break;
  }
  return std::nullopt;
}

/// The sum of hops between routers over all pairs of nodes, and the number of links.
struct hop_sums {
  std::size_t hops = 0;
  std::size_t links = 0;
};

hop_sums hop_sums_of(const step_network& network) {
  hop_sums sums;
  for (const step_channel& c : network.channels()) sums.links += c.kind == channel_kind::Link ? c.capacity : 0;
  for (node_id to = 0; to < network.nodes(); ++to) {
    const std::vector<std::uint32_t> distance = distances_to(network, to);
    for (node_id from = 0; from < network.nodes(); ++from) {
      if (from != to && distance[from] != Unreached) sums.hops += distance[from] - 2;
    }
  }
  return sums;
}

schedule_cost steps(std::size_t r) { return {r, r}; }

std::string table_of_bounds(const network_family& f, unsigned k) {
  if (f.what == kind::Octagon) return "OCTAGON Table 1";
  return f.what == kind::FatTree || k > 1 ? "FATTREE Table I" : "RINGS Table 1";
}

papers_formula broadcast_bound(const std::string& source, const problem& p) {
  const unsigned k = ports_of(p);
  papers_formula f{source, claim::LowerBound, fmt::format("ceil(log_(k+1) P), k = {}", k),
                   steps(ceil_log(k + 1, p.network.nodes()))};
  for (node_id n = 0; n < p.network.nodes(); ++n) f.holds = f.holds && p.network.ports_out(n) <= k;
  if (!f.holds) f.remark = "no bound: other nodes have more ports than the source";
  return f;
}

papers_formula receiving_bound(const std::string& source, const problem& p) {
  const unsigned k = ports_of(p);
  return {source, claim::LowerBound, fmt::format("ceil((P-1)/k), k = {}", k),
          steps(ceil_div(p.network.nodes() - 1, k))};
}

papers_formula bisection_bound(const std::string& source, const network_family& family, const halves& cut) {
  const std::size_t c = family.nodes_per_router, nodes = cut.all * c, half = cut.smaller * c;
  const std::size_t bisection = cut.channels + cut.extra;
  papers_formula f{source, claim::LowerBound, "ceil(P^2/(2 Bc))", steps(ceil_div(nodes * nodes, 4 * bisection))};
  const std::size_t valid = ceil_div(half * (nodes - half), cut.channels);
  f.holds = f.printed.start_ups <= valid;
  if (!f.holds) f.remark = fmt::format("no bound, because the halves are not equal; the cut itself: {}", valid);
  if (family.what == kind::Ring && family.one_way) {
    f.holds = true;
    f.remark = fmt::format("weak: distances over channels give P(P-1)/2 = {}", nodes * (nodes - 1) / 2);
  }
  return f;
}

/// Returns Σ/(Pk), the third of FATTREE's bounds of AAS.
papers_formula distance_bound(const problem& p) {
  const hop_sums sums = hop_sums_of(p.network);
  std::size_t ports = 0;
  for (node_id n = 0; n < p.network.nodes(); ++n) ports += p.network.ports_out(n);
  papers_formula f{"FATTREE Table I", claim::LowerBound, "ceil(sum of hops/(P k))", steps(ceil_div(sums.hops, ports))};
  if (sums.links > ports) {
    const std::size_t valid = ceil_div(sums.hops, sums.links);
    f.holds = f.printed.start_ups <= valid;
    f.remark = fmt::format("divide by the {} channels between routers: {}", sums.links, valid);
  }
  return f;
}

/// Returns the number of messages that a subtree lacks, divided by the number of channels into it. For fat trees, this
/// bound is stronger than the bounds that FATTREE prints.
std::size_t subtree_bound(const network_family& f) {
  std::size_t strongest = 0, below = 1, channels = f.parents[0];
  const std::size_t nodes = product(f.sizes);
  for (std::size_t l = 0; l + 1 < f.sizes.size(); ++l) {
    below *= f.sizes[l];
    channels *= f.parents[l + 1];
    strongest = std::max(strongest, ceil_div(below * (nodes - below), channels));
  }
  return strongest;
}

void add_bounds(const network_family& family, const problem& p, std::vector<papers_formula>& all) {
  const std::string source = table_of_bounds(family, ports_of(p));
  const bool broadcast = p.requested.what == operation::Broadcast;
  if (pattern_of(p.requested, p.network.nodes()) == pattern::OneToAll) {
    all.push_back(broadcast ? broadcast_bound(source, p) : receiving_bound(source, p));
    return;
  }
  all.push_back(receiving_bound(source, p));
  if (broadcast) return;
  const std::optional<halves> cut = halves_of(family);
  if (cut && cut->all > 1) all.push_back(bisection_bound(source, family, *cut));
  if (source == "FATTREE Table I") all.push_back(distance_bound(p));
  if (family.what == kind::FatTree) {
    const std::size_t valid = subtree_bound(family);
    if (valid > all.front().printed.start_ups) {
      all.front().remark = fmt::format("FATTREE calls it the strongest; subtrees need {}", valid);
    }
  }
}

/// The sizes of an M-to-N collective in OCTAGON's notation.
struct m_to_n {
  std::size_t m, n, q;
};

m_to_n sizes_of(const collective& requested) {
  std::vector<node_id> both;
  std::set_intersection(requested.senders.begin(), requested.senders.end(), requested.receivers.begin(),
                        requested.receivers.end(), std::back_inserter(both));
  return {requested.senders.size(), requested.receivers.size(), both.size()};
}

papers_formula many_broadcast_bound(const problem& p) {
  const auto [m, n, q] = sizes_of(p.requested);
  if (m == q && n == q) {  // all to all among them
    return {"OCTAGON Table 1", claim::LowerBound, "M-1", steps(ceil_div(m - 1, ports_of(p)))};
  }
  papers_formula f{"OCTAGON eq. 2", claim::LowerBound, "max(ceil(log2 N), M)", steps(std::max(ceil_log2(n), m))};
  if (q == n) {
    f.source = "OCTAGON eq. 7";
    f.holds = false;
    f.remark = fmt::format("every receiver also sends, and lacks M-1 = {} messages", m - 1);
  }
  if (ports_of(p) > 1) {
    f.holds = false;
    f.remark = "for one port only";
  }
  return f;
}

papers_formula many_scatter_bound(const problem& p, const octagon_cuts& cuts) {
  const auto [m, n, q] = sizes_of(p.requested);
  const auto [b1, b2, b0] = cuts;
  const std::size_t t1 = std::max(ceil_div((m - q) * q, b1), ceil_div(q * (n - q), b2));
  const std::size_t apart = ceil_div((m - q) * (n - q), std::min(b1, b2));
  const std::size_t t2 = std::max(apart, ceil_div(q * q, 2 * b0));
  papers_formula f{"OCTAGON eq. 6", claim::LowerBound,
                   "max((M-Q)Q/b1, Q(N-Q)/b2) + max((M-Q)(N-Q)/min(b1,b2), Q^2/(2 b0))", steps(t1 + t2)};
  f.holds = false;
  f.remark = fmt::format(
      "no bound: the two parts may overlap, and messages go around; the example of section 3 takes Q(Q-1)/(2 b0): {}",
      t1 + std::max(apart, q == 0 ? 0 : ceil_div(q * (q - 1), 2 * b0)));
  return f;
}

}  // namespace

network_family family_of(const network_plan& plan) {
  const topology_options& o = plan.topology;
  network_family f;
  f.nodes_per_router = o.nodes_per_router;
  f.one_way = o.direction == ring_direction::OneWay;
  if (plan.kind == &mesh_topology() || plan.kind == &torus_topology() || plan.kind == &ring_topology()) {
    f.what = plan.kind == &mesh_topology() ? kind::Mesh : plan.kind == &torus_topology() ? kind::Torus : kind::Ring;
    f.sizes = o.shape;
  } else if (plan.kind == &hypercube_topology()) {
    f.what = kind::Hypercube;
    f.sizes.assign(o.dimensions, 2);
  } else if (plan.kind == &hierarchical_ring_topology()) {
    f.what = kind::HierarchicalRing;
    f.sizes = o.rings;
  } else if (plan.kind == &fat_tree_topology()) {
    f.what = kind::FatTree;
    f.sizes = o.children;
    f.parents = o.parents;
    f.nodes_per_router = 1;
  } else if (plan.kind == &octagon_topology() && o.octagons == 1) {
    f.what = kind::Octagon;
    f.sizes = {o.routers};
  }
  if (f.what == kind::Mesh || f.what == kind::Torus || f.what == kind::Hypercube || f.what == kind::FatTree ||
      f.what == kind::Octagon) {
    f.one_way = false;
  }
  return f;
}

std::optional<std::size_t> bisection_of(const network_family& family) {
  const std::optional<halves> cut = halves_of(family);
  if (!cut || cut->all < 2) return std::nullopt;
  return 2 * (cut->channels + cut->extra);
}

std::vector<papers_formula> papers_formulas(const network_family& family, const problem& p,
                                            const std::optional<octagon_cuts>& cuts) {
  std::vector<papers_formula> all;
  if (pattern_of(p.requested, p.network.nodes()) == pattern::ManyToMany) {
    if (p.combining) return all;
    if (p.requested.what == operation::Broadcast) {
      all.push_back(many_broadcast_bound(p));
    } else if (cuts) {
      all.push_back(many_scatter_bound(p, *cuts));
    }
  } else if (p.combining) {
    add_combining_formulas(family, p, all);
    return all;
  } else {
    add_bounds(family, p, all);
    add_ring_formulas(family, p, all);
  }
  add_table_entries(family, p, all);
  return all;
}

}  // namespace weft::schedule
