// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/schedule/search/explorer.h"

#include <algorithm>
#include <atomic>
#include <optional>
#include <thread>

#include <fmt/format.h>

#include "weft/collectives/schedule/constructions/greedy.h"
#include "weft/collectives/schedule/constructions/residual_capacity.h"

namespace weft::schedule {

void explorer::store_best(const std::vector<position>& where, std::size_t conflicts) {
  m_best = where;
  m_least = conflicts;
}

namespace {

/// A team: all explorers for one number of steps.
class team {
 public:
  team(const choices& all, std::size_t steps, explorer_maker make, const search_control& control)
      : m_all(all), m_steps(steps) {
    for (std::size_t i = 0; i < Team; ++i) {
      control.go_on();
      m_members.push_back(make(all, steps, splitmix64(splitmix64(control.seed, steps), i)));
    }
  }

  /// Runs a round of all explorers. If several succeed, the first of them counts, so later ones need not continue.
  std::optional<step_schedule> round(std::size_t moves, const search_control& control) {
    std::atomic<std::size_t> next{0}, first{Team};
    const auto work = [&] {
      for (std::size_t i = next++; i < Team; i = next++) {
        if (i > first) continue;
        m_members[i]->explore(moves, control);
        if (m_members[i]->least() > 0) continue;
        for (std::size_t now = first; i < now && !first.compare_exchange_weak(now, i);) {
        }
      }
    };
    std::vector<std::thread> threads;
    for (unsigned i = 1; i < std::min<std::size_t>(control.jobs, Team); ++i) threads.emplace_back(work);
    work();
    for (std::thread& t : threads) t.join();
    if (first == Team) return std::nullopt;
    return m_all.schedule(m_members[first]->best(), m_steps);
  }

  std::size_t least() const {
    std::size_t least = m_members.front()->least();
    for (const auto& member : m_members) least = std::min(least, member->least());
    return least;
  }

 private:
  const choices& m_all;
  const std::size_t m_steps;
  std::vector<std::unique_ptr<explorer>> m_members;
};

/// Reduces the number of steps. It bisects towards the bound, tries a higher number if it does not succeed within the
/// limits, and finally tries one step less than the best.
class descent {
 public:
  descent(const std::string& name, const problem& p, const search_control& control, explorer_maker make,
          const effort& limits)
      : m_name(name), m_control(control), m_make(make), m_limits(limits), m_all(p, control) {
    m_below = control.less_than;
    if (m_below == 0) {
      const auto start = greedy().run(p, control).found;
      m_below = start ? 2 * start->steps.size() + 1 : 0;
    }
    m_low = std::max<std::size_t>(control.enough, 1);
  }

  search_result run() {
    unless_over([this] { search(); });
    return {std::move(m_best), 0, {}};
  }

 private:
  void search() {
    while (m_low + 1 < m_below && !m_control.over()) {
      const std::size_t steps = m_low + (m_below - 1 - m_low) / 2;
      if (!attempt(steps, m_limits.attempt)) m_low = steps + 1;
    }
    const std::size_t least = std::max<std::size_t>(m_control.enough, 1);
    const bool is_timed = m_control.deadline != std::chrono::steady_clock::time_point::max();
    const std::size_t moves = is_timed ? std::numeric_limits<std::size_t>::max() : m_limits.last;
    while (m_below > least && !m_control.over() && attempt(m_below - 1, moves)) {
    }
  }

  bool attempt(std::size_t steps, std::size_t moves) {
    team explorers(m_all, steps, m_make, m_control);
    std::size_t least = std::numeric_limits<std::size_t>::max();
    for (std::size_t made = 0; made < moves && !m_control.over();) {
      const std::size_t now = std::min(m_limits.round, moves - made);
      std::optional<step_schedule> found = explorers.round(now, m_control);
      made += now;
      if (found || explorers.least() < least) report_progress(steps, least = explorers.least(), made);
      if (!found) continue;
      m_best = std::move(found);
      m_below = steps;
      return true;
    }
    return false;
  }

  void report_progress(std::size_t steps, std::size_t conflicts, std::size_t moves) const {
    if (!m_control.on_progress) return;
    m_control.on_progress(fmt::format("{}: {} steps, {} conflict{} left after {} moves of each of {} explorers", m_name,
                                      steps, conflicts, conflicts == 1 ? "" : "s", moves, Team));
  }

  const std::string m_name;
  const search_control& m_control;
  const explorer_maker m_make;
  const effort m_limits;
  const choices m_all;
  std::size_t m_low = 1, m_below = 0;  // numbers of steps
  std::optional<step_schedule> m_best;
};

}  // namespace

search_result explore(const std::string& name, const problem& p, const search_control& control, explorer_maker make,
                      const effort& limits) {
  return unless_over([&] { return descent(name, p, control, make, limits).run(); });
}

std::string unfit_for_search(const problem& p) {
  if (p.combining) return "it does not combine messages";
  const std::size_t items = p.requested.senders.size() * p.requested.receivers.size();
  constexpr std::size_t Most = 1u << 14;  // 128 nodes, all to all
  if (items > Most)
    return fmt::format("{} pairs of message and receiver are too many, expected at most {}", items, Most);
  return unreachable(p);
}

}  // namespace weft::schedule
