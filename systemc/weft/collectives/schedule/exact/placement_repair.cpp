// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/schedule/exact/placement_repair.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "weft/collectives/schedule/exact/placement_sat.h"
#include "weft/collectives/schedule/exact/placement_tabu.h"
#include "weft/core/shuffle.h"

namespace weft::schedule {
namespace {

class placement_repair {
 public:
  placement_repair(const placement& p, std::size_t steps, std::uint64_t seed, const search_control& control)
      : m_placement(p),
        m_control(control),
        m_random(seed, 2, stream_purpose::Schedule),
        m_in_step(steps),
        m_load(p.rows() * steps, 0) {}

  /// Starts with the placed items that do not overload a channel.
  void begin(const std::vector<placed>& all) {
    for (const placed& one : all) {
      if (fits(one)) {
        put(one);
      } else {
        m_open.push_back(one.item);
      }
    }
  }

  bool run(std::size_t rounds) {
    std::size_t width = LeastSteps, failures = 0;
    for (std::size_t round = 0; round < rounds && !m_open.empty(); ++round) {
      if (m_control.over()) return false;
      const std::uint32_t at = below(m_open.size());
      const std::size_t item = m_open[at];
      const std::vector<std::size_t> steps = some_steps(item, width);
      if (rearrange(steps, {item}, std::nullopt)) {
        m_open.erase(m_open.begin() + at);
        width = LeastSteps;
        failures = 0;
        continue;
      }
      exchange(steps, at);
      if (++failures % FailuresBeforeMore == 0 && width < std::min(MostSteps, m_in_step.size())) ++width;
    }
    return m_open.empty();
  }

  std::size_t open() const { return m_open.size(); }

  std::vector<placed> all() const {
    std::vector<placed> all;
    for (const auto& list : m_in_step) all.insert(all.end(), list.begin(), list.end());
    return all;
  }

 private:
  static constexpr std::size_t LeastSteps = 2, MostSteps = 4, FailuresBeforeMore = 10;
  static constexpr std::size_t Conflicts = 1'000;

  std::uint32_t below(std::size_t n) { return m_random.below(static_cast<std::uint32_t>(n)); }
  unsigned& load(row_id row, std::size_t step) { return m_load[row * m_in_step.size() + step]; }

  bool fits(const placed& one) {
    bool all = true;
    for (const channel_id c : one.path) load(m_placement.row_of(c), one.step) += m_placement.weight(c);
    for (const channel_id c : one.path) {
      const row_id row = m_placement.row_of(c);
      all &= load(row, one.step) <= m_placement.capacity(row);
    }
    for (const channel_id c : one.path) load(m_placement.row_of(c), one.step) -= m_placement.weight(c);
    return all;
  }

  void put(const placed& one) {
    for (const channel_id c : one.path) load(m_placement.row_of(c), one.step) += m_placement.weight(c);
    m_in_step[one.step].push_back(one);
  }

  /// Returns steps for the item. Some of them are the steps in which the fewest channels that the item needs are full,
  /// in random order among equals; others are random.
  std::vector<std::size_t> some_steps(std::size_t item, std::size_t width) {
    const placement_item& its = m_placement.items()[item];
    std::vector<std::pair<std::uint32_t, std::size_t>> order;
    for (std::size_t s = 0; s < m_in_step.size(); ++s) {
      std::uint32_t full = 0;
      for (std::size_t i = 0; i < its.usable.size(); ++i) {
        const row_id row = m_placement.row_of(its.usable[i]);
        if (load(row, s) + m_placement.weight(its.usable[i]) > m_placement.capacity(row)) full += its.forced[i] ? 4 : 1;
      }
      order.emplace_back(full * 8 + below(24), s);
    }
    std::sort(order.begin(), order.end());
    std::vector<std::size_t> steps;
    for (std::size_t n = 0; n < std::min(width, order.size()); ++n) {
      std::swap(order[n], order[n + (n % 2) * below(order.size() - n)]);
      steps.push_back(order[n].second);
    }
    return steps;
  }

  /// Places all items of the steps again, with \p more and without \p less. Changes nothing if this fails.
  bool rearrange(const std::vector<std::size_t>& steps, std::vector<std::size_t> more,
                 std::optional<std::size_t> less) {
    for (const std::size_t s : steps) {
      for (const placed& one : m_in_step[s]) {
        if (one.item != less) more.push_back(one.item);
      }
    }
    shuffle(more.begin(), more.end(), m_random);
    solver s({m_random.next(), {}, &m_control});
    const placement_clauses clauses(s, m_placement, std::move(more), steps.size());
    if (s.solve(m_control, Conflicts) != solver::answer::Satisfiable) return false;
    for (const std::size_t step : steps) {
      for (row_id row = 0; row < m_placement.rows(); ++row) load(row, step) = 0;
      m_in_step[step].clear();
    }
    for (placed& one : clauses.solution()) {
      one.step = steps[one.step];
      put(one);
    }
    return true;
  }

  /// Removes another item to make space for the open one at \p at.
  void exchange(const std::vector<std::size_t>& steps, std::uint32_t at) {
    const auto& list = m_in_step[steps[below(steps.size())]];
    if (list.empty()) return;
    const std::size_t out = list[below(list.size())].item;
    if (rearrange(steps, {m_open[at]}, out)) m_open[at] = out;
  }

  const placement& m_placement;
  const search_control& m_control;
  random_stream m_random;
  std::vector<std::vector<placed>> m_in_step;
  std::vector<unsigned> m_load;     // load by row and step
  std::vector<std::size_t> m_open;  // items without a step
};

/// Solves the whole problem at once. Returns nothing if this would need gigabytes of memory, or more than \p conflicts
/// conflicts.
std::optional<std::vector<placed>> solve_whole(const placement& p, std::size_t steps, std::size_t conflicts,
                                               std::uint64_t seed, const search_control& control) {
  constexpr std::size_t MostLiterals = 4'000'000;
  std::size_t literals = 0;
  for (const placement_item& item : p.items()) literals += item.usable.size() * steps;
  if (literals > MostLiterals) return std::nullopt;
  std::vector<std::size_t> items(p.items().size());
  std::iota(items.begin(), items.end(), std::size_t{0});
  solver s({seed, {}, &control});
  const placement_clauses clauses(s, p, std::move(items), steps);
  if (s.solve(control, conflicts) != solver::answer::Satisfiable) return std::nullopt;
  return clauses.solution();
}

}  // namespace

std::optional<std::vector<placed>> find_placement(const placement& p, std::size_t steps, std::size_t effort,
                                                  std::uint64_t seed, const search_control& control) {
  constexpr std::size_t MostPaths = 48, Work = 5'000'000'000, MostMoves = 100'000, Rounds = 10, Conflicts = 4'000;
  constexpr std::size_t MostInOneGo = 16;  // after this, a restart follows, because some starts lead nowhere
  if (!p.may_fit(steps)) return std::nullopt;
  if (p.relays()) return solve_whole(p, steps, effort * Conflicts, seed, control);
  for (std::size_t done = 0; done < effort; done += MostInOneGo) {
    const std::size_t part = std::min(effort - done, MostInOneGo);
    const std::size_t moves = part * std::clamp<std::size_t>(Work / (steps * MostPaths * 8), 1, MostMoves);
    const tabu_outcome rough = tabu_search(p, steps, MostPaths, moves, seed + done, control);
    if (rough.all.empty()) return std::nullopt;
    if (rough.excess == 0) return rough.all;
    placement_repair repair(p, steps, seed + done, control);
    repair.begin(rough.all);
    if (repair.open() <= p.items().size() / 4 && repair.run(part * Rounds)) return repair.all();
  }
  return std::nullopt;
}

}  // namespace weft::schedule
