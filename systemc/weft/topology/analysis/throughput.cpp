// SPDX-License-Identifier: Apache-2.0
#include "weft/topology/analysis/throughput.h"

#include <algorithm>
#include <limits>
#include <map>
#include <numeric>
#include <utility>

#include <fmt/format.h>

namespace weft {
namespace {

class bounds {
 public:
  bounds(const topology& t, double others) : m_topology(t), m_others(others) {
    std::size_t least = t.nodes.front().ports.size(), all = 0;
    for (const node_attachment& node : t.nodes) {
      least = std::min(least, node.ports.size());
      all += node.ports.size();
    }
    m_best = {static_cast<double>(least), static_cast<double>(all) / nodes(), "a node injects no more"};
  }

  /// Cut bound: nodes with all their ports at \p side send to nodes without ports there over the channels between.
  template <class Side, class Name>
  void cut(Side side, Name name) {
    double up = 0, down = 0;
    for (const channel& c : m_topology.channels) {
      const bool from = side(c.from.router), to = side(c.to.router);
      if (from && !to) up += capacity_of(c);
      if (!from && to) down += capacity_of(c);
    }
    double low = 0, high = 0, low_ports = 0, high_ports = 0, other_ports = 0;
    for (const node_attachment& node : m_topology.nodes) {
      const auto ports = static_cast<double>(node.ports.size());
      const auto inside =
          std::count_if(node.ports.begin(), node.ports.end(), [&](port_ref p) { return side(p.router); });
      if (inside == static_cast<std::ptrdiff_t>(node.ports.size())) {
        ++low;
        low_ports += ports;
      } else if (inside == 0) {
        ++high;
        high_ports += ports;
      } else {
        other_ports += ports;
      }
    }
    if (low == 0 || high == 0) return;
    take(std::min(up, down) * m_others / (low * high), name);
    m_best.mean = std::min(m_best.mean, (std::min(up * m_others / high, low_ports) +
                                         std::min(down * m_others / low, high_ports) + other_ports) /
                                            nodes());
  }

  /// Hop bound: every flit uses at least as many channels as the distance of its destination.
  void hops(std::vector<double> distances) {
    const double channels = capacity_of_all(m_topology);
    const double sum = std::accumulate(distances.begin(), distances.end(), 0.0);
    if (sum == 0) return;
    take(channels / sum, [] { return std::string("links for the hops of all packets"); });
    // The mean is highest if the nodes that send to near destinations send all they can.
    std::vector<std::size_t> nearest(distances.size());
    std::iota(nearest.begin(), nearest.end(), std::size_t{0});
    std::sort(nearest.begin(), nearest.end(), [&](auto a, auto b) { return distances[a] < distances[b]; });
    double left = channels, sent = 0;
    for (const std::size_t n : nearest) {
      const auto ports = static_cast<double>(m_topology.nodes[n].ports.size());
      const double rate = distances[n] * ports <= left ? ports : left / distances[n];
      sent += rate;
      left -= rate * distances[n];
    }
    m_best.mean = std::min(m_best.mean, sent / nodes());
  }

  throughput_bound best() const { return {m_best.equal, std::max(m_best.equal, m_best.mean), m_best.method}; }

 private:
  double nodes() const { return static_cast<double>(m_topology.nodes.size()); }

  template <class Name>
  void take(double equal, Name name) {
    if (equal >= m_best.equal * (1 - 1e-9)) return;
    m_best.equal = equal;
    m_best.method = name();
  }

  const topology& m_topology;
  const double m_others;
  throughput_bound m_best;
};

}  // namespace

double capacity_of_all(const topology& t) {
  return std::accumulate(t.channels.begin(), t.channels.end(), 0.0,
                         [](double sum, const channel& c) { return sum + capacity_of(c); });
}

double highest_utilisation(const topology& t, const std::vector<double>& loads) {
  double highest = 0;
  for (std::size_t i = 0; i < loads.size(); ++i) highest = std::max(highest, loads[i] / capacity_of(t.channels[i]));
  return highest;
}

throughput_bound bound_throughput(const topology& t, const std::vector<bool>& halves,
                                  const std::vector<double>& mean_distances, double others) {
  bounds found(t, others);
  if (!halves.empty())
    found.cut([&](router_id r) { return halves[r]; }, [] { return std::string("links of the bisection"); });

  const std::uint32_t most_cuts = t.channels.size() > std::size_t{1} << 16 ? 4 : 64;  // per dimension
  const std::size_t dimensions = t.routers.front().coordinates.size();
  const bool placed = std::all_of(t.routers.begin(), t.routers.end(),
                                  [&](const router_info& r) { return r.coordinates.size() == dimensions; });
  for (std::size_t d = 0; placed && d < dimensions; ++d) {
    const auto at = [&](router_id r) { return t.routers[r].coordinates[d]; };
    std::uint32_t size = 0;
    for (router_id r = 0; r < t.routers.size(); ++r) size = std::max(size, at(r) + 1);
    const auto name = [&](std::uint32_t first, std::uint32_t end) {
      return [=] { return fmt::format("links of the cut {} <= coordinate {} < {}", first, d, end); };
    };
    const std::uint32_t stride = (size + most_cuts - 1) / most_cuts;
    for (std::uint32_t i = size / 2 % stride; i < size; i += stride) {
      if (i > 0) found.cut([&](router_id r) { return at(r) < i; }, name(0, i));
      const std::uint32_t end = i + size / 2;
      if (i > 0 && end < size) found.cut([&](router_id r) { return at(r) >= i && at(r) < end; }, name(i, end));
    }
  }

  // Subtree cuts, one for each size: the routers whose leaves are all among those of one router.
  struct leaves {
    node_id first, end;
  };
  std::vector<leaves> below(t.routers.size(), {1, 0});
  std::map<node_id, leaves> of_size;
  for (router_id r = 0; r < t.routers.size(); ++r) {
    if (const auto* rule = t.routing[r].as<tree_rule>()) {
      below[r] = {rule->first, rule->first + rule->span * rule->children};
      of_size.emplace(rule->span * rule->children, below[r]);
    }
  }
  for (const auto& [size, tree] : of_size) {
    found.cut(
        [&, in = tree](router_id r) {
          return below[r].first < below[r].end && below[r].first >= in.first && below[r].end <= in.end;
        },
        [n = size] { return fmt::format("links of a subtree of {} nodes", n); });
  }

  if (t.routers.size() <= 1024) {
    for (router_id only = 0; only < t.routers.size(); ++only)
      found.cut([&](router_id r) { return r == only; }, [&] { return fmt::format("links of router {}", only); });
  }
  if (!mean_distances.empty()) found.hops(mean_distances);
  return found.best();
}

double most_throughput(const topology& t, const std::vector<std::vector<double>>& loads) {
  // Simplex method: maximize the sum of the rates r with 0 <= r <= ports and loads * r <= capacities. The origin is
  // feasible. The tableau has a row for each constraint and a column for each rate and for the right-hand sides. Small
  // increasing perturbations of the right-hand sides prevent cycling.
  const std::size_t nodes = t.nodes.size(), rows = loads.size() + nodes;
  std::vector<std::vector<double>> table(rows + 1, std::vector<double>(nodes + 1));
  for (std::size_t c = 0; c < loads.size(); ++c) {
    std::copy(loads[c].begin(), loads[c].end(), table[c].begin());
    table[c][nodes] = capacity_of(t.channels[c]);
  }
  for (std::size_t n = 0; n < nodes; ++n) {
    table[loads.size() + n][n] = 1;
    table[loads.size() + n][nodes] = static_cast<double>(t.nodes[n].ports.size());
    table[rows][n] = -1;
  }
  for (std::size_t i = 0; i < rows; ++i) table[i][nodes] += 1e-9 * static_cast<double>(1 + i * 7919 % rows);
  constexpr double Zero = 1e-11;
  for (std::size_t pivots = 0; pivots < 50 * rows; ++pivots) {
    const auto& gains = table[rows];
    const auto in = static_cast<std::size_t>(std::min_element(gains.begin(), gains.end() - 1) - gains.begin());
    if (gains[in] > -Zero) return gains[nodes] / static_cast<double>(nodes);
    std::size_t out = rows;
    for (std::size_t i = 0; i < rows; ++i) {
      if (table[i][in] > Zero && (out == rows || table[i][nodes] * table[out][in] < table[out][nodes] * table[i][in]))
        out = i;
    }
    if (out == rows) break;
    std::vector<double>& pivot = table[out];
    const double by = 1 / pivot[in];
    pivot[in] = 1;
    for (double& x : pivot) x *= by;
    for (std::size_t i = 0; i <= rows; ++i) {
      const double factor = table[i][in];
      if (i == out || factor == 0) continue;
      table[i][in] = 0;
      for (std::size_t j = 0; j <= nodes; ++j) table[i][j] -= factor * pivot[j];
    }
  }
  return std::numeric_limits<double>::infinity();
}

}  // namespace weft
