// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <queue>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "weft/collectives/schedule/exact/linear_program.h"
#include "weft/collectives/schedule/forwarding/forwarding_bounds.h"

namespace weft::schedule {
namespace {

/// The linear program. Its variables are the flow of each origin on each link, and the time T. Origins of one orbit
/// have the same flow.
class flow_lp {
 public:
  flow_lp(const forwarding_problem& p, const chunk_symmetry& symmetry, const search_control& control)
      : m_problem(p), m_control(control), m_limits(limits_of(p.graph)) {
    std::map<node_id, std::map<node_id, double>> requested;
    for (const chunk_id c : symmetry.chunk_representatives) {
      ++requested[p.list[c].holders.front()][p.list[c].receivers.front()];
    }
    m_program.add_column(1.0);  // T
    for (std::size_t i = 0; i < m_limits.size(); ++i) {
      m_under.push_back(m_program.add_row(-COIN_DBL_MAX, 0.0));
      m_program.add_entry(m_under[i], 0, -static_cast<double>(m_limits[i].bandwidth));
    }
    m_limits_of.resize(p.graph.links.size());
    for (std::size_t i = 0; i < m_limits.size(); ++i) {
      for (const link_id l : m_limits[i].links) m_limits_of[l].push_back(i);
    }
    for (const auto& [origin, amounts] : requested) {
      m_control.go_on();
      add_origin(origin, amounts, symmetry);
    }
  }

  /// Solves the program. Returns the price of each limit; empty if Clp finds no optimum. \throws time_is_over
  std::vector<double> solve() {
    ClpSimplex clp;
    std::vector<double> prices;
    const bool solved = m_program.solve(clp, m_control);
    m_control.go_on();
    if (!solved) return prices;  // any prices yield a bound, but there are none
    for (const int row : m_under) prices.push_back(std::max(0.0, -clp.getRowPrice()[row]));
    return prices;
  }

 private:
  void add_origin(node_id origin, const std::map<node_id, double>& amounts, const chunk_symmetry& symmetry) {
    std::vector<int> balance(m_problem.graph.nodes, -1);
    for (node_id node = 0; node < balance.size(); ++node) {
      const auto at = amounts.find(node);
      if (node != origin) balance[node] = m_program.add_row(at == amounts.end() ? 0.0 : at->second, COIN_DBL_MAX);
    }
    for (link_id l = 0; l < m_problem.graph.links.size(); ++l) {
      const graph_link& link = m_problem.graph.links[l];
      if (link.to == origin) continue;
      const int flow = m_program.add_column(0.0);
      m_program.add_entry(balance[link.to], flow, 1.0);
      if (link.from != origin) m_program.add_entry(balance[link.from], flow, -1.0);
      std::map<std::size_t, double> load;  // several images of the link may be under one limit
      for (std::size_t g = 0; g < symmetry.order(); ++g) {
        for (const std::size_t limit : m_limits_of[symmetry.links[g][l]]) ++load[limit];
      }
      for (const auto& [limit, times] : load) m_program.add_entry(m_under[limit], flow, times);
    }
  }

  const forwarding_problem& m_problem;
  const search_control& m_control;
  const std::vector<bandwidth_limit> m_limits;
  std::vector<std::vector<std::size_t>> m_limits_of;  // by link
  std::vector<int> m_under;                           // by limit: its row
  linear_rows m_program;
};

/// Returns symmetric prices. This is necessary because the linear program may assign the whole price of an orbit of
/// limits to a single limit.
std::vector<double> spread(const std::vector<bandwidth_limit>& limits, const std::vector<double>& prices,
                           const chunk_symmetry& symmetry) {
  std::map<std::vector<link_id>, std::size_t> place;
  for (std::size_t i = 0; i < limits.size(); ++i) place[limits[i].links] = i;
  std::vector<double> even(limits.size(), 0.0);
  for (const permutation& images : symmetry.links) {
    for (std::size_t i = 0; i < limits.size(); ++i) {
      std::vector<link_id> links;
      for (const link_id l : limits[i].links) links.push_back(images[l]);
      std::sort(links.begin(), links.end());
      even[place.at(links)] += prices[i];
    }
  }
  return even;
}

/// Returns the total distance of all chunks if each link l has length \p length[l], in exact integers. By weak duality,
/// T · Σ bandwidth · price ≥ Σ distance of all chunks, for any prices.
std::int64_t distances_under(const forwarding_problem& p, const std::vector<std::int64_t>& length) {
  std::map<node_id, std::map<node_id, std::int64_t>> requested;
  for (const forwarding_chunk& chunk : p.list) ++requested[chunk.holders.front()][chunk.receivers.front()];
  const auto out = links_out(p.graph);
  std::int64_t sum = 0;
  for (const auto& [origin, amounts] : requested) {
    constexpr std::int64_t Far = INT64_MAX;
    std::vector<std::int64_t> distance(p.graph.nodes, Far);
    using entry = std::pair<std::int64_t, node_id>;
    std::priority_queue<entry, std::vector<entry>, std::greater<>> queue;
    distance[origin] = 0;
    queue.push({0, origin});
    while (!queue.empty()) {
      const auto [far, node] = queue.top();
      queue.pop();
      if (far > distance[node]) continue;
      for (const link_id l : out[node]) {
        std::int64_t& there = distance[p.graph.links[l].to];
        if (far + length[l] >= there) continue;
        there = far + length[l];
        queue.push({there, p.graph.links[l].to});
      }
    }
    for (const auto& [to, number] : amounts) sum += number * distance[to];
  }
  return sum;
}

}  // namespace

divided_flow divided_flow_bound(const forwarding_problem& p, const chunk_symmetry& symmetry,
                                const search_control& control) {
  if (!is_unicast(p)) throw std::invalid_argument("flow bound: expected chunks of one holder and one receiver each");
  const auto limits = limits_of(p.graph);
  const std::vector<double> solution = flow_lp(p, symmetry, control).solve();
  if (solution.empty()) return {};
  const std::vector<double> prices = spread(limits, solution, symmetry);
  const double most = *std::max_element(prices.begin(), prices.end());
  if (most <= 0) return {};  // no flow is needed
  constexpr double Scale = 1 << 20;
  std::vector<std::int64_t> length(p.graph.links.size(), 0);
  std::int64_t capacity = 0;
  for (std::size_t i = 0; i < limits.size(); ++i) {
    const auto price = static_cast<std::int64_t>(prices[i] / most * Scale + 0.5);
    capacity += price * limits[i].bandwidth;
    for (const link_id l : limits[i].links) length[l] += price;
  }
  const std::int64_t work = distances_under(p, length);
  divided_flow result;
  result.rounds = static_cast<double>(work) / static_cast<double>(capacity);
  result.bound = {static_cast<std::size_t>((work + capacity - 1) / capacity),
                  fmt::format("flow of all chunks takes {:.4g} rounds, even if they are divided", result.rounds)};
  return result;
}

}  // namespace weft::schedule
