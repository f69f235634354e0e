// SPDX-License-Identifier: Apache-2.0
/// `weft schedule`: finds the minimum number of steps of a collective communication.
#include <algorithm>
#include <chrono>
#include <iostream>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "weft/collectives/command/proof_output.h"
#include "weft/collectives/command/schedule_options.h"
#include "weft/collectives/command/schedule_question.h"
#include "weft/collectives/command/schedule_simulation.h"
#include "weft/collectives/report/schedule_json.h"
#include "weft/collectives/report/schedule_results.h"
#include "weft/collectives/report/schedule_times.h"
#include "weft/collectives/schedule/files/ccsched.h"
#include "weft/collectives/schedule/files/drawing.h"
#include "weft/command/command.h"
#include "weft/command/commands.h"
#include "weft/command/exit_status.h"
#include "weft/command/file_arguments.h"
#include "weft/command/result_files.h"
#include "weft/command/session.h"
#include "weft/configuration/network.h"
#include "weft/core/printable.h"

namespace weft::experiment {

namespace {

constexpr const char* ScheduleHelp = R"(Examples:
  weft schedule examples/schedule_mesh.yaml
  weft schedule examples/schedule_mesh.yaml --collective oab --root 5 --ports all --svg steps.svg
  weft schedule examples/schedule_octagon.yaml -o schedule.json
  weft schedule --check schedule.json
  weft schedule --methods

Finds a schedule in steps. Within a step, no two messages share a channel, and a node sends only what it held before
the step. Prints a lower bound, the number of steps R and the channel occupancy TCO of the best schedule found, and
whether this schedule is proved optimal. Lists contain nodes (3, 0-7) or routers (r2, for all nodes of router 2). Each
option up to --seed sets the key with its name in the section `schedule`, and overrides --set.

--replay simulates the schedule on the network of CONFIG at simulation.level, with barriers between steps, and reports
whether any packet waited. It then simulates the schedule without barriers, where packets of several steps may block
each other, and the algorithms of weft collective.

--check checks a schedule in the format ccsched/1 from any program, on the network of CONFIG or, without CONFIG, on the
network that the file describes. - is standard input.

Exit status: 0 done, 1 no schedule found, --check found faults, or in --replay a packet waited or a run failed, such as
by a deadlock, 2 wrong usage or input. After a signal, the command prints the best schedule so far, and its status is
129 (SIGHUP), 130 (Ctrl-C) or 143 (SIGTERM).)";

void check_files(const schedule_command_options& o, const configuration& c) {
  std::vector<file_argument> inputs = inputs_of(o.in, c), outputs = proof_files(o.proof);
  inputs.push_back({"--check", o.check});
  outputs.insert(outputs.begin(), {{"-o", o.output}, {"--json", o.json_file}, {"--svg", o.svg}});
  check_outputs(outputs, inputs);
}

bool shows_tables(const schedule_command_options& o) {
  return !o.quiet && o.output != "-" && o.svg != "-" && o.json_file != "-";
}

/// Simulates the schedule, prints this part of the report, and returns the exit status. \param summary JSON summary for
/// --json, to which the results are added
int simulate_and_report(const schedule_command_options& o, const configuration& c, const schedule::recorded_schedule& s,
                        const rtl_provider& rtl, json& summary) {
  const schedule_simulation r =
      simulate_schedule(c, {s.requested, s.schedule, c.schedule.ports}, o.jobs, shows_progress(c, o.quiet), rtl);
  if (shows_tables(o)) std::cout << "\n" << to_table(r);
  summary["replay"] = to_json(r);
  if (signal_seen() != 0) return end_of_run(outcome::Interrupted, {}, o.quiet);
  if (const simulated_run* const failed = r.first_failure()) {
    std::cerr << fmt::format("weft: replay {}: {}\n", failed->name, failed->outcome);
    if (!shows_tables(o))
      for (const std::string& line : failed->explanation) std::cerr << "  " << printable(line) << "\n";
    return Failed;
  }
  return r.kept() ? Done : Failed;
}

/// Writes the files, and prints \p report unless a file goes to standard output or --quiet is given.
void write_all(const schedule_command_options& o, std::string report, const schedule::step_network& network,
               const topology* graph, const schedule::recorded_schedule* s) {
  const auto write = [&](const char* option, const std::string& file, const auto& text) {
    if (file.empty() || !s) return;
    write_text(option, file, text());
    report += written_line(file);
  };
  write("-o", o.output, [&] { return schedule::to_ccsched(network, *s); });
  write("--svg", o.svg, [&] { return schedule::to_svg(network, *s, graph); });
  if (shows_tables(o)) std::cout << report;
}

const schedule::method* method_of(const configuration& c) {
  if (c.schedule.method == "auto") return nullptr;
  try {
    const schedule::method& found = schedule::method_named(c.schedule.method);
    if (found.what != schedule::method::kind::Construction && c.schedule.seconds == 0)
      throw std::invalid_argument(found.name + std::string(" searches, but schedule.seconds is 0; raise it"));
    return &found;
  } catch (const std::invalid_argument& e) {
    fail(c.where("schedule.method"), fmt::format("schedule.method: {}", e.what()));
  }
}

schedule::answer answer_to(const schedule::problem& question, const configuration& c, const schedule_command_options& o,
                           progress_line& progress, schedule::proof_sink* proof = nullptr) {
  using clock = std::chrono::steady_clock;
  schedule::solve_options options;
  options.only = method_of(c);
  options.search = c.schedule.seconds > 0;
  options.control.seed = c.simulation.seed;
  options.control.jobs = o.jobs;
  options.control.proof = proof;
  if (options.search)  // without a search, only constructions run, which end by themselves
    options.control.deadline =
        clock::now() + std::chrono::duration_cast<clock::duration>(std::chrono::duration<double>(c.schedule.seconds));
  options.control.stop = [] { return signal_seen() != 0; };
  options.control.on_progress = [&progress](const std::string& line) { progress.update(line); };
  try {
    return schedule::solve(question, options);
  } catch (const std::invalid_argument& e) {
    fail(c.where({"schedule.method", "schedule.collective"}), e.what());
  }
}

/// The results that the papers give for this problem.
printed_claims printed_for(const schedule_question& question, const configuration& c) {
  const schedule::network_family family = schedule::family_of(plan_of(c));
  return {schedule::papers_formulas(family, question.problem()),
          schedule::papers_thresholds(family, question.problem())};
}

/// Writes the proof if there is one. \return the line for the report
std::string write_proof(proof_output& proof, const schedule::answer& a) {
  if (proof.kept()) return proof.commit();
  return a.refuted_below == 0 ? "  no proof is written, because nothing was refuted\n"
                              : "  no proof is written, because CaDiCaL has completed no refutation\n";
}

int do_find(const schedule_command_options& o, const rtl_provider& rtl) {
  const configuration c = o.load();
  check_files(o, c);
  const schedule_question question = question_of(c);
  if (o.replay) build_network(c);  // reports errors of the network before the search
  handle_signals();
  proof_output proof(o.proof);
  progress_line progress(std::cerr, shows_progress(c, o.quiet));
  const schedule::answer a = answer_to(question.problem(), c, o, progress, proof.sink());
  progress.clear();

  std::optional<schedule::recorded_schedule> found;
  if (a.best) found = {c.output.name, question.requested, *a.best};
  const printed_claims printed = printed_for(question, c);
  std::string report = heading_of(c.output.name, question.problem()) + "\n" +
                       to_table(question.problem(), a, printed.formulas, signal_seen() != 0);
  if (!o.proof.empty()) report += write_proof(proof, a);
  write_all(o, report, question.network, &question.graph, found ? &*found : nullptr);
  json summary = answer_json(c.output.name, question.problem(), a, printed);
  int status = found ? Done : Failed;
  if (signal_seen() != 0)
    status = end_of_run(outcome::Interrupted, {}, o.quiet);
  else if (!found)
    std::cerr << "weft: no schedule found\n";
  else if (o.replay)
    status = simulate_and_report(o, c, *found, rtl, summary);
  if (!o.json_file.empty()) write_text("--json", o.json_file, to_text(summary));
  return status;
}

/// Finds schedules with and without combining, each with the full search time.
int do_times(const schedule_command_options& o) {
  const schedule::time_model model = time_model_of(o);
  const std::vector<double> lengths = lengths_of(o);
  const configuration c = o.load();
  if (o.combining) fail("--times", "finds schedules with and without combining; leave --combining out");
  const schedule_question question = question_of(c);
  handle_signals();
  progress_line progress(std::cerr, shows_progress(c, o.quiet));
  schedule::problem p = question.problem();
  p.combining = false;  // whatever the file contains
  const schedule::answer direct = answer_to(p, c, o, progress);
  const std::string heading = heading_of(c.output.name, p, "messages single and combined");
  p.combining = true;
  const schedule::answer combining = answer_to(p, c, o, progress);
  progress.clear();
  const std::vector<timed_schedule> found = undominated(direct, combining);
  if (!found.empty()) std::cout << heading << "\n" << times_table(found, model, lengths);
  if (signal_seen() != 0) return end_of_run(outcome::Interrupted, {}, o.quiet);
  return found.empty() ? Failed : Done;
}

/// Reads the schedule in the file and checks that it is for the given network and collective.
schedule::recorded_schedule read_checked(const schedule_command_options& o, const configuration& c,
                                         const std::string& text, const schedule::step_network& network) {
  schedule::recorded_schedule s = schedule::read_schedule(text, network);
  if (o.in.file.empty() || !c.schedule.collective) return s;
  const schedule::collective requested = question_of(c).requested;
  if (requested.what != s.requested.what || requested.senders != s.requested.senders ||
      requested.receivers != s.requested.receivers)
    throw std::invalid_argument(fmt::format("the schedule is for {}, expected one for {}",
                                            describe(s.requested, network), describe(requested, network)));
  return s;
}

bool combines(const schedule::step_schedule& s) {
  return std::any_of(s.steps.begin(), s.steps.end(),
                     [](const schedule::step& one) { return schedule::size_of(one) > 1; });
}

/// Checks a schedule and reports the violations. \param graph null without CONFIG
int check_schedule(const schedule_command_options& o, const configuration& c, const schedule::step_network& network,
                   const topology* graph, const std::string& text, const rtl_provider& rtl) {
  const schedule::recorded_schedule s = read_checked(o, c, text, network);
  const auto given = [&c](const char* key) { return c.given_by(key) != origin::kind::Default; };
  const schedule::problem p{network, s.requested, given("schedule.paths") ? c.schedule.paths : schedule::path_rule::Any,
                            given("schedule.combining") ? c.schedule.combining : combines(s.schedule)};
  const std::vector<schedule::violation> violations = schedule::check(p, s.schedule);
  write_all(o,
            heading_of(o.check == "-" ? "standard input" : o.check, p) + "\n" + check_text(p, s.schedule, violations),
            network, graph, &s);
  json summary = check_json(o.check, p, s.schedule, violations);
  int status = violations.empty() ? Done : Failed;
  if (!violations.empty())
    std::cerr << fmt::format("weft: {}: {}\n", printable(o.check), printable(violations.front().text));
  else if (o.replay)
    status = simulate_and_report(o, c, s, rtl, summary);
  if (!o.json_file.empty()) write_text("--json", o.json_file, to_text(summary));
  return status;
}

int do_check(const schedule_command_options& o, const rtl_provider& rtl) {
  for (const key_option& k : o.keys) {
    const bool is_check_key = std::string(k.name) == "paths";
    if (k.value && o.in.file.empty() && !is_check_key)
      fail(fmt::format("--{} {}", k.name, *k.value), "needs CONFIG in addition to --check");
  }
  if (o.replay && o.in.file.empty())
    fail("--replay", "needs CONFIG in addition to --check, for the network to simulate");
  configuration c = o.load();
  check_files(o, c);
  const std::string text = content_of("--check", o.check);
  try {
    if (o.in.file.empty()) return check_schedule(o, c, schedule::read_network(text), nullptr, text, rtl);
    const topology graph = build_channels(c);
    if (c.given_by("schedule.ports") == origin::kind::Default)
      c.schedule.ports = schedule::find_ports(text, graph, c.schedule.ports);
    return check_schedule(o, c, step_network_of(c, graph), &graph, text, rtl);
  } catch (const configuration_error&) {
    throw;
  } catch (const std::invalid_argument& e) {
    fail("--check " + o.check, e.what());
  }
}

int do_list(const schedule_command_options& o) {
  if (o.in.file.empty()) {
    std::cout << methods_table(nullptr);
    return Done;
  }
  const schedule_question question = question_of(o.load());
  const schedule::problem p = question.problem();
  std::cout << methods_table(&p);
  return Done;
}

int dispatch(const schedule_command_options& o, const rtl_provider& rtl) {
  reject_unused_options(o);
  if (o.list_methods) return do_list(o);
  if (!o.check.empty()) return do_check(o, rtl);
  if (o.in.file.empty()) fail("weft schedule", "CONFIG is required, except with --check or --methods");
  if (o.times) return do_times(o);
  return do_find(o, rtl);
}

}  // namespace

void add_schedule(command_set& commands) {
  const auto o = std::make_shared<schedule_command_options>();
  CLI::App& command = commands.add("schedule", "Schedules a collective in the fewest steps without conflicts.",
                                   ScheduleHelp, [o, &commands] { return dispatch(*o, commands.rtl()); });
  add_input(command, o->in);
  command.get_option("CONFIG")->required(false);
  add_schedule_options(command, *o);
  add_quiet(command, o->quiet);
}

}  // namespace weft::experiment
