// SPDX-License-Identifier: Apache-2.0
#include "weft/mpi/simulation/replay_experiment.h"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "weft/collectives/communication/scheduled_collective.h"
#include "weft/collectives/schedule/send_sequence.h"
#include "weft/collectives/simulation/collective_experiment.h"
#include "weft/configuration/network.h"
#include "weft/core/observers.h"
#include "weft/mpi/replay/collective_plans.h"
#include "weft/mpi/replay/rank_mapping.h"
#include "weft/simulation/deadlock.h"
#include "weft/workload/error.h"

namespace weft::experiment {

namespace {

[[noreturn]] void reject(const configuration& c, std::initializer_list<const char*> keys, const std::string& message) {
  throw configuration_error({diagnostic{c.where(keys), message}});
}

replay_program read_program_of(const configuration& c) {
  if (c.workload.trace.empty())
    reject(c, {"workload.trace"}, "workload.trace is missing; set it to the program to replay, or use --trace");
  const bool in_file = c.given_by("workload.trace") == origin::kind::File;  // otherwise the option determines the kind
  std::vector<diagnostic> errors;
  try {
    return read_program(c.workload.trace, c.workload.replay.region);
  } catch (const input_error& e) {  // already names the file and the byte
    if (!in_file) throw;
    for (const diagnostic& d : e.found())
      errors.push_back({c.where("workload.trace"), fmt::format("workload.trace: {}: {}", d.place, d.message)});
  } catch (const workload_error& e) {
    for (const std::string& fault : e.found())
      errors.push_back({c.where("workload.trace"), (in_file ? "workload.trace: " : "") + fault});
  }
  throw configuration_error(std::move(errors));
}

std::vector<node_id> listed_nodes(const configuration& c, std::size_t ranks, std::size_t nodes) {
  const std::vector<node_id>& list = c.workload.replay.nodes;
  const auto wrong = [&c](const std::string& message) {
    reject(c, {"workload.replay.nodes"}, "workload.replay.nodes: " + message);
  };
  for (const node_id node : list)
    if (node >= nodes) wrong(fmt::format("expected node numbers from 0 to {}, got {}", nodes - 1, node));
  if (list.size() != ranks)
    wrong(fmt::format("expected one node for each of {} ranks, got {} in all", ranks, list.size()));
  if (std::set<node_id>(list.begin(), list.end()).size() != list.size())
    wrong("a node is given twice; select another node for each rank");
  return list;
}

std::vector<node_id> nodes_of(const configuration& c, const replay_program& program, std::size_t nodes) {
  const auto ranks = static_cast<std::uint32_t>(program.ranks.size());
  if (ranks > nodes)
    reject(c, {"network.topology.shape", "network.topology.kind", "workload.trace"},
           fmt::format("the network has {} nodes, but the program has {} ranks; use a network of at least {} nodes",
                       nodes, ranks, ranks));
  if (!c.workload.replay.nodes.empty()) return listed_nodes(c, ranks, nodes);
  if (c.workload.replay.map == rank_map::Optimised)
    return place_ranks(program.traffic(), ranks, collective_network_of(c), c.simulation.seed);
  std::vector<node_id> list(ranks);
  for (node_id n = 0; n < ranks; ++n) list[n] = n;
  return list;
}

/// Reads the schedule of \p c and converts it to messages.
replayed_schedule read_replayed_schedule(const configuration& c, const topology& graph) {
  const played_schedule read = read_schedule_file(c, graph, c.workload.replay.schedule);
  const schedule::step_network network(graph, read.ports);
  const auto nodes = static_cast<std::uint32_t>(graph.nodes.size());
  const bool scatters = read.requested.what == schedule::operation::Scatter;
  return {scatters ? collective_operation::Scatter : collective_operation::Broadcast, read.requested.senders,
          read.requested.receivers,
          make_scheduled_collective(read.requested, schedule::in_order(graph, network, read.steps), nodes, 1, false)};
}

/// The plans of the collectives; null if all collectives use the usual algorithms. \p scheduled must outlive the
/// result.
std::shared_ptr<const collective_plans> plans_of(const configuration& c, const replay_program& program,
                                                 const topology& graph, const std::vector<node_id>& nodes,
                                                 std::optional<replayed_schedule>& scheduled) {
  const replay_parameters& parameters = c.workload.replay;
  if (std::all_of(parameters.collectives.begin(), parameters.collectives.end(),
                  [](const auto& one) { return one == "usual"; }))
    return nullptr;
  try {
    if (!parameters.schedule.empty()) scheduled = read_replayed_schedule(c, graph);
    return std::make_shared<collective_plans>(program, parameters, collective_network_of(c), nodes,
                                              scheduled ? &*scheduled : nullptr);
  } catch (const std::invalid_argument& e) {
    reject(c, {"workload.replay.collectives", "network.topology.shape", "network.topology.kind", "workload.trace"},
           e.what());
  }
}

replay_options options_of(const configuration& c, const std::vector<node_id>& nodes) {
  const replay_parameters& parameters = c.workload.replay;
  replay_options options;
  options.nodes = nodes;
  options.cycles_per_nanosecond = parameters.computing * c.simulation.clock.value_or(1);
  options.eager_bytes = parameters.eager;
  options.packet_flits = parameters.packet;
  options.payload_bits = c.flit.payload_bits;
  options.payload = c.workload.payload;
  options.seed = c.simulation.seed;
  options.compresses = c.nic.compression.enabled();
  for (const std::string& text : parameters.truncation_rules)
    options.truncation_rules.push_back(parse_truncation_rule(text));
  return options;
}

}  // namespace

replay_experiment::replay_experiment(const configuration& c, event_log* log, const std::filesystem::path& vcd_file,
                                     const rtl_provider& rtl)
    : m_configuration(c),
      m_program(read_program_of(c)),
      m_graph(build_network(c)),
      m_nodes(nodes_of(c, m_program, m_graph.nodes.size())),
      m_mapping_cost(weft::mapping_cost(m_program.traffic(), m_nodes, collective_network_of(c))) {
  replay_options options = options_of(c, m_nodes);
  options.plans = plans_of(c, m_program, m_graph, m_nodes, m_scheduled);
  const auto nodes = static_cast<std::uint32_t>(m_graph.nodes.size());
  if (needs_direct_order(m_program, nodes, options)) options.order = collective_order::Direct;
  m_traffic = std::make_unique<replay_traffic>(m_program, nodes, options);
  m_cost = find_cost(c, m_graph);
  m_observer = std::make_unique<observers>(
      std::initializer_list<network_observer*>{log, m_traffic.get(), m_cost ? &m_energy : nullptr});
  m_model = build_model(c, m_graph, *m_traffic, *m_observer, vcd_file, rtl);
  m_traffic->attach(*m_model);
}

replay_experiment::~replay_experiment() = default;

replay_result replay_experiment::run(const run_hooks& hooks) {
  replay_result result;
  result.how = play(hooks, result.explanation);
  result.counts = m_model->channel_counts();
  const bool played = result.how == outcome::Complete || result.how == outcome::Undelivered;
  result.cycles = played ? m_traffic->last_time() : m_model->now();
  result.energy = energy_of(m_cost, m_cost ? m_energy.counts(*m_model) : network_counts(), result.cycles);
  return result;
}

/// Runs until the program has ended or nothing moves.
outcome replay_experiment::play(const run_hooks& hooks, std::vector<std::string>& explanation) {
  constexpr cycle_t Beat = 100;  // decisions are made only at these cycles, so that they do not depend on the machine
  network_model& model = *m_model;
  const replay_traffic& traffic = *m_traffic;
  standstill_watch standstill(model, m_configuration.simulation.deadlock_after);
  time_slices slices;
  const auto progress = [&] { return run_progress{run_phase::Collective, model.now(), 0, traffic.under_way()}; };
  while (!traffic.at_rest()) {
    // While all ranks compute, there is nothing to check.
    const bool idle = traffic.under_way() == 0;
    const cycle_t next = idle ? std::max(model.now(), traffic.next_creation()) : model.now();
    if (!slices.run_to(model, (next / Beat + 1) * Beat, hooks, progress)) return outcome::Interrupted;
    if (!standstill.stands_still(traffic.moves(), !idle && traffic.under_way() > 0)) continue;
    explanation = standstill.explain(m_graph, traffic.under_way());
    return outcome::Deadlock;
  }
  explanation = traffic.unmatched();
  return traffic.finished() && explanation.empty() ? outcome::Complete : outcome::Undelivered;
}

}  // namespace weft::experiment
