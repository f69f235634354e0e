// SPDX-License-Identifier: Apache-2.0
/// `weft schedule`: in how few steps a collective communication can be carried out.
#include <algorithm>
#include <chrono>
#include <iostream>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "weft/experiment/command/command.h"
#include "weft/experiment/command/commands.h"
#include "weft/experiment/command/exit_status.h"
#include "weft/experiment/command/quote.h"
#include "weft/experiment/command/replay.h"
#include "weft/experiment/command/result_files.h"
#include "weft/experiment/command/session.h"
#include "weft/experiment/configuration/network.h"
#include "weft/experiment/configuration/schedule_question.h"
#include "weft/experiment/report/schedule_json.h"
#include "weft/experiment/report/schedule_results.h"
#include "weft/experiment/report/schedule_times.h"
#include "weft/schedule/files/ccsched.h"
#include "weft/schedule/files/drawing.h"

namespace weft::experiment {

namespace {

constexpr const char* ScheduleHelp = R"(Examples:
  weft schedule examples/schedule_mesh.yaml
  weft schedule examples/schedule_mesh.yaml --collective oab --root 5 --ports all --svg steps.svg
  weft schedule examples/schedule_octagon.yaml -o schedule.json
  weft schedule --check schedule.json
  weft schedule --methods

Looks for a schedule in steps: within a step no two messages share a channel, and a node sends only what it held before
the step. Prints a lower bound, the steps R and the channel occupancy TCO of the best schedule found, and whether that
is proved optimal. Lists name nodes (3, 0-7) or routers (r2, for all nodes of router 2). Each option up to --seed is
short for a --set of the key of that name in section `schedule`, and has the last word on it.

--replay plays it on the network of CONFIG at simulation.level, with barriers between steps, and says whether any packet
waited; then without barriers; then the ordinary algorithms of weft collective.

--check judges a schedule of the form ccsched/1, whoever made it: in the network of CONFIG, or without CONFIG in the one
that the file itself describes.

Exit status: 0 done, 1 no schedule found, --check found faults, or a packet waited in --replay, 2 wrong usage or input,
130 Ctrl-C and 143 SIGTERM, with the best schedule so far.)";

/// An option that is short for a key of section `schedule`.
struct key_option {
  const char* name;  ///< of the key
  const char* type;
  const char* description;
  bool is_list = false;
  std::optional<std::string> value{};
};

struct schedule_command_options {
  input in;
  std::vector<key_option> keys = {
      {"collective", "NAME", "oab, aab, oas, aas, mnb or mns: one, all or many to all or many, broadcast or scatter"},
      {"root", "NODE", "the sender of oab and oas; otherwise node 0"},
      {"senders", "LIST", "those of mnb and mns; otherwise all nodes", true},
      {"receivers", "LIST", "the same", true},
      {"ports", "PORTS", "messages that a node sends, and receives, in a step: one, all, a number; otherwise as built"},
      {"paths", "PATHS", "minimal or any"},
      {"method", "NAME", "auto or one of --methods"},
      {"seconds", "N", "time to search, otherwise 60"},
      {"length", "FLITS", "of a message in a replay, otherwise 4"},
  };
  bool combining = false;
  unsigned jobs = default_jobs();
  std::string output, check, svg, proof, json_file;
  std::vector<double> times;  ///< ts, t1; empty: not asked for
  std::vector<double> lengths = {1, 4, 16, 64, 256, 1024};
  bool list_methods = false;
  bool replay = false;
  bool quiet = false;

  /// Without a file that of the command line alone.
  configuration load() const {
    std::vector<setting> settings;
    for (const key_option& k : keys) {
      if (!k.value) continue;
      const std::string value = k.is_list ? yaml_list(*k.value) : quoted_unless_number(*k.value);
      settings.push_back({std::string("schedule.") + k.name, value, fmt::format("--{} {}", k.name, *k.value)});
    }
    if (combining) settings.push_back({"schedule.combining", "true", "--combining"});
    return in.file.empty() ? parse_configuration("", "weft schedule", settings) : in.load(settings);
  }

 private:
  static std::string yaml_list(const std::string& text) {
    std::vector<std::string> elements;
    for (std::size_t from = 0, to = 0; !text.empty() && to < text.size(); from = to + 1) {
      to = std::min(text.find(',', from), text.size());
      elements.push_back(quoted(text.substr(from, to - from)));
    }
    return fmt::format("[{}]", fmt::join(elements, ", "));
  }

  static std::string quoted_unless_number(const std::string& text) {
    return !text.empty() && text.find_first_not_of("0123456789.e+-") == std::string::npos ? text : quoted(text);
  }
};

bool shows_tables(const schedule_command_options& o) {
  return !o.quiet && o.output != "-" && o.svg != "-" && o.json_file != "-";
}

/// The last part of the report, and the exit status. \p summary: what --json writes, to which it adds.
int replay_of(const schedule_command_options& o, const configuration& c, const schedule::recorded_schedule& s,
              const stage_provider& rtl_stages, json& summary) {
  const replay_report r =
      replay(c, {s.asked, s.schedule, c.schedule.ports}, o.jobs, shows_progress(c, o.quiet), rtl_stages);
  if (shows_tables(o)) std::cout << "\n" << to_table(r);
  summary["replay"] = to_json(r);
  if (signal_seen() != 0) return end_of_run(outcome::Interrupted, {}, o.quiet);
  return r.kept() ? Done : Failed;
}

/// Writes the files and \p report, unless a file is standard output or nothing is to be said.
void write_all(const schedule_command_options& o, std::string report, const schedule::step_network& network,
               const topology* graph, const schedule::recorded_schedule* s) {
  const auto write = [&](const char* option, const std::string& file, const auto& text) {
    if (file.empty() || !s) return;
    write_text(option, file, text());
    report += fmt::format("  wrote {}\n", file);
  };
  write("-o", o.output, [&] { return schedule::to_ccsched(network, *s); });
  write("--svg", o.svg, [&] { return schedule::to_svg(network, *s, graph); });
  if (shows_tables(o)) std::cout << report;
}

const schedule::method* method_of(const configuration& c) {
  if (c.schedule.method == "auto") return nullptr;
  try {
    return &schedule::method_named(c.schedule.method);
  } catch (const std::invalid_argument& e) {
    fail(c.where("schedule.method"), fmt::format("schedule.method: {}", e.what()));
  }
}

schedule::answer answer_to(const schedule::problem& question, const configuration& c, const schedule_command_options& o,
                           progress_line& progress) {
  using clock = std::chrono::steady_clock;
  schedule::solve_options options;
  options.only = method_of(c);
  options.search = c.schedule.seconds > 0;
  options.control.seed = c.simulation.seed;
  options.control.jobs = o.jobs;
  options.control.proof = o.proof;
  if (options.search)  // constructions end by themselves
    options.control.deadline =
        clock::now() + std::chrono::duration_cast<clock::duration>(std::chrono::duration<double>(c.schedule.seconds));
  options.control.stop = [] { return signal_seen() != 0; };
  options.control.tell = [&progress](const std::string& line) { progress.update(line); };
  try {
    return schedule::solve(question, options);
  } catch (const std::invalid_argument& e) {
    fail(c.where({"schedule.method", "schedule.collective"}), e.what());
  }
}

/// What the papers print for the question.
printed_claims printed_for(const schedule_question& question, const configuration& c) {
  const schedule::network_family family = schedule::family_of(plan_of(c));
  return {schedule::papers_formulas(family, question.problem()),
          schedule::papers_thresholds(family, question.problem())};
}

int do_find(const schedule_command_options& o, const stage_provider& rtl_stages) {
  if (!o.output.empty() && o.output != "-" && o.output == o.svg)
    fail("--svg " + o.svg, "is the file of --output as well");
  const configuration c = o.load();
  const schedule_question question = question_of(c);
  handle_signals();
  progress_line progress(std::cerr, shows_progress(c, o.quiet));
  const schedule::answer a = answer_to(question.problem(), c, o, progress);
  progress.clear();

  std::optional<schedule::recorded_schedule> found;
  if (a.best) found = {c.output.name, question.asked, *a.best};
  const printed_claims printed = printed_for(question, c);
  const std::string report =
      heading_of(c.output.name, question.problem()) + "\n" + to_table(question.problem(), a, printed.formulas);
  write_all(o, report, question.network, &question.graph, found ? &*found : nullptr);
  json summary = answer_json(c.output.name, question.problem(), a, printed);
  int status = found ? Done : Failed;
  if (signal_seen() != 0)
    status = end_of_run(outcome::Interrupted, {}, o.quiet);
  else if (!found)
    std::cerr << "weft: no schedule found\n";
  else if (o.replay)
    status = replay_of(o, c, *found, rtl_stages, summary);
  if (!o.json_file.empty()) write_text("--json", o.json_file, to_text(summary));
  return status;
}

/// Direct schedules and combining ones, each with the whole time to search.
int do_times(const schedule_command_options& o) {
  const schedule::time_model model{o.times[0], o.times[1]};
  if (!(model.start_up >= 0 && model.unit_time > 0)) fail("--times", "expected TS of at least 0 and T1 above 0");
  for (const double length : o.lengths)
    if (!(length > 0)) fail("--lengths", fmt::format("{:g}, expected lengths above 0", length));
  const configuration c = o.load();
  if (o.combining) fail("--times", "finds schedules with and without combining: leave --combining out");
  const schedule_question question = question_of(c);
  handle_signals();
  progress_line progress(std::cerr, shows_progress(c, o.quiet));
  schedule::problem p = question.problem();
  p.combining = false;  // whatever the file says
  const schedule::answer direct = answer_to(p, c, o, progress);
  p.combining = true;
  const schedule::answer combining = answer_to(p, c, o, progress);
  progress.clear();
  const std::vector<timed_schedule> found = undominated(direct, combining);
  if (!found.empty()) std::cout << heading_of(c.output.name, p) << "\n" << times_table(found, model, o.lengths);
  if (signal_seen() != 0) return end_of_run(outcome::Interrupted, {}, o.quiet);
  return found.empty() ? Failed : Done;
}

/// What the file holds, if it is for the network and the collective that were asked for.
schedule::recorded_schedule read_checked(const schedule_command_options& o, const configuration& c,
                                         const std::string& text, const schedule::step_network& network) {
  schedule::recorded_schedule s = schedule::read_schedule(text, network);
  if (o.in.file.empty() || !c.schedule.collective) return s;
  const schedule::collective asked = question_of(c).asked;
  if (asked.what != s.asked.what || asked.senders != s.asked.senders || asked.receivers != s.asked.receivers)
    throw std::invalid_argument(
        fmt::format("it is for {}, expected one for {}", describe(s.asked, network), describe(asked, network)));
  return s;
}

bool combines(const schedule::step_schedule& s) {
  return std::any_of(s.steps.begin(), s.steps.end(),
                     [](const schedule::step& one) { return schedule::size_of(one) > 1; });
}

/// \p graph none: there is no CONFIG.
int judge(const schedule_command_options& o, const configuration& c, const schedule::step_network& network,
          const topology* graph, const std::string& text, const stage_provider& rtl_stages) {
  const schedule::recorded_schedule s = read_checked(o, c, text, network);
  const auto given = [&c](const char* key) { return c.given_by(key) != origin::kind::Default; };
  const schedule::problem p{network, s.asked, given("schedule.paths") ? c.schedule.paths : schedule::path_rule::Any,
                            given("schedule.combining") ? c.schedule.combining : combines(s.schedule)};
  const std::vector<schedule::fault> faults = schedule::check(p, s.schedule);
  write_all(o, heading_of(o.check, p) + "\n" + judgement(p, s.schedule, faults), network, graph, &s);
  json not_written;
  if (faults.empty()) return o.replay ? replay_of(o, c, s, rtl_stages, not_written) : Done;
  std::cerr << fmt::format("weft: {}: {}\n", o.check, faults.front().text);
  return Failed;
}

int do_check(const schedule_command_options& o, const stage_provider& rtl_stages) {
  for (const key_option& k : o.keys) {
    const bool is_judges = std::string(k.name) == "paths";
    if (k.value && o.in.file.empty() && !is_judges)
      fail(fmt::format("--{} {}", k.name, *k.value), "needs CONFIG beside --check");
  }
  if (o.replay && o.in.file.empty()) fail("--replay", "needs CONFIG beside --check: the network to play it on");
  const configuration c = o.load();
  const std::string text = content_of("--check", o.check);
  try {
    if (o.in.file.empty()) return judge(o, c, schedule::read_network(text), nullptr, text, rtl_stages);
    const topology graph = build_network(c);
    return judge(o, c, step_network_of(c, graph), &graph, text, rtl_stages);
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

int do_what_is_asked(const schedule_command_options& o, const stage_provider& rtl_stages) {
  if (o.list_methods) return do_list(o);
  if (!o.check.empty()) return do_check(o, rtl_stages);
  if (o.in.file.empty()) fail("weft schedule", "CONFIG is required, but with --check or --methods");
  if (!o.times.empty()) return do_times(o);
  return do_find(o, rtl_stages);
}

}  // namespace

void add_schedule(command_set& commands) {
  const auto o = std::make_shared<schedule_command_options>();
  CLI::App& command =
      commands.add("schedule", "Looks for the fewest steps without conflicts of a collective.", ScheduleHelp,
                   [o, &commands] { return do_what_is_asked(*o, commands.rtl_stages()); });
  add_input(command, o->in);
  command.get_option("CONFIG")->required(false);
  for (key_option& k : o->keys)
    command.add_option(fmt::format("--{}", k.name), k.value, k.description)->type_name(k.type);
  command.add_flag("--combining", o->combining, "messages may travel together, as one longer one");
  add_seed(command, o->in);
  command.add_option("-j,--jobs", o->jobs, "threads; otherwise as many as there are processors")
      ->type_name("N")
      ->check(CLI::Range(1u, 1024u));
  command.add_option("-o,--output", o->output, "write the schedule as ccsched/1; - for standard output")
      ->type_name("FILE");
  command.add_option("--json", o->json_file, "write bounds, R, TCO and what the methods did; - for standard output")
      ->type_name("FILE");
  command.add_option("--svg", o->svg, "draw the schedule; - for standard output")->type_name("FILE");
  command
      .add_option("--proof", o->proof, "write why fewer steps are impossible, as FILE.cnf and FILE.drat for drat-trim")
      ->type_name("FILE");
  command.add_option("--check", o->check, "judge the schedule in FILE and look for none")
      ->type_name("FILE")
      ->excludes("--output")
      ->excludes("--json");
  CLI::Option* times =
      command.add_option("--times", o->times, "TS,T1: times with and without combining, whichever is faster");
  times->type_name("TS,T1")->delimiter(',')->expected(2)->excludes("--check")->excludes("--output")->excludes("--svg");
  times->excludes("--json")->excludes("--proof");
  command.add_option("--lengths", o->lengths, "with --times: units of a message, m")
      ->type_name("M,…")
      ->delimiter(',')
      ->needs(times);
  command
      .add_flag("--replay", o->replay,
                "play the schedule on the network at simulation.level, and what else can do the same")
      ->excludes(times);
  command.add_flag("--methods", o->list_methods, "list the methods; with CONFIG also why one does not fit");
  add_quiet(command, o->quiet);
}

}  // namespace weft::experiment
