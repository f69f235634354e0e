// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/schedule/exact/flow_bound.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include <ClpSimplex.hpp>
#include <fmt/format.h>

#include "weft/collectives/schedule/exact/flow_symmetry.h"
#include "weft/collectives/schedule/exact/linear_program.h"

namespace weft::schedule {
namespace {

constexpr std::size_t MostRounds = 2000;
constexpr double LeastWeight = 1e-7;    ///< relative to the mean; a positive limit prevents cycles in paths
constexpr std::size_t MostColumns = 2;  ///< maximum number of columns relative to the number of rows
constexpr double OfProgram = 0.3;       ///< share of the linear program in the next prices to try
constexpr double Tolerance = 1e-7;
constexpr double Margin = 1e-6;           ///< margin for the rounding of weights to integers
constexpr double NotedWeight = 0.1;       ///< weight, relative to the greatest, from which on the text names a channel
constexpr double LargestWhole = 1 << 30;  ///< range to which weights are scaled

/// The master program: the loads that flows put on each color of channels, and the minimum T over convex combinations
/// of these flows.
class master_program {
 public:
  master_program(const std::vector<double>& capacities, std::size_t origins, const search_control& control)
      : m_colours(capacities.size()), m_control(control) {
    m_clp.setLogLevel(0);
    m_clp.resize(static_cast<int>(m_colours + origins), 0);
    std::vector<int> rows;
    std::vector<double> elements;
    for (std::size_t k = 0; k < m_colours; ++k) {
      m_clp.setRowBounds(static_cast<int>(k), -COIN_DBL_MAX, 0);
      rows.push_back(static_cast<int>(k));
      elements.push_back(-capacities[k]);
    }
    for (std::size_t o = 0; o < origins; ++o) m_clp.setRowBounds(static_cast<int>(m_colours + o), 1, 1);
    m_clp.addColumn(static_cast<int>(rows.size()), rows.data(), elements.data(), 0, COIN_DBL_MAX, 1);
  }

  void add_flow(std::size_t origin, const std::vector<double>& loads) {
    std::vector<int> rows{static_cast<int>(m_colours + origin)};
    std::vector<double> elements{1};
    for (std::size_t k = 0; k < m_colours; ++k) {
      if (loads[k] == 0) continue;
      rows.push_back(static_cast<int>(k));
      elements.push_back(loads[k]);
    }
    m_clp.addColumn(static_cast<int>(rows.size()), rows.data(), elements.data(), 0, COIN_DBL_MAX, 0);
  }

  /// Solves the program. \return T; infinity if the solver fails or time is over
  double solve() {
    return solve_further(m_clp, m_control) ? m_clp.objectiveValue() : std::numeric_limits<double>::infinity();
  }

  /// Drops the flows with the highest reduced costs when there are many flows, because each flow is a column with many
  /// entries.
  void drop_flows() {
    const auto rows = static_cast<std::size_t>(m_clp.numberRows());
    if (static_cast<std::size_t>(m_clp.numberColumns()) <= MostColumns * rows) return;
    std::vector<std::pair<double, int>> unused;
    for (int c = 1; c < m_clp.numberColumns(); ++c) {
      if (m_clp.getColumnStatus(c) != ClpSimplex::basic) unused.emplace_back(-m_clp.dualColumnSolution()[c], c);
    }
    if (unused.size() < rows) return;
    std::sort(unused.begin(), unused.end());
    std::vector<int> dropped;
    for (std::size_t i = 0; i + rows / 2 < unused.size(); ++i) dropped.push_back(unused[i].second);
    m_clp.deleteColumns(static_cast<int>(dropped.size()), dropped.data());
  }

  /// Returns the prices of the capacities of the colors.
  std::vector<double> prices() const {
    std::vector<double> prices;
    for (std::size_t k = 0; k < m_colours; ++k) prices.push_back(std::max(0.0, -m_clp.dualRowSolution()[k]));
    return prices;
  }

 private:
  std::size_t m_colours;
  const search_control& m_control;
  ClpSimplex m_clp;
};

class flow_search {
 public:
  flow_search(const problem& p, const traffic& t, const search_control& control, journey how)
      : m_network(p.network),
        m_traffic(t),
        m_control(control),
        m_how(how),
        m_colours(find_flow_colours(p.network, t, control)),
        m_ways(p.network, how),
        m_capacities(m_colours.channel_colours, 0.0) {
    for (channel_id c = 0; c < m_network.channels().size(); ++c) {
      m_capacities[m_colours.channels[c]] += m_network.channels()[c].capacity;
    }
  }

  /// Computes the bound. \throws time_is_over if time is over before there is any bound
  flow_bound run() {
    master_program master(m_capacities, m_colours.origins.size(), m_control);
    flow_bound found;
    found.above = std::numeric_limits<double>::infinity();
    std::vector<double> best(m_capacities.size(), 1), prices = best;
    for (std::size_t round = 0; round < MostRounds; ++round) {
      const std::optional<double> value = price_flows(master, prices);
      if (!value && round == 0) throw time_is_over{};
      if (value && *value > found.value) {
        found.value = *value;
        best = prices;
      }
      if (settled(found) || m_control.over()) break;
      found.above = std::min(found.above, master.solve());
      if (m_control.on_progress) {
        m_control.on_progress(
            fmt::format("flow bound, round {}: between {:.3f} and {:.3f}", round + 1, found.value, found.above));
      }
      if (settled(found) || m_control.over()) break;
      prices = between(best, floored(master.prices()));
      master.drop_flows();
    }
    prove(found, best);
    return found;
  }

 private:
  static bool settled(const flow_bound& found) {
    if (found.above - found.value < Tolerance * found.above) return true;
    return std::ceil(found.value * (1 - Margin)) >= std::ceil(found.above * (1 - Tolerance));
  }

  /// Returns prices between the best ones so far and those of the linear program. The latter oscillate while the
  /// program has few flows (Wentges 1997).
  std::vector<double> between(const std::vector<double>& best, const std::vector<double>& prices) const {
    std::vector<double> mixed = floored(best);
    for (std::size_t k = 0; k < mixed.size(); ++k) mixed[k] += OfProgram * (prices[k] - mixed[k]);
    return floored(mixed);
  }

  /// Returns the prices, raised above zero and scaled so that a step costs 1.
  std::vector<double> floored(std::vector<double> prices) const {
    double mean = 0, of_step = 0;
    for (const double price : prices) mean += price / static_cast<double>(prices.size());
    for (double& price : prices) price = std::max(price, LeastWeight * mean);
    for (std::size_t k = 0; k < prices.size(); ++k) of_step += prices[k] * m_capacities[k];
    for (double& price : prices) price /= of_step;
    return prices;
  }

  /// Adds the cheapest flow of each origin.
  /// \return the total cost divided by the cost of a step; nothing if time is over
  std::optional<double> price_flows(master_program& master, const std::vector<double>& prices) {
    std::vector<double> weights;
    double of_step = 0, sum = 0;
    for (const std::size_t colour : m_colours.channels) weights.push_back(prices[colour]);
    for (std::size_t k = 0; k < prices.size(); ++k) of_step += prices[k] * m_capacities[k];
    for (std::size_t o = 0; o < m_colours.origins.size(); ++o) {
      if (m_control.over()) return std::nullopt;
      const auto alike = static_cast<double>(m_colours.origins[o].size());
      std::vector<double> loads = cheapest_flow(m_colours.origins[o].front(), weights);
      double cost = 0;
      for (std::size_t k = 0; k < loads.size(); ++k) {
        loads[k] *= alike;
        cost += loads[k] * prices[k];
      }
      master.add_flow(o, loads);
      sum += cost;
    }
    return sum / of_step;
  }

  /// Returns the loads of the colors by the cheapest flow from \p origin. Cheapest paths of equal cost share the flow.
  std::vector<double> cheapest_flow(node_id origin, const std::vector<double>& weights) {
    m_ways.search(origin, weights);
    std::vector<double> amount(m_network.vertices(), 0), loads(m_capacities.size(), 0);
    for (node_id n = 0; n < m_network.nodes(); ++n) {
      if (n != origin && m_traffic.receives(n)) amount[n] = static_cast<double>(m_traffic.units(origin));
    }
    for (auto v = m_ways.order().rbegin(); v != m_ways.order().rend(); ++v) {
      if (*v == origin || amount[*v] == 0) continue;
      std::vector<channel_id> ways;
      unsigned channels = 0;
      for (const channel_id c : m_network.in(*v)) {
        const vertex_id from = m_network.channels()[c].from;
        if (m_ways.cost(from) >= m_ways.cost(*v) || !m_ways.allowed(c)) continue;
        if (m_ways.cost(from) + weights[c] > m_ways.cost(*v) * (1 + 1e-12)) continue;
        ways.push_back(c);
        channels += m_network.channels()[c].capacity;
      }
      for (const channel_id c : ways) {
        const double share = amount[*v] * m_network.channels()[c].capacity / channels;
        amount[m_network.channels()[c].from] += share;
        loads[m_colours.channels[c]] += share;
      }
    }
    return loads;
  }

  /// Computes the bound with integers, so that it is rigorous.
  void prove(flow_bound& found, const std::vector<double>& prices) const {
    const double most = *std::max_element(prices.begin(), prices.end());
    std::size_t counted = 0;
    for (const std::size_t colour : m_colours.channels) {
      found.weights.push_back(static_cast<std::uint64_t>(std::llround(prices[colour] / most * LargestWhole)));
      counted += prices[colour] > NotedWeight * most;
    }
    const std::uint64_t cost = least_cost(m_network, m_traffic, found.weights, m_how);
    const std::uint64_t of_step = cost_of_step(m_network, found.weights);
    found.steps = divided_up(cost, of_step);
    found.text =
        fmt::format("with weights, mostly on {} channels, the messages cost {:.2f} times what a step's channels do",
                    counted, static_cast<double>(cost) / static_cast<double>(of_step));
  }

  const step_network& m_network;
  const traffic& m_traffic;
  const search_control& m_control;
  const journey m_how;
  const flow_colours m_colours;
  cheapest_ways<double> m_ways;
  std::vector<double> m_capacities;  ///< by color
};

}  // namespace

std::optional<flow_bound> find_flow_bound(const problem& p, const search_control& control, journey how) {
  if (p.requested.what != operation::Scatter) return std::nullopt;
  const traffic t(p.requested, p.network.nodes());
  least_cost(p.network, t, channel_weights(p.network.channels().size(), 1), how);  // throws for unreachable nodes
  return unless_over([&] { return std::optional<flow_bound>(flow_search(p, t, control, how).run()); });
}

}  // namespace weft::schedule
