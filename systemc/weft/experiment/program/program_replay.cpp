// SPDX-License-Identifier: Apache-2.0
#include "weft/experiment/program/program_replay.h"

#include <algorithm>
#include <set>
#include <sstream>

#include <fmt/format.h>

#include "weft/experiment/configuration/network.h"
#include "weft/experiment/run/collective_experiment.h"
#include "weft/experiment/run/deadlock.h"
#include "weft/workload/replay/rank_mapping.h"

namespace weft::experiment {

namespace {

[[noreturn]] void refuse_map(const replay_choices& choices, const std::string& message) {
  throw configuration_error({diagnostic{"--map " + choices.map, message}});
}

std::vector<node_id> listed_nodes(const replay_choices& choices, std::size_t ranks, std::size_t nodes) {
  std::vector<node_id> list;
  std::istringstream text(choices.map);
  for (std::string part; std::getline(text, part, ',');) {
    const std::optional<node_id> node = parse_number<node_id>(part);
    if (!node) refuse_map(choices, "expected linear, optimised, or a node for each rank, as in 0,5,10");
    if (*node >= nodes) refuse_map(choices, fmt::format("there is no node {}; the network has {}", *node, nodes));
    list.push_back(*node);
  }
  if (list.size() != ranks)
    refuse_map(choices, fmt::format("names {} nodes, expected one for each of {} ranks", list.size(), ranks));
  if (std::set<node_id>(list.begin(), list.end()).size() != list.size()) refuse_map(choices, "names a node twice");
  return list;
}

std::vector<node_id> nodes_of(const configuration& c, const replay_program& program, const replay_choices& choices,
                              std::size_t nodes) {
  const auto ranks = static_cast<std::uint32_t>(program.ranks.size());
  if (ranks > nodes)
    throw configuration_error({diagnostic{
        c.file.string(), fmt::format("the network has {} nodes, the program {} ranks: a network of {} nodes or more "
                                     "can replay it",
                                     nodes, ranks, ranks)}});
  if (choices.map == "optimised")
    return place_ranks(program.traffic(), ranks, collective_network_of(c), c.simulation.seed);
  if (choices.map != "linear") return listed_nodes(choices, ranks, nodes);
  std::vector<node_id> list(ranks);
  for (node_id n = 0; n < ranks; ++n) list[n] = n;
  return list;
}

/// Until nothing is left to do, or nothing moves.
void run_program(const configuration& c, const topology& graph, network_model& model, const replay_traffic& traffic,
                 const run_hooks& hooks, program_figures& f) {
  constexpr cycle_t Beat = 100;  // all decisions fall on beats, so that they do not depend on the machine
  standstill_watch standstill(model, c.simulation.deadlock_after);
  time_slices slices;
  const auto progress = [&] { return run_progress{run_phase::Collective, model.now(), 0, traffic.under_way()}; };
  while (!traffic.at_rest()) {
    // While all ranks compute there is nothing to look at.
    const bool idle = traffic.under_way() == 0;
    const cycle_t next = idle ? std::max(model.now(), traffic.next_creation()) : model.now();
    if (!slices.run_to(model, (next / Beat + 1) * Beat, hooks, progress)) {
      f.how = outcome::Interrupted;
      return;
    }
    if (!standstill.stands_still(traffic.moves(), !idle && traffic.under_way() > 0)) continue;
    f.how = outcome::Deadlock;
    f.explanation = standstill.explain(graph, traffic.under_way());
    return;
  }
  f.explanation = traffic.unmatched();
  if (!traffic.finished() || !f.explanation.empty()) f.how = outcome::Undelivered;
}

}  // namespace

program_figures replay_program_on(const configuration& c, const replay_program& program, const replay_choices& choices,
                                  const rtl_provider& rtl, const run_hooks& hooks) {
  if (std::vector<diagnostic> errors = check_longest_packet(c, choices.packet); !errors.empty())
    throw configuration_error(std::move(errors));
  const topology graph = build_network(c);
  replay_options options;
  options.nodes = nodes_of(c, program, choices, graph.nodes.size());
  options.cycles_per_nanosecond = choices.computing * choices.gigahertz;
  options.eager_bytes = choices.eager;
  options.packet_flits = choices.packet;
  options.payload_bits = c.flit.payload_bits;
  program_figures f;
  f.nodes = options.nodes;
  f.mapping_cost = mapping_cost(program.traffic(), options.nodes, collective_network_of(c));
  replay_traffic traffic(program, static_cast<std::uint32_t>(graph.nodes.size()), options);
  const std::unique_ptr<network_model> model = build_model(c, graph, traffic, traffic, {}, rtl);
  traffic.attach(*model);
  run_program(c, graph, *model, traffic, hooks, f);
  f.makespan = traffic.makespan();
  if (f.how == outcome::Complete) f.path = traffic.critical_path();
  f.ranks = traffic.ranks();
  f.packets = traffic.packets();
  f.flits = traffic.flits();
  for (const channel_count& count : model->channel_counts()) f.flit_hops += count.flits;
  f.bytes = traffic.data_bytes();
  f.changed_flits = traffic.changed_flits();
  return f;
}

}  // namespace weft::experiment
