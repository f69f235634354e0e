// SPDX-License-Identifier: Apache-2.0
#include "weft/simulation/run.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "weft/core/network_model.h"
#include "weft/core/network_observer.h"
#include "weft/core/observers.h"
#include "weft/engine/model.h"
#include "weft/pin/model.h"
#include "weft/simulation/processors.h"
#include "weft/topology/analysis/node_placement.h"
#include "weft/workload/flows.h"
#include "weft/workload/node_injection.h"
#include "weft/workload/traffic_loads.h"
#include "weft/workload/workload.h"

namespace weft::experiment {

namespace {

topology build_loaded_network(const configuration& c) {
  topology graph = build_network(c);
  check_load(c, graph);
  return graph;
}

workload_context context_of(const configuration& c, const topology& graph) {
  return {static_cast<std::uint32_t>(graph.nodes.size()), find_node_placement(graph), c.simulation.seed,
          c.router.classes};
}

/// The source of traffic that does not react to deliveries; null for other traffic.
std::unique_ptr<packet_source> build_other_source(const configuration& c, const topology& graph,
                                                  const additions& added) {
  if (reacts(c.workload)) return nullptr;
  std::unique_ptr<packet_source> source = make_workload(c.workload, context_of(c, graph));
  return added.extend ? added.extend(std::move(source)) : std::move(source);
}

/// The answers for which rejected packets wait. If a node has one source queue, they wait for any packet at its front.
awaited_answers answers_of(const reacting_source& source, const configuration& c) {
  const unsigned classes = c.router.classes;
  awaited_answers answers(classes);
  for (unsigned m = 0; m < classes; ++m) {
    answers[m] = source.answers_to(m);
    if (answers[m] != 0 && c.nic.queues == source_queues::Shared) answers[m] = ~class_set{0};
  }
  if (std::all_of(answers.begin(), answers.end(), [](class_set a) { return a == 0; })) return {};
  return answers;
}

/// Calls \p make with \p provider to make RTL modules, because \p key is `rtl`. \throws configuration_error at \p key
/// if \p provider is empty or rejects the parameters
template <class Provider, class Make>
auto build_rtl(const configuration& c, const std::string& key, const Provider& provider, Make make) {
  const auto rejected = [&](const std::string& why) { return configuration_error({{c.where(key), key + ": " + why}}); };
  if (!provider)
    throw rejected(
        "this weft was built without RTL; install verilator and build it with -DWEFT_RTL=ON, or leave the key out");
  try {
    return make(provider);
  } catch (const std::invalid_argument& e) {
    throw rejected(e.what());
  }
}

std::shared_ptr<const pin::external_routers> build_rtl_routers(const configuration& c, const topology& graph,
                                                               const nic_parameters& nic, const rtl_provider& rtl) {
  for (const router_id router : c.routers.places)
    if (router >= graph.routers.size())
      throw configuration_error({{c.where("network.router.rtl_routers"),
                                  fmt::format("network.router.rtl_routers: expected router numbers from 0 to {}, "
                                              "got {}",
                                              graph.routers.size() - 1, router)}});
  return build_rtl(c, "network.router.implementation", rtl.routers,
                   [&](const auto& make) { return make(graph, c.flit.payload_bits, c.router, nic, c.routers.places); });
}

/// The traffics that are measured separately.
std::vector<measured_traffic> measured_traffics(const configuration& c, const topology& graph) {
  std::vector<measured_traffic> traffics;
  if (!c.workload.packet_list.empty()) return traffics;
  if (!c.workload.flows.file.empty()) {
    for (const regulated_flow& f : flows_of(c, graph)) traffics.push_back({f.name, f.message_class});
    return traffics;
  }
  for (const named_traffic& t : c.workload.traffics) {
    traffics.push_back({t.name, t.message_class});
    if (reacts(t)) traffics.back().reply_class = t.reply_class.value_or(c.router.classes - 1);
  }
  return traffics;
}

/// The longest correlation time of the load of a node.
double correlation_time_of(const traffic_parameters& t, const topology& graph) {
  if (!has_memory(t.injection.kind)) return 0;
  const auto nodes = static_cast<std::uint32_t>(graph.nodes.size());
  return correlation_time(t.injection, traffic_pattern(t.pattern, nodes, find_node_placement(graph)), nodes);
}

double correlation_time_of(const configuration& c, const topology& graph) {
  if (!c.workload.flows.file.empty()) return longest_cycle(flows_of(c, graph));
  if (c.workload.traffics.empty())
    return correlation_time_of(static_cast<const traffic_parameters&>(c.workload), graph);
  double longest = 0;
  for (const named_traffic& t : scaled_traffics(c.workload, static_cast<std::uint32_t>(graph.nodes.size())))
    longest = std::max(longest, correlation_time_of(t, graph));
  return longest;
}

measurement_options measurement_of(const configuration& c, const topology& graph) {
  measurement_options options;
  options.nodes = static_cast<std::uint32_t>(graph.nodes.size());
  options.payload_bits = c.flit.payload_bits;
  options.warmup = c.simulation.warmup.value_or(Never);
  options.measure = c.simulation.until ? 0 : c.simulation.measure;
  options.keep_answers = c.output.answers;
  options.keep_pairs = c.output.matrix;
  options.traffics = measured_traffics(c, graph);
  options.classes = c.router.classes > 1 ? c.router.classes : 0;
  if (c.output.breakdown)
    for (const node_attachment& node : graph.nodes) options.node_channels.push_back(node.cycles);
  options.hurst = hurst_of(c.workload);
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
    case outcome::Undecided:
      return "undecided";
    case outcome::Interrupted:
      return "interrupted";
    case outcome::NotDrained:
      return "not_drained";
    case outcome::Deadlock:
      return "deadlock";
    case outcome::Undelivered:
      return "undelivered";
    case outcome::Empty:
      return "nothing_measured";
    case outcome::Corrupt:
      break;
  }
  return "corrupt";
}

bool has_whole_window(const std::string& name) {
  const auto whole = {outcome::Complete, outcome::Saturated, outcome::Undecided};
  return std::any_of(whole.begin(), whole.end(), [&name](outcome how) { return name == name_of(how); });
}

bool carries_load(const std::string& name, const std::optional<bool>& stationary) {
  return name == name_of(outcome::Complete) && stationary.value_or(true);
}

unsigned find_threads(const configuration& c, const topology& graph) {
  constexpr std::size_t RoutersEach = 256;  // with fewer, a thread was hardly worthwhile
  if (c.simulation.threads) return *c.simulation.threads;
  const std::size_t worthwhile = std::max<std::size_t>(1, graph.routers.size() / RoutersEach);
  const unsigned available = std::max(1U, usable_processors() / std::max(1U, c.simulation.runs_at_once));
  return static_cast<unsigned>(std::min<std::size_t>(worthwhile, available));
}

std::unique_ptr<network_model> build_model(const configuration& c, const topology& graph, packet_source& source,
                                           network_observer& observer, const std::filesystem::path& vcd_file,
                                           const rtl_provider& rtl) {
  const nic_parameters nic = nic_parameters_of(c);
  if (c.simulation.level == abstraction_level::Engine) {
    auto model = engine::make_model(graph, c.router, nic, c.flit.payload_bits, source, observer);
    model->set_threads(find_threads(c, graph));
    return model;
  }
  pin::model_options options;
  options.payload_bits = c.flit.payload_bits;
  options.clock_gating = c.simulation.clock_gating;
  options.vcd_file = vcd_file;
  options.vcd_patterns = c.output.vcd;
  if (c.nic.compression.in_hardware() && c.nic.compression_stages.rtl())
    options.compression_stages = build_rtl(c, "nic.compression.implementation", rtl.stages, [&c](const auto& make) {
      return make(c.nic.compression, c.nic.compression_stages.places);
    });
  if (c.routers.rtl()) options.routers = build_rtl_routers(c, graph, nic, rtl);
  if (c.nic.whole.rtl())
    options.nics = build_rtl(c, "nic.implementation", rtl.nics, [&](const auto& make) {
      return make(graph, c.flit.payload_bits, c.router, nic, c.nic.whole.places);
    });
  try {
    return pin::make_model(graph, c.router, nic, options, source, observer);
  } catch (const pin::no_such_wire& e) {
    throw configuration_error({{c.where("output.vcd"), e.what()}});
  } catch (const std::invalid_argument& e) {
    throw configuration_error({{c.where("network.router"), e.what()}});
  }
}

experiment::experiment(const configuration& c, event_log* log, const std::filesystem::path& vcd_file,
                       const rtl_provider& rtl, const additions& added)
    : m_configuration(c),
      m_graph(build_loaded_network(c)),
      m_reacting(make_reacting_workload(c.workload, context_of(c, m_graph))),
      m_other(build_other_source(c, m_graph, added)),
      m_measurement(source(), measurement_of(c, m_graph), log),
      m_cost(find_cost(c, m_graph)) {
  if (m_reacting || added.observer != nullptr || m_cost)
    m_observer = std::make_unique<observers>(std::initializer_list<network_observer*>{
        &m_measurement, m_reacting.get(), added.observer, m_cost ? &m_energy : nullptr});
  if (m_reacting)
    m_reacting->set_on_answered([this](std::size_t traffic, cycle_t requested, cycle_t answered) {
      m_measurement.answered(traffic, requested, answered);
    });
  m_model = build_model(c, m_graph, source(), m_observer ? *m_observer : m_measurement, vcd_file, rtl);
  if (m_reacting) m_reacting->attach(*m_model);
}

std::optional<run_energy> energy_of(const std::shared_ptr<const network_cost>& cost, network_counts counts,
                                    cycle_t cycles) {
  if (!cost || counts.channels.empty()) return std::nullopt;
  energy_account spent = cost->account(counts, cycles);
  return run_energy{cost, cycles, std::move(counts), std::move(spent)};
}

run_result experiment::run(const run_hooks& hooks) {
  const auto& s = m_configuration.simulation;
  run_plan plan;
  plan.warmup = s.warmup;
  plan.measure = s.measure;
  plan.drain = s.drain;
  plan.deadlock_after = s.deadlock_after;
  plan.finite = !m_configuration.workload.packet_list.empty();
  // A packet list ends, and a closed loop waits for its replies, so their queues cannot grow without limit.
  plan.least_window = plan.finite || is_closed_loop(m_configuration.workload)
                          ? std::nullopt
                          : std::optional(sufficient_window(correlation_time_of(m_configuration, m_graph)));
  plan.relative_error = s.until.value_or(0);
  plan.at_most = s.at_most;
  plan.interval = m_configuration.output.interval.value_or(0);
  plan.queues = m_configuration.output.queues;
  plan.energy = m_cost ? &m_energy : nullptr;
  plan.cost = m_cost.get();
  plan.reacting = m_reacting.get();
  if (m_reacting) plan.answers = answers_of(*m_reacting, m_configuration);
  plan.may_deadlock = m_configuration.routing.allow_deadlock || !plan.answers.empty();
  run_result result = simulate(plan, m_graph, source(), *m_model, m_measurement, hooks);
  const cycle_t window = m_measurement.window_end() - m_measurement.window_first();
  result.energy = energy_of(m_cost, std::move(result.window_activity), window);
  return result;
}

}  // namespace weft::experiment
