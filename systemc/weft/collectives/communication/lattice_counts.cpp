// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/communication/lattice_counts.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

#include "weft/collectives/communication/collective_generators.h"

namespace weft {

namespace {

using algorithm = collective_algorithm;

}  // namespace

std::size_t lattice::size() const {
  std::size_t all = 1;
  for (const auto& row : coordinates) all *= row.size();
  return all;
}

lattice make_lattice(std::vector<std::vector<std::uint32_t>> coordinates, std::vector<std::uint32_t> pitch,
                     std::vector<bool> ring) {
  lattice made;
  for (const auto& row : coordinates) made.grid.sides.push_back(static_cast<std::uint32_t>(row.size()));
  made.grid.pitch = std::move(pitch);
  made.grid.ring = std::move(ring);
  made.coordinates = std::move(coordinates);
  return made;
}

std::vector<std::uint32_t> coordinates_at(std::size_t index, const std::vector<std::uint32_t>& sides) {
  std::vector<std::uint32_t> at;
  for (const std::uint32_t side : sides) {
    at.push_back(static_cast<std::uint32_t>(index % side));
    index /= side;
  }
  return at;
}

bool all_equal(const std::vector<std::uint64_t>& weights) {
  return std::adjacent_find(weights.begin(), weights.end(), std::not_equal_to<>()) == weights.end();
}

lattice_counts::lattice_counts(collective_algorithm a, lattice over, const collective_network& network)
    : m_algorithm(a), m_over(std::move(over)), m_network(network), m_rows(m_over.coordinates.size()) {
  for (std::size_t d = 0; d < m_rows.size(); ++d) m_rows[d].resize(m_over.coordinates[d].size());
}

lattice_counts::counts lattice_counts::of(const std::vector<std::uint64_t>& weights) {
  switch (m_algorithm) {
    case algorithm::AllAtOnce:
      return all_at_once(weights);
    case algorithm::RankTree:
      return rank_tree(weights);
    case algorithm::Ring:
      return ring(weights);
    default:
      return product_trees(weights);
  }
}

std::uint64_t lattice_counts::row_distance(std::size_t d, std::uint32_t i, std::uint32_t j) const {
  return m_network.distance_in_row(m_over.coordinates[d][i], m_over.coordinates[d][j], m_network.shape[d]);
}

std::uint64_t lattice_counts::distance(std::size_t from, std::size_t to) const {
  std::uint64_t sum = 0;
  for (std::size_t d = 0; d < m_over.coordinates.size(); ++d) {
    const std::size_t side = m_over.coordinates[d].size();
    sum += row_distance(d, static_cast<std::uint32_t>(from % side), static_cast<std::uint32_t>(to % side));
    from /= side;
    to /= side;
  }
  return sum;
}

lattice_counts::counts lattice_counts::all_at_once(const std::vector<std::uint64_t>& weights) const {
  std::vector<std::vector<std::uint64_t>> sums;  // sum of the distances from each node to all nodes of its row
  for (std::size_t d = 0; d < m_over.coordinates.size(); ++d) {
    const auto side = static_cast<std::uint32_t>(m_over.coordinates[d].size());
    sums.emplace_back(side, 0);
    for (std::uint32_t i = 0; i < side; ++i) {
      for (std::uint32_t j = 0; j < side; ++j) sums[d][i] += row_distance(d, i, j) * m_over.across(d);
    }
  }
  collective_count all;
  for (std::size_t root = 0; root < weights.size(); ++root) {
    if (weights[root] == 0) continue;
    all.messages += weights[root] * (weights.size() - 1);
    const std::vector<std::uint32_t> at = coordinates_at(root, m_over.grid.sides);
    for (std::size_t d = 0; d < at.size(); ++d) all.hops += weights[root] * sums[d][at[d]];
  }
  return {all};
}

const lattice_counts::row_counts& lattice_counts::row_of(std::size_t d, std::uint32_t root) {
  row_counts& counted = m_rows[d][root];
  if (!counted.sends.empty()) return counted;
  for (const auto& level : make_row_tree(m_algorithm, m_over.grid.sides[d], root, m_over.grid.ring[d])) {
    if (counted.sends.empty() || has_rounds(m_algorithm)) {
      counted.sends.push_back(0);
      counted.hops.push_back(0);
    }
    counted.sends.back() += level.size();
    for (const tree_send& s : level) counted.hops.back() += row_distance(d, s.from, s.to);
  }
  return counted;
}

lattice_counts::counts lattice_counts::product_trees(const std::vector<std::uint64_t>& weights) {
  const std::size_t dimensions = m_over.coordinates.size();
  counts levels;
  for (std::size_t root = 0; root < weights.size(); ++root) {
    if (weights[root] == 0) continue;
    const std::vector<std::uint32_t> at = coordinates_at(root, m_over.grid.sides);
    std::vector<const row_counts*> rows;
    std::vector<std::size_t> depths;
    for (std::size_t d = 0; d < dimensions; ++d) {
      rows.push_back(&row_of(d, at[d]));
      depths.push_back(rows[d]->sends.size());
    }
    std::vector<std::uint64_t> holders(dimensions, 1);
    std::vector<std::size_t> next(dimensions, 0);
    std::size_t level = 0;
    for (const unsigned d : dimension_sequence(m_algorithm, m_over.grid, depths)) {
      std::uint64_t sending_rows = weights[root];
      for (std::size_t e = 0; e < dimensions; ++e) sending_rows *= e == d ? 1 : holders[e];
      if (levels.size() == level) levels.emplace_back();
      levels[level].messages += sending_rows * rows[d]->sends[next[d]];
      levels[level].hops += sending_rows * rows[d]->hops[next[d]];
      holders[d] += rows[d]->sends[next[d]++];
      ++level;
    }
  }
  return levels;
}

lattice_counts::counts lattice_counts::rank_tree(const std::vector<std::uint64_t>& weights) const {
  const auto size = static_cast<std::uint32_t>(weights.size());
  const std::uint64_t data = std::accumulate(weights.begin(), weights.end(), std::uint64_t{0});
  const bool same = all_equal(weights);
  counts levels;
  for (const auto& sends : make_row_tree(algorithm::RankTree, size, 0, false)) {
    levels.push_back({"", data * sends.size(), 0});
    for (std::size_t i = 0, last = 0; i < sends.size(); i = last) {
      const std::uint32_t offset = sends[i].to - sends[i].from;
      while (last < sends.size() && sends[last].to - sends[last].from == offset) ++last;
      if (same) levels.back().hops += weights.front() * (last - i) * at_offset(offset);
    }
  }
  for (std::uint32_t root = 0; root < size && !same; ++root) {
    if (weights[root] == 0) continue;
    std::size_t level = 0;
    for (const auto& sends : make_row_tree(algorithm::RankTree, size, 0, false)) {
      for (const tree_send& s : sends) {
        levels[level].hops += weights[root] * distance((root + s.from) % size, (root + s.to) % size);
      }
      ++level;
    }
  }
  return levels;
}

std::uint64_t lattice_counts::at_offset(std::uint32_t offset) const {
  std::uint64_t sum = 0;
  for (std::size_t from = 0; from < m_over.size(); ++from) sum += distance(from, (from + offset) % m_over.size());
  return sum;
}

lattice_counts::counts lattice_counts::ring(const std::vector<std::uint64_t>& weights) const {
  const std::vector<std::uint32_t> order = ring_order(m_over.grid, m_network);
  std::vector<std::uint64_t> links(order.size());  // [i] leads to order[i]
  for (std::size_t i = 0; i < order.size(); ++i) {
    links[i] = distance(order[(i + order.size() - 1) % order.size()], order[i]);
  }
  const std::uint64_t around = std::accumulate(links.begin(), links.end(), std::uint64_t{0});
  collective_count all;
  for (std::size_t i = 0; i < order.size(); ++i) {
    all.messages += weights[order[i]] * (order.size() - 1);
    all.hops += weights[order[i]] * (around - links[i]);
  }
  return {all};
}

}  // namespace weft
