// SPDX-License-Identifier: Apache-2.0
#include "weft/experiment/run/run.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include <fmt/format.h>

#include "weft/core/network_model.h"
#include "weft/core/network_observer.h"
#include "weft/engine/model.h"
#include "weft/experiment/run/deadlock.h"
#include "weft/pin/model.h"
#include "weft/workload/workload.h"

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
    return std::move(m_result);
  }

 private:
  void pass_phases() {
    if (!advance_to(m_plan.warmup)) return;

    m_phase = run_phase::Measure;
    m_before = m_model.channel_counts();
    m_counting = true;
    if (m_plan.measure > 0) {
      if (!advance_to(m_plan.warmup + m_plan.measure)) return;
    } else {
      while (!source_empty())
        if (!advance_to(next_beat())) return;
    }
    close_window();
    if (!m_plan.finite && is_saturated(m_waiting, offered_flits(), m_watch.mean_length(), nodes()))
      return stop(outcome::Saturated);

    m_phase = run_phase::Drain;
    while (m_plan.finite && !source_empty())
      if (!advance_to(next_beat())) return;
    const cycle_t limit = m_model.now() + m_plan.drain;
    while (packets_awaited() > 0) {
      if (m_model.now() >= limit) return stop(outcome::NotDrained);
      if (!advance_to(std::min(next_beat(), limit))) return;
    }
  }

  std::uint32_t nodes() const { return static_cast<std::uint32_t>(m_graph.nodes.size()); }

  cycle_t next_beat() const { return (m_model.now() / m_beat + 1) * m_beat; }

  double offered_flits() const { return m_watch.mean_length() * static_cast<double>(m_watch.measured()); }

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

  /// False when the run was stopped before.
  bool advance_to(cycle_t end) {
    while (m_model.now() < end) {
      if (!simulate_to(std::min(next_beat(), end))) {
        stop(outcome::Interrupted);
        return false;
      }
      if (!m_watch.error().empty()) {
        stop(outcome::Corrupt);
        return false;
      }
      if (deadlocked()) return false;
      if (m_phase == run_phase::Measure) m_waiting.push_back(m_watch.flits_waiting());
    }
    return true;
  }

  bool simulate_to(cycle_t end) {
    return m_slices.run_to(m_model, end, m_hooks, [this] {
      const cycle_t end_of_window = m_plan.measure > 0 ? m_plan.warmup + m_plan.measure : 0;
      return run_progress{m_phase, m_model.now(), end_of_window, packets_awaited()};
    });
  }

  bool deadlocked() {
    if (!m_standstill.stands_still(m_watch.flits_injected() + m_watch.flits_ejected(), m_watch.packets_under_way() > 0))
      return false;
    stop(outcome::Deadlock);
    m_result.explanation = m_standstill.explain(m_graph, m_watch.packets_under_way());
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
  time_slices m_slices;
  bool m_counting = false;               ///< in the window
  std::vector<channel_count> m_before;   ///< at the start of the window
  std::vector<std::uint64_t> m_waiting;  ///< flits in source queues at the beats of the window
  standstill_watch m_standstill;
};

std::unique_ptr<packet_source> build_source(const configuration& c, const topology& graph) {
  return make_workload(c.workload, {static_cast<std::uint32_t>(graph.nodes.size()), c.grid(), c.simulation.seed});
}

std::shared_ptr<const pin::foreign_stages> build_rtl_stages(const configuration& c, const stage_provider& rtl_stages) {
  const auto refuse = [&c](const std::string& why) {
    throw configuration_error({{c.where("nic.compression.implementation"), "nic.compression.implementation: " + why}});
  };
  if (!rtl_stages)
    refuse("this weft was built without RTL; install verilator and build it with -DWEFT_RTL=ON, or leave the key out");
  try {
    return rtl_stages(c.nic.compression, c.nic.rtl_nodes);
  } catch (const std::invalid_argument& e) {
    refuse(e.what());
  }
  return nullptr;
}

measurement_options measurement_of(const configuration& c, const topology& graph) {
  measurement_options options;
  options.nodes = static_cast<std::uint32_t>(graph.nodes.size());
  options.payload_bits = c.flit.payload_bits;
  options.warmup = c.simulation.warmup;
  options.measure = c.simulation.measure;
  options.keep_answers = c.output.answers;
  options.exact_cut = c.nic.compression.codec.exact;
  options.assumed_size = c.nic.compression.ratio.has_value();
  return options;
}

}  // namespace

const char* name_of(outcome how) {
  switch (how) {
    case outcome::Complete:
      return "complete";
    case outcome::Saturated:
      return "saturated";
    case outcome::Interrupted:
      return "interrupted";
    case outcome::NotDrained:
      return "not_drained";
    case outcome::Deadlock:
      return "deadlock";
    case outcome::Undelivered:
      return "undelivered";
    case outcome::Corrupt:
      break;
  }
  return "corrupt";
}

std::unique_ptr<network_model> build_model(const configuration& c, const topology& graph, packet_source& source,
                                           network_observer& observer, const std::filesystem::path& vcd_file,
                                           const stage_provider& rtl_stages) {
  const nic_parameters nic = nic_parameters_of(c);
  if (c.simulation.level == level_kind::Tlm)
    return engine::make_model(graph, c.router, nic, c.flit.payload_bits, source, observer);
  pin::model_options options;
  options.payload_bits = c.flit.payload_bits;
  options.clock_gating = c.simulation.clock_gating;
  options.vcd_file = vcd_file;
  options.vcd_patterns = c.output.vcd;
  if (c.nic.compression.in_hardware() && c.nic.compressor == implementation_kind::Rtl)
    options.compression_stages = build_rtl_stages(c, rtl_stages);
  try {
    return pin::make_model(graph, c.router, nic, options, source, observer);
  } catch (const pin::no_such_wire& e) {
    throw configuration_error({{c.where("output.vcd"), e.what()}});
  } catch (const std::invalid_argument& e) {
    throw configuration_error({{c.where("network.router"), e.what()}});
  }
}

bool time_slices::run_to(network_model& model, cycle_t end, const run_hooks& hooks,
                         const std::function<run_progress()>& progress) {
  using clock = std::chrono::steady_clock;
  while (model.now() < end) {
    if (hooks.stop()) return false;
    const auto start = clock::now();
    model.run(std::min(m_slice, end - model.now()));
    if (clock::now() - start > std::chrono::milliseconds(100)) m_slice = std::max<cycle_t>(1, m_slice / 2);
    hooks.progress(progress());
  }
  return true;
}

run_result simulate(const run_plan& plan, const topology& graph, const packet_source& source, network_model& model,
                    measurement& watch, const run_hooks& hooks) {
  return runner(plan, graph, source, model, watch, hooks).run();
}

bool is_saturated(const std::vector<std::uint64_t>& waiting, double offered, double mean_length, std::uint32_t nodes) {
  const std::size_t quarter = waiting.size() / 4;
  if (quarter == 0) return false;
  double mean[4];
  for (std::size_t q = 0; q < 4; ++q) {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < quarter; ++i) sum += waiting[q * quarter + i];
    mean[q] = static_cast<double>(sum) / static_cast<double>(quarter);
    if (q > 0 && mean[q] <= mean[q - 1]) return false;
  }
  const double growth = mean[3] - mean[0];
  const double offered_meanwhile = offered * 3 / 4;  // between the middles of the first and the last quarter
  return growth > 0.02 * offered_meanwhile && growth >= mean_length * nodes;
}

experiment::experiment(const configuration& c, event_log* log, const std::filesystem::path& vcd_file,
                       const stage_provider& rtl_stages)
    : m_configuration(c),
      m_graph(build_network(c)),
      m_source(build_source(c, m_graph)),
      m_measurement(*m_source, measurement_of(c, m_graph), log),
      m_model(build_model(c, m_graph, *m_source, m_measurement, vcd_file, rtl_stages)) {}

run_result experiment::run(const run_hooks& hooks) {
  const auto& s = m_configuration.simulation;
  const run_plan plan{s.warmup, s.measure, s.drain, s.deadlock_after, !m_configuration.workload.packet_list.empty()};
  return simulate(plan, m_graph, *m_source, *m_model, m_measurement, hooks);
}

}  // namespace weft::experiment
