// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/communication/node_groups.h"

#include <algorithm>
#include <cassert>
#include <numeric>

namespace weft {
namespace {

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

/// Increments a mixed-radix number. \return false after the last
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

row_split split_row(std::uint32_t side, std::uint32_t size) {
  row_split splits;
  for (std::uint32_t at = 0; at < side; at += size) splits.push_back(at);
  splits.push_back(side);
  return splits;
}

std::vector<row_split> split_rows(const std::vector<std::uint32_t>& sides, const std::vector<std::uint32_t>& shape) {
  std::vector<row_split> splits;
  for (std::size_t d = 0; d < sides.size(); ++d) splits.push_back(split_row(sides[d], shape[d]));
  return splits;
}

std::uint32_t group_of(const row_split& splits, std::uint32_t coordinate) {
  return static_cast<std::uint32_t>(std::upper_bound(splits.begin(), splits.end(), coordinate) - splits.begin()) - 1;
}

std::uint32_t counterpart_in_row(const row_split& splits, std::uint32_t group, std::uint32_t coordinate) {
  return splits[group] + (coordinate - splits[group_of(splits, coordinate)]) % (splits[group + 1] - splits[group]);
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

node_groups make_groups(const node_grid& set, const std::vector<std::uint32_t>& shape, const collective_parameters& p,
                        const collective_network& network) {
  const std::vector<row_split> splits = split_rows(set.sides, shape);
  const std::size_t dimensions = splits.size();
  std::vector<std::uint32_t> rows;  // number of groups in each dimension
  for (const row_split& c : splits) rows.push_back(static_cast<std::uint32_t>(c.size()) - 1);

  std::vector<node_grid> groups;
  std::vector<std::vector<std::uint32_t>> indices;
  std::vector<std::uint32_t> at(dimensions, 0);
  do {
    node_grid group;
    group.pitch = set.pitch;
    group.listed = set.listed;
    for (std::size_t d = 0; d < dimensions; ++d) {
      group.sides.push_back(splits[d][at[d] + 1] - splits[d][at[d]]);
      group.ring.push_back(set.ring[d] && rows[d] == 1);
    }
    indices.emplace_back();
    std::vector<std::uint32_t> inside(dimensions, 0), coordinates(dimensions);
    do {
      for (std::size_t d = 0; d < dimensions; ++d) coordinates[d] = splits[d][at[d]] + inside[d];
      indices.back().push_back(index_at(coordinates, set.sides));
      group.nodes.push_back(set.nodes[indices.back().back()]);
    } while (next_coordinates(inside, group.sides));
    groups.push_back(std::move(group));
  } while (next_coordinates(at, rows));

  node_groups made = with_indices(set, std::move(groups), indices);
  if (set.listed) {
    made.intermediates = listed_intermediates(p.placement, made.groups, set, network);
    made.between = listed_nodes({});
    made.between.sides = rows;
  } else {
    const std::vector<std::vector<std::uint32_t>> chosen = intermediate_coordinates(p, splits, set.ring);
    for (std::size_t d = 0; d < dimensions; ++d) made.between.pitch.push_back(shape[d] * set.pitch[d]);
    made.between.sides = rows;
    made.between.ring = set.ring;
    std::uint32_t g = 0;
    do {
      std::vector<std::uint32_t> coordinates(dimensions);
      for (std::size_t d = 0; d < dimensions; ++d) coordinates[d] = chosen[d][at[d]] - splits[d][at[d]];
      made.intermediates.push_back(index_at(coordinates, made.groups[g++].sides));
    } while (next_coordinates(at, rows));
  }
  set_between(made);
  return made;
}

node_groups make_groups(const node_grid& set, const std::vector<std::vector<std::uint32_t>>& lists,
                        const collective_parameters& p, const collective_network& network) {
  std::vector<node_grid> groups;
  for (const std::vector<std::uint32_t>& list : lists) {
    std::vector<node_id> nodes;
    for (const std::uint32_t index : list) nodes.push_back(set.nodes[index]);
    groups.push_back(listed_nodes(std::move(nodes)));
  }
  node_groups made = with_indices(set, std::move(groups), lists);
  made.intermediates = listed_intermediates(p.placement, made.groups, set, network);
  made.between = listed_nodes({});
  made.between.sides = {made.size()};
  set_between(made);
  return made;
}

}  // namespace weft
