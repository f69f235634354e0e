// SPDX-License-Identifier: Apache-2.0
#include "weft/schedule/solve.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "weft/core/printable.h"
#include "weft/core/quantity.h"
#include "weft/core/suggest.h"
#include "weft/schedule/check.h"
#include "weft/schedule/exact/flow_bound.h"
#include "weft/topology/analysis/distances.h"

namespace weft::schedule {
namespace {

using clock = std::chrono::steady_clock;
constexpr int ShareOfBound = 4;                ///< of the time, the part that the flow bound may take
constexpr std::chrono::seconds BoundAlone{1};  ///< for the flow bound where nothing is searched

void check_reachable(const problem& p) {
  for (const node_id to : p.asked.receivers) {
    const std::vector<std::uint32_t> distance = distances_to(p.network, to);
    for (const node_id from : p.asked.senders) {
      if (distance[from] != Unreached) continue;
      throw std::invalid_argument(
          fmt::format("no path through routers leads from {} to {}, which is to receive from it", p.network.name(from),
                      p.network.name(to)));
    }
  }
}

bool better(const step_schedule& a, const step_schedule& b) {
  return std::make_pair(a.start_ups(), a.occupancy()) < std::make_pair(b.start_ups(), b.occupancy());
}

/// One question on its way.
class solution {
 public:
  solution(const problem& p, const solve_options& options) : m_p(p), m_options(options) {}

  /// Constructions come before the bound that a program of flows gives: they take less, and may meet the others.
  answer run() {
    m_answer.bounds = find_bounds(m_p);
    method_list to_run = choose();
    const auto searches = std::stable_partition(to_run.begin(), to_run.end(), is_construction);
    attempt(to_run.begin(), searches);
    if (!is_done()) find_flow_bounds();
    attempt(searches, to_run.end());
    m_answer.out_of_time = m_options.control.over() && !is_done();
    return std::move(m_answer);
  }

 private:
  using method_list = std::vector<const method*>;

  static bool is_construction(const method* m) { return m->what == method::kind::Construction; }

  void attempt(method_list::const_iterator first, method_list::const_iterator last) {
    for (; first != last && !is_done() && !m_options.control.over(); ++first)
      attempt_one(**first, static_cast<std::size_t>(last - first));
  }

  void find_flow_bounds() {
    search_control control = m_options.control;
    const clock::time_point now = clock::now();
    control.deadline = m_options.search ? now + (control.deadline - now) / ShareOfBound : now + BoundAlone;
    if (const std::optional<flow_bound> flow = find_flow_bound(m_p, control)) {
      if (!m_p.combining) m_answer.bounds.start_ups.push_back(flow->as_bound());
      m_answer.bounds.occupancy.push_back(flow->as_bound());
      bound_direct(control);
    }
  }

  /// Of schedules in which no node passes a message on: the kind that methods find.
  void bound_direct(const search_control& control) {
    if (m_p.combining) return;
    const bool shortest = m_p.paths == path_rule::Minimal;
    const std::optional<flow_bound> flow =
        find_flow_bound(m_p, control, shortest ? journey::Shortest : journey::Direct);
    if (!flow || flow->steps <= bound()) return;
    m_answer.refuted_below = flow->steps;
    m_answer.refuted =
        fmt::format("by flow, straight from origin to destination, on {} paths", shortest ? "shortest" : "any");
  }

  bool is_automatic(const method& m) const {
    return is_construction(&m) || (m_options.search && m.what != method::kind::Baseline);
  }

  method_list choose() {
    method_list fit;
    for (const method* m : methods()) {
      if (m_options.only ? m != m_options.only : !is_automatic(*m)) continue;
      const std::string unfit = m->unfit(m_p);
      if (unfit.empty())
        fit.push_back(m);
      else if (m_options.only)
        throw std::invalid_argument(fmt::format("method {} does not fit: {}", m->name, unfit));
      else
        m_answer.attempts.push_back({m, unfit, {}, 0});
    }
    return fit;
  }

  /// \p left methods are to run, this one included.
  void attempt_one(const method& m, std::size_t left) {
    search_control control = m_options.control;
    const clock::time_point begin = clock::now();
    if (!is_construction(&m) && control.deadline != clock::time_point::max())
      control.deadline = begin + (control.deadline - begin) / static_cast<clock::rep>(left);
    control.enough = bound();
    control.less_than = m_answer.best ? m_answer.best->start_ups() : 0;
    if (control.tell) control.tell(progress_of(m));
    search_result result = unless_over([&] { return m.run(m_p, control); });
    const double seconds = std::chrono::duration<double>(clock::now() - begin).count();

    if (result.refuted_below > m_answer.refuted_below) {
      m_answer.refuted_below = result.refuted_below;
      m_answer.refuted = result.refuted;
    }
    if (!result.found) {
      m_answer.attempts.push_back({&m, {}, {}, seconds});
      return;
    }
    keep(m, std::move(*result.found), seconds);
    for (step_schedule& other : result.others) keep(m, std::move(other), seconds);
  }

  void keep(const method& m, step_schedule found, double seconds) {
    if (const std::vector<fault> faults = check(m_p, found); !faults.empty())
      throw std::logic_error(fmt::format("method {}: {}", m.name, faults.front().text));
    m_answer.attempts.push_back({&m, {}, cost_of(found), seconds});
    if (m_answer.best && !better(found, *m_answer.best)) return;
    m_answer.best = std::move(found);
    m_answer.by = &m;
  }

  std::string progress_of(const method& m) const {
    const std::string best = m_answer.best ? number_of(m_answer.best->start_ups(), "step") : "nothing yet";
    return fmt::format("{}: {}, bound {}", m.name, best, bound());
  }

  /// Nothing is left to be won: R and TCO meet their bounds, or an exact method says so.
  bool is_done() const {
    if (!m_p.combining && m_answer.best && m_answer.best->start_ups() <= m_answer.refuted_below) return true;
    return m_answer.optimal() && m_answer.best->occupancy() <= best_of(m_answer.bounds.occupancy).steps;
  }

  std::size_t bound() const { return best_of(m_answer.bounds.start_ups).steps; }

  const problem& m_p;
  const solve_options& m_options;
  answer m_answer;
};

}  // namespace

answer solve(const problem& p, const solve_options& options) {
  check_reachable(p);
  return solution(p, options).run();
}

const method& method_named(const std::string& name) {
  std::vector<std::string> names;
  for (const method* m : methods()) {
    if (name == m->name) return *m;
    names.emplace_back(m->name);
  }
  const std::string hint = did_you_mean(name, names);
  throw std::invalid_argument(
      fmt::format("no method {}{}", in_quotes(name),
                  hint.empty() ? fmt::format("; expected auto or one of {}", fmt::join(names, ", ")) : hint));
}

}  // namespace weft::schedule
