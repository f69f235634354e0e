// SPDX-License-Identifier: Apache-2.0
/// The phases of a run: warm-up, window, drain.
#include <algorithm>
#include <chrono>
#include <utility>

#include "weft/core/network_model.h"
#include "weft/experiment/run/deadlock.h"
#include "weft/experiment/run/run.h"

namespace weft::experiment {

namespace {

std::vector<channel_count> difference(std::vector<channel_count> after, const std::vector<channel_count>& before) {
  for (std::size_t i = 0; i < after.size() && i < before.size(); ++i) after[i].flits -= before[i].flits;
  return after;
}

/// The phases of a run. Time advances from beat to beat; all decisions fall on beats.
class runner {
 public:
  runner(const run_plan& plan, const topology& graph, const packet_source& source, network_model& model,
         measurement& watch, const run_hooks& hooks)
      : m_plan(plan),
        m_graph(graph),
        m_source(source),
        m_model(model),
        m_watch(watch),
        m_hooks(hooks),
        m_queues(graph.nodes.size()),
        m_series(plan.interval, plan.queues, graph, model, watch),
        m_standstill(model, plan.deadlock_after) {
    // Short windows need short beats: saturation is judged by what is seen at the beats of the window.
    if (plan.measure > 0) m_beat = std::clamp<cycle_t>(plan.measure / 32, 1, m_beat);
  }

  run_result run() {
    pass_phases();
    if (m_counting) close_window();
    m_result.cycles = m_model.now();
    for (node_id n = 0; n < nodes(); ++n) m_result.nodes.push_back({m_model.queued(n), m_model.received_in_window(n)});
    m_watch.close_window(m_model.now());
    m_result.series = m_series.take();
    return std::move(m_result);
  }

 private:
  void pass_phases() {
    if (!pass_warmup()) return;
    m_phase = run_phase::Measure;
    m_before = m_model.channel_counts();
    m_counting = true;
    if (!pass_window()) return;
    close_window();
    if (m_watch.measured() == 0 && !m_plan.finite) return stop(outcome::Empty);
    m_result.queues = judge_queues();
    if (m_watch.window_end() - m_watch.window_first() < least_window()) m_result.window_needed = least_window();
    m_phase = run_phase::Drain;
    if (m_result.queues.without_limit()) {
      if (!await_movement()) return;
      return stop(m_result.window_needed > 0 ? outcome::Undecided : outcome::Saturated);
    }

    while (m_plan.finite && !source_empty())
      if (!advance_to(next_beat())) return;
    const cycle_t limit = m_model.now() + m_plan.drain;
    while (packets_awaited() > 0) {
      if (m_model.now() >= limit) return stop(outcome::NotDrained);
      if (!advance_to(std::min(next_beat(), limit))) return;
    }
    if (m_watch.measured() == 0) stop(outcome::Empty);  // the list has other packets, and they have answers
  }

  /// Goes on for as long as no flit moves, until one does or the network is found to be deadlocked. The queues of a
  /// network that deadlocked less than deadlock_after cycles ago grow as those of a saturated one do.
  bool await_movement() {
    while (m_standstill.is_resting())
      if (!advance_to(next_beat())) return false;
    return true;
  }

  /// False when the run was stopped, as of all that follow.
  bool pass_warmup() {
    if (!m_plan.warmup && !await_steady_state()) return false;
    const cycle_t first = m_plan.warmup ? *m_plan.warmup : m_watch.window_first();
    if (m_plan.measure > 0 && m_plan.relative_error == 0) m_end_of_window = first + m_plan.measure;
    return advance_to(first);
  }

  /// Goes on, twice as long at each step, until the transient has ended in the first half.
  bool await_steady_state() {
    constexpr cycle_t Beat = 20, Shortest = 2'000, LeastPatience = 20'000, Ahead = 100;
    const cycle_t beat = std::exchange(m_beat, Beat);
    const cycle_t longest = std::max(LeastPatience, m_plan.measure);
    found_warmup found;
    for (cycle_t end = Shortest; !found.settled && m_model.now() < longest; end *= 2) {
      if (!advance_to(std::min(end, longest))) return false;
      found.transient = length_of_transient(m_under_way) * Beat;
      found.settled = found.transient < m_model.now();
    }
    m_beat = beat;
    m_result.warmup = found;
    m_watch.open_window(m_model.now() + Ahead);
    return true;
  }

  bool pass_window() {
    if (m_plan.relative_error > 0) return measure_until_precise();
    if (m_plan.measure > 0) return advance_to(m_end_of_window);
    while (!source_empty())
      if (!advance_to(next_beat())) return false;
    // The last packet may have been created ahead of its time, in the cycle that comes next.
    const cycle_t last = m_watch.last_created();
    return last == Never || last < m_model.now() || advance_to(next_beat());
  }

  /// Looks at the interval after `measure` cycles, and then whenever the window is longer by half: to look often would
  /// be to wait for an interval that is too narrow by chance.
  bool measure_until_precise() {
    const cycle_t first = m_model.now(), ahead = std::max<cycle_t>(2, m_beat);
    for (cycle_t length = m_plan.measure;; length += length / 2 + 1) {
      length = std::clamp(length, std::min(ahead, m_plan.at_most), m_plan.at_most);
      const cycle_t end = first + length;
      if (!advance_to(std::max(first, end - std::min(ahead, length)))) return false;
      if (length < m_plan.at_most && !is_precise() && !is_saturated(length)) continue;
      m_watch.close_window(end);
      return advance_to(end);
    }
  }

  bool is_precise() const {
    const std::optional<double> half_width = m_watch.latency_interval(m_model.now()).half_width;
    return half_width && *half_width <= m_plan.relative_error * m_watch.latency().mean();
  }

  /// Of a window that tells whether the network is saturated; 0 where it cannot be.
  cycle_t least_window() const {
    return m_plan.least_window ? std::max(*m_plan.least_window, queue_watch::LeastLooks * m_beat) : 0;
  }

  bool is_saturated(cycle_t window) const { return window >= least_window() && judge_queues().without_limit(); }

  queue_watch::growth judge_queues() const {
    if (!m_plan.least_window || m_watch.measured() == 0) return {};
    queue_watch::growth found = m_queues.judge(m_watch.mean_length());
    // In a window that is not much longer than latency the network has not filled yet.
    found.network &= 4 * m_watch.measured_under_way() < m_watch.measured();
    return found;
  }

  std::uint32_t nodes() const { return static_cast<std::uint32_t>(m_graph.nodes.size()); }

  cycle_t next_beat() const { return (m_model.now() / m_beat + 1) * m_beat; }

  bool source_empty() const {
    for (node_id n = 0; n < nodes(); ++n)
      if (m_source.next_creation(n) != Never) return false;
    return true;
  }

  std::uint64_t packets_awaited() const {
    return m_plan.finite ? m_watch.packets_under_way() : m_watch.measured_under_way();
  }

  void close_window() {
    m_watch.close_window(m_model.now());
    m_result.window_counts = difference(m_model.channel_counts(), m_before);
    m_counting = false;
  }

  void stop(outcome how) {
    m_result.how = how;
    if (how == outcome::Corrupt) m_result.explanation = {m_watch.error()};
  }

  bool advance_to(cycle_t end) {
    while (m_model.now() < end) {
      const cycle_t interval_end = m_phase == run_phase::Drain ? Never : m_series.next_end(m_model.now());
      if (!simulate_to(std::min({next_beat(), end, interval_end}))) {
        stop(outcome::Interrupted);
        return false;
      }
      if (!m_watch.error().empty()) {
        stop(outcome::Corrupt);
        return false;
      }
      if (deadlocked()) return false;
      look();
    }
    return true;
  }

  void look() {
    if (m_phase == run_phase::Drain) return;
    m_series.look();
    if (m_model.now() % m_beat != 0) return;
    if (m_phase == run_phase::Measure) {
      const traffic_totals totals = m_watch.totals_before(m_model.now());
      m_queues.look(m_watch.flits_waiting(), totals.flits_created - totals.flits_received);
    }
    if (m_phase == run_phase::WarmUp && !m_plan.warmup)
      m_under_way.push_back(static_cast<double>(m_watch.packets_under_way()));
  }

  bool simulate_to(cycle_t end) {
    return m_slices.run_to(m_model, end, m_hooks, [this] {
      return run_progress{m_phase, m_model.now(), m_end_of_window, packets_awaited()};
    });
  }

  bool deadlocked() {
    if (!m_standstill.stands_still(m_watch.flits_injected() + m_watch.flits_ejected(), m_watch.packets_under_way() > 0))
      return false;
    stop(outcome::Deadlock);
    m_result.explanation = m_standstill.explain(m_graph, m_watch.packets_under_way());
    m_result.ring = m_standstill.ring(m_graph);
    return true;
  }

  const run_plan& m_plan;
  const topology& m_graph;
  const packet_source& m_source;
  network_model& m_model;
  measurement& m_watch;
  const run_hooks& m_hooks;

  run_result m_result;
  run_phase m_phase = run_phase::WarmUp;
  cycle_t m_beat = 100;
  cycle_t m_end_of_window = 0;  ///< 0: not known
  time_slices m_slices;
  bool m_counting = false;              ///< in the window
  std::vector<channel_count> m_before;  ///< at the start of the window
  std::vector<double> m_under_way;      ///< packets, at the beats of a warm-up whose end is looked for
  queue_watch m_queues;                 ///< at the beats of the window
  time_series m_series;
  standstill_watch m_standstill;
};

}  // namespace

bool time_slices::run_to(network_model& model, cycle_t end, const run_hooks& hooks,
                         const std::function<run_progress()>& progress) {
  using clock = std::chrono::steady_clock;
  constexpr auto TooShort = std::chrono::milliseconds(20), TooLong = std::chrono::milliseconds(100);
  while (model.now() < end) {
    if (hooks.stop()) return false;
    const cycle_t slice = std::min(m_slice, end - model.now());
    const auto start = clock::now();
    model.run(slice);
    const auto took = clock::now() - start;
    if (took > TooLong) m_slice = std::max<cycle_t>(1, slice / 2);
    if (took < TooShort && slice == m_slice) m_slice *= 2;
    hooks.progress(progress());
  }
  return true;
}

run_result simulate(const run_plan& plan, const topology& graph, const packet_source& source, network_model& model,
                    measurement& watch, const run_hooks& hooks) {
  return runner(plan, graph, source, model, watch, hooks).run();
}

}  // namespace weft::experiment
