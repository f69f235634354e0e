// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/communication/broadcast_tree.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <numeric>
#include <tuple>
#include <utility>

namespace weft {
namespace {

/// A part of a row, and the node in it that has the datum.
struct row_part {
  std::vector<std::uint32_t> coordinates;
  std::size_t holder = 0;
};

/// Returns the two halves of a part. These are the low and the high coordinates or, if the nearest nodes are reached
/// first, every other coordinate.
std::pair<row_part, row_part> split(const row_part& whole, bool alternately) {
  const std::size_t first_half = (whole.coordinates.size() + 1) / 2;
  row_part with, without;
  for (std::size_t i = 0; i < whole.coordinates.size(); ++i) {
    const auto in_first = [&](std::size_t index) { return alternately ? index % 2 == 0 : index < first_half; };
    row_part& half = in_first(i) == in_first(whole.holder) ? with : without;
    if (i == whole.holder) with.holder = half.coordinates.size();
    half.coordinates.push_back(whole.coordinates[i]);
  }
  without.holder = std::min(with.holder, without.coordinates.size() - 1);
  return {with, without};
}

row_tree halving(std::uint32_t side, std::uint32_t root, bool alternately) {
  row_part whole;
  whole.coordinates.resize(side);
  std::iota(whole.coordinates.begin(), whole.coordinates.end(), 0u);
  whole.holder = root;
  row_tree tree;
  std::vector<row_part> parts{whole};
  while (parts.size() < side) {
    std::vector<row_part> halves;
    std::vector<tree_send> sends;
    for (const row_part& part : parts) {
      if (part.coordinates.size() == 1) {
        halves.push_back(part);
        continue;
      }
      auto [with, without] = split(part, alternately);
      sends.push_back({with.coordinates[with.holder], without.coordinates[without.holder]});
      halves.push_back(std::move(with));
      halves.push_back(std::move(without));
    }
    tree.push_back(std::move(sends));
    parts = std::move(halves);
  }
  return tree;
}

/// Returns the tree that forwards from neighbor to neighbor, from the root in both directions.
row_tree both_ways(std::uint32_t side, std::uint32_t root, bool ring) {
  const std::uint32_t up = ring ? side / 2 : side - 1 - root;
  const std::uint32_t down = side - 1 - up;
  row_tree tree(std::max(up, down));
  for (std::uint32_t i = 0; i < up; ++i) tree[i].push_back({(root + i) % side, (root + i + 1) % side});
  for (std::uint32_t i = 0; i < down; ++i) {
    tree[i].push_back({(root + side - i) % side, (root + side - i - 1) % side});
  }
  return tree;
}

/// The nodes of a grid that have the datum so far: all combinations of the coordinates in m_held.
class holders {
 public:
  holders(const node_grid& grid, std::uint32_t root) : m_grid(&grid), m_held(grid.sides.size()) {
    for (std::size_t d = 0; d < grid.sides.size(); ++d) {
      m_held[d].push_back(root % grid.sides[d]);
      root /= grid.sides[d];
    }
  }

  std::uint32_t coordinate(std::size_t dimension) const { return m_held[dimension].front(); }

  /// Forwards the datum in the row of every holder in \p dimension according to \p sends.
  void spread(std::size_t dimension, const std::vector<tree_send>& sends, std::uint32_t level,
              std::vector<tree_send>& out) {
    std::uint32_t stride = 1;
    std::vector<std::uint32_t> starts{0};
    for (std::size_t d = 0, s = 1; d < m_held.size(); s *= m_grid->sides[d], ++d) {
      if (d == dimension) {
        stride = static_cast<std::uint32_t>(s);
        continue;
      }
      std::vector<std::uint32_t> longer;
      for (const std::uint32_t start : starts) {
        for (const std::uint32_t c : m_held[d]) longer.push_back(start + c * static_cast<std::uint32_t>(s));
      }
      starts = std::move(longer);
    }
    for (const tree_send& send : sends) {
      for (const std::uint32_t start : starts) {
        out.push_back({start + send.from * stride, start + send.to * stride, level});
      }
    }
    for (const tree_send& send : sends) m_held[dimension].push_back(send.to);
  }

 private:
  const node_grid* m_grid;
  std::vector<std::vector<std::uint32_t>> m_held;  ///< coordinates in each dimension
};

std::vector<tree_send> product_tree(collective_algorithm algorithm, const node_grid& grid, std::uint32_t root) {
  holders have(grid, root);
  std::vector<row_tree> rows;
  std::vector<std::size_t> levels;
  for (std::size_t d = 0; d < grid.sides.size(); ++d) {
    rows.push_back(make_row_tree(algorithm, grid.sides[d], have.coordinate(d), grid.ring[d]));
    levels.push_back(rows.back().size());
  }
  std::vector<std::size_t> next(rows.size(), 0);
  std::vector<tree_send> sends;
  std::uint32_t level = 0;
  for (const unsigned d : dimension_sequence(algorithm, grid, levels)) {
    have.spread(d, rows[d][next[d]++], level++, sends);
  }
  return sends;
}

std::vector<tree_send> star(std::uint32_t size, std::uint32_t root) {
  std::vector<tree_send> sends;
  for (std::uint32_t i = 1; i < size; ++i) sends.push_back({root, (root + i) % size, 0});
  return sends;
}

std::vector<tree_send> rank_tree(std::uint32_t size, std::uint32_t root) {
  const row_tree tree = make_row_tree(collective_algorithm::RankTree, size, 0, false);
  std::vector<tree_send> sends;
  for (std::uint32_t level = 0; level < tree.size(); ++level) {
    for (const tree_send& s : tree[level]) sends.push_back({(root + s.from) % size, (root + s.to) % size, level});
  }
  return sends;
}

std::vector<tree_send> once_around(const std::vector<std::uint32_t>& order, std::uint32_t root) {
  const auto size = static_cast<std::uint32_t>(order.size());
  const auto start = static_cast<std::uint32_t>(std::find(order.begin(), order.end(), root) - order.begin());
  std::vector<tree_send> sends;
  for (std::uint32_t i = 0; i + 1 < size; ++i) {
    sends.push_back({order[(start + i) % size], order[(start + i + 1) % size], i});
  }
  return sends;
}

/// Returns the spanning tree with the minimum sum of distances (Prim): it repeatedly adds the nearest remaining node.
/// If several holders are equally near, the one that received the datum first sends.
std::vector<tree_send> nearest_neighbours(const node_grid& set, std::uint32_t root, const collective_network& network) {
  struct candidate {
    std::uint32_t index = 0;
    std::uint32_t from = 0;
    std::uint32_t distance = std::numeric_limits<std::uint32_t>::max();
    std::uint32_t rank = 0;  ///< number of nodes that received the datum before `from`
  };
  const auto nearer = [](const candidate& a, const candidate& b) {
    return std::tie(a.distance, a.rank, a.index) < std::tie(b.distance, b.rank, b.index);
  };
  std::vector<candidate> left;
  for (std::uint32_t p = 0; p < set.size(); ++p) {
    if (p != root) left.push_back({p});
  }
  std::vector<std::uint32_t> level(set.size(), 0);
  std::vector<tree_send> sends;
  std::uint32_t newest = root;
  for (std::uint32_t rank = 0; !left.empty(); ++rank) {
    candidate* best = left.data();
    for (candidate& c : left) {
      const std::uint32_t distance = network.distance(set.nodes[newest], set.nodes[c.index]);
      if (distance < c.distance) c = {c.index, newest, distance, rank};
      if (nearer(c, *best)) best = &c;
    }
    sends.push_back({best->from, best->index, level[best->from]});
    newest = best->index;
    level[newest] = sends.back().level + 1;
    *best = left.back();
    left.pop_back();
  }
  std::stable_sort(sends.begin(), sends.end(),
                   [](const tree_send& a, const tree_send& b) { return a.level < b.level; });
  return sends;
}

/// Returns the nodes of a grid without dimension \p omitted, as a path of neighbors (a reflected Gray code).
std::vector<std::uint32_t> gray_path(const std::vector<std::uint32_t>& sides, std::size_t omitted) {
  std::vector<std::uint32_t> path{0};
  std::uint32_t stride = 1;
  for (std::size_t d = 0; d < sides.size(); stride *= sides[d], ++d) {
    if (d == omitted) continue;
    std::vector<std::uint32_t> longer;
    for (std::uint32_t c = 0; c < sides[d]; ++c) {
      for (const std::uint32_t index : path) longer.push_back(index + c * stride);
      std::reverse(path.begin(), path.end());
    }
    path = std::move(longer);
  }
  return path;
}

std::vector<std::uint32_t> grid_cycle(const std::vector<std::uint32_t>& sides) {
  const auto even = std::find_if(sides.begin(), sides.end(), [](std::uint32_t side) { return side % 2 == 0; });
  const auto e = static_cast<std::size_t>(even - sides.begin());
  const std::vector<std::uint32_t> columns = gray_path(sides, e);
  if (even == sides.end() || columns.size() == 1) return gray_path(sides, sides.size());
  const std::uint32_t stride = std::accumulate(sides.begin(), even, 1u, std::multiplies<>());
  std::vector<std::uint32_t> cycle;
  for (std::uint32_t row = 0; row < *even; ++row) {  // through all columns but the first, which leads back
    for (std::size_t i = 1; i < columns.size(); ++i) {
      cycle.push_back(columns[row % 2 == 0 ? i : columns.size() - i] + row * stride);
    }
  }
  for (std::uint32_t row = *even; row-- > 0;) cycle.push_back(columns[0] + row * stride);
  return cycle;
}

std::vector<std::uint32_t> nearest_tour(const node_grid& set, const collective_network& network) {
  std::vector<std::uint32_t> tour{0}, left(set.size() - 1);
  std::iota(left.begin(), left.end(), 1u);
  while (!left.empty()) {
    const node_id here = set.nodes[tour.back()];
    const auto next = std::min_element(left.begin(), left.end(), [&](std::uint32_t a, std::uint32_t b) {
      return network.distance(here, set.nodes[a]) < network.distance(here, set.nodes[b]);
    });
    tour.push_back(*next);
    left.erase(next);
  }
  return tour;
}

}  // namespace

node_grid listed_nodes(std::vector<node_id> nodes) {
  node_grid set;
  set.sides = {static_cast<std::uint32_t>(nodes.size())};
  set.nodes = std::move(nodes);
  set.pitch = {1};
  set.ring = {false};
  set.listed = true;
  return set;
}

node_grid all_nodes(const collective_network& network) {
  std::vector<node_id> nodes(network.nodes);
  std::iota(nodes.begin(), nodes.end(), node_id{0});
  node_grid grid = listed_nodes(std::move(nodes));
  if (network.shape.empty()) return grid;
  grid.sides = network.shape;
  grid.pitch.assign(grid.sides.size(), 1);
  grid.ring.assign(grid.sides.size(), network.torus);
  grid.listed = false;
  return grid;
}

node_grid nodes_of_tree(node_id root, const std::vector<node_id>& others, const collective_network& network) {
  if (others.size() == network.nodes) return all_nodes(network);
  std::vector<node_id> nodes = others;
  nodes.push_back(root);
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  return listed_nodes(std::move(nodes));
}

std::uint32_t index_of(const node_grid& grid, node_id node) {
  return static_cast<std::uint32_t>(std::find(grid.nodes.begin(), grid.nodes.end(), node) - grid.nodes.begin());
}

row_tree make_row_tree(collective_algorithm algorithm, std::uint32_t side, std::uint32_t root, bool ring) {
  if (algorithm == collective_algorithm::NeighbourForwarding) return both_ways(side, root, ring);
  return halving(side, root, algorithm == collective_algorithm::DoublingTree);
}

std::vector<unsigned> dimension_sequence(collective_algorithm algorithm, const node_grid& grid,
                                         const std::vector<std::size_t>& levels) {
  struct entry {
    unsigned dimension = 0;
    std::uint32_t reach = 0;
  };
  std::vector<entry> entries;
  for (unsigned d = 0; d < levels.size(); ++d) {
    std::uint32_t part = grid.sides[d];
    for (std::size_t level = 0; level < levels[d]; ++level) {
      part = (part + 1) / 2;
      entries.push_back({d, part * grid.pitch[d]});
    }
  }
  if (algorithm == collective_algorithm::InterleavedTree) {
    std::stable_sort(entries.begin(), entries.end(), [](const entry& a, const entry& b) { return a.reach > b.reach; });
  }
  std::vector<unsigned> sequence;
  for (const entry& e : entries) sequence.push_back(e.dimension);
  return sequence;
}

std::vector<std::uint32_t> ring_order(const node_grid& grid, const collective_network& network) {
  return grid.listed ? nearest_tour(grid, network) : grid_cycle(grid.sides);
}

broadcast_trees::broadcast_trees(collective_algorithm algorithm, const node_grid& grid,
                                 const collective_network& network)
    : m_algorithm(algorithm), m_grid(&grid), m_network(&network) {
  assert(is_broadcast_tree(algorithm));
  if (algorithm == collective_algorithm::Ring) m_order = ring_order(grid, network);
}

std::vector<tree_send> broadcast_trees::from(std::uint32_t root) const {
  switch (m_algorithm) {
    case collective_algorithm::AllAtOnce:
      return star(m_grid->size(), root);
    case collective_algorithm::RankTree:
      return rank_tree(m_grid->size(), root);
    case collective_algorithm::Ring:
      return once_around(m_order, root);
    case collective_algorithm::NeighbourForwarding:
      if (m_grid->listed) return nearest_neighbours(*m_grid, root, *m_network);
      return product_tree(m_algorithm, *m_grid, root);
    default:
      return product_tree(m_algorithm, *m_grid, root);
  }
}

}  // namespace weft
