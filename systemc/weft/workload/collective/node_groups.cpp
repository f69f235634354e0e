// SPDX-License-Identifier: Apache-2.0
#include "weft/workload/collective/node_groups.h"

#include <algorithm>
#include <cassert>
#include <numeric>

namespace weft {
namespace {

std::uint32_t row_distance(std::uint32_t a, std::uint32_t b, std::uint32_t side, bool ring) {
  const std::uint32_t apart = a < b ? b - a : a - b;
  return ring ? std::min(apart, side - apart) : apart;
}

/// Moves one chosen candidate after another to where cost(group, candidate) is least, until none moves: least sum on a
/// mesh, where the groups' nodes keep their order and so do not depend on each other; else near it.
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

std::vector<std::uint32_t> range(std::uint32_t begin, std::uint32_t end) {
  std::vector<std::uint32_t> all(end - begin);
  std::iota(all.begin(), all.end(), begin);
  return all;
}

std::vector<std::uint32_t> optimum_in_row(std::vector<std::uint32_t> coordinates, const row_cuts& cuts, bool ring,
                                          double between) {
  const std::uint32_t side = cuts.back();
  descend(
      coordinates, [&](std::uint32_t g) { return range(cuts[g], cuts[g + 1]); },
      [&](std::uint32_t g, std::uint32_t candidate) {
        std::uint64_t others = 0, inside = 0;
        for (std::uint32_t h = 0; h < coordinates.size(); ++h) {
          if (h != g) others += row_distance(candidate, coordinates[h], side, ring);
        }
        for (std::uint32_t p = cuts[g]; p < cuts[g + 1]; ++p) inside += row_distance(candidate, p, side, ring);
        return between * 2 * static_cast<double>(others) + static_cast<double>(inside);
      });
  return coordinates;
}

/// The index of \p among with the least sum of distances to all of \p nodes.
std::uint32_t nearest_to_all(const node_grid& among, const std::vector<node_id>& nodes,
                             const collective_network& network) {
  std::vector<std::uint64_t> sums(among.size(), 0);
  for (std::uint32_t p = 0; p < among.size(); ++p) {
    for (const node_id n : nodes) sums[p] += network.distance(among.nodes[p], n);
  }
  return static_cast<std::uint32_t>(std::min_element(sums.begin(), sums.end()) - sums.begin());
}

std::vector<std::uint32_t> listed_intermediates(const std::vector<node_grid>& groups, const node_grid& set,
                                                intermediate_placement placement, const collective_network& network) {
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

node_groups with_indices(const node_grid& set, std::vector<node_grid> groups,
                         const std::vector<std::vector<std::uint32_t>>& indices) {
  node_groups made;
  made.groups = std::move(groups);
  made.group_of.resize(set.size());
  made.index_of.resize(set.size());
  for (std::uint32_t g = 0; g < indices.size(); ++g) {
    for (std::uint32_t p = 0; p < indices[g].size(); ++p) {
      made.group_of[indices[g][p]] = g;
      made.index_of[indices[g][p]] = p;
    }
  }
  return made;
}

void set_between(node_groups& made) {
  for (std::uint32_t g = 0; g < made.size(); ++g) {
    made.between.nodes.push_back(made.groups[g].nodes[made.intermediates[g]]);
  }
}

/// Counts up a mixed-radix number. \return false after the last
bool next_coordinates(std::vector<std::uint32_t>& at, const std::vector<std::uint32_t>& sides) {
  for (std::size_t d = 0; d < sides.size(); ++d) {
    if (++at[d] < sides[d]) return true;
    at[d] = 0;
  }
  return false;
}

std::uint32_t index_at(const std::vector<std::uint32_t>& coordinates, const std::vector<std::uint32_t>& sides) {
  std::uint32_t index = 0;
  for (std::size_t d = sides.size(); d-- > 0;) index = index * sides[d] + coordinates[d];
  return index;
}

}  // namespace

row_cuts cut_row(std::uint32_t side, std::uint32_t size) {
  row_cuts cuts;
  for (std::uint32_t at = 0; at < side; at += size) cuts.push_back(at);
  cuts.push_back(side);
  return cuts;
}

std::vector<row_cuts> cut_rows(const std::vector<std::uint32_t>& sides, const std::vector<std::uint32_t>& shape) {
  std::vector<row_cuts> cuts;
  for (std::size_t d = 0; d < sides.size(); ++d) cuts.push_back(cut_row(sides[d], shape[d]));
  return cuts;
}

std::uint32_t group_of(const row_cuts& cuts, std::uint32_t coordinate) {
  return static_cast<std::uint32_t>(std::upper_bound(cuts.begin(), cuts.end(), coordinate) - cuts.begin()) - 1;
}

std::uint32_t counterpart_in_row(const row_cuts& cuts, std::uint32_t group, std::uint32_t coordinate) {
  return cuts[group] + (coordinate - cuts[group_of(cuts, coordinate)]) % (cuts[group + 1] - cuts[group]);
}

std::vector<std::uint32_t> intermediates_in_row(intermediate_placement placement, const row_cuts& cuts, bool ring,
                                                double between) {
  std::vector<std::uint32_t> coordinates;
  const std::size_t groups = cuts.size() - 1;
  for (std::size_t g = 0; g < groups; ++g) {
    const std::uint32_t first = cuts[g], last = cuts[g + 1] - 1;
    const bool low_half = g < groups / 2;
    coordinates.push_back(placement == intermediate_placement::Corner   ? first
                          : placement == intermediate_placement::Mirror ? (low_half ? last : first)
                                                                        : (first + last) / 2);
  }
  return placement == intermediate_placement::Optimum ? optimum_in_row(std::move(coordinates), cuts, ring, between)
                                                      : coordinates;
}

double weight_between(const std::vector<row_cuts>& cuts, std::size_t d) {
  double groups = 1, groups_across = 1, nodes_across = 1;
  for (std::size_t e = 0; e < cuts.size(); ++e) {
    const auto in_row = static_cast<double>(cuts[e].size() - 1);
    groups *= in_row;
    groups_across *= e == d ? 1 : in_row;
    nodes_across *= e == d ? 1 : cuts[e].back();
  }
  return groups > 1 ? groups_across * groups_across / ((groups - 1) * nodes_across) : 0;
}

std::uint32_t node_groups::counterpart(std::uint32_t group, std::uint32_t other, std::uint32_t index) const {
  const node_grid& to = groups[group];
  const node_grid& from = groups[other];
  if (to.listed) return index % to.size();
  std::uint32_t there = 0, stride = 1;
  for (std::size_t d = 0; d < to.sides.size(); ++d) {
    there += index % from.sides[d] % to.sides[d] * stride;
    index /= from.sides[d];
    stride *= to.sides[d];
  }
  return there;
}

node_groups make_groups(const node_grid& set, const std::vector<std::uint32_t>& shape, intermediate_placement placement,
                        const collective_network& network) {
  const std::vector<row_cuts> cuts = cut_rows(set.sides, shape);
  const std::size_t dimensions = cuts.size();
  std::vector<std::uint32_t> rows;  // of groups
  for (const row_cuts& c : cuts) rows.push_back(static_cast<std::uint32_t>(c.size()) - 1);

  std::vector<node_grid> groups;
  std::vector<std::vector<std::uint32_t>> indices;
  std::vector<std::uint32_t> at(dimensions, 0);
  do {
    node_grid group;
    group.pitch = set.pitch;
    group.listed = set.listed;
    for (std::size_t d = 0; d < dimensions; ++d) {
      group.sides.push_back(cuts[d][at[d] + 1] - cuts[d][at[d]]);
      group.ring.push_back(set.ring[d] && rows[d] == 1);
    }
    indices.emplace_back();
    std::vector<std::uint32_t> inside(dimensions, 0), coordinates(dimensions);
    do {
      for (std::size_t d = 0; d < dimensions; ++d) coordinates[d] = cuts[d][at[d]] + inside[d];
      indices.back().push_back(index_at(coordinates, set.sides));
      group.nodes.push_back(set.nodes[indices.back().back()]);
    } while (next_coordinates(inside, group.sides));
    groups.push_back(std::move(group));
  } while (next_coordinates(at, rows));

  node_groups made = with_indices(set, std::move(groups), indices);
  if (set.listed) {
    made.intermediates = listed_intermediates(made.groups, set, placement, network);
    made.between = listed_nodes({});
    made.between.sides = rows;
  } else {
    std::vector<std::vector<std::uint32_t>> chosen;
    for (std::size_t d = 0; d < dimensions; ++d) {
      chosen.push_back(intermediates_in_row(placement, cuts[d], set.ring[d], weight_between(cuts, d)));
      made.between.pitch.push_back(shape[d] * set.pitch[d]);
    }
    made.between.sides = rows;
    made.between.ring = set.ring;
    std::uint32_t g = 0;
    do {
      std::vector<std::uint32_t> coordinates(dimensions);
      for (std::size_t d = 0; d < dimensions; ++d) coordinates[d] = chosen[d][at[d]] - cuts[d][at[d]];
      made.intermediates.push_back(index_at(coordinates, made.groups[g++].sides));
    } while (next_coordinates(at, rows));
  }
  set_between(made);
  return made;
}

node_groups make_groups(const node_grid& set, const std::vector<std::vector<std::uint32_t>>& lists,
                        intermediate_placement placement, const collective_network& network) {
  std::vector<node_grid> groups;
  for (const std::vector<std::uint32_t>& list : lists) {
    std::vector<node_id> nodes;
    for (const std::uint32_t index : list) nodes.push_back(set.nodes[index]);
    groups.push_back(listed_nodes(std::move(nodes)));
  }
  node_groups made = with_indices(set, std::move(groups), lists);
  made.intermediates = listed_intermediates(made.groups, set, placement, network);
  made.between = listed_nodes({});
  made.between.sides = {made.size()};
  set_between(made);
  return made;
}

}  // namespace weft
