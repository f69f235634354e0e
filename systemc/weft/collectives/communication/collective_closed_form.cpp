// SPDX-License-Identifier: Apache-2.0
/// Computes the hops of broadcasts on grids without generating messages. The counts of trees over lattices
/// (lattice_counts.h) are combined into groups in the same way as in the generators.
#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "weft/collectives/communication/collective_generators.h"
#include "weft/collectives/communication/collective_hops.h"
#include "weft/collectives/communication/lattice_counts.h"

namespace weft {
namespace {

using algorithm = collective_algorithm;
using counts = std::vector<collective_count>;

/// The longest row for which the tables of row trees remain small.
constexpr std::uint32_t MaxRow = 4096;

/// Returns the step called \p name. Appends it if it does not exist.
collective_count& step(counts& steps, const std::string& name) {
  const auto named = [&](const collective_count& c) { return c.step == name; };
  const auto found = std::find_if(steps.begin(), steps.end(), named);
  if (found != steps.end()) return *found;
  steps.push_back({name});
  return steps.back();
}

void add(collective_count& to, const collective_count& more) {
  to.messages += more.messages;
  to.hops += more.hops;
}

/// Returns the number of messages that an intermediate sends for a group with \p data data.
std::uint64_t packets_for(collective_algorithm a, std::uint64_t data) {
  if (data == 0 || a == algorithm::Hierarchy) return data;
  return a == algorithm::Combining ? 1 : data - 1;
}

/// One level of a hierarchy of groups. It corresponds to the class `hierarchy` of the generator.
class hierarchy_counts {
 public:
  /// \param ring for each dimension, whether its rows are rings; \param weights number of data that start at each node
  hierarchy_counts(const collective_parameters& p, const collective_network& network, std::vector<std::uint32_t> sides,
                   std::vector<bool> ring, std::size_t depth, std::string prefix, std::vector<std::uint64_t> weights,
                   counts& steps)
      : m_p(p),
        m_network(network),
        m_sides(std::move(sides)),
        m_ring(std::move(ring)),
        m_depth(depth),
        m_prefix(std::move(prefix)),
        m_weights(std::move(weights)),
        m_uniform(all_equal(m_weights)),
        m_steps(steps),
        m_shape(depth == 0 ? p.group : p.subgroups[depth - 1]),
        m_splits(split_rows(m_sides, m_shape)) {
    for (const row_split& splits : m_splits) {
      m_rows.push_back(static_cast<std::uint32_t>(splits.size()) - 1);
      m_groups *= m_rows.back();
    }
    m_data.assign(m_groups, 0);
    for (std::size_t index = 0; index < m_weights.size(); ++index) m_data[group_at(index)] += m_weights[index];
  }

  void count() {
    inside_groups();
    switch (m_p.algorithm) {
      case algorithm::SpreadIntermediates:
        return counterparts();
      case algorithm::NetworkCodingDirect:
        for (std::size_t g = 0; g < m_groups; ++g) {
          add(named("D"), to_every_node(g, packets_for(m_p.algorithm, m_data[g]), plain_sender::Counterpart));
        }
        return plain_data();
      default:
        between_intermediates();
        packets_inside_groups();
        if (m_p.algorithm == algorithm::NetworkCoding) plain_data();
    }
  }

 private:
  collective_count& named(const char* letter) { return step(m_steps, m_prefix + letter); }

  std::size_t group_at(std::size_t index) const {
    std::size_t group = 0, stride = 1;
    for (std::size_t d = 0; d < m_sides.size(); ++d) {
      group += stride * group_of(m_splits[d], static_cast<std::uint32_t>(index % m_sides[d]));
      index /= m_sides[d];
      stride *= m_rows[d];
    }
    return group;
  }

  lattice group_lattice(std::size_t group) const {
    const std::vector<std::uint32_t> at = coordinates_at(group, m_rows);
    std::vector<std::vector<std::uint32_t>> coordinates;
    std::vector<bool> ring;
    for (std::size_t d = 0; d < at.size(); ++d) {
      coordinates.emplace_back(m_splits[d][at[d] + 1] - m_splits[d][at[d]]);
      std::iota(coordinates[d].begin(), coordinates[d].end(), m_splits[d][at[d]]);
      ring.push_back(m_ring[d] && m_rows[d] == 1);
    }
    return make_lattice(std::move(coordinates), std::vector<std::uint32_t>(at.size(), 1), std::move(ring));
  }

  /// Returns the counts inside a group. Groups of the same shape share them.
  lattice_counts& inside(const lattice& group) {
    return m_inside.try_emplace(group.grid.sides, m_p.inner, group, m_network).first->second;
  }

  /// Calls visit(index in the group, index in the region) for each node of the group.
  template <class Visit>
  void for_each_node(const lattice& group, const Visit& visit) const {
    for (std::size_t i = 0; i < group.size(); ++i) {
      const std::vector<std::uint32_t> at = coordinates_at(i, group.grid.sides);
      std::size_t index = 0;
      for (std::size_t d = at.size(); d-- > 0;) index = index * m_sides[d] + group.coordinates[d][at[d]];
      visit(i, index);
    }
  }

  void inside_groups() {
    for (std::size_t g = 0; g < m_groups; ++g) {
      const lattice group = group_lattice(g);
      std::vector<std::uint64_t> weights(group.size());
      for_each_node(group, [&](std::size_t i, std::size_t index) { weights[i] = m_weights[index]; });
      if (m_depth < m_p.subgroups.size()) {
        hierarchy_counts(m_p, m_network, group.grid.sides, group.grid.ring, m_depth + 1, m_prefix + "B.",
                         std::move(weights), m_steps)
            .count();
      } else {
        add(named("B"), total(inside(group).of(weights)));
      }
    }
  }

  /// Returns the coordinates of the intermediates in the region, by dimension.
  std::vector<std::vector<std::uint32_t>> intermediates() const {
    return intermediate_coordinates(m_p, m_splits, m_ring);
  }

  std::vector<std::uint64_t> packets() const {
    std::vector<std::uint64_t> packets;
    for (const std::uint64_t data : m_data) packets.push_back(packets_for(m_p.algorithm, data));
    return packets;
  }

  void between_intermediates() {
    lattice_counts between(m_p.outer, make_lattice(intermediates(), m_shape, m_ring), m_network);
    add(named("D"), total(between.of(packets())));
  }

  void packets_inside_groups() {
    const std::vector<std::uint64_t> sent = packets();
    const std::uint64_t all = std::accumulate(sent.begin(), sent.end(), std::uint64_t{0});
    const std::vector<std::vector<std::uint32_t>> chosen = intermediates();
    for (std::size_t g = 0; g < m_groups; ++g) {
      const std::vector<std::uint32_t> at = coordinates_at(g, m_rows);
      const lattice group = group_lattice(g);
      std::size_t root = 0;
      for (std::size_t d = at.size(); d-- > 0;) {
        root = root * group.grid.sides[d] + chosen[d][at[d]] - group.coordinates[d].front();
      }
      std::vector<std::uint64_t> weights(group.size(), 0);
      weights[root] = all - sent[g];
      add(named("E"), total(inside(group).of(weights)));
    }
  }

  /// Returns the counts of \p times messages to every node outside a group. Each message comes from the node of the
  /// group that \p sender selects.
  collective_count to_every_node(std::size_t group, std::uint64_t times, plain_sender sender) {
    const std::vector<std::uint32_t> at = coordinates_at(group, m_rows);
    std::uint64_t inside = 1, hops = 0;
    for (std::size_t d = 0; d < at.size(); ++d) {
      inside *= m_splits[d][at[d] + 1] - m_splits[d][at[d]];
      hops += row_sum(d, at[d], sender) * (m_weights.size() / m_sides[d]);
    }
    return {"", times * (m_weights.size() - inside), times * hops};
  }

  /// Returns the sum of the distances to all nodes of a row from the nodes of one of its groups that send to them. The
  /// result is cached.
  std::uint64_t row_sum(std::size_t d, std::uint32_t group, plain_sender sender) {
    if (m_row_sums.empty()) m_row_sums.resize(m_sides.size());
    std::vector<std::uint64_t>& sums = m_row_sums[d];
    if (sums.empty()) {
      for (std::uint32_t g = 0; g < m_rows[d]; ++g) {
        sums.push_back(0);
        for (std::uint32_t v = 0; v < m_sides[d]; ++v) sums.back() += sender_distance(d, g, v, sender);
      }
    }
    return sums[group];
  }

  std::uint32_t sender_distance(std::size_t d, std::uint32_t group, std::uint32_t to, plain_sender sender) const {
    const std::uint32_t side = m_network.shape[d];
    if (sender == plain_sender::Counterpart) {
      return m_network.distance_in_row(counterpart_in_row(m_splits[d], group, to), to, side);
    }
    std::uint32_t nearest = side;
    for (std::uint32_t from = m_splits[d][group]; from < m_splits[d][group + 1]; ++from) {
      nearest = std::min(nearest, m_network.distance_in_row(from, to, side));
    }
    return nearest;
  }

  void plain_data() {
    m_row_sums.clear();
    for (std::size_t g = 0; g < m_groups; ++g) add(named("F"), to_every_node(g, m_data[g] == 0 ? 0 : 1, m_p.plain));
  }

  void counterparts() {
    std::vector<std::vector<std::uint64_t>> sums(m_sides.size());  // from a node of a row to its counterparts there
    for (std::size_t d = 0; d < m_sides.size(); ++d) {
      for (std::uint32_t u = 0; u < m_sides[d]; ++u) {
        sums[d].push_back(0);
        for (std::uint32_t h = 0; h < m_rows[d]; ++h) {
          sums[d].back() += m_network.distance_in_row(u, counterpart_in_row(m_splits[d], h, u), m_network.shape[d]) *
                            (m_groups / m_rows[d]);
        }
      }
    }
    collective_count& sent = named("D");
    for (std::size_t index = 0; index < m_weights.size(); ++index) {
      const std::vector<std::uint32_t> at = coordinates_at(index, m_sides);
      sent.messages += m_weights[index] * (m_groups - 1);
      for (std::size_t d = 0; d < at.size(); ++d) sent.hops += m_weights[index] * sums[d][at[d]];
    }
    for (std::size_t h = 0; h < m_groups; ++h) {
      const lattice group = group_lattice(h);
      add(named("E"), total(inside(group).of(arriving(h, group))));
    }
  }

  /// Returns, for each node of group \p h, the number of data from other groups for which it is the counterpart.
  std::vector<std::uint64_t> arriving(std::size_t h, const lattice& group) const {
    const std::vector<std::uint32_t> at = coordinates_at(h, m_rows);
    const auto coordinate_for = [&](std::size_t d, std::uint32_t u) {
      return counterpart_in_row(m_splits[d], at[d], u) - m_splits[d][at[d]];
    };
    std::vector<std::uint64_t> weights(group.size(), 0);
    if (m_uniform) {
      std::vector<std::vector<std::uint64_t>> from(m_sides.size());  // nodes of a row with this counterpart
      for (std::size_t d = 0; d < m_sides.size(); ++d) {
        from[d].assign(group.grid.sides[d], 0);
        for (std::uint32_t u = 0; u < m_sides[d]; ++u) ++from[d][coordinate_for(d, u)];
      }
      for (std::size_t i = 0; i < weights.size(); ++i) {
        const std::vector<std::uint32_t> to = coordinates_at(i, group.grid.sides);
        std::uint64_t all = 1;
        for (std::size_t d = 0; d < to.size(); ++d) all *= from[d][to[d]];
        weights[i] = m_weights.front() * (all - 1);
      }
      return weights;
    }
    for (std::size_t index = 0; index < m_weights.size(); ++index) {
      if (m_weights[index] == 0 || group_at(index) == h) continue;
      const std::vector<std::uint32_t> from = coordinates_at(index, m_sides);
      std::size_t to = 0;
      for (std::size_t d = from.size(); d-- > 0;) to = to * group.grid.sides[d] + coordinate_for(d, from[d]);
      weights[to] += m_weights[index];
    }
    return weights;
  }

  const collective_parameters& m_p;
  const collective_network& m_network;
  std::vector<std::uint32_t> m_sides;
  std::vector<bool> m_ring;
  std::size_t m_depth;
  std::string m_prefix;
  std::vector<std::uint64_t> m_weights;  ///< number of data, by index
  bool m_uniform;                        ///< whether all weights are equal
  counts& m_steps;
  std::vector<std::uint32_t> m_shape;
  std::vector<row_split> m_splits;
  std::vector<std::uint32_t> m_rows;  ///< number of groups in a row, by dimension
  std::size_t m_groups = 1;
  std::vector<std::uint64_t> m_data;  ///< number of data, by group
  std::map<std::vector<std::uint32_t>, lattice_counts> m_inside;
  std::vector<std::vector<std::uint64_t>> m_row_sums;  ///< by dimension and group
};

counts by_trees(const collective_parameters& p, const collective_network& network,
                const std::vector<std::uint64_t>& weights) {
  std::vector<std::vector<std::uint32_t>> coordinates;
  for (const std::uint32_t side : network.shape) {
    coordinates.emplace_back(side);
    std::iota(coordinates.back().begin(), coordinates.back().end(), 0u);
  }
  const std::size_t dimensions = coordinates.size();
  lattice all = make_lattice(std::move(coordinates), std::vector<std::uint32_t>(dimensions, 1),
                             std::vector<bool>(dimensions, network.torus));
  const collective_algorithm tree = p.algorithm == algorithm::Parity ? algorithm::AllAtOnce : p.algorithm;
  counts levels = lattice_counts(tree, std::move(all), network).of(weights);
  if (!has_rounds(tree)) {
    collective_count one = total(levels);
    one.step = "send";
    return {one};
  }
  if (levels.empty()) levels.emplace_back();
  for (std::size_t level = 0; level < levels.size(); ++level) levels[level].step = std::to_string(level + 1);
  return levels;
}

counts by_doubling(const collective_network& network) {
  counts rounds;
  for (const std::uint32_t side : network.shape) {
    for (std::uint32_t bit = 1; bit < side; bit *= 2) {
      rounds.push_back({std::to_string(rounds.size() + 1), network.nodes, std::uint64_t{network.nodes} * bit});
    }
  }
  return rounds;
}

/// Returns the number of messages that a source sends to each node: its data and XORs.
std::uint64_t sent_by_source(const collective_parameters& p) {
  return p.packets + (p.algorithm == algorithm::Parity ? (p.packets + p.parity - 1) / p.parity : 0);
}

}  // namespace

bool has_closed_form(const collective_parameters& p, const collective_network& network) {
  return !network.shape.empty() && *std::max_element(network.shape.begin(), network.shape.end()) <= MaxRow &&
         p.operation == collective_operation::Broadcast && p.groups.empty() &&
         (p.receivers.empty() || p.receivers.size() == network.nodes) && p.algorithm != algorithm::Butterfly &&
         p.algorithm != algorithm::ButterflyUncoded;
}

counts collective_hops(const collective_parameters& parameters, const collective_network& network) {
  const collective_parameters p = checked(parameters, network);
  if (!has_closed_form(p, network)) {
    throw std::invalid_argument(
        "hops: there is no formula; expected a broadcast to all nodes of a mesh or torus, groups given by their shape, "
        "and no butterfly; generate the messages and count them instead");
  }
  if (p.algorithm == algorithm::RecursiveDoubling) return by_doubling(network);
  std::vector<std::uint64_t> weights(network.nodes, 0);
  for (const node_id source : p.sources) weights[source] = sent_by_source(p);
  if (!has_groups(p.algorithm)) return by_trees(p, network, weights);
  counts steps;
  hierarchy_counts(p, network, network.shape, std::vector<bool>(network.shape.size(), network.torus), 0, "",
                   std::move(weights), steps)
      .count();
  return steps;
}

}  // namespace weft
