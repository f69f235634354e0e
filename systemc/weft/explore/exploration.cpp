// SPDX-License-Identifier: Apache-2.0
#include "weft/explore/exploration.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "weft/core/random.h"
#include "weft/explore/genetic.h"

namespace weft::experiment {

namespace {

/// A design that violates constraints by v has the cost Penalty · (1 + v) for each objective, which is worse than any
/// design that keeps them.
constexpr double Penalty = 1e30;
constexpr double MostViolation = 1e6;
/// A search without a new design to simulate in this many generations starts again from the front and drawn designs.
constexpr std::size_t IdleGenerations = 3;
/// A search without one in this many generations ends.
constexpr std::size_t MostIdleGenerations = 100;
constexpr double Rounding = 1e-9;

}  // namespace

const char* name_of(design_stage stage) {
  constexpr const char* Names[] = {"infeasible", "excluded", "unmeasured", "short", "measured"};
  return Names[static_cast<std::size_t>(stage)];
}

exploration::exploration(const design_space& space, const search_goals& goals, const search_limits& limits,
                         const design_tools& tools)
    : m_space(space), m_goals(goals), m_limits(limits), m_tools(tools) {}

/// The cost of repeating the front with other seeds.
double exploration::reserved() const {
  if (m_limits.replicates == 1) return 0;
  std::size_t single = 0;
  for (const std::size_t i : front()) single += m_designs[i].runs == 1 ? 1 : 0;
  return static_cast<double>((m_limits.replicates - 1) * single) * m_limits.most_cost;
}

bool exploration::has_short_runs() const { return m_limits.shorter > 1 && m_goals.need_runs(); }

/// The most that the simulation of a design costs. One of full length may have to be repeated with other seeds.
double exploration::cost_of(unsigned shorter) const {
  return m_limits.most_cost * (shorter == 1 ? m_limits.replicates : 1 / static_cast<double>(shorter));
}

/// What is left of the budget.
double exploration::left() const { return m_limits.budget * (1 + Rounding) - m_spent - reserved(); }

/// How many steps that cost \p each the rest of the budget allows.
std::size_t exploration::affordable(double each) const {
  return static_cast<std::size_t>(std::max(0., std::floor(left() / each)));
}

/// Whether another design can be simulated, the first one at full length.
bool exploration::has_budget() const {
  return affordable(cost_of(has_short_runs() && m_has_measured ? m_limits.shorter : 1)) > 0;
}

bool exploration::has_all() const { return static_cast<double>(m_designs.size()) >= m_space.size(); }

bool exploration::more() const { return !m_tools.stop() && has_budget() && !has_all() && m_idle < MostIdleGenerations; }

std::size_t exploration::number_of(const design_choice& choice) {
  const auto [at, is_new] = m_numbers.try_emplace(choice, m_designs.size());
  if (is_new) {
    m_designs.emplace_back();
    m_designs.back().choice = choice;
    m_designs.back().point = m_space.point(choice);
    estimate(m_designs.back());
  }
  return at->second;
}

/// Records what is known of \p design without simulation. Without metrics that need runs, it is then measured.
void exploration::estimate(explored_design& design) const {
  try {
    network_estimate found = m_tools.estimate(design.point);
    design.known = std::move(found.exact);
    design.within = std::move(found.within);
  } catch (const configuration_error& e) {
    design.stage = design_stage::Infeasible;
    design.violation = MostViolation;
    design.fault = e.found().empty() ? e.what() : e.found().front().message;
    return;
  }
  exclude(design);
}

void exploration::exclude(explored_design& design) const {
  if (design.violation = m_goals.least_violation(design.within); design.violation > 0) {
    design.stage = design_stage::Excluded;
    design.fault = m_goals.violated(design.within);
  } else if (is_beaten(design)) {
    design.stage = design_stage::Excluded;
    design.fault = "a measured design is better than its bounds";
  }
}

/// Whether a measured design dominates the bounds of \p design.
bool exploration::is_beaten(const explored_design& design) const {
  const costs least = m_goals.least_costs(design.within);
  return m_limits.bounds && std::any_of(m_designs.begin(), m_designs.end(), [&](const explored_design& other) {
           return &other != &design && other.competes() && dominates(other.cost, least);
         });
}

/// Adds a result to \p design.
void exploration::record(explored_design& design, const design_result& result, design_stage stage) const {
  design.stage = stage;
  for (const auto& [name, value] : result.measured) design.known[name] = value;
  design.violation = std::min(MostViolation, result.distance + m_goals.violation(design.known));
  design.fault = result.fault.empty() ? m_goals.violated(design.known) : result.fault;
  for (const std::string& name : m_goals.metrics())
    if (design.known.count(name) == 0 && result.fault.empty()) {
      design.violation += 1;
      design.fault = fmt::format("it has no {}", name);
    }
  const auto has = [&design](const objective& o) { return design.known.count(o.metric) > 0; };
  if (std::all_of(m_goals.objectives.begin(), m_goals.objectives.end(), has))
    design.cost = m_goals.costs_of(design.known);
}

/// Simulates as many of \p designs as the budget allows, in their order.
void exploration::measure(numbers designs, unsigned shorter) {
  designs.resize(std::min(designs.size(), affordable(cost_of(shorter))));
  const design_stage stage = shorter == 1 ? design_stage::Measured : design_stage::Short;
  std::vector<design_run> runs;
  for (const std::size_t i : designs) runs.push_back({m_designs[i].point, shorter});
  const std::vector<design_result> results =
      m_goals.need_runs() ? m_tools.measure(runs) : std::vector<design_result>(runs.size());
  if (m_tools.stop()) return;
  for (std::size_t i = 0; i < designs.size(); ++i) {
    record(m_designs[designs[i]], results[i], stage);
    m_spent += results[i].cost;
  }
  m_has_measured |= shorter == 1 && !designs.empty();
}

/// As many of \p designs as the budget allows to simulate shortly, and their better half at full length.
exploration::numbers exploration::confirmable(numbers designs) const {
  const auto cost = [this](std::size_t count) {
    const std::size_t better = (count + 1) / 2;
    return static_cast<double>(count) * cost_of(m_limits.shorter) + static_cast<double>(better) * cost_of(1);
  };
  const double most = left();
  while (!designs.empty() && cost(designs.size()) > most) designs.pop_back();
  return designs;
}

/// Those of \p designs that keep the constraints in a short run, sorted by the number of designs that dominate them.
exploration::numbers exploration::ranked(const numbers& designs) const {
  std::vector<costs> others;
  numbers kept;
  for (const explored_design& d : m_designs)
    if (d.competes()) others.push_back(d.cost);
  for (const std::size_t i : designs) {
    const explored_design& d = m_designs[i];
    if (d.stage != design_stage::Short || d.violation > 0 || d.cost.empty()) continue;
    kept.push_back(i);
    others.push_back(d.cost);
  }
  std::map<std::size_t, std::size_t> rank;
  for (const std::size_t i : kept) rank[i] = dominators(m_designs[i].cost, others);
  std::stable_sort(kept.begin(), kept.end(), [&rank](std::size_t a, std::size_t b) { return rank[a] < rank[b]; });
  return kept;
}

/// The designs of a generation that are simulated at full length.
exploration::numbers exploration::better_half(const numbers& designs) const {
  numbers kept = ranked(designs);
  kept.resize((kept.size() + 1) / 2);
  return kept;
}

/// The designs that may be on the front but are not measured: the best first, then those without a run, then those
/// whose short run violates a constraint, by violation.
exploration::numbers exploration::rest() const {
  numbers briefly, unknown, violating;
  for (std::size_t i = 0; i < m_designs.size(); ++i) {
    const explored_design& d = m_designs[i];
    if (d.stage == design_stage::Unmeasured) unknown.push_back(i);
    if (d.stage == design_stage::Short) (d.violation > 0 ? violating : briefly).push_back(i);
  }
  std::stable_sort(violating.begin(), violating.end(),
                   [this](std::size_t a, std::size_t b) { return m_designs[a].violation < m_designs[b].violation; });
  numbers all = ranked(briefly);
  for (const numbers& more : {unknown, violating}) all.insert(all.end(), more.begin(), more.end());
  return all;
}

/// Spends what is left of the budget once nothing new is proposed.
void exploration::measure_rest() {
  for (numbers all = rest(); !all.empty() && affordable(cost_of(1)) > 0 && !m_tools.stop(); all = rest()) {
    all.resize(std::min(all.size(), m_limits.population));
    measure(all, 1);
  }
}

costs exploration::fitness_of(const explored_design& design) const {
  const double violation = design.stage == design_stage::Unmeasured ? MostViolation : design.violation;
  const bool has_cost = !design.cost.empty() || design.stage == design_stage::Excluded;
  if (violation > 0 || !has_cost)
    return costs(m_goals.objectives.size(), Penalty * (1 + std::min(violation, MostViolation)));
  return design.cost.empty() ? m_goals.least_costs(design.within) : design.cost;
}

std::vector<costs> exploration::evaluate(const std::vector<design_choice>& generation) {
  numbers all, fresh;
  for (const design_choice& choice : generation) {
    const std::size_t before = m_designs.size();
    all.push_back(number_of(choice));
    if (m_designs.size() > before && m_designs.back().stage == design_stage::Unmeasured) fresh.push_back(all.back());
  }
  m_idle = fresh.empty() ? m_idle + 1 : 0;
  // A small budget is not spent on short runs only.
  if (const numbers tried = m_has_measured ? fresh : confirmable(fresh); has_short_runs() && !tried.empty()) {
    measure(tried, m_limits.shorter);
    fresh = better_half(tried);
  }
  if (!m_tools.stop()) measure(fresh, 1);
  std::vector<costs> fitness;
  for (const std::size_t i : all) fitness.push_back(fitness_of(m_designs[i]));
  return fitness;
}

/// \p first, completed to \p count designs by drawn ones, new ones if possible.
std::vector<design_choice> exploration::drawn(std::size_t count, std::vector<design_choice> first) {
  constexpr std::size_t MostDraws = 1000;
  std::set<design_choice> seen(first.begin(), first.end());
  for (std::size_t draws = 0; first.size() < count; ++draws) {
    design_choice choice = m_space.drawn(m_limits.seed, m_draws++);
    const bool is_new = m_numbers.count(choice) == 0 && seen.insert(choice).second;
    if (is_new || draws >= MostDraws) first.push_back(std::move(choice));
  }
  return first;
}

/// Evolves a population until nothing new is found. The first population is drawn; later ones contain up to half of the
/// front.
void exploration::evolve_from(std::size_t round) {
  std::vector<design_choice> first;
  if (round > 0)
    for (const std::size_t i : front())
      if (first.size() < m_limits.population / 2) first.push_back(m_designs[i].choice);
  genetic_problem problem;
  problem.sizes = m_space.sizes();
  problem.objectives = m_goals.objectives.size();
  problem.seed = static_cast<std::uint32_t>(splitmix64(m_limits.seed, round));
  problem.evaluate = [this](const std::vector<design_choice>& generation) { return evaluate(generation); };
  problem.more = [this] { return more() && m_idle < IdleGenerations; };
  evolve(problem, drawn(m_limits.population, std::move(first)));
}

void exploration::run() {
  for (std::size_t round = 0; more(); ++round) {
    if (m_limits.method == explore_method::Random)
      evaluate(drawn(m_limits.population, {}));
    else
      evolve_from(round);
  }
  measure_rest();
  if (!m_tools.stop() && m_limits.replicates > 1) replicate_front();
}

std::vector<std::size_t> exploration::front() const {
  std::vector<costs> all;
  for (const explored_design& d : m_designs)
    if (d.competes()) all.push_back(d.cost);
  numbers best;
  for (std::size_t i = 0; i < m_designs.size(); ++i)
    if (m_designs[i].competes() && dominators(m_designs[i].cost, all) == 0) best.push_back(i);
  std::stable_sort(best.begin(), best.end(),
                   [this](std::size_t a, std::size_t b) { return m_designs[a].cost < m_designs[b].cost; });
  return best;
}

namespace {

/// The mean of each metric over \p all, and its 95 % interval by Student's distribution.
figures mean_of(const std::vector<figures>& all) {
  // Quantiles 0.975 for 1, 2, … degrees of freedom.
  constexpr double Quantiles[] = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228};
  constexpr double Normal = 1.96;
  const auto count = static_cast<double>(all.size());
  figures means;
  for (const auto& [name, ignored] : all.front()) {
    double sum = 0, squares = 0;
    for (const figures& one : all) sum += one.at(name).value;
    for (const figures& one : all) squares += std::pow(one.at(name).value - sum / count, 2);
    const std::size_t degrees = all.size() - 1;
    const double quantile = degrees <= std::size(Quantiles) ? Quantiles[degrees - 1] : Normal;
    means[name] = {sum / count, quantile * std::sqrt(squares / (count - 1) / count)};
  }
  return means;
}

}  // namespace

/// Repeats the runs of the front with other seeds, and replaces the values by the means. A design that is then on the
/// front instead is also repeated, as far as the budget allows.
void exploration::replicate_front() {
  const unsigned more_runs = m_limits.replicates - 1;
  for (;;) {
    numbers members;
    std::vector<design_run> runs;
    const double each = more_runs * m_limits.most_cost;
    for (const std::size_t i : front()) {
      const double cost = each * static_cast<double>(members.size() + 1);
      if (m_designs[i].runs > 1 || m_spent + cost > m_limits.budget * (1 + Rounding)) continue;
      members.push_back(i);
      for (unsigned r = 1; r <= more_runs; ++r) runs.push_back({m_designs[i].point, 1, r});
    }
    if (members.empty()) return;
    const std::vector<design_result> results = m_tools.measure(runs);
    if (m_tools.stop()) return;
    for (std::size_t m = 0; m < members.size(); ++m) {
      const auto first = results.begin() + static_cast<std::ptrdiff_t>(m * more_runs);
      record_replicates(m_designs[members[m]], {first, first + more_runs});
    }
  }
}

/// Adds the results of runs with other seeds to \p design. A fault of one of them is a fault of the design.
void exploration::record_replicates(explored_design& design, const std::vector<design_result>& results) {
  std::vector<figures> all(1);
  design_result together;
  for (const design_result& one : results) {
    m_spent += one.cost;
    if (!one.fault.empty()) together = one;
    all.push_back(one.measured);
  }
  design.runs += static_cast<unsigned>(results.size());
  if (together.fault.empty()) {
    for (const auto& [name, value] : all.back()) all.front()[name] = design.known.at(name);
    together.measured = mean_of(all);
  }
  record(design, together, design_stage::Measured);
}

explored_design exploration::examine(const sweep_point& point) const {
  explored_design design;
  design.point = point;
  try {
    design.known = m_tools.estimate(point).exact;
  } catch (const configuration_error& e) {
    design.stage = design_stage::Infeasible;
    design.violation = MostViolation;
    design.fault = e.what();
    return design;
  }
  const std::vector<design_result> results =
      m_goals.need_runs() ? m_tools.measure({{point}}) : std::vector<design_result>(1);
  if (!m_tools.stop()) record(design, results.front(), design_stage::Measured);
  return design;
}

}  // namespace weft::experiment
