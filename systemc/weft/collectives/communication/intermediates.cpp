// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/communication/intermediates.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace weft {
namespace {

std::uint32_t row_distance(std::uint32_t a, std::uint32_t b, std::uint32_t side, bool ring) {
  const std::uint32_t apart = a < b ? b - a : a - b;
  return ring ? std::min(apart, side - apart) : apart;
}

std::vector<std::uint32_t> range(std::uint32_t begin, std::uint32_t end) {
  std::vector<std::uint32_t> all(end - begin);
  std::iota(all.begin(), all.end(), begin);
  return all;
}

/// Local search: moves one chosen candidate at a time to the position with the lowest cost(group, candidate), until no
/// candidate moves.
template <class Candidates, class Cost>
void descend(std::vector<std::uint32_t>& chosen, const Candidates& candidates, const Cost& cost) {
  for (bool moved = true; moved;) {
    moved = false;
    for (std::uint32_t g = 0; g < chosen.size(); ++g) {
      for (const std::uint32_t candidate : candidates(g)) {
        if (cost(g, candidate) < cost(g, chosen[g])) {
          chosen[g] = candidate;
          moved = true;
        }
      }
    }
  }
}

/// Returns the sends in a row of the trees of \p a. An algorithm whose trees are not products of row trees counts as
/// AllAtOnce.
row_tree sends_in_row(collective_algorithm a, std::uint32_t side, std::uint32_t root, bool ring) {
  if (is_product_tree(a)) return make_row_tree(a, side, root, ring);
  row_tree tree(1);
  for (std::uint32_t to = 0; to < side; ++to)
    if (to != root) tree.front().push_back({root, to});
  return tree;
}

/// Returns the number of rows that send at each level of a tree, by dimension and level.
std::vector<std::vector<std::uint64_t>> sending_rows(collective_algorithm a, const node_grid& grid) {
  const std::size_t dimensions = grid.sides.size();
  std::vector<std::vector<std::uint64_t>> rows(dimensions);
  if (!is_product_tree(a)) {
    for (std::size_t d = 0; d < dimensions; ++d) {
      rows[d] = {1};
      for (std::size_t e = 0; e < dimensions; ++e) rows[d].front() *= e == d ? 1 : grid.sides[e];
    }
    return rows;
  }
  std::vector<row_tree> trees;
  std::vector<std::size_t> levels;
  for (std::size_t d = 0; d < dimensions; ++d) {
    trees.push_back(make_row_tree(a, grid.sides[d], 0, grid.ring[d]));
    levels.push_back(trees.back().size());
  }
  std::vector<std::uint64_t> holders(dimensions, 1);
  for (const unsigned d : dimension_sequence(a, grid, levels)) {
    std::uint64_t sending = 1;
    for (std::size_t e = 0; e < dimensions; ++e) sending *= e == d ? 1 : holders[e];
    holders[d] += trees[d][rows[d].size()].size();
    rows[d].push_back(sending);
  }
  return rows;
}

/// The cost that depends on the position of an intermediate in its row.
class row_cost {
 public:
  /// \param between number of rows that send at each level of a tree between intermediates
  /// \param inside number of rows that send at each level of a tree inside a group
  /// \param others number of groups minus one
  row_cost(const collective_parameters& p, const row_split& splits, bool ring,
           const std::vector<std::uint64_t>& between, const std::vector<std::uint64_t>& inside, std::uint64_t others)
      : m_splits(splits), m_ring(ring), m_groups(splits.size() - 1), m_messages(m_groups * m_groups, 0) {
    for (std::uint32_t root = 0; root < m_groups; ++root) {
      const row_tree tree = sends_in_row(p.outer, static_cast<std::uint32_t>(m_groups), root, ring);
      for (std::size_t level = 0; level < tree.size(); ++level) {
        for (const tree_send& s : tree[level]) {
          m_messages[s.from * m_groups + s.to] += between[level];
          m_messages[s.to * m_groups + s.from] += between[level];
        }
      }
    }
    for (std::size_t g = 0; g < m_groups; ++g) {
      const std::uint32_t size = splits[g + 1] - splits[g];
      m_inside.emplace_back(size, 0);
      for (std::uint32_t root = 0; root < size; ++root) {
        const row_tree tree = sends_in_row(p.inner, size, root, ring && m_groups == 1);
        for (std::size_t level = 0; level < tree.size(); ++level) {
          const std::uint64_t rows = inside[std::min(level, inside.size() - 1)] * others;
          for (const tree_send& s : tree[level]) m_inside[g][root] += rows * distance(s.from, s.to);
        }
      }
    }
  }

  /// Returns the cost of \p candidate as intermediate of group \p g if the other groups use \p chosen.
  std::uint64_t of(const std::vector<std::uint32_t>& chosen, std::uint32_t g, std::uint32_t candidate) const {
    std::uint64_t sum = m_inside[g][candidate - m_splits[g]];
    for (std::size_t h = 0; h < m_groups; ++h)
      if (h != g) sum += m_messages[g * m_groups + h] * distance(candidate, chosen[h]);
    return sum;
  }

  std::uint64_t of(const std::vector<std::uint32_t>& chosen) const {
    std::uint64_t twice = 0;  // twice the cost, because each distance counts from both ends
    for (std::uint32_t g = 0; g < m_groups; ++g)
      twice += of(chosen, g, chosen[g]) + m_inside[g][chosen[g] - m_splits[g]];
    return twice / 2;
  }

 private:
  std::uint64_t distance(std::uint32_t a, std::uint32_t b) const { return row_distance(a, b, m_splits.back(), m_ring); }

  const row_split& m_splits;
  bool m_ring;
  std::size_t m_groups;
  std::vector<std::uint64_t> m_messages;  ///< number of messages between two groups of the row, in both directions
  std::vector<std::vector<std::uint64_t>> m_inside;
};

std::vector<std::uint32_t> placed(intermediate_placement placement, const row_split& splits) {
  std::vector<std::uint32_t> coordinates;
  const std::size_t groups = splits.size() - 1;
  for (std::size_t g = 0; g < groups; ++g) {
    const std::uint32_t first = splits[g], last = splits[g + 1] - 1;
    const bool low_half = g < groups / 2;
    coordinates.push_back(placement == intermediate_placement::Corner   ? first
                          : placement == intermediate_placement::Mirror ? (low_half ? last : first)
                                                                        : (first + last) / 2);
  }
  return coordinates;
}

/// Returns the best result of local searches that start from the other placements.
std::vector<std::uint32_t> optimum_in_row(const row_split& splits, const row_cost& cost) {
  std::vector<std::uint32_t> best;
  for (const auto start :
       {intermediate_placement::Centre, intermediate_placement::Mirror, intermediate_placement::Corner}) {
    std::vector<std::uint32_t> chosen = placed(start, splits);
    descend(
        chosen, [&](std::uint32_t g) { return range(splits[g], splits[g + 1]); },
        [&](std::uint32_t g, std::uint32_t candidate) { return cost.of(chosen, g, candidate); });
    if (best.empty() || cost.of(chosen) < cost.of(best)) best = std::move(chosen);
  }
  return best;
}

/// Returns the index in \p among of the node with the minimum sum of distances to all of \p nodes.
std::uint32_t nearest_to_all(const node_grid& among, const std::vector<node_id>& nodes,
                             const collective_network& network) {
  std::vector<std::uint64_t> sums(among.size(), 0);
  for (std::uint32_t p = 0; p < among.size(); ++p) {
    for (const node_id n : nodes) sums[p] += network.distance(among.nodes[p], n);
  }
  return static_cast<std::uint32_t>(std::min_element(sums.begin(), sums.end()) - sums.begin());
}

}  // namespace

std::vector<std::vector<std::uint32_t>> intermediate_coordinates(const collective_parameters& p,
                                                                 const std::vector<row_split>& splits,
                                                                 const std::vector<bool>& ring) {
  std::vector<std::vector<std::uint32_t>> coordinates;
  if (p.placement != intermediate_placement::Optimum) {
    for (const row_split& c : splits) coordinates.push_back(placed(p.placement, c));
    return coordinates;
  }
  node_grid between, inside;
  between.ring = ring;
  std::uint64_t groups = 1;
  for (std::size_t d = 0; d < splits.size(); ++d) {
    inside.sides.push_back(splits[d][1]);
    inside.pitch.push_back(1);
    inside.ring.push_back(ring[d] && splits[d].size() == 2);
    between.sides.push_back(static_cast<std::uint32_t>(splits[d].size()) - 1);
    between.pitch.push_back(splits[d][1]);
    groups *= between.sides.back();
  }
  const auto rows_between = sending_rows(p.outer, between), rows_inside = sending_rows(p.inner, inside);
  for (std::size_t d = 0; d < splits.size(); ++d)
    coordinates.push_back(
        optimum_in_row(splits[d], row_cost(p, splits[d], ring[d], rows_between[d], rows_inside[d], groups - 1)));
  return coordinates;
}

std::vector<std::uint32_t> listed_intermediates(intermediate_placement placement, const std::vector<node_grid>& groups,
                                                const node_grid& set, const collective_network& network) {
  std::vector<std::uint32_t> indices(groups.size(), 0);
  if (placement == intermediate_placement::Corner) return indices;
  const node_id centre = set.nodes[nearest_to_all(set, set.nodes, network)];
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const bool mirror = placement == intermediate_placement::Mirror;
    indices[g] = nearest_to_all(groups[g], mirror ? std::vector<node_id>{centre} : groups[g].nodes, network);
  }
  if (placement != intermediate_placement::Optimum) return indices;
  descend(
      indices, [&](std::uint32_t g) { return range(0, groups[g].size()); },
      [&](std::uint32_t g, std::uint32_t candidate) {
        const node_id node = groups[g].nodes[candidate];
        std::uint64_t others = 0, inside = 0;
        for (std::uint32_t h = 0; h < indices.size(); ++h) {
          if (h == g) continue;
          const node_id other = groups[h].nodes[indices[h]];
          others += network.distance(node, other) + network.distance(other, node);
        }
        for (const node_id n : groups[g].nodes) inside += network.distance(node, n);
        return others + (indices.size() - 1) * inside;
      });
  return indices;
}

}  // namespace weft
