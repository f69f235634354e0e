// SPDX-License-Identifier: Apache-2.0
/// `weft forwarding`: finds the minimum number of steps and rounds of a collective communication by store and forward.
#include <algorithm>
#include <chrono>
#include <iostream>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "weft/collectives/command/forwarding_options.h"
#include "weft/collectives/command/proof_output.h"
#include "weft/collectives/command/step_file.h"
#include "weft/collectives/report/forwarding_results.h"
#include "weft/collectives/schedule/forwarding/chakra_file.h"
#include "weft/collectives/schedule/forwarding/count_file.h"
#include "weft/collectives/schedule/forwarding/link_file.h"
#include "weft/collectives/schedule/forwarding/sccl_file.h"
#include "weft/collectives/schedule/forwarding/solve.h"
#include "weft/command/command.h"
#include "weft/command/commands.h"
#include "weft/command/exit_status.h"
#include "weft/command/file_arguments.h"
#include "weft/command/result_files.h"
#include "weft/command/session.h"
#include "weft/configuration/network.h"
#include "weft/core/printable.h"
#include "weft/report/format.h"

namespace weft::experiment {

namespace {

using schedule::forwarding_collective;
using schedule::forwarding_problem;
using schedule::link_graph;

constexpr const char* ForwardingHelp = R"(Examples:
  weft forwarding --known dgx1 --collective allgather --chunks 6 --steps 3 -o allgather.json
  weft forwarding --known dgx1 --collective allgather --chunks 3 --steps 2 --rounds 4 --proof refuted
  weft forwarding examples/quickstart.yaml --collective alltoall --seconds 20
  weft forwarding examples/quickstart.yaml --collective allgather --ccsched steps.json
  weft forwarding --known dgx1 --collective allgather --frontier
  weft forwarding --check allgather.json

Finds a store-and-forward algorithm with the fewest rounds for a collective, in the model of SCCL. In this model, every
router is a node and keeps what it receives. A chunk crosses one link in a step. A step has one or more rounds, and a
link of bandwidth b carries b chunks in a round. The command prints a lower bound and its reason. It then prints the
numbers of chunks C, steps S and rounds R of the best algorithm, and whether R is proved minimal. If there is no
algorithm, it prints the reason; if it found none, it prints the methods that it tried.

CONFIG, --links (weft-links/1, or the JSON of SCCL's tools) or --known defines the network.

--check checks an algorithm in the JSON of SCCL's tools, on the given network or, without one, on the network in its
file. With --collective, it also checks that the algorithm carries out this collective.

Exit status: 0 done, 1 no algorithm found, or --check found faults, 2 wrong usage or input. After a signal, the command
prints the best algorithm so far, and its status is 129 (SIGHUP), 130 (Ctrl-C) or 143 (SIGTERM).)";

std::string trace_file(const forwarding_command_options& o, std::size_t node) {
  return fmt::format("{}.{}.json", o.chakra, node);
}

/// Checks that no output overwrites an input or another output. \param nodes number of nodes, each of which has a trace
/// file
void check_files(const forwarding_command_options& o, const configuration& c, std::size_t nodes) {
  std::vector<file_argument> inputs = inputs_of(o.in, c), outputs = proof_files(o.proof);
  inputs.insert(inputs.end(), {{"--links", o.links}, {"--counts", o.counts}, {"--check", o.check}});
  outputs.insert(outputs.begin(), {{"-o", o.output}, {"--ccsched", o.ccsched}});
  if (!o.chakra.empty())
    for (std::size_t i = 0; i < nodes; ++i) outputs.push_back({"--chakra", trace_file(o, i)});
  check_outputs(outputs, inputs);
}

link_graph given_graph(const forwarding_command_options& o, const configuration& c) {
  if (!o.known.empty()) return schedule::dgx1();
  if (o.links.empty()) return schedule::links_of(build_network(c));
  const std::string text = content_of("--links", o.links);
  try {
    return schedule::links_from_json(text);
  } catch (const std::invalid_argument& e) {
    fail("--links " + o.links, e.what());
  }
}

link_graph with_requested_ports(const forwarding_command_options& o, link_graph graph) {
  return o.ports ? schedule::with_ports(std::move(graph), *o.ports) : graph;
}

forwarding_problem problem_of(const forwarding_command_options& o, const link_graph& graph, unsigned chunks) {
  const forwarding_collective what = collective_of(o);
  reject_unused_options(o, what);
  if (o.root && *o.root >= graph.nodes)
    fail(fmt::format("--root {}", *o.root), fmt::format("expected a node from 0 to {}", graph.nodes - 1));
  const std::string counts = o.is_alltoallv() ? content_of("--counts", o.counts) : "";
  try {
    return o.is_alltoallv()
               ? make_alltoallv(graph, schedule::counts_from_json(counts, graph.nodes, "--counts " + o.counts))
               : make_forwarding(graph, what, chunks, o.root.value_or(0));
  } catch (const std::invalid_argument& e) {
    fail(o.is_alltoallv() ? "--counts " + o.counts : o.collective_option(), e.what());
  }
}

/// The collective with its root, if it has one: "broadcast from node 3".
std::string described(const forwarding_command_options& o) {
  const forwarding_collective what = collective_of(o);
  if (!has_root(what)) return o.collective;
  const bool is_from = what == forwarding_collective::Broadcast || what == forwarding_collective::Scatter;
  return fmt::format("{} {} node {}", o.collective, is_from ? "from" : "to", o.root.value_or(0));
}

schedule::search_control control_of(const forwarding_command_options& o, const configuration& c,
                                    progress_line& progress) {
  using clock = std::chrono::steady_clock;
  schedule::search_control control;
  control.seed = c.simulation.seed;
  if (o.seconds > 0)  // without a time limit, no solver runs, and all other methods end by themselves
    control.deadline =
        clock::now() + std::chrono::duration_cast<clock::duration>(std::chrono::duration<double>(o.seconds));
  control.stop = [] { return signal_seen() != 0; };
  control.on_progress = [&progress](const std::string& line) { progress.update(line); };
  return control;
}

schedule::forwarding_question question_of(const forwarding_command_options& o) {
  schedule::forwarding_question q;
  q.steps = o.steps;
  q.rounds = o.rounds;
  q.conflicts = o.seconds > 0 ? o.conflicts : 0;
  return q;
}

/// Writes the trace files PREFIX.0.json, PREFIX.1.json, … \return the line for the report
std::string write_traces(const forwarding_command_options& o, const forwarding_problem& p,
                         const schedule::forwarding_algorithm& a) {
  if (o.chakra.empty()) return "";
  const std::vector<std::string> traces = schedule::chakra_traces(p, a, o.bytes);
  for (std::size_t i = 0; i < traces.size(); ++i) write_text("--chakra", trace_file(o, i), traces[i]);
  return fmt::format("  wrote {0}.0.json to {0}.{1}.json\n", printable(o.chakra), traces.size() - 1);
}

std::string write_found(const forwarding_command_options& o, const forwarding_problem& p,
                        const schedule::forwarding_result& r, proof_output& proof) {
  std::string report;
  if (!o.proof.empty())
    report += r.refuted && proof.kept() ? proof.commit() : "  no proof is written, because CaDiCaL refuted nothing\n";
  if (r.answer != schedule::forwarding_result::status::Found) return report;
  if (!o.output.empty()) {
    write_text("-o", o.output, to_sccl_json(p, r.found));
    report += written_line(o.output);
  }
  return report + write_traces(o, p, r.found);
}

int end_of_search(const forwarding_command_options& o, const schedule::forwarding_result& r) {
  using status = schedule::forwarding_result::status;
  if (signal_seen() != 0) return end_of_run(outcome::Interrupted, {}, o.quiet);
  if (r.answer == status::Found) return Done;
  std::cerr << (r.answer == status::Infeasible ? "weft: no algorithm exists within these limits\n"
                                               : "weft: no algorithm found\n");
  return Failed;
}

int find_one(const forwarding_command_options& o, const configuration& c, const std::string& name,
             const forwarding_problem& p) {
  using clock = std::chrono::steady_clock;
  const schedule::forwarding_question q = question_of(o);
  std::optional<step_file> steps;
  if (!o.ccsched.empty()) steps.emplace(o.ccsched, c, p);
  proof_output proof(o.proof);
  progress_line progress(std::cerr, shows_progress(c, o.quiet));
  const auto start = clock::now();
  schedule::search_control control = control_of(o, c, progress);
  control.proof = proof.sink();
  const schedule::forwarding_result r = solve_forwarding(p, q, control);
  const double seconds = std::chrono::duration<double>(clock::now() - start).count();
  progress.clear();
  std::string wrote = write_found(o, p, r, proof);
  if (steps && r.answer == schedule::forwarding_result::status::Found) wrote += steps->write(p, r.found);
  if (!o.quiet && o.output != "-" && o.ccsched != "-")
    std::cout << heading_of(name, fmt::format("{}, C {}", described(o), p.chunks), p) << "\n"
              << to_table(p, q, r, seconds, signal_seen() != 0) << wrote;
  return end_of_search(o, r);
}

/// The number of chunks that the node with the lowest bandwidth receives in a round, at most 8. With this number, the
/// bounds on the rounds need no rounding.
unsigned chunks_of_frontier(const link_graph& graph) {
  constexpr std::size_t Most = 8;
  std::vector<std::size_t> into(graph.nodes, 0);
  for (const schedule::graph_link& l : graph.links) into[l.to] += l.bandwidth;
  return static_cast<unsigned>(std::clamp<std::size_t>(*std::min_element(into.begin(), into.end()), 1, Most));
}

int find_frontier(const forwarding_command_options& o, const configuration& c, const std::string& name,
                  const forwarding_problem& one) {
  constexpr std::size_t MoreSteps = 2;
  const forwarding_collective what = collective_of(o);
  const unsigned chunks = o.chunks.value_or(chunks_of_frontier(one.graph));
  const std::size_t phases = what == forwarding_collective::Allreduce ? 2 : 1;
  const std::size_t steps = o.steps.value_or(phases * (schedule::least_steps(one).rounds + MoreSteps));
  progress_line progress(std::cerr, shows_progress(c, o.quiet));
  const auto frontier = forwarding_frontier(one.graph, what, o.root.value_or(0), chunks, steps,
                                            question_of(o).conflicts, control_of(o, c, progress));
  progress.clear();
  if (!o.quiet) {
    std::cout << heading_of(name, fmt::format("frontier of {} to C {} and S {}", described(o), chunks, steps), one)
              << "\n"
              << to_table(frontier, signal_seen() != 0);
  }
  if (signal_seen() != 0) return end_of_run(outcome::Interrupted, {}, o.quiet);
  if (!frontier.points.empty()) return Done;
  std::cerr << "weft: no algorithm found" << (frontier.out_of_time ? "; time limit reached\n" : "\n");
  return Failed;
}

int do_forward(const forwarding_command_options& o) {
  if (o.networks() != 1)
    fail("weft forwarding",
         fmt::format("expected one network (CONFIG, --links FILE or --known NAME), got {}", o.networks()));
  const configuration c = o.load();
  const link_graph graph = with_requested_ports(o, given_graph(o, c));
  const forwarding_problem p = problem_of(o, graph, o.frontier ? 1 : o.chunks.value_or(1));
  check_files(o, c, graph.nodes);
  const std::string name = o.in.file.empty() ? graph.name : c.output.name;
  handle_signals();
  try {
    return o.frontier ? find_frontier(o, c, name, p) : find_one(o, c, name, p);
  } catch (const configuration_error&) {
    throw;
  } catch (const std::invalid_argument& e) {
    fail("weft forwarding", e.what());
  }
}

/// Replaces the network of the problem \p p by the network in the options, if there is one. Checks that the problem
/// fits this network and `--collective`.
void adapt(const forwarding_command_options& o, const configuration& c, forwarding_problem& p) {
  if (o.networks() == 1) {
    link_graph graph = given_graph(o, c);
    if (graph.nodes != p.graph.nodes)
      throw std::invalid_argument(
          fmt::format("the algorithm is for {} nodes, but the network has {} nodes", p.graph.nodes, graph.nodes));
    p.graph = std::move(graph);
  }
  p.graph = with_requested_ports(o, std::move(p.graph));
  p = checked(std::move(p));
  if (!o.collective.empty() && !same_demands(problem_of(o, p.graph, p.chunks), p))
    throw std::invalid_argument(fmt::format(
        "the chunks of the algorithm differ from the chunks of the collective {} with C = {}", described(o), p.chunks));
}

int check_algorithm_file(const forwarding_command_options& o) {
  if (o.networks() > 1)
    fail("--check " + o.check, "expected at most one network (CONFIG, --links FILE or --known NAME)");
  if (o.collective.empty() && o.root)
    fail(fmt::format("--root {}", *o.root), "needs --collective in addition to --check");
  if (o.collective.empty() && !o.counts.empty())
    fail("--counts " + o.counts, "needs --collective in addition to --check");
  const configuration c = o.load();
  const std::string text = content_of("--check", o.check);
  try {
    schedule::sccl_algorithm file = schedule::from_sccl_json(text);
    adapt(o, c, file.problem);
    check_files(o, c, file.problem.graph.nodes);
    const auto violations = check_file(file);
    handle_signals();
    schedule::search_control control;  // for computing the bound
    control.stop = [] { return signal_seen() != 0; };
    const std::string wrote = violations.empty() ? write_traces(o, file.problem, file.algorithm) : "";
    const std::string what =
        o.collective.empty() ? number_of(file.problem.list.size(), "chunk") + " in all" : described(o);
    if (!o.quiet)
      std::cout << heading_of(o.check, fmt::format("{}, C {}", what, file.problem.chunks), file.problem) << "\n"
                << check_text(file.problem, file.algorithm, violations, control) << wrote;
    if (signal_seen() != 0) return end_of_run(outcome::Interrupted, {}, o.quiet);
    if (violations.empty()) return Done;
    std::cerr << fmt::format("weft: {}: {}\n", printable(o.check), printable(violations.front().text));
    return Failed;
  } catch (const configuration_error&) {
    throw;
  } catch (const std::invalid_argument& e) {
    fail("--check " + o.check, e.what());
  }
}

}  // namespace

void add_forwarding(command_set& commands) {
  const auto o = std::make_shared<forwarding_command_options>();
  CLI::App& command =
      commands.add("forwarding", "Schedules a collective with store and forward in the fewest rounds.", ForwardingHelp,
                   [o] { return o->check.empty() ? do_forward(*o) : check_algorithm_file(*o); });
  add_input(command, o->in);
  command.get_option("CONFIG")->required(false);
  add_forwarding_options(command, *o);
  add_quiet(command, o->quiet);
}

}  // namespace weft::experiment
