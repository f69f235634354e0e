// SPDX-License-Identifier: Apache-2.0
/// `weft bounds`: bounds on the latency of regulated flows, beside the latencies of simulations.
#include <algorithm>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "weft/bounds/latency_bounds.h"
#include "weft/command/command.h"
#include "weft/command/commands.h"
#include "weft/command/exit_status.h"
#include "weft/command/file_arguments.h"
#include "weft/command/result_files.h"
#include "weft/command/session.h"
#include "weft/configuration/network.h"
#include "weft/core/printable.h"
#include "weft/core/quantity.h"
#include "weft/simulation/flow_search.h"
#include "weft/workload/flows.h"

namespace weft::experiment {

namespace {

constexpr const char* BoundsHelp = R"(Examples:
  weft bounds examples/guarantees.yaml
  weft bounds examples/guarantees.yaml --search 500 --json bounds.json
  weft bounds my.yaml --set network.router.depth=16 --search 0

For each flow of workload.flows.file, the command prints a bound on the latency of all its packets, and the longest
latency in --search simulations. These simulations search for the starts at which the packets take longest.

Exit status: 0 every flow has a bound, 1 a flow has no bound or exceeds it, or the output could not be written,
2 wrong usage or input.)";

struct bounds_options {
  input in;
  std::string json;
  std::size_t search = 20;
  cycle_t cycles = 5000;
};

/// A flow with its bound and what was measured.
struct flow_row {
  const regulated_flow& flow;
  const flow_bound& bound;
  cycle_t measured = 0;  ///< 0: nothing

  std::optional<double> ratio() const {
    if (!bound.latency || measured == 0) return std::nullopt;
    return static_cast<double>(*bound.latency) / static_cast<double>(measured);
  }
  bool is_exceeded() const { return bound.latency && measured > *bound.latency; }
};

void expect_flows(const configuration& c) {
  if (c.workload.flows.file.empty())
    throw configuration_error({{c.where("workload.flows.file"),
                                "workload.flows.file is missing; bounds exist only for regulated flows, so set it to "
                                "the file of the flows"}});
}

std::string cycles_text(const std::optional<cycle_t>& cycles) { return cycles ? grouped(*cycles) : "-"; }

void print_rows(const std::vector<flow_row>& rows) {
  std::cout << fmt::format("  {:<16}{:>6}{:>6}{:>9}{:>11}{:>10}{:>9}{:>9}{:>14}\n", "flow", "from", "to", "routers",
                           "zero load", "measured", "bound", "ratio", "full buffers");
  for (const flow_row& r : rows) {
    const bool has_path = r.bound.routers > 0;
    std::cout << fmt::format("  {:<16}{:>6}{:>6}{:>9}{:>11}{:>10}{:>9}{:>9}{:>14}\n", r.flow.name, r.flow.source,
                             r.flow.destination, has_path ? std::to_string(r.bound.routers) : "-",
                             cycles_text(has_path ? std::optional(r.bound.zero_load) : std::nullopt),
                             cycles_text(r.measured > 0 ? std::optional(r.measured) : std::nullopt),
                             cycles_text(r.bound.latency), r.ratio() ? fmt::format("{:.2f}", *r.ratio()) : "-",
                             r.bound.latency ? std::to_string(r.bound.backpressure) : "-");
  }
}

std::vector<double> ratios_of(const std::vector<flow_row>& rows) {
  std::vector<double> ratios;
  for (const flow_row& r : rows)
    if (r.ratio()) ratios.push_back(*r.ratio());
  std::sort(ratios.begin(), ratios.end());
  return ratios;
}

void print_summary(const std::vector<flow_row>& rows, std::size_t runs, cycle_t cycles) {
  const auto has_bound = [](const flow_row& r) { return r.bound.latency.has_value(); };
  std::cout << fmt::format("\n  {} of {} flows have a bound\n", std::count_if(rows.begin(), rows.end(), has_bound),
                           rows.size());
  if (const std::vector<double> ratios = ratios_of(rows); !ratios.empty())
    std::cout << fmt::format(
        "  measured in {} runs of {} cycles; bound divided by measured latency: median {:.2f}, "
        "largest {:.2f}\n",
        runs, grouped(cycles), ratios[ratios.size() / 2], ratios.back());
  std::map<std::string, std::vector<std::string>> flows_of;
  for (const flow_row& r : rows)
    if (!r.bound.latency) flows_of[r.bound.why_not].push_back(r.flow.name);
  for (const auto& [why, flows] : flows_of)
    std::cout << fmt::format("  no bound for {}{}: {}\n", flows.front(),
                             flows.size() == 1 ? "" : fmt::format(" and {} more", flows.size() - 1), why);
}

json to_json(const std::vector<flow_row>& rows, std::size_t runs, cycle_t cycles) {
  json flows = json::array();
  for (const flow_row& r : rows) {
    json j = {{"name", r.flow.name},          {"source", r.flow.source}, {"destination", r.flow.destination},
              {"flits", r.flow.flits},        {"rate", r.flow.rate},     {"burst", r.flow.burst},
              {"class", r.flow.message_class}};
    if (r.bound.routers > 0) {
      j["routers"] = r.bound.routers;
      j["zero_load"] = r.bound.zero_load;
    }
    j["bound"] = r.bound.latency ? json(*r.bound.latency) : json();
    if (r.bound.latency)
      j["full_buffers"] = r.bound.backpressure;
    else
      j["why_not"] = r.bound.why_not;
    if (r.measured > 0) j["measured"] = r.measured;
    flows.push_back(std::move(j));
  }
  return {{"flows", std::move(flows)}, {"runs", runs}, {"cycles", cycles}};
}

/// Runs the search until it is complete or a signal ends it.
void measure(flow_search& search, std::size_t runs, bool shows) {
  handle_signals();
  points_line progress(shows);
  const run_hooks hooks = hooks_of_session();
  while (search.runs() < runs && signal_seen() == 0 && search.run(hooks)) progress.update(search.runs(), runs);
}

int end_of_bounds(const std::vector<flow_row>& rows) {
  for (const flow_row& r : rows)
    if (r.is_exceeded())
      std::cerr << fmt::format(
          "weft: a packet of flow {} took {} cycles, more than the bound of {}; this is a fault of Weft, please "
          "report it\n",
          r.flow.name, r.measured, *r.bound.latency);
  if (signal_seen() != 0) {
    std::cerr << "weft: interrupted\n";
    return 128 + signal_seen();
  }
  const bool good =
      std::all_of(rows.begin(), rows.end(), [](const flow_row& r) { return r.bound.latency && !r.is_exceeded(); });
  return good ? Done : Failed;
}

int do_bounds(const bounds_options& options) {
  const configuration c = options.in.load();
  check_outputs({{"--json", options.json}}, inputs_of(options.in, c));
  const topology graph = build_network(c);
  expect_flows(c);
  const std::vector<regulated_flow> flows = flows_of(c, graph);
  const std::vector<flow_bound> bounds = bound_latencies(graph, c.router, nic_parameters_of(c), flows);
  flow_search search(c, graph, flows, options.cycles);
  measure(search, options.search, shows_progress(c, false));
  std::vector<flow_row> rows;
  for (std::size_t f = 0; f < flows.size(); ++f) rows.push_back({flows[f], bounds[f], search.longest()[f]});
  if (options.json != "-") {
    std::cout << fmt::format("{}: {} flows\n\n", printable(c.output.name), flows.size());
    print_rows(rows);
    print_summary(rows, search.runs(), options.cycles);
  }
  if (!options.json.empty()) write_text("--json", options.json, to_text(to_json(rows, search.runs(), options.cycles)));
  return end_of_bounds(rows);
}

}  // namespace

void add_bounds(command_set& commands) {
  const auto options = std::make_shared<bounds_options>();
  CLI::App& command = commands.add("bounds", "Bounds the latency of regulated flows.", BoundsHelp,
                                   [options] { return do_bounds(*options); });
  add_input(command, options->in);
  add_seed(command, options->in);
  add_file_option(command, "--json", options->json, "write bounds and latencies as JSON; - for standard output");
  command.add_option("--search", options->search, "number of simulations; default: 20")
      ->check(CLI::Range(0u, 1'000'000u));
  command.add_option("--cycles", options->cycles, "length of a simulation; default: 5000")
      ->check(CLI::Range(100u, 1'000'000'000u));
}

}  // namespace weft::experiment
