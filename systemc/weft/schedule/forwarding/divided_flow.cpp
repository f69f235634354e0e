// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <queue>
#include <stdexcept>
#include <utility>

#include <ClpEventHandler.hpp>
#include <ClpSimplex.hpp>
#include <CoinPackedMatrix.hpp>
#include <fmt/format.h>

#include "weft/schedule/forwarding/forwarding_bounds.h"

namespace weft::schedule {
namespace {

/// Ends Clp when the time is over.
class clp_until_over : public ClpEventHandler {
 public:
  explicit clp_until_over(const search_control& control) : m_control(control) {}
  int event(Event) override { return m_control.over() ? End : GoOn; }
  ClpEventHandler* clone() const override { return new clp_until_over(*this); }

 private:
  static constexpr int GoOn = -1, End = 0;  // as Clp has it
  const search_control& m_control;
};

/// The linear program: flow of each origin on each link, and the time T; origins of one orbit have the same flow.
class flow_program {
 public:
  flow_program(const forwarding_problem& p, const chunk_symmetry& symmetry, const search_control& control)
      : m_problem(p), m_control(control), m_limits(limits_of(p.graph)) {
    std::map<node_id, std::map<node_id, double>> asked;
    for (const chunk_id c : symmetry.chunk_representatives) {
      ++asked[p.list[c].holders.front()][p.list[c].receivers.front()];
    }
    add_column(1.0);  // T
    for (std::size_t i = 0; i < m_limits.size(); ++i) {
      m_under.push_back(add_row(-COIN_DBL_MAX, 0.0));
      add_entry(m_under[i], 0, -static_cast<double>(m_limits[i].bandwidth));
    }
    m_limits_of.resize(p.graph.links.size());
    for (std::size_t i = 0; i < m_limits.size(); ++i) {
      for (const link_id l : m_limits[i].links) m_limits_of[l].push_back(i);
    }
    for (const auto& [origin, wanted] : asked) {
      m_control.go_on();
      add_origin(origin, wanted, symmetry);
    }
  }

  /// A price of each limit, as the solution has it.
  std::vector<double> solve() {
    ClpSimplex clp;
    clp.setLogLevel(0);
    const CoinPackedMatrix matrix(true, m_rows.data(), m_columns.data(), m_values.data(),
                                  static_cast<int>(m_values.size()));
    const std::vector<double> zero(m_cost.size(), 0.0), endless(m_cost.size(), COIN_DBL_MAX);
    clp.loadProblem(matrix, zero.data(), endless.data(), m_cost.data(), m_lower.data(), m_upper.data());
    const clp_until_over until(m_control);
    clp.passInEventHandler(&until);
    clp.initialSolve();
    m_control.go_on();
    if (!clp.isProvenOptimal()) throw std::runtime_error("Clp: no optimum of the flow's linear program");
    std::vector<double> prices;
    for (const int row : m_under) prices.push_back(std::max(0.0, -clp.getRowPrice()[row]));
    return prices;
  }

 private:
  int add_row(double lower, double upper) {
    m_lower.push_back(lower);
    m_upper.push_back(upper);
    return static_cast<int>(m_lower.size()) - 1;
  }
  int add_column(double cost) {
    m_cost.push_back(cost);
    return static_cast<int>(m_cost.size()) - 1;
  }
  void add_entry(int row, int column, double value) {
    m_rows.push_back(row);
    m_columns.push_back(column);
    m_values.push_back(value);
  }

  void add_origin(node_id origin, const std::map<node_id, double>& wanted, const chunk_symmetry& symmetry) {
    std::vector<int> balance(m_problem.graph.nodes, -1);
    for (node_id node = 0; node < balance.size(); ++node) {
      const auto at = wanted.find(node);
      if (node != origin) balance[node] = add_row(at == wanted.end() ? 0.0 : at->second, COIN_DBL_MAX);
    }
    for (link_id l = 0; l < m_problem.graph.links.size(); ++l) {
      const graph_link& link = m_problem.graph.links[l];
      if (link.to == origin) continue;
      const int flow = add_column(0.0);
      add_entry(balance[link.to], flow, 1.0);
      if (link.from != origin) add_entry(balance[link.from], flow, -1.0);
      std::map<std::size_t, double> load;  // the images of the link may share a limit
      for (std::size_t g = 0; g < symmetry.order(); ++g) {
        for (const std::size_t limit : m_limits_of[symmetry.links[g][l]]) ++load[limit];
      }
      for (const auto& [limit, times] : load) add_entry(m_under[limit], flow, times);
    }
  }

  const forwarding_problem& m_problem;
  const search_control& m_control;
  const std::vector<bandwidth_limit> m_limits;
  std::vector<std::vector<std::size_t>> m_limits_of;  // by link
  std::vector<int> m_under;                           // row of each limit
  std::vector<double> m_lower, m_upper, m_cost, m_values;
  std::vector<int> m_rows, m_columns;
};

/// The prices of a symmetric solution: the program may put the price of an orbit's limits on one of them.
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

/// Lengths of links such that each chunk goes \p length[l] for each link at least: with whole numbers, so that
/// nothing is rounded. Weak duality: T · Σ bandwidth · price ≥ Σ distance of all chunks, for any prices.
std::int64_t distances_under(const forwarding_problem& p, const std::vector<std::int64_t>& length) {
  std::map<node_id, std::map<node_id, std::int64_t>> asked;
  for (const forwarding_chunk& chunk : p.list) ++asked[chunk.holders.front()][chunk.receivers.front()];
  const auto out = links_out(p.graph);
  std::int64_t sum = 0;
  for (const auto& [origin, wanted] : asked) {
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
    for (const auto& [to, number] : wanted) sum += number * distance[to];
  }
  return sum;
}

}  // namespace

divided_flow divided_flow_bound(const forwarding_problem& p, const chunk_symmetry& symmetry,
                                const search_control& control) {
  if (!is_unicast(p)) throw std::invalid_argument("flow bound: expected chunks of one holder and one receiver each");
  const auto limits = limits_of(p.graph);
  const std::vector<double> prices = spread(limits, flow_program(p, symmetry, control).solve(), symmetry);
  const double most = *std::max_element(prices.begin(), prices.end());
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
