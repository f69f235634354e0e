/// Hops of broadcasts on grids without their messages. A distance is a sum over dimensions, a tree a product of trees in rows:
/// so is what they add up to.
#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "weft/workload/collective/collective_generators.h"
#include "weft/workload/collective/collective_hops.h"

namespace weft {
namespace {

using algorithm = collective_algorithm;
using counts = std::vector<collective_count>;

/// Longest row for which the tables of a row's trees stay small.
constexpr std::uint32_t MaxRow = 4096;

/// All combinations of places in rows: a region of the grid, or the intermediates of its groups. Places are counted from the
/// beginning of the region.
struct lattice {
  node_grid grid;                                  ///< sides, pitch and rings; the nodes are left out
  std::vector<std::vector<std::uint32_t>> places;  ///< by dimension

  std::size_t size() const {
    std::size_t all = 1;
    for (const auto& row : places) all *= row.size();
    return all;
  }
  std::size_t across(std::size_t dimension) const { return size() / places[dimension].size(); }
};

lattice make_lattice(std::vector<std::vector<std::uint32_t>> places, std::vector<std::uint32_t> pitch,
                     std::vector<bool> ring) {
  lattice made;
  for (const auto& row : places) made.grid.sides.push_back(static_cast<std::uint32_t>(row.size()));
  made.grid.pitch = std::move(pitch);
  made.grid.ring = std::move(ring);
  made.places = std::move(places);
  return made;
}

std::vector<std::uint32_t> coordinates(std::size_t index, const std::vector<std::uint32_t>& sides) {
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

/// Counts of the trees of one algorithm over one lattice. Weights say how many data start at each of its places.
class lattice_counts {
 public:
  lattice_counts(collective_algorithm a, lattice over, const collective_network& network)
      : m_algorithm(a), m_over(std::move(over)), m_network(network), m_rows(m_over.places.size()) {
    for (std::size_t d = 0; d < m_rows.size(); ++d) m_rows[d].resize(m_over.places[d].size());
  }

  /// By level; of trees that have no rounds, by any part.
  counts of(const std::vector<std::uint64_t>& weights) {
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

 private:
  std::uint64_t row_distance(std::size_t d, std::uint32_t i, std::uint32_t j) const {
    return m_network.distance_in_row(m_over.places[d][i], m_over.places[d][j], m_network.shape[d]);
  }

  std::uint64_t distance(std::size_t from, std::size_t to) const {
    std::uint64_t sum = 0;
    for (std::size_t d = 0; d < m_over.places.size(); ++d) {
      const std::size_t side = m_over.places[d].size();
      sum += row_distance(d, static_cast<std::uint32_t>(from % side), static_cast<std::uint32_t>(to % side));
      from /= side;
      to /= side;
    }
    return sum;
  }

  counts all_at_once(const std::vector<std::uint64_t>& weights) const {
    std::vector<std::vector<std::uint64_t>> sums;  // from a place to all of its row
    for (std::size_t d = 0; d < m_over.places.size(); ++d) {
      const auto side = static_cast<std::uint32_t>(m_over.places[d].size());
      sums.emplace_back(side, 0);
      for (std::uint32_t i = 0; i < side; ++i) {
        for (std::uint32_t j = 0; j < side; ++j) sums[d][i] += row_distance(d, i, j) * m_over.across(d);
      }
    }
    collective_count all;
    for (std::size_t root = 0; root < weights.size(); ++root) {
      if (weights[root] == 0) continue;
      all.messages += weights[root] * (weights.size() - 1);
      const std::vector<std::uint32_t> at = coordinates(root, m_over.grid.sides);
      for (std::size_t d = 0; d < at.size(); ++d) all.hops += weights[root] * sums[d][at[d]];
    }
    return {all};
  }

  /// Of one row tree, by level; one without rounds has one.
  struct row_counts {
    std::vector<std::uint64_t> sends;
    std::vector<std::uint64_t> hops;
  };

  const row_counts& row_of(std::size_t d, std::uint32_t root) {
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

  /// A level of a row tree is done by as many rows as have the datum by then.
  counts product_trees(const std::vector<std::uint64_t>& weights) {
    const std::size_t dimensions = m_over.places.size();
    counts levels;
    for (std::size_t root = 0; root < weights.size(); ++root) {
      if (weights[root] == 0) continue;
      const std::vector<std::uint32_t> at = coordinates(root, m_over.grid.sides);
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

  /// Where all weights are the same, all roots together send over an offset from every place.
  counts rank_tree(const std::vector<std::uint64_t>& weights) const {
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

  /// Sum of the distances from every place to the one that stands \p offset after it.
  std::uint64_t at_offset(std::uint32_t offset) const {
    std::uint64_t sum = 0;
    for (std::size_t from = 0; from < m_over.size(); ++from) sum += distance(from, (from + offset) % m_over.size());
    return sum;
  }

  /// Every root leaves out the one link that leads back to it.
  counts ring(const std::vector<std::uint64_t>& weights) const {
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

  collective_algorithm m_algorithm;
  lattice m_over;
  const collective_network& m_network;
  std::vector<std::vector<row_counts>> m_rows;  ///< by dimension and root, as far as they were asked for
};

/// The step of this name; a new one at the end where there is none.
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

/// Messages that an intermediate sends for a group with \p data.
std::uint64_t packets_for(collective_algorithm a, std::uint64_t data) {
  if (data == 0 || a == algorithm::Hierarchy) return data;
  return a == algorithm::Combining ? 1 : data - 1;
}

/// One level of a hierarchy of groups, as the generator's class `hierarchy`.
class hierarchy_counts {
 public:
  /// \param ring of the region, by dimension; \param weights data that start at its places
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
        m_cuts(cut_rows(m_sides, m_shape)) {
    for (const row_cuts& cuts : m_cuts) {
      m_rows.push_back(static_cast<std::uint32_t>(cuts.size()) - 1);
      m_groups *= m_rows.back();
    }
    m_data.assign(m_groups, 0);
    for (std::size_t place = 0; place < m_weights.size(); ++place) m_data[group_at(place)] += m_weights[place];
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

  std::size_t group_at(std::size_t place) const {
    std::size_t group = 0, stride = 1;
    for (std::size_t d = 0; d < m_sides.size(); ++d) {
      group += stride * group_of(m_cuts[d], static_cast<std::uint32_t>(place % m_sides[d]));
      place /= m_sides[d];
      stride *= m_rows[d];
    }
    return group;
  }

  lattice group_lattice(std::size_t group) const {
    const std::vector<std::uint32_t> at = coordinates(group, m_rows);
    std::vector<std::vector<std::uint32_t>> places;
    std::vector<bool> ring;
    for (std::size_t d = 0; d < at.size(); ++d) {
      places.emplace_back(m_cuts[d][at[d] + 1] - m_cuts[d][at[d]]);
      std::iota(places[d].begin(), places[d].end(), m_cuts[d][at[d]]);
      ring.push_back(m_ring[d] && m_rows[d] == 1);
    }
    return make_lattice(std::move(places), std::vector<std::uint32_t>(at.size(), 1), std::move(ring));
  }

  /// Counts inside a group; those of equal groups are one.
  lattice_counts& inside(const lattice& group) {
    return m_inside.try_emplace(group.grid.sides, m_p.inner, group, m_network).first->second;
  }

  /// Calls visit(index in the group, index in the region) for each place of the group.
  template <class Visit>
  void for_each_place(const lattice& group, const Visit& visit) const {
    for (std::size_t i = 0; i < group.size(); ++i) {
      const std::vector<std::uint32_t> at = coordinates(i, group.grid.sides);
      std::size_t place = 0;
      for (std::size_t d = at.size(); d-- > 0;) place = place * m_sides[d] + group.places[d][at[d]];
      visit(i, place);
    }
  }

  void inside_groups() {
    for (std::size_t g = 0; g < m_groups; ++g) {
      const lattice group = group_lattice(g);
      std::vector<std::uint64_t> weights(group.size());
      for_each_place(group, [&](std::size_t i, std::size_t place) { weights[i] = m_weights[place]; });
      if (m_depth < m_p.subgroups.size()) {
        hierarchy_counts(m_p, m_network, group.grid.sides, group.grid.ring, m_depth + 1, m_prefix + "B.",
                         std::move(weights), m_steps)
            .count();
      } else {
        add(named("B"), total(inside(group).of(weights)));
      }
    }
  }

  /// The intermediates' places in the rows of the region, by dimension.
  std::vector<std::vector<std::uint32_t>> intermediates() const {
    std::vector<std::vector<std::uint32_t>> places;
    for (std::size_t d = 0; d < m_cuts.size(); ++d) {
      places.push_back(intermediates_in_row(m_p.placement, m_cuts[d], m_ring[d], weight_between(m_cuts, d)));
    }
    return places;
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
      const std::vector<std::uint32_t> at = coordinates(g, m_rows);
      const lattice group = group_lattice(g);
      std::size_t root = 0;
      for (std::size_t d = at.size(); d-- > 0;) {
        root = root * group.grid.sides[d] + chosen[d][at[d]] - group.places[d].front();
      }
      std::vector<std::uint64_t> weights(group.size(), 0);
      weights[root] = all - sent[g];
      add(named("E"), total(inside(group).of(weights)));
    }
  }

  /// \p times a message to every node outside a group, from the node in it that \p sender says.
  collective_count to_every_node(std::size_t group, std::uint64_t times, plain_sender sender) {
    const std::vector<std::uint32_t> at = coordinates(group, m_rows);
    std::uint64_t inside = 1, hops = 0;
    for (std::size_t d = 0; d < at.size(); ++d) {
      inside *= m_cuts[d][at[d] + 1] - m_cuts[d][at[d]];
      hops += row_sum(d, at[d], sender) * (m_weights.size() / m_sides[d]);
    }
    return {"", times * (m_weights.size() - inside), times * hops};
  }

  /// Sum of the distances to all places of a row from those that send to them in one of its groups. Kept.
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
      return m_network.distance_in_row(counterpart_in_row(m_cuts[d], group, to), to, side);
    }
    std::uint32_t nearest = side;
    for (std::uint32_t from = m_cuts[d][group]; from < m_cuts[d][group + 1]; ++from) {
      nearest = std::min(nearest, m_network.distance_in_row(from, to, side));
    }
    return nearest;
  }

  void plain_data() {
    m_row_sums.clear();
    for (std::size_t g = 0; g < m_groups; ++g) add(named("F"), to_every_node(g, m_data[g] == 0 ? 0 : 1, m_p.plain));
  }

  void counterparts() {
    std::vector<std::vector<std::uint64_t>> sums(m_sides.size());  // from a place of a row to its counterparts there
    for (std::size_t d = 0; d < m_sides.size(); ++d) {
      for (std::uint32_t u = 0; u < m_sides[d]; ++u) {
        sums[d].push_back(0);
        for (std::uint32_t h = 0; h < m_rows[d]; ++h) {
          sums[d].back() += m_network.distance_in_row(u, counterpart_in_row(m_cuts[d], h, u), m_network.shape[d]) *
                            (m_groups / m_rows[d]);
        }
      }
    }
    collective_count& sent = named("D");
    for (std::size_t place = 0; place < m_weights.size(); ++place) {
      const std::vector<std::uint32_t> at = coordinates(place, m_sides);
      sent.messages += m_weights[place] * (m_groups - 1);
      for (std::size_t d = 0; d < at.size(); ++d) sent.hops += m_weights[place] * sums[d][at[d]];
    }
    for (std::size_t h = 0; h < m_groups; ++h) {
      const lattice group = group_lattice(h);
      add(named("E"), total(inside(group).of(arriving(h, group))));
    }
  }

  /// Data from other groups that arrive at each place of group \p h at its counterparts.
  std::vector<std::uint64_t> arriving(std::size_t h, const lattice& group) const {
    const std::vector<std::uint32_t> at = coordinates(h, m_rows);
    const auto place_for = [&](std::size_t d, std::uint32_t u) {
      return counterpart_in_row(m_cuts[d], at[d], u) - m_cuts[d][at[d]];
    };
    std::vector<std::uint64_t> weights(group.size(), 0);
    if (m_uniform) {
      std::vector<std::vector<std::uint64_t>> from(m_sides.size());  // places of a row with this counterpart
      for (std::size_t d = 0; d < m_sides.size(); ++d) {
        from[d].assign(group.grid.sides[d], 0);
        for (std::uint32_t u = 0; u < m_sides[d]; ++u) ++from[d][place_for(d, u)];
      }
      for (std::size_t i = 0; i < weights.size(); ++i) {
        const std::vector<std::uint32_t> to = coordinates(i, group.grid.sides);
        std::uint64_t all = 1;
        for (std::size_t d = 0; d < to.size(); ++d) all *= from[d][to[d]];
        weights[i] = m_weights.front() * (all - 1);
      }
      return weights;
    }
    for (std::size_t place = 0; place < m_weights.size(); ++place) {
      if (m_weights[place] == 0 || group_at(place) == h) continue;
      const std::vector<std::uint32_t> from = coordinates(place, m_sides);
      std::size_t to = 0;
      for (std::size_t d = from.size(); d-- > 0;) to = to * group.grid.sides[d] + place_for(d, from[d]);
      weights[to] += m_weights[place];
    }
    return weights;
  }

  const collective_parameters& m_p;
  const collective_network& m_network;
  std::vector<std::uint32_t> m_sides;
  std::vector<bool> m_ring;
  std::size_t m_depth;
  std::string m_prefix;
  std::vector<std::uint64_t> m_weights;  ///< data by place
  bool m_uniform;                        ///< they are the same everywhere
  counts& m_steps;
  std::vector<std::uint32_t> m_shape;
  std::vector<row_cuts> m_cuts;
  std::vector<std::uint32_t> m_rows;  ///< groups in a row, by dimension
  std::size_t m_groups = 1;
  std::vector<std::uint64_t> m_data;  ///< by group
  std::map<std::vector<std::uint32_t>, lattice_counts> m_inside;
  std::vector<std::vector<std::uint64_t>> m_row_sums;  ///< by dimension and group
};

counts by_trees(const collective_parameters& p, const collective_network& network,
                const std::vector<std::uint64_t>& weights) {
  std::vector<std::vector<std::uint32_t>> places;
  for (const std::uint32_t side : network.shape) {
    places.emplace_back(side);
    std::iota(places.back().begin(), places.back().end(), 0u);
  }
  const std::size_t dimensions = places.size();
  lattice all = make_lattice(std::move(places), std::vector<std::uint32_t>(dimensions, 1),
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

/// Messages per source that go to each node: its data, and XORs.
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
        "hops: no formula; expected a broadcast to all nodes of a mesh or torus, groups by their shape and no "
        "butterfly; "
        "make the messages and count them");
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
