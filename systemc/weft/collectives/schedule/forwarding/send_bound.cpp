// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/schedule/forwarding/send_bound.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "weft/collectives/schedule/exact/linear_program.h"
#include "weft/core/quantity.h"
#include "weft/topology/analysis/max_flow.h"

namespace weft::schedule {
namespace {

constexpr double PriceScale = 1 << 20;  ///< scale of integer prices

/// A requirement: the sends of `links` together number at least `sends`.
struct requirement {
  std::vector<link_id> links;  // ascending
  std::int64_t sends = 0;
  std::string why{};  // empty: a cut
};

/// The requirements, and the linear program of the sends of links.
class send_program {
 public:
  send_program(const link_graph& graph, const search_control& control)
      : m_links(graph.links.size()), m_limits(limits_of(graph)), m_control(control) {}

  /// \return whether the requirement is new
  bool require(requirement r) {
    if (r.sends <= 0 || r.links.empty()) return false;
    const auto [at, fresh] = m_known.emplace(r.links, m_requirements.size());
    if (fresh) {
      m_requirements.push_back(std::move(r));
      return true;
    }
    requirement& known = m_requirements[at->second];
    if (known.sends >= r.sends) return false;
    known = std::move(r);
    return true;
  }

  bool solve() {
    linear_rows rows;
    const int time = rows.add_column(1.0);
    std::vector<int> load;
    for (std::size_t l = 0; l < m_links; ++l) load.push_back(rows.add_column(0.0));
    for (const bandwidth_limit& limit : m_limits) {
      const int row = rows.add_row(-COIN_DBL_MAX, 0.0);
      rows.add_entry(row, time, -static_cast<double>(limit.bandwidth));
      for (const link_id l : limit.links) rows.add_entry(row, load[l], 1.0);
    }
    for (const requirement& r : m_requirements) {
      const int row = rows.add_row(static_cast<double>(r.sends), COIN_DBL_MAX);
      for (const link_id l : r.links) rows.add_entry(row, load[l], 1.0);
    }
    ClpSimplex clp;
    if (!rows.solve(clp, m_control)) return false;
    m_loads.assign(clp.primalColumnSolution() + 1, clp.primalColumnSolution() + 1 + m_links);
    m_prices.clear();
    for (int row = 0; row < clp.numberRows(); ++row) m_prices.push_back(std::abs(clp.dualRowSolution()[row]));
    return true;
  }

  /// Sends of each link in the solution.
  const std::vector<double>& loads() const { return m_loads; }

  /// Returns the bound from the last prices. If the prices of the limits on each link add up to the prices of its
  /// requirements, T · Σ bandwidth · price ≥ Σ sends · price.
  forwarding_bound proved() const {
    const double most = *std::max_element(m_prices.begin(), m_prices.end());
    if (most <= 0) return {};
    const auto whole = [&](double price) { return static_cast<std::int64_t>(std::llround(price / most * PriceScale)); };
    std::vector<std::int64_t> prices(m_limits.size()), of_requirements, lacks(m_links, 0);
    std::int64_t work = 0, capacity = 0;
    for (std::size_t i = 0; i < m_requirements.size(); ++i) {
      of_requirements.push_back(whole(m_prices[m_limits.size() + i]));
      work += of_requirements[i] * m_requirements[i].sends;
      for (const link_id l : m_requirements[i].links) lacks[l] += of_requirements[i];
    }
    for (std::size_t i = 0; i < m_limits.size(); ++i) {
      prices[i] = whole(m_prices[i]);
      for (const link_id l : m_limits[i].links) lacks[l] -= prices[i];
    }
    for (std::size_t l = 0; l < m_links; ++l) prices[l] += std::max<std::int64_t>(lacks[l], 0);
    for (std::size_t i = 0; i < m_limits.size(); ++i) capacity += prices[i] * m_limits[i].bandwidth;
    if (capacity == 0) return {};
    const auto rounds = static_cast<std::size_t>((work + capacity - 1) / capacity);
    return {rounds, text_of(of_requirements, prices, static_cast<double>(work) / static_cast<double>(capacity))};
  }

 private:
  /// Whether all prices that are not close to 0 are equal.
  static bool even(const std::vector<std::int64_t>& prices, std::int64_t price) {
    const std::int64_t some = price / 1000;
    return std::all_of(prices.begin(), prices.end(),
                       [&](std::int64_t p) { return p <= some || std::abs(p - price) <= some; });
  }

  std::string text_of(const std::vector<std::int64_t>& of_requirements, const std::vector<std::int64_t>& prices,
                      double rounds) const {
    const std::int64_t price = *std::max_element(of_requirements.begin(), of_requirements.end());
    std::int64_t sends = 0, bandwidth = 0;
    std::size_t used = 0, last = 0;
    std::string why;
    for (std::size_t i = 0; i < m_requirements.size(); ++i) {
      if (of_requirements[i] <= price / 1000) continue;
      sends += m_requirements[i].sends;
      if (!m_requirements[i].why.empty()) why = ": " + m_requirements[i].why;
    }
    for (std::size_t i = 0; i < m_limits.size(); ++i) {
      if (prices[i] <= price / 1000) continue;
      bandwidth += m_limits[i].bandwidth;
      ++used;
      last = i;
    }
    if (!even(of_requirements, price) || !even(prices, price)) {
      return fmt::format("sends over cuts take {:.4g} rounds under {} together{}", rounds, number_of(used, "limit"),
                         why);
    }
    if (used == 1) {
      return fmt::format("{} at least, under limit {} of bandwidth {}{}",
                         number_of(static_cast<std::size_t>(sends), "send"), m_limits[last].name, bandwidth, why);
    }
    return fmt::format("{} at least, over bandwidth {} in all{}", number_of(static_cast<std::size_t>(sends), "send"),
                       bandwidth, why);
  }

  const std::size_t m_links;
  const std::vector<bandwidth_limit> m_limits;
  const search_control& m_control;
  std::map<std::vector<link_id>, std::size_t> m_known;
  std::vector<requirement> m_requirements;
  std::vector<double> m_loads, m_prices;  // prices of the limits, then of the requirements
};

/// Cuts that chunks must cross.
class cut_finder {
 public:
  cut_finder(const forwarding_problem& p, const search_control& control)
      : m_problem(p), m_control(control), m_lacks(p.graph.nodes), m_gives(p.graph.nodes) {
    for (const forwarding_chunk& chunk : p.list) {
      for (const node_id node : chunk.receivers) {
        if (chunk.summed)
          add_far_end(m_lacks[node], chunk.holders, node);
        else if (!has_node(chunk.holders, node))
          ++m_lacks[node][chunk.holders];
      }
      for (const node_id node : chunk.holders) {
        if (chunk.summed) add_far_end(m_gives[node], chunk.receivers, node);
      }
    }
  }

  /// Adds the cuts into and out of each single node.
  void add_nodes(send_program& program) const {
    const std::size_t nodes = m_problem.graph.nodes;
    for (node_id node = 0; node < nodes && !m_control.over(); ++node) {
      std::vector<bool> inside(nodes, false);
      inside[node] = true;
      program.require(around(inside));
      inside.flip();
      program.require(around(inside));
    }
  }

  /// Adds cuts that the solution of \p program violates, at most two for each node. \return whether there are new ones
  bool add_broken(send_program& program) const {
    bool is_new = false;
    for (node_id node = 0; node < m_problem.graph.nodes && !m_control.over(); ++node) {
      for (const bool backwards : {false, true}) {
        if (std::optional<requirement> broken = narrowest(node, program.loads(), backwards))
          is_new = program.require(std::move(*broken)) || is_new;
      }
    }
    return is_new;
  }

 private:
  using amounts = std::map<std::vector<node_id>, std::size_t>;  // number of chunks, by the nodes that have them

  /// Adds, for a sum, one of \p ends other than \p node, because the summand of any holder must reach any receiver.
  static void add_far_end(amounts& of, const std::vector<node_id>& ends, node_id node) {
    const node_id end = ends.front() == node ? ends.back() : ends.front();
    if (end != node) ++of[{end}];
  }

  /// Returns the requirement of the links into \p inside: the number of chunks that must use them.
  requirement around(const std::vector<bool>& inside) const {
    requirement r;
    for (link_id l = 0; l < m_problem.graph.links.size(); ++l) {
      const graph_link& link = m_problem.graph.links[l];
      if (!inside[link.from] && inside[link.to]) r.links.push_back(l);
    }
    const auto is_inside = [&](node_id node) { return bool(inside[node]); };
    for (const forwarding_chunk& chunk : m_problem.list) {
      const auto within = std::count_if(chunk.holders.begin(), chunk.holders.end(), is_inside);
      const bool comes = chunk.summed ? within < static_cast<std::ptrdiff_t>(chunk.holders.size()) : within == 0;
      if (comes && std::any_of(chunk.receivers.begin(), chunk.receivers.end(), is_inside)) ++r.sends;
    }
    return r;
  }

  /// Returns a cut between \p node and the chunks that it lacks or, if \p backwards, the chunks that it provides. The
  /// cut must have too little capacity; nothing if there is no such cut.
  std::optional<requirement> narrowest(node_id node, const std::vector<double>& loads, bool backwards) const {
    constexpr double Tolerance = 1e-4;
    const amounts& far = backwards ? m_gives[node] : m_lacks[node];
    if (far.empty()) return std::nullopt;
    max_flow flow(m_problem.graph.nodes + 1);
    const std::size_t source = m_problem.graph.nodes;
    for (std::size_t l = 0; l < loads.size(); ++l) {
      const graph_link& link = m_problem.graph.links[l];
      const std::int64_t capacity = std::llround(std::max(0.0, loads[l]) * PriceScale);
      flow.add_arc(backwards ? link.to : link.from, backwards ? link.from : link.to, capacity);
    }
    double sum = 0;
    for (const auto& [ends, number] : far) {
      const auto amount = static_cast<std::int64_t>(static_cast<double>(number) * PriceScale);
      sum += static_cast<double>(amount);
      const std::size_t group = ends.size() == 1 ? ends.front() : flow.add_vertex();
      flow.add_arc(source, group, amount);
      for (const node_id end : ends) {
        if (ends.size() > 1) flow.add_arc(group, end, max_flow::Endless);
      }
    }
    if (static_cast<double>(flow.run(source, node)) >= sum * (1 - Tolerance)) return std::nullopt;
    std::vector<bool> inside(m_problem.graph.nodes);
    for (node_id other = 0; other < inside.size(); ++other) inside[other] = flow.before_cut(other) == backwards;
    return around(inside);
  }

  const forwarding_problem& m_problem;
  const search_control& m_control;
  std::vector<amounts> m_lacks, m_gives;  // by node
};

/// Returns the component number of each node in the graph without the links in \p between, ignoring directions.
std::vector<std::size_t> parts_without(const link_graph& graph, const std::vector<bool>& between) {
  std::vector<std::size_t> part(graph.nodes);
  std::iota(part.begin(), part.end(), std::size_t{0});
  const auto root = [&](std::size_t node) {
    while (part[node] != node) node = part[node] = part[part[node]];
    return node;
  };
  for (std::size_t l = 0; l < graph.links.size(); ++l) {
    if (!between[l]) part[root(graph.links[l].from)] = root(graph.links[l].to);
  }
  for (std::size_t node = 0; node < graph.nodes; ++node) part[node] = root(node);
  return part;
}

/// Returns the sends that the sums need between the components that only the links in \p between connect.
requirement between_parts(const forwarding_problem& p, const std::vector<bool>& between) {
  const std::vector<std::size_t> part = parts_without(p.graph, between);
  requirement r;
  for (link_id l = 0; l < p.graph.links.size(); ++l) {
    if (part[p.graph.links[l].from] != part[p.graph.links[l].to]) r.links.push_back(l);
  }
  bool all_everywhere = true;
  std::set<std::size_t> all;
  for (const std::size_t one : part) all.insert(one);
  for (const forwarding_chunk& chunk : p.list) {
    std::set<std::size_t> holders, receivers;
    for (const node_id node : chunk.holders) holders.insert(part[node]);
    for (const node_id node : chunk.receivers) receivers.insert(part[node]);
    const bool meet =
        std::any_of(holders.begin(), holders.end(), [&](std::size_t one) { return receivers.count(one) > 0; });
    r.sends += static_cast<std::int64_t>(holders.size() + receivers.size()) - (meet ? 2 : 1);
    all_everywhere = all_everywhere && holders.size() == all.size() && receivers.size() == all.size();
  }
  r.why = fmt::format("each sum over {} {} takes {} sends at least", all.size(),
                      all.size() == p.graph.nodes ? "nodes" : "parts", 2 * all.size() - 2);
  if (!all_everywhere) r.why.clear();
  return r;
}

/// Adds the requirements of sums. They hold between single nodes, between components of wide links, and between the
/// components that remain without the links of a shared limit.
void add_sums(const forwarding_problem& p, send_program& program) {
  constexpr std::size_t MostLimits = 64, MostWidths = 4;
  program.require(between_parts(p, std::vector<bool>(p.graph.links.size(), true)));
  std::set<unsigned> widths;
  for (const graph_link& link : p.graph.links) widths.insert(link.bandwidth);
  std::size_t tried = 0;
  for (const unsigned width : widths) {
    if (++tried > MostWidths || width == *widths.rbegin()) break;
    std::vector<bool> between;
    for (const graph_link& link : p.graph.links) between.push_back(link.bandwidth <= width);
    program.require(between_parts(p, between));
  }
  const std::vector<bandwidth_limit> limits = limits_of(p.graph);
  for (std::size_t i = p.graph.links.size(); i < limits.size() && i < p.graph.links.size() + MostLimits; ++i) {
    std::vector<bool> between(p.graph.links.size(), false);
    for (const link_id l : limits[i].links) between[l] = true;
    program.require(between_parts(p, between));
  }
}

}  // namespace

forwarding_bound send_bound(const forwarding_problem& p, const search_control& control) {
  constexpr std::size_t MostWork = 2'000'000, MostPasses = 30;
  send_program program(p.graph, control);
  const cut_finder cuts(p, control);
  cuts.add_nodes(program);
  if (p.list.front().summed) add_sums(p, program);
  if (p.graph.links.empty()) return {};  // nothing to send
  const std::size_t passes = std::min(MostPasses, MostWork / (p.graph.nodes * p.graph.links.size()));
  if (control.over() || !program.solve()) return {};
  forwarding_bound best = program.proved();
  for (std::size_t i = 0; i < passes; ++i) {
    if (!cuts.add_broken(program) || control.over() || !program.solve()) break;
    if (forwarding_bound now = program.proved(); now.rounds > best.rounds) best = std::move(now);
  }
  return best;
}

}  // namespace weft::schedule
