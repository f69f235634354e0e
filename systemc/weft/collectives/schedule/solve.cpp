// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/schedule/solve.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "weft/collectives/schedule/check.h"
#include "weft/collectives/schedule/exact/flow_bound.h"
#include "weft/collectives/schedule/forwarding/step_methods.h"
#include "weft/collectives/schedule/restricted.h"
#include "weft/core/printable.h"
#include "weft/core/quantity.h"
#include "weft/core/suggest.h"
#include "weft/topology/analysis/distances.h"

namespace weft::schedule {
namespace {

using clock = std::chrono::steady_clock;
constexpr int ShareOfBound = 4;                ///< the flow bound may use this fraction of the time
constexpr std::chrono::seconds BoundAlone{1};  ///< limit of the flow bound if there is no search
/// Limit of store_and_forward if there is no search, once another construction has a schedule. The method makes up to
/// 100 attempts. Restrictions share the time.
constexpr std::chrono::milliseconds ForwardingAlone{500};

void check_reachable(const problem& p) {
  for (const node_id to : p.requested.receivers) {
    const std::vector<std::uint32_t> distance = distances_to(p.network, to);
    for (const node_id from : p.requested.senders) {
      if (distance[from] != Unreached) continue;
      throw std::invalid_argument(fmt::format("no path through routers leads from {} to {}, which must receive from it",
                                              p.network.name(from), p.network.name(to)));
    }
  }
}

bool better(const step_schedule& a, const step_schedule& b) {
  return std::make_pair(a.start_ups(), a.occupancy()) < std::make_pair(b.start_ups(), b.occupancy());
}

/// An input for methods: the problem itself, or one of its restrictions.
struct version {
  problem question;
  const restricted_question* restriction = nullptr;  ///< null: the problem itself
  std::size_t least_steps = 0;                       ///< bounds of R and of TCO
  std::size_t least_occupancy = 0;
};

/// The solution process of one problem.
class solution {
 public:
  solution(const problem& p, const solve_options& options)
      : m_p(p),
        m_options(options),
        m_control(options.control.reporting([this] { return state(); })),
        m_restrictions(restrictions_of(p)) {}

  /// Constructions run before the flow bound, because they take less time and may meet the other bounds.
  answer run() {
    m_answer.bounds = find_bounds(m_p);
    m_whole.push_back({m_p, nullptr, bound(), best_of(m_answer.bounds.occupancy).steps});
    note_unfit();
    attempt_all(m_whole, true, false);
    if (!is_done()) bound_restrictions();
    attempt_all(m_restricted, true, false);
    if (!is_done()) find_flow_bounds();
    attempt_all(m_whole, false, std::any_of(m_restricted.begin(), m_restricted.end(), [&](const version& v) {
                  return may_be_better(v);
                }));
    attempt_all(m_restricted, false, false);
    m_answer.out_of_time = m_control.over() && !is_done();
    return std::move(m_answer);
  }

 private:
  using version_list = std::vector<version>;

  /// Returns the best schedule so far and the bound, for progress messages.
  std::string state() const {
    const std::string best = m_answer.best ? number_of(m_answer.best->start_ups(), "step") : "nothing yet";
    return fmt::format("{}, bound {}", best, bound());
  }

  static bool is_construction(const method* m) { return m->what == method::kind::Construction; }

  /// Computes the bounds of those restrictions that may have a better schedule than the best one so far.
  void bound_restrictions() {
    for (const restricted_question& r : m_restrictions) {
      if (m_control.over()) return;
      const problem p = r.question();
      const lower_bounds bounds = find_bounds(p);
      const version one{p, &r, std::max(bound(), best_of(bounds.start_ups).steps),
                        std::max(m_whole.front().least_occupancy, best_of(bounds.occupancy).steps)};
      if (may_be_better(one)) m_restricted.push_back(one);
    }
  }

  /// Whether the bounds of \p v allow a better schedule. If messages are combined, a schedule that no other dominates
  /// also counts.
  bool may_be_better(const version& v) const {
    if (v.restriction == nullptr || !m_answer.best) return true;
    if (!m_p.combining) return m_answer.best->start_ups() > v.least_steps;
    return !is_matched({v.least_steps, v.least_occupancy});
  }

  /// Whether some schedule found costs no more than \p cost.
  bool is_matched(const schedule_cost& cost) const {
    return std::any_of(m_answer.attempts.begin(), m_answer.attempts.end(), [&](const schedule::attempt& a) {
      return a.found && a.found->start_ups <= cost.start_ups && a.found->occupancy <= cost.occupancy;
    });
  }

  /// \param half whether to use only half of the remaining time
  void attempt_all(const version_list& versions, bool constructions, bool half) {
    std::vector<std::pair<const version*, const method*>> to_run;
    for (const version& v : versions) {
      for (const method* m : methods()) {
        if (is_chosen(*m) && is_construction(m) == constructions && m->unfit(v.question).empty())
          to_run.emplace_back(&v, m);
      }
    }
    search_control control = m_control;
    const clock::time_point now = clock::now();
    if (half && control.deadline > now && control.deadline != clock::time_point::max())
      control.deadline = now + (control.deadline - now) / 2;
    for (std::size_t i = 0; i < to_run.size() && !is_done() && !control.over(); ++i) {
      if (may_be_better(*to_run[i].first)) attempt_one(*to_run[i].first, *to_run[i].second, control, to_run.size() - i);
    }
  }

  void find_flow_bounds() {
    search_control control = m_control;
    const clock::time_point now = clock::now();
    control.deadline = m_options.search ? now + (control.deadline - now) / ShareOfBound : now + BoundAlone;
    if (const std::optional<flow_bound> flow = find_flow_bound(m_p, control)) {
      if (!m_p.combining) m_answer.bounds.start_ups.push_back(flow->as_bound());
      m_answer.bounds.occupancy.push_back(flow->as_bound());
      bound_direct(control);
    }
  }

  /// Computes a bound of the schedules in which no node forwards a message, because most methods find such schedules.
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

  bool is_chosen(const method& m) const {
    if (m_options.only) return &m == m_options.only;
    return is_construction(&m) || (m_options.search && m.what != method::kind::Baseline);
  }

  /// Lists the methods that do not fit. \throws std::invalid_argument if the only selected method does not fit
  void note_unfit() {
    for (const method* m : methods()) {
      if (!is_chosen(*m)) continue;
      const std::string unfit = m->unfit(m_p);
      if (unfit.empty()) continue;
      if (m_options.only) throw std::invalid_argument(fmt::format("method {} does not fit: {}", m->name, unfit));
      m_answer.attempts.push_back({m, {}, m_p.combining, unfit, {}, 0});
    }
  }

  /// \param left number of methods still to run, including this one
  void attempt_one(const version& v, const method& m, search_control control, std::size_t left) {
    const clock::time_point begin = clock::now();
    if (!is_construction(&m) && control.deadline != clock::time_point::max())
      control.deadline = begin + (control.deadline - begin) / static_cast<clock::rep>(left);
    const bool is_limited = &m == &store_and_forward() && !m_options.search && m_answer.best;
    if (is_limited) control.deadline = std::min(control.deadline, begin + m_forwarding_left);
    control.enough = v.least_steps;
    control.less_than = m_answer.best ? m_answer.best->start_ups() : 0;
    if (v.restriction) control.proof = nullptr;  // it would prove nothing about the problem itself
    if (control.on_progress) control.on_progress(m.name);
    search_result result = unless_over([&] { return m.run(v.question, control); });
    const clock::duration taken = clock::now() - begin;
    if (is_limited) m_forwarding_left = std::max(m_forwarding_left - taken, clock::duration::zero());
    const double seconds = std::chrono::duration<double>(taken).count();

    if (!v.restriction && result.refuted_below > m_answer.refuted_below) {
      m_answer.refuted_below = result.refuted_below;
      m_answer.refuted = result.refuted;
    }
    if (!result.found) {
      if (!v.restriction) m_answer.attempts.push_back({&m, {}, m_p.combining, {}, {}, seconds});
      return;
    }
    keep(v, m, std::move(*result.found), seconds);
    for (step_schedule& other : result.others) keep(v, m, std::move(other), seconds);
  }

  void keep(const version& v, const method& m, step_schedule found, double seconds) {
    if (v.restriction) found = v.restriction->widened(std::move(found));
    if (const std::vector<violation> violations = check(m_p, found); !violations.empty())
      throw std::logic_error(fmt::format("method {}: {}", m.name, violations.front().text));
    if (v.restriction && is_matched(cost_of(found))) return;
    const std::string restriction = v.restriction ? v.restriction->text() : "";
    m_answer.attempts.push_back({&m, restriction, v.question.combining, {}, cost_of(found), seconds});
    if (m_answer.best && !better(found, *m_answer.best)) return;
    m_answer.best = std::move(found);
    m_answer.by = &m;
    m_answer.restricted_to = restriction;
  }

  /// Whether no improvement is possible: R and TCO meet their bounds, or an exact method has proved this.
  bool is_done() const {
    if (!m_p.combining && m_answer.best && m_answer.best->start_ups() <= m_answer.refuted_below) return true;
    return m_answer.optimal() && m_answer.best->occupancy() <= best_of(m_answer.bounds.occupancy).steps;
  }

  std::size_t bound() const { return best_of(m_answer.bounds.start_ups).steps; }

  const problem& m_p;
  const solve_options& m_options;
  const search_control m_control;
  const std::vector<restricted_question> m_restrictions;
  version_list m_whole, m_restricted;
  clock::duration m_forwarding_left = ForwardingAlone;
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
