// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/simulation/collective_experiment.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "weft/collectives/communication/collective_algorithms.h"
#include "weft/collectives/communication/scheduled_collective.h"
#include "weft/collectives/schedule/check.h"
#include "weft/collectives/schedule/files/ccsched.h"
#include "weft/collectives/schedule/send_sequence.h"
#include "weft/configuration/network.h"
#include "weft/core/network_observer.h"
#include "weft/core/observers.h"
#include "weft/file/read_bytes.h"
#include "weft/simulation/deadlock.h"
#include "weft/topology/analysis/bisection.h"
#include "weft/topology/analysis/distances.h"
#include "weft/topology/analysis/full_grid.h"
#include "weft/workload/error.h"

namespace weft::experiment {

namespace {

using key_list = std::initializer_list<const char*>;

/// Returns the result of \p make. Converts its exceptions to a configuration_error at \p keys.
template <class Make>
auto with_error_keys(const configuration& c, key_list keys, Make make) {
  try {
    return make();
  } catch (const workload_error& e) {
    std::vector<diagnostic> found;
    for (const std::string& message : e.found()) found.push_back({c.where(keys), message});
    throw configuration_error(std::move(found));
  } catch (const std::invalid_argument& e) {
    throw configuration_error({{c.where(keys), e.what()}});
  }
}

constexpr key_list AlgorithmKeys = {"collective.algorithm", "collective.operation", "collective.sources",
                                    "collective.receivers", "collective.lengths",   "collective.group",
                                    "collective.groups",    "collective.subgroups", "collective.relays"};

void require_collective(const configuration& c) {
  if (c.collective.algorithm) return;
  throw configuration_error({{c.where("collective.algorithm"),
                              "collective.algorithm is missing; `weft schema --markdown` lists its values"}});
}

/// Hops between the routers of any two nodes, by breadth-first search.
std::vector<std::uint16_t> hops_between_nodes(const configuration& c, const topology& graph) {
  constexpr std::size_t MostNodes = 1 << 13;
  const std::size_t nodes = graph.nodes.size();
  if (nodes > MostNodes)
    throw configuration_error(
        {{c.where({"network.topology.shape", "network.topology.kind"}),
          fmt::format("expected at most {} nodes for a collective on a network without a grid, got {}", MostNodes,
                      nodes)}});
  std::vector<std::uint16_t> hops;
  hops.reserve(nodes * nodes);
  const neighbour_lists neighbours = neighbours_of(graph);
  for (const node_attachment& from : graph.nodes) {
    std::vector<router_id> starts;
    for (const port_ref& port : from.ports) starts.push_back(port.router);
    const std::vector<std::uint32_t> distance = hops_from(neighbours, starts);
    for (const node_attachment& to : graph.nodes) {
      std::uint32_t nearest = Unreached;
      for (const port_ref& port : to.ports) nearest = std::min(nearest, distance[port.router]);
      hops.push_back(static_cast<std::uint16_t>(nearest));
    }
  }
  return hops;
}

std::optional<collective_network> grid_network(const configuration& c) {
  const auto nodes = static_cast<std::uint32_t>(c.nodes());
  if (c.topology.nodes_per_router > 1) return std::nullopt;
  const auto hops = c.topology.kind->hops;
  const std::optional<hop_grid> grid = hops ? hops(c.topology) : std::nullopt;
  if (!grid) return std::nullopt;
  return collective_network{nodes, grid->sides, grid->rings, {}};
}

collective_network network_of(const configuration& c, const topology& graph) {
  if (std::optional<collective_network> grid = grid_network(c)) return *std::move(grid);
  return {static_cast<std::uint32_t>(graph.nodes.size()), {}, false, hops_between_nodes(c, graph)};
}

collective make_collective_of(const configuration& c, const collective_network& network) {
  return with_error_keys(c, AlgorithmKeys, [&] { return make_collective(c.collective.what, network); });
}

void check_lengths(const configuration& c, const collective& made) {
  std::uint32_t longest = 1;
  for (message_id m = 0; m < made.messages.size(); ++m) longest = std::max(longest, made.flits(m));
  if (std::vector<diagnostic> errors = check_longest_packet(c, longest); !errors.empty())
    throw configuration_error(std::move(errors));
}

collective_options options_of(const configuration& c) {
  collective_options options;
  options.barriers = c.collective.barriers;
  options.coding = c.nic.coding.enabled ? xor_unit::Nic : xor_unit::Node;
  options.xor_cycles = c.collective.xor_cycles;
  options.stages = c.nic.coding;
  options.classes = c.router.classes;
  options.loss = c.collective.loss;
  options.lost = c.collective.lost;
  options.payload = c.workload.payload;
  options.payload_bits = c.flit.payload_bits;
  options.seed = c.simulation.seed;
  return options;
}

/// The contents of \p file. \throws std::invalid_argument if it cannot be read
std::string schedule_text(const std::filesystem::path& file) {
  try {
    return read_bytes(file);
  } catch (const file_error& e) {
    throw std::invalid_argument(fmt::format("{} {}", file.string(), e.what()));
  }
}

}  // namespace

collective_network collective_network_of(const configuration& c) {
  if (std::optional<collective_network> grid = grid_network(c)) return *std::move(grid);
  return network_of(c, build_network(c));
}

std::vector<collective_count> count_collective(const configuration& c) {
  require_collective(c);
  if (c.collective.algorithm == collective_algorithm::Schedule) {
    throw configuration_error(
        {{c.where("collective.algorithm"), "--analyse does not support schedules; use `weft schedule --check`"}});
  }
  const collective_network network = collective_network_of(c);
  return with_error_keys(c, AlgorithmKeys, [&] {
    if (has_closed_form(c.collective.what, network)) return collective_hops(c.collective.what, network);
    return count_hops(make_collective(c.collective.what, network), network);
  });
}

void set_collective(configuration& c, const schedule::collective& requested) {
  const bool scatters = requested.what == schedule::operation::Scatter;
  collective_parameters& what = c.collective.what;
  what.operation = scatters ? collective_operation::Scatter : collective_operation::Broadcast;
  what.sources = requested.senders;
  what.receivers = requested.receivers;
  what.lengths = {c.collective.length};
}

played_schedule read_schedule_file(const configuration& c, const topology& graph, const std::filesystem::path& file) {
  const std::string text = schedule_text(file);
  const auto naming_file = [&file](auto read) {
    try {
      return read();
    } catch (const std::invalid_argument& e) {
      throw std::invalid_argument(fmt::format("{}: {}", file.string(), e.what()));
    }
  };
  const schedule::port_rule ports = naming_file([&] { return schedule::find_ports(text, graph, c.schedule.ports); });
  const schedule::step_network network(graph, ports);
  schedule::recorded_schedule read = naming_file([&] { return schedule::read_schedule(text, network); });
  const schedule::problem p{network, read.requested, schedule::path_rule::Any, true};
  if (const std::vector<schedule::violation> violations = schedule::check(p, read.schedule); !violations.empty())
    throw std::invalid_argument(file.string() + ": " + violations.front().text);
  return {std::move(read.requested), std::move(read.schedule), ports};
}

std::optional<played_schedule> read_schedule_of(configuration& c) {
  if (c.collective.algorithm != collective_algorithm::Schedule) return std::nullopt;
  const topology graph = build_network(c);
  return with_error_keys(c, {"collective.schedule"}, [&] {
    played_schedule read = read_schedule_file(c, graph, c.collective.schedule);
    set_collective(c, read.requested);
    return read;
  });
}

/// Counts packets that take longer than they would without other packets.
class collective_experiment::wait_counter final : public network_observer {
 public:
  /// \param alone cycles that each message takes if it meets no other message; empty if not needed
  explicit wait_counter(const std::vector<cycle_t>& alone) : m_alone(alone) {}

  network_events event_interest() const override { return {network_event::Delivered}; }
  bool needs_payload() const override { return false; }
  void delivered(const packet& p, cycle_t cycle, std::uint32_t /*routers*/) override {
    if (m_alone.empty() || cycle - p.created <= m_alone[p.id]) return;
    if (m_waits++ == 0) {
      m_first_wait =
          fmt::format("the packet from node {} to node {} that was created in cycle {} takes {} cycles, alone {}",
                      p.source, p.destination, p.created, cycle - p.created, m_alone[p.id]);
    }
  }

  std::uint64_t waits() const { return m_waits; }
  const std::string& first_wait() const { return m_first_wait; }

 private:
  const std::vector<cycle_t>& m_alone;  ///< by message; empty: unused
  std::uint64_t m_waits = 0;
  std::string m_first_wait;
};

collective_experiment::collective_experiment(const configuration& c, event_log* log,
                                             const std::filesystem::path& vcd_file, const rtl_provider& rtl,
                                             const played_schedule* played)
    : m_configuration(c), m_graph(build_network(c)), m_network(network_of(c, m_graph)) {
  if (played) {
    with_error_keys(c, {"collective.schedule", "network"}, [&] { set_up_send_sequences(*played); });
  } else {
    require_collective(c);
    m_collective = make_collective_of(c, m_network);
  }
  check_lengths(c, m_collective);
  m_traffic = with_error_keys(
      c,
      {"nic.coding.enabled", "nic.coding.depth", "collective.lost", "workload.payload.file", "workload.payload.kind"},
      [&] { return std::make_unique<collective_traffic>(m_collective, options_of(c)); });
  m_wait_counter = std::make_unique<wait_counter>(m_latency_alone);
  m_cost = find_cost(c, m_graph);
  m_observer = std::make_unique<observers>(std::initializer_list<network_observer*>{
      log, m_traffic.get(), m_wait_counter.get(), m_cost ? &m_energy : nullptr});
  m_model = build_model(c, m_graph, *m_traffic, *m_observer, vcd_file, rtl);
  m_traffic->attach(*m_model);
}

collective_experiment::~collective_experiment() = default;

void collective_experiment::set_up_send_sequences(const played_schedule& played) {
  const schedule::step_network network(m_graph, played.ports);
  const std::vector<schedule::ordered_transfer> transfers = schedule::in_order(m_graph, network, played.steps);
  schedule::set_send_sequences(m_graph, transfers, m_configuration.router.vcs);
  m_collective =
      make_scheduled_collective(played.requested, transfers, static_cast<std::uint32_t>(m_graph.nodes.size()),
                                m_configuration.collective.length, m_configuration.collective.barriers);
  m_predicted.steps.resize(played.steps.steps.size());
  for (std::size_t i = 0; i < transfers.size(); ++i) {
    const std::uint32_t flits = m_collective.flits(static_cast<message_id>(i));
    const cycle_t alone = schedule::latency_alone(m_graph, m_configuration.router, transfers[i], flits);
    schedule_metrics::step& step = m_predicted.steps[transfers[i].step];
    step.alone = std::max(step.alone, alone);
    step.messages = std::max(step.messages, transfers[i].what->payload.size());
    m_latency_alone.push_back(alone);
  }
}

schedule_metrics collective_experiment::schedule_kept() const {
  schedule_metrics kept = m_predicted;
  for (std::size_t s = 0; s < kept.steps.size() && s < m_traffic->steps().size(); ++s)
    kept.steps[s].took = m_traffic->steps()[s].end - m_traffic->steps()[s].begin;
  kept.waits = m_wait_counter->waits();
  kept.first_wait = m_wait_counter->first_wait();
  return kept;
}

collective_result collective_experiment::run(const run_hooks& hooks) {
  collective_result result;
  result.how = play(hooks, result.explanation);
  result.simulated = m_model->now();
  result.counts = m_model->channel_counts();
  result.energy = energy_of(m_cost, m_cost ? m_energy.counts(*m_model) : network_counts(),
                            m_traffic->finished() ? m_traffic->end() : m_model->now());
  return result;
}

collective_floors collective_experiment::floors() const {
  std::vector<schedule::node_set> cuts;
  const bisection halves = find_bisection(m_graph, recognise_grid(m_graph));
  if (!halves.low_nodes.empty()) cuts.push_back(halves.low_nodes);
  return collective_bounds(m_configuration.collective.what, m_network, schedule::step_network(m_graph), cuts);
}

outcome collective_experiment::play(const run_hooks& hooks, std::vector<std::string>& explanation) {
  constexpr cycle_t Beat = 100;  // decisions are made only at these cycles, so that they do not depend on the machine
  standstill_watch standstill(*m_model, m_configuration.simulation.deadlock_after);
  time_slices slices;
  const auto progress = [this] {
    return run_progress{run_phase::Collective, m_model->now(), 0, m_collective.messages.size() - m_traffic->arrived()};
  };
  while (!m_traffic->finished() && !m_traffic->at_rest()) {
    if (!slices.run_to(*m_model, (m_model->now() / Beat + 1) * Beat, hooks, progress)) return outcome::Interrupted;
    if (!m_traffic->error().empty()) {
      explanation = {m_traffic->error()};
      return m_traffic->overflowed() ? outcome::Undelivered : outcome::Corrupt;
    }
    if (!standstill.stands_still(m_traffic->moves(), true)) continue;
    if (m_traffic->under_way() == 0) break;  // packets that have not arrived are in decoders that cannot decode them
    explanation = standstill.explain(m_graph, m_traffic->under_way());
    return outcome::Deadlock;
  }
  explanation = m_traffic->verify();
  return explanation.empty() ? outcome::Complete : outcome::Undelivered;
}

}  // namespace weft::experiment
