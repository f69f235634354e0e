// SPDX-License-Identifier: Apache-2.0
/// `weft map`: places the tasks of an application on the nodes of a network, and writes their traffic matrix.
#include <algorithm>
#include <cmath>
#include <iostream>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "weft/collectives/simulation/collective_experiment.h"
#include "weft/command/command.h"
#include "weft/command/commands.h"
#include "weft/command/exit_status.h"
#include "weft/command/file_arguments.h"
#include "weft/command/result_files.h"
#include "weft/configuration/network.h"
#include "weft/core/printable.h"
#include "weft/core/random.h"
#include "weft/core/shuffle.h"
#include "weft/mpi/replay/rank_mapping.h"
#include "weft/workload/application_graph.h"
#include "weft/workload/error.h"

namespace weft::experiment {

namespace {

constexpr const char* MapHelp = R"(Examples:
  weft map examples/applications/vopd.txt examples/applications/decoder.yaml -o vopd_rates.txt
  weft map my_graph.txt my.yaml --linear -o rates.txt
  weft map my_graph.txt my.yaml --loads --set simulation.clock=0.5 -o loads.txt

GRAPH has a line `source destination rate` for each pair of tasks that communicate, such as `vld run_length 70`. A line
`task node` places a task by hand. Weft places the others such that the sum of rate times hops is small, by threshold
accepting. The output is a traffic matrix for workload.pattern.file, with the placement as comments.

Exit status: 0 done, 1 the output could not be written, 2 wrong usage or input.)";

struct map_options {
  std::string graph;
  input in;
  std::string output = "-";
  bool linear = false;
  bool loads = false;
};

/// The nodes of the tasks of \p graph before the search: those of the file, then free nodes in order.
std::vector<node_id> start_of(const application_graph& graph, std::uint32_t nodes) {
  std::vector<bool> taken(nodes);
  for (const auto& place : graph.places)
    if (place) taken[*place] = true;
  std::vector<node_id> start;
  node_id free = 0;
  for (const auto& place : graph.places) {
    while (!place && taken[free]) ++free;
    start.push_back(place ? *place : free++);
  }
  return start;
}

/// The rates of \p graph as whole numbers in proportion to them.
std::vector<std::uint64_t> whole_rates(const application_graph& graph) {
  constexpr double Largest = 1e6;
  double most = 0;
  for (const application_graph::edge& e : graph.edges) most = std::max(most, e.rate);
  const std::size_t tasks = graph.tasks.size();
  std::vector<std::uint64_t> rates(tasks * tasks);
  for (const application_graph::edge& e : graph.edges)
    rates[e.from * tasks + e.to] = static_cast<std::uint64_t>(std::llround(e.rate * Largest / most));
  return rates;
}

double cost_of(const application_graph& graph, const std::vector<node_id>& nodes, const collective_network& network) {
  double cost = 0;
  for (const application_graph::edge& e : graph.edges) cost += e.rate * network.distance(nodes[e.from], nodes[e.to]);
  return cost;
}

/// Draws random placements, in which tasks that are placed by hand stay.
class random_placements {
 public:
  random_placements(const application_graph& graph, std::uint32_t nodes, std::uint64_t seed)
      : m_graph(graph), m_random(seed, 1, stream_purpose::Destination) {
    for (node_id n = 0; n < nodes; ++n)
      if (std::find(graph.places.begin(), graph.places.end(), std::optional(n)) == graph.places.end())
        m_free.push_back(n);
  }

  std::vector<node_id> next() {
    shuffle(m_free.begin(), m_free.end(), m_random);
    std::vector<node_id> nodes;
    auto free = m_free.begin();
    for (const auto& place : m_graph.places) nodes.push_back(place ? *place : *free++);
    return nodes;
  }

 private:
  const application_graph& m_graph;
  random_stream m_random;
  std::vector<node_id> m_free;
};

double mean_random_cost(const application_graph& graph, const collective_network& network, std::uint64_t seed) {
  constexpr unsigned Placements = 1000;
  random_placements placements(graph, network.nodes, seed);
  double sum = 0;
  for (unsigned i = 0; i < Placements; ++i) sum += cost_of(graph, placements.next(), network);
  return sum / Placements;
}

/// The best placement of several searches, the first of which begins with \p start, and the others with random
/// placements. If tasks can be exchanged without a change of the cost, a single search often ends far from the optimum.
std::vector<node_id> best_placement(const application_graph& graph, const std::vector<node_id>& start,
                                    const collective_network& network, std::uint64_t seed) {
  // The time of a search is in proportion to the square of the number of tasks.
  constexpr std::size_t MostSearches = 40, Effort = 400'000;
  const std::size_t searches = std::clamp<std::size_t>(Effort / (start.size() * start.size()), 1, MostSearches);
  std::vector<bool> stays;
  for (const auto& place : graph.places) stays.push_back(place.has_value());
  const std::vector<std::uint64_t> rates = whole_rates(graph);
  random_placements placements(graph, network.nodes, seed);
  std::vector<node_id> best = start;
  for (std::size_t i = 0; i < searches; ++i) {
    const std::vector<node_id> found = place_ranks(rates, i == 0 ? start : placements.next(), stays, network, seed + i);
    if (cost_of(graph, found, network) < cost_of(graph, best, network)) best = found;
  }
  return best;
}

/// Flits per cycle that correspond to 1 MB/s.
double flits_per_megabyte(const configuration& c) {
  if (!c.simulation.clock)
    fail("--loads", "needs the clock frequency, because it converts MB/s to flits per cycle; set simulation.clock");
  return 8e6 / (c.flit.payload_bits * *c.simulation.clock * 1e9);
}

std::string matrix_text(const map_options& options, const configuration& c, const application_graph& graph,
                        const std::vector<node_id>& nodes, const std::string& summary) {
  std::string text = fmt::format("# Tasks of {} on the nodes of {}\n{}#\n# task{:<20}node\n", printable(options.graph),
                                 printable(c.output.name), summary, "");
  for (std::size_t task = 0; task < nodes.size(); ++task)
    text += fmt::format("# {:<24}{:>4}{}\n", graph.tasks[task], nodes[task], graph.places[task] ? "  by hand" : "");
  const double unit = options.loads ? flits_per_megabyte(c) : 1;
  text += fmt::format("#\n# source destination {}\n",
                      options.loads ? "load in flits per cycle; for workload.pattern.rates: absolute" : "rate");
  for (const application_graph::edge& e : graph.edges)
    text += fmt::format("{} {} {}  # {} to {}\n", nodes[e.from], nodes[e.to], e.rate * unit, graph.tasks[e.from],
                        graph.tasks[e.to]);
  return text;
}

/// The files that the command reads: not the traffic matrix of the configuration, which may be the one to write.
std::vector<file_argument> files_read(const map_options& options, const configuration& c) {
  std::vector<file_argument> files = inputs_of(options.in, c);
  const auto is_matrix = [](const file_argument& f) {
    const std::string end = "pattern.file";
    return f.option.size() >= end.size() && f.option.compare(f.option.size() - end.size(), end.size(), end) == 0;
  };
  files.erase(std::remove_if(files.begin(), files.end(), is_matrix), files.end());
  files.push_back({"GRAPH", options.graph});
  return files;
}

application_graph graph_for(const map_options& options, std::uint32_t nodes) {
  try {
    return read_application_graph(options.graph, nodes);
  } catch (const workload_error& e) {
    std::vector<diagnostic> found;
    for (const std::string& message : e.found()) found.push_back(diagnostic{"GRAPH", message});
    throw configuration_error(found);
  }
}

int do_map(const map_options& options) {
  const configuration c = options.in.load_unchecked({});  // its traffic is not used
  check_outputs({{"-o", options.output}}, files_read(options, c));
  const collective_network network = collective_network_of(c);
  const application_graph graph = graph_for(options, network.nodes);
  const std::vector<node_id> start = start_of(graph, network.nodes);
  const std::uint64_t seed = c.simulation.seed;
  const std::vector<node_id> nodes = options.linear ? start : best_placement(graph, start, network, seed);
  const std::string summary = fmt::format(
      "# rate times hops: {:g}; tasks in order: {:g}; mean of 1000 random placements: {:.5g}\n",
      cost_of(graph, nodes, network), cost_of(graph, start, network), mean_random_cost(graph, network, seed));
  write_text("-o", options.output, matrix_text(options, c, graph, nodes, summary));
  if (options.output != "-") std::cout << summary.substr(2) << "  wrote " << printable(options.output) << "\n";
  return Done;
}

}  // namespace

void add_map(command_set& commands) {
  const auto options = std::make_shared<map_options>();
  CLI::App& command = commands.add("map", "Places the tasks of an application on the nodes of a network.", MapHelp,
                                   [options] { return do_map(*options); });
  add_file_option(command, "GRAPH", options->graph, "the rates between the tasks")->required();
  add_input(command, options->in);
  add_file_option(command, "-o,--output", options->output, "the traffic matrix to write; default: standard output");
  command.add_flag("--linear", options->linear, "no search: task i is on the i-th free node");
  command.add_flag("--loads", options->loads,
                   "the rates are MB/s; write loads in flits per cycle of simulation.clock, for rates: absolute");
  add_seed(command, options->in);
}

}  // namespace weft::experiment
