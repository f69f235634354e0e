// SPDX-License-Identifier: Apache-2.0
/// The phases of a run: warm-up, window and drain.
#include <algorithm>
#include <iterator>
#include <utility>

#include "weft/core/network_model.h"
#include "weft/simulation/count_difference.h"
#include "weft/simulation/deadlock.h"
#include "weft/simulation/run.h"

namespace weft::experiment {

namespace {

/// Simulates the phases of a run. Time advances in beats of fixed length, and all decisions are made at beats.
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
        m_series(plan.interval, plan.queues, graph, model, watch, plan.energy, plan.cost),
        m_standstill(model, plan.deadlock_after, plan.answers) {
    // Short windows need short beats, because saturation is determined from samples at the beats of the window.
    if (plan.measure > 0) m_beat = std::clamp<cycle_t>(plan.measure / 32, 1, m_beat);
  }

  run_result run() {
    pass_phases();
    if (m_counting) close_window();
    m_result.cycles = m_model.now();
    for (node_id n = 0; n < nodes(); ++n) m_result.nodes.push_back({m_model.queued(n), m_model.received_in_window(n)});
    m_watch.close_window(m_model.now());
    m_result.series = m_series.take();
    // The run of a list continues to the next beat after its window.
    if (const cycle_t end = m_watch.window_end(); measures_list() && m_plan.interval > 0)
      m_result.series.resize(
          std::min<std::size_t>(m_result.series.size(), (end + m_plan.interval - 1) / m_plan.interval));
    return std::move(m_result);
  }

 private:
  void pass_phases() {
    if (!pass_warmup()) return;
    m_phase = run_phase::Measure;
    m_before = m_model.channel_counts();
    if (m_plan.energy != nullptr) m_activity_before = m_plan.energy->counts(m_model);
    m_counting = true;
    if (!pass_window()) return;
    if (measures_list()) return deliver_list();
    close_window();
    if (m_watch.measured() == 0 && !m_plan.finite) return stop_empty();
    m_result.queues = estimate_queue_growth();
    if (m_watch.window_end() - m_watch.window_first() < least_window()) m_result.window_needed = least_window();
    m_phase = run_phase::Drain;
    if (m_result.queues.without_limit()) return stop_growing();
    if (m_plan.finite && !pass_list()) return;
    drain();
    if (m_watch.measured() == 0) stop(outcome::Empty);  // the other packets of the list still have results of their own
    if (m_result.how == outcome::Complete && nodes_may_reject()) stopped_by_stuck_packets();
  }

  /// New packets are still created during the drain, so the network may turn out to be saturated only now. This is
  /// checked whenever the time since the start of the window has doubled, and at the limit. The drain also continues
  /// while far more flits are in flight than in the window.
  void drain() {
    const cycle_t limit = (m_plan.finite ? std::max(m_watch.window_end(), list_end()) : m_model.now()) + m_plan.drain;
    cycle_t last_check = m_model.now() - m_watch.window_first();
    while (packets_awaited() > 0 || is_far_above_mean()) {
      const bool ends = m_model.now() >= limit;
      if (const cycle_t time = m_model.now() - m_watch.window_first(); ends || time >= 2 * last_check) {
        last_check = time;
        if (grows_after_window(ends ? queue_watch::rise::Any : queue_watch::rise::Steady)) return stop_growing();
      }
      if (ends && packets_awaited() > 0) return stop_not_drained();
      if (ends || !advance_to(std::min(next_beat(), limit))) return;
    }
  }

  bool is_far_above_mean() const {
    return m_plan.least_window && m_queues.is_far_above_mean(m_watch.mean_length(), flits_under_way());
  }

  /// Whether queues have grown without limit since the start of the window. If so, stores this result.
  bool grows_after_window(queue_watch::rise how) {
    queue_watch::growth found = estimate_queue_growth(how);
    if (!found.without_limit()) return false;
    found.flits = m_result.queues.flits;
    m_result.queues = std::move(found);
    m_result.queues_until = m_model.now();
    return true;
  }

  /// Queues grow without limit: the network is saturated, packets are stuck, or the run was too short to decide.
  void stop_growing() {
    if (!await_movement()) return;
    if (m_plan.may_deadlock && stopped_by_stuck_packets()) return;
    const cycle_t time = std::max(m_result.queues_until, m_watch.window_end()) - m_watch.window_first();
    stop(time < least_window() ? outcome::Undecided : outcome::Saturated);
  }

  void stop_empty() {
    if (nodes_may_reject() && stopped_by_stuck_packets()) return;
    stop(outcome::Empty);
  }

  /// Whether nodes have finite queues. Packets may then be stuck even if all measured packets have arrived, because a
  /// traffic that is stuck creates no packets.
  bool nodes_may_reject() const { return !m_plan.answers.empty(); }

  void stop_not_drained() {
    if (m_plan.may_deadlock && stopped_by_stuck_packets()) return;
    stop(outcome::NotDrained);
  }

  /// Whether some packets wait only for each other and still do so after `deadlock_after` cycles, although others may
  /// move. Also true if the run was stopped for another reason in the meantime.
  bool stopped_by_stuck_packets() {
    const std::vector<packet_id> before = stuck_packets();
    if (before.empty()) return false;
    if (!advance_to(m_model.now() + m_plan.deadlock_after)) return true;
    const std::vector<packet_id> after = stuck_packets();
    std::vector<packet_id> both;
    std::set_intersection(before.begin(), before.end(), after.begin(), after.end(), std::back_inserter(both));
    if (both.empty()) return false;
    m_result.explanation = explain_stuck(m_graph, all_blocked(m_model, m_plan.answers), both.size(),
                                         m_plan.deadlock_after, m_plan.answers);
    m_result.ring = m_standstill.ring(m_graph);
    stop(outcome::Deadlock);
    return true;
  }

  /// The ids of stuck packets in ascending order.
  std::vector<packet_id> stuck_packets() const {
    const std::vector<blocked_packet> blocked = all_blocked(m_model, m_plan.answers);
    std::vector<packet_id> ids;
    for (const std::size_t i : find_stuck(m_graph, blocked, m_plan.answers)) ids.push_back(blocked[i].id);
    std::sort(ids.begin(), ids.end());
    return ids;
  }

  /// Whether all packets of a list are measured, instead of the packets of a configured window.
  bool measures_list() const { return m_plan.finite && m_plan.measure == 0; }

  /// The window of a list extends from the creation of its first packet to the delivery of its last one, so the packets
  /// created in it are those delivered in it.
  void deliver_list() {
    m_phase = run_phase::Drain;
    const cycle_t limit = list_end() + m_plan.drain;
    while (packets_awaited() > 0) {
      if (m_model.now() >= limit) return stop(outcome::NotDrained);
      if (!advance_to(std::min(next_beat(), limit))) return;
    }
    if (m_watch.measured() == 0) stop(outcome::Empty);
    if (m_watch.last_delivered() != Never) m_watch.close_window(m_watch.last_delivered() + 1);
  }

  void open_window_of_list() {
    const cycle_t first = first_planned();
    if (first != Never && first > m_watch.window_first()) m_watch.open_window(first);
  }

  /// Continues until a flit moves or a deadlock is detected, because queues also grow in a network that has deadlocked
  /// but whose deadlock is not yet detected.
  bool await_movement() {
    while (m_standstill.is_resting())
      if (!advance_to(next_beat())) return false;
    return true;
  }

  /// Returns false if the run was stopped, as the following functions that advance time do.
  bool pass_warmup() {
    if (measures_list() && m_plan.warmup == cycle_t{0}) open_window_of_list();
    if (!m_plan.warmup && !await_steady_state()) return false;
    const cycle_t first = m_plan.warmup ? *m_plan.warmup : m_watch.window_first();
    if (m_plan.measure > 0 && m_plan.relative_error == 0) m_end_of_window = first + m_plan.measure;
    return advance_to(first);
  }

  /// Continues until the transient ends in the first half of the simulated time, which doubles at each step.
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
    return pass_list();
  }

  /// Continues until the last packet of the list has been created. No step goes beyond the drain, which starts then.
  bool pass_list() {
    const auto step_end = [this](cycle_t last) { return std::min(next_beat(), last + 1 + m_plan.drain); };
    while (!source_empty())
      if (!advance_to(step_end(last_planned()))) return false;
    // The last packet may have been created in advance, in the next cycle.
    return list_end() <= m_model.now() || advance_to(step_end(list_end() - 1));
  }

  /// The cycle after the creation of the list's last packet, once the source is empty.
  cycle_t list_end() const { return m_watch.last_created() == Never ? 0 : m_watch.last_created() + 1; }

  /// Checks the interval after `measure` cycles and whenever the window has grown by half. More frequent checks would
  /// select an interval that is too narrow by chance.
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

  /// Length of a window that shows whether the network is saturated; 0 if it cannot be.
  cycle_t least_window() const {
    return m_plan.least_window ? std::max(*m_plan.least_window, queue_watch::MinSamples * m_beat) : 0;
  }

  bool is_saturated(cycle_t window) const {
    return window >= least_window() && estimate_queue_growth().without_limit();
  }

  queue_watch::growth estimate_queue_growth(queue_watch::rise how = queue_watch::rise::Steady) const {
    if (!m_plan.least_window || m_watch.measured() == 0) return {};
    queue_watch::growth found = m_queues.estimate_growth(m_watch.mean_length(), how);
    // In a window that is not much longer than the latency, the network has not filled yet.
    found.network &= 4 * m_watch.measured_under_way() < m_watch.measured();
    return found;
  }

  std::uint32_t nodes() const { return static_cast<std::uint32_t>(m_graph.nodes.size()); }

  /// The next beat or, if beats can be skipped, the last one before a packet is created; Never if there is no packet.
  cycle_t next_beat() const {
    const cycle_t next = (m_model.now() / m_beat + 1) * m_beat;
    if (!can_skip_beats()) return next;
    const cycle_t creation = first_planned();
    return creation == Never ? Never : std::max(next, (std::max<cycle_t>(creation, 1) - 1) / m_beat * m_beat);
  }

  /// False if every beat needs a sample: for the time series, or for a warm-up whose end is detected.
  bool can_skip_beats() const {
    return m_watch.packets_under_way() == 0 && m_plan.interval == 0 && (m_plan.warmup || m_phase != run_phase::WarmUp);
  }

  /// The earliest cycle in which a node creates its next packet.
  cycle_t first_planned() const {
    cycle_t first = Never;
    for (node_id n = 0; n < nodes(); ++n) first = std::min(first, m_source.next_creation(n));
    return first;
  }
  bool source_empty() const { return first_planned() == Never; }

  /// The latest cycle in which a node creates its next packet; requires a source that is not empty.
  cycle_t last_planned() const {
    cycle_t last = 0;
    for (node_id n = 0; n < nodes(); ++n)
      if (const cycle_t next = m_source.next_creation(n); next != Never) last = std::max(last, next);
    return last;
  }

  std::uint64_t packets_awaited() const {
    return m_plan.finite ? m_watch.packets_under_way() : m_watch.measured_under_way();
  }

  std::uint64_t flits_under_way() const {
    const traffic_totals totals = m_watch.totals_before(m_model.now());
    return totals.flits_created - totals.flits_received;
  }

  void close_window() {
    m_watch.close_window(m_model.now());
    m_result.window_counts = difference(m_model.channel_counts(), m_before);
    if (m_plan.energy != nullptr) (m_result.window_activity = m_plan.energy->counts(m_model)) -= m_activity_before;
    m_counting = false;
  }

  void stop(outcome how) {
    m_result.how = how;
    if (how == outcome::Corrupt) m_result.explanation = {m_watch.error()};
  }

  bool advance_to(cycle_t end) {
    while (m_model.now() < end) {
      const cycle_t interval_end = is_recorded() ? m_series.next_end(m_model.now()) : Never, start = m_model.now();
      if (!simulate_to(std::min({next_beat(), end, interval_end}))) {
        stop(outcome::Interrupted);
        return false;
      }
      if (!m_watch.error().empty()) {
        stop(outcome::Corrupt);
        return false;
      }
      if (deadlocked()) return false;
      sample_skipped_beats(start);
      sample();
    }
    return true;
  }

  /// Whether the time series is recorded: up to the end of the window.
  bool is_recorded() const { return m_phase != run_phase::Drain || m_counting; }

  bool watches_queues() const {
    return m_plan.least_window && (m_phase == run_phase::Measure || m_phase == run_phase::Drain);
  }

  /// Adds samples for the beats skipped since \p start, at which queues were empty and no flit was in flight.
  void sample_skipped_beats(cycle_t start) {
    cycle_t beat = (start / m_beat + 1) * m_beat;
    if (!watches_queues() || beat >= m_model.now()) return;
    const std::vector<std::uint32_t> empty(nodes());
    for (; beat < m_model.now(); beat += m_beat) m_queues.sample(empty, 0);
  }

  void sample() {
    if (is_recorded()) m_series.sample();
    if (m_model.now() % m_beat != 0) return;
    if (watches_queues()) m_queues.sample(m_watch.flits_waiting(), flits_under_way());
    if (m_phase == run_phase::WarmUp && !m_plan.warmup)
      m_under_way.push_back(static_cast<double>(m_watch.packets_under_way()));
  }

  bool simulate_to(cycle_t end) {
    return m_slices.run_to(m_model, end, m_hooks, [this] {
      return run_progress{m_phase, m_model.now(), m_end_of_window, packets_awaited()};
    });
  }

  bool deadlocked() {
    const bool nodes_work = nodes_may_reject() && m_plan.reacting->next_reaction() != Never;
    const bool waits = m_watch.packets_under_way() > 0 && !nodes_work;
    if (!m_standstill.stands_still(m_watch.flits_injected() + m_watch.flits_ejected(), waits)) return false;
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
  cycle_t m_end_of_window = 0;  ///< 0: unknown
  time_slices m_slices;
  bool m_counting = false;              ///< whether the window is open
  std::vector<channel_count> m_before;  ///< channel counts at the start of the window
  network_counts m_activity_before;     ///< at the same time
  std::vector<double> m_under_way;      ///< packets in flight, at the beats of a warm-up whose end is searched
  queue_watch m_queues;                 ///< samples at the beats of the window
  time_series m_series;
  standstill_watch m_standstill;
};

}  // namespace

run_result simulate(const run_plan& plan, const topology& graph, const packet_source& source, network_model& model,
                    measurement& watch, const run_hooks& hooks) {
  return runner(plan, graph, source, model, watch, hooks).run();
}

}  // namespace weft::experiment
