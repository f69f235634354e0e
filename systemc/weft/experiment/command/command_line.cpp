#include "weft/experiment/command/command_line.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <functional>
#include <iostream>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/wait.h>
#include <unistd.h>

#include "weft/core/suggest.h"
#include "weft/core/vc_classes.h"
#include "weft/experiment/command/codec_command.h"
#include "weft/experiment/command/quote.h"
#include "weft/experiment/command/sweep.h"
#include "weft/experiment/configuration/configuration.h"
#include "weft/experiment/configuration/schema.h"
#include "weft/experiment/report/collective_results.h"
#include "weft/experiment/report/output_file.h"
#include "weft/experiment/report/progress.h"
#include "weft/experiment/report/results.h"
#include "weft/experiment/run/collective_experiment.h"
#include "weft/experiment/run/run.h"
#include "weft/topology/analysis/check.h"
#include "weft/topology/analysis/figures.h"
#include "weft/topology/files/export.h"
#include "weft/workload/packet_list.h"

namespace weft::experiment {

namespace {

/// The signal that asks for an end, or 0.
volatile std::sig_atomic_t g_signal = 0;

void note_signal(int signal) {
  if (g_signal == 0) g_signal = signal;
  // The next one of the kind kills: a run that does not end when asked must not need more than a second Ctrl-C. One of
  // the other kind does not: Ctrl-C reaches the points of a sweep, and then they are asked by SIGTERM as well.
  std::signal(signal, SIG_DFL);
}

/// Names of files need not be UTF-8, JSON must be.
std::string to_text(const json& j) { return j.dump(2, ' ', false, json::error_handler_t::replace) + "\n"; }

void handle_signals() {
  std::signal(SIGINT, note_signal);
  std::signal(SIGTERM, note_signal);
}

/// A configuration file and what the command line changes in it.
struct input {
  std::string file;
  std::vector<std::string> sets;
  std::optional<std::string> seed;
  std::string directory;

  /// \param point settings of a sweep, which have the last word
  configuration load(const std::vector<setting>& point = {}) const {
    std::vector<setting> settings;
    for (const std::string& text : sets) settings.push_back(parse_setting(text));
    if (seed) settings.push_back({"simulation.seed", *seed, "--seed " + *seed});
    if (!directory.empty()) settings.push_back({"output.directory", quoted(directory), "-o " + directory});
    settings.insert(settings.end(), point.begin(), point.end());
    return load_configuration(file, settings);
  }
};

void add_input(CLI::App& command, input& in) {
  command.add_option("CONFIG", in.file, "the experiment, a YAML file; `weft schema --markdown` lists its keys")
      ->required();
  command
      .add_option("--set", in.sets,
                  "KEY=VALUE: overrides a key of the file, as in --set network.router.vcs=8; repeatable")
      ->type_name("KEY=VALUE")
      ->expected(1)
      ->take_all();
}

void add_seed(CLI::App& command, input& in) {
  command.add_option("--seed", in.seed, "the seed; short for --set simulation.seed=N")->type_name("N");
}

void add_output(CLI::App& command, input& in) {
  command.add_option("-o,--output", in.directory, "where results go; short for --set output.directory=DIR")
      ->type_name("DIR");
}

void add_jobs(CLI::App& command, unsigned& jobs) {
  command.add_option("-j,--jobs", jobs, "points at a time; otherwise as many as there are processors")
      ->type_name("N")
      ->check(CLI::Range(1u, 1024u));
}

/// The result file of \p c with \p suffix. \throws configuration_error at the keys that say where it should be
std::unique_ptr<output_file> open_result(const configuration& c, const char* suffix) {
  try {
    return std::make_unique<output_file>(c.result_file(suffix));
  } catch (const output_error& e) {
    throw configuration_error({{c.where({"output.directory", "output.name"}), e.what()}});
  }
}

/// The files of a run, opened before it, in place after it.
class result_files {
 public:
  explicit result_files(const configuration& c) {
    open(m_json, c.output.json, c, ".json");
    open(m_csv, c.output.csv, c, ".csv");
    open(m_events, c.output.event_log, c, ".events");
    open(m_answers, c.output.answers, c, ".answers");
    open(m_vcd, !c.output.vcd.empty(), c, ".vcd");
    if (m_events) m_log.emplace([this](std::string_view text) { m_events->write(text); });
  }

  event_log* log() { return m_log ? &*m_log : nullptr; }
  std::filesystem::path vcd() const { return m_vcd ? m_vcd->temporary() : std::filesystem::path(); }

  /// Names of the files written.
  std::vector<std::string> write(const report& r) {
    if (m_answers) {
      std::ostringstream text;
      write_answers(text, r.measured.answers());
      m_answers->write(text.str());
    }
    return write_all(r);
  }
  std::vector<std::string> write(const collective_report& r) { return write_all(r); }

 private:
  template <class Report>
  std::vector<std::string> write_all(const Report& r) {
    if (m_json) m_json->write(to_text(to_json(r)));
    if (m_csv) m_csv->write(to_csv(r));
    if (m_log) m_log->finish();
    std::vector<std::string> names;
    for (auto* file : {&m_json, &m_csv, &m_events, &m_answers, &m_vcd}) {
      if (!*file) continue;
      (*file)->commit();
      names.push_back((*file)->file().string());
    }
    return names;
  }

  static void open(std::unique_ptr<output_file>& file, bool wanted, const configuration& c, const char* suffix) {
    if (wanted) file = open_result(c, suffix);
  }

  std::unique_ptr<output_file> m_json, m_csv, m_events, m_answers, m_vcd;
  std::optional<event_log> m_log;
};

int status_of(outcome how) {
  switch (how) {
    case outcome::Complete:
    case outcome::Saturated:
      return Done;
    case outcome::Interrupted:
      return 128 + g_signal;
    default:
      return Failed;
  }
}

bool shows_progress(const configuration& c, bool quiet) {
  return c.output.progress == progress_kind::Always ||
         (c.output.progress == progress_kind::Auto && !quiet && isatty(STDERR_FILENO));
}

run_hooks hooks_with(progress_line& progress) {
  run_hooks hooks;
  hooks.stop = [] { return g_signal != 0; };
  hooks.progress = [&progress](const run_progress& p) { progress.update(p); };
  return hooks;
}

/// Says on standard error how a run ended that did not end well, and gives the exit status.
int end_of_run(outcome how, const std::vector<std::string>& explanation, bool quiet) {
  const int status = status_of(how);
  if (status == Done) return Done;
  std::cerr << fmt::format("weft: {}\n", name_of(how));
  if (quiet)
    for (const std::string& line : explanation) std::cerr << "  " << line << "\n";
  return status;
}

void refuse_collective(const configuration& c) {
  if (!c.collective.algorithm) return;
  throw configuration_error(
      {{c.where("collective.algorithm"), "this experiment is a collective: play it by `weft collective`"}});
}

int do_run(const input& in, bool quiet) {
  const configuration c = in.load();
  refuse_collective(c);
  handle_signals();  // before there are files to clean up
  result_files files(c);
  experiment work(c, files.log(), files.vcd());

  progress_line progress(std::cerr, shows_progress(c, quiet));
  const run_result result = work.run(hooks_with(progress));
  const double speed = progress.speed(result.cycles);
  progress.clear();

  work.tear_down();
  const report r{c, work.graph(), work.measured(), result};
  const std::vector<std::string> written = files.write(r);
  if (!quiet) {
    std::cout << to_table(r, speed);
    for (const std::string& name : written) std::cout << "  wrote " << name << "\n";
  }
  return end_of_run(result.how, result.explanation, quiet);
}

/// One point of a sweep, in its process: a row of the table, and what went wrong.
sweep_row run_point(const configuration& c) {
  try {
    experiment work(c, nullptr, {});
    run_hooks hooks;
    hooks.stop = [] { return g_signal != 0; };
    const run_result result = work.run(hooks);
    work.tear_down();
    for (const std::string& line : result.explanation) std::cerr << "  " << line << "\n";
    return {status_of(result.how), to_csv({c, work.graph(), work.measured(), result})};
  } catch (const std::exception& e) {
    std::cerr << e.what() << std::endl;
    return {Failed, ""};
  }
}

/// Has gnuplot run \p script; what went wrong, or nothing.
std::string draw(const std::string& script) {
  constexpr int NoSuchCommand = 127;  // of the shell
  std::signal(SIGPIPE, SIG_IGN);      // the exit status tells whether gnuplot was there
  std::FILE* gnuplot = popen("exec gnuplot 2>&1 >/dev/null", "w");
  if (gnuplot == nullptr) return "cannot start a shell";
  std::fputs(script.c_str(), gnuplot);
  const int status = pclose(gnuplot);
  if (WIFEXITED(status) && WEXITSTATUS(status) == NoSuchCommand)
    return "gnuplot is missing: install the Debian package gnuplot-nox";
  return status == 0 ? "" : "gnuplot failed";
}

/// "3 of 9 points", rewritten on a terminal.
class points_line {
 public:
  points_line(std::size_t points, bool on) : m_points(points), m_on(on) {}
  ~points_line() {
    if (m_on) std::cerr << "\r\033[K" << std::flush;
  }
  points_line(const points_line&) = delete;
  points_line& operator=(const points_line&) = delete;

  void update(std::size_t done) const {
    if (!m_on) return;
    const double spent = std::chrono::duration<double>(clock::now() - m_start).count();
    const double left = spent / static_cast<double>(done) * static_cast<double>(m_points - done);
    std::cerr << fmt::format("\r\033[K{} of {} points, {:.0f} s left", done, m_points, left) << std::flush;
  }

 private:
  using clock = std::chrono::steady_clock;
  std::size_t m_points;
  bool m_on;
  clock::time_point m_start = clock::now();
};

int do_sweep(const input& in, const std::vector<std::string>& overs, unsigned jobs, bool quiet) {
  std::vector<sweep_axis> axes;
  for (const std::string& text : overs) axes.push_back(parse_axis(text));
  check_axes(axes);
  const std::vector<sweep_point> points = points_of(axes);
  std::vector<configuration> configurations;  // all looked at before the first is run
  for (const sweep_point& point : points) {
    configurations.push_back(in.load(point));
    refuse_collective(configurations.back());
    check_sweepable(configurations.back());
    build_network(configurations.back());
  }
  handle_signals();
  const configuration& first = configurations.front();
  const std::unique_ptr<output_file> csv = open_result(first, ".sweep.csv");
  const std::unique_ptr<output_file> svg = open_result(first, ".sweep.svg");

  std::vector<sweep_row> rows;
  {
    const points_line progress(points.size(), shows_progress(first, quiet));
    rows = run_points(
        points.size(), jobs, [&](std::size_t i) { return run_point(configurations[i]); },
        [&](std::size_t done) { progress.update(done); }, [] { return g_signal != 0; });
  }

  csv->write(sweep_csv(axes, points, rows));
  csv->commit();
  if (!quiet) std::cout << sweep_table(axes, points, rows) << fmt::format("\n  wrote {}\n", csv->file().string());
  const std::string script = sweep_plot(first.output.name, axes, points, rows, svg->temporary().string());
  if (!script.empty()) {
    const std::string error = draw(script);
    if (!error.empty()) {
      std::cerr << fmt::format("weft: no drawing: {}\n", error);
    } else {
      svg->commit();
      if (!quiet) std::cout << fmt::format("  wrote {}\n", svg->file().string());
    }
  }

  if (g_signal != 0) return 128 + g_signal;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].status == Done) continue;
    std::cerr << fmt::format("weft: failed at {}\n", place_of(points[i]));
    return Failed;
  }
  return Done;
}

int do_collective(const input& in, bool quiet) {
  const configuration c = in.load();
  handle_signals();
  result_files files(c);
  collective_experiment work(c, files.log(), files.vcd());

  progress_line progress(std::cerr, shows_progress(c, quiet));
  const collective_result result = work.run(hooks_with(progress));
  progress.clear();

  work.tear_down();
  const collective_report r{c, work, result, work.floors()};
  const std::vector<std::string> written = files.write(r);
  if (!quiet) {
    std::cout << to_table(r);
    for (const std::string& name : written) std::cout << "  wrote " << name << "\n";
  }
  return end_of_run(result.how, result.explanation, quiet);
}

/// The configurations of the algorithms of `--compare`; without any, the one that the file asks for.
std::vector<configuration> configurations_of(const input& in, const std::vector<std::string>& algorithms) {
  std::vector<configuration> list;
  for (const std::string& name : algorithms)
    list.push_back(in.load({{"collective.algorithm", name, "--compare " + name}}));
  if (list.empty()) list.push_back(in.load());
  return list;
}

/// One of several, in its process.
sweep_row play_one(const configuration& c) {
  try {
    collective_experiment work(c, nullptr, {});
    run_hooks hooks;
    hooks.stop = [] { return g_signal != 0; };
    const collective_result result = work.run(hooks);
    work.tear_down();
    for (const std::string& line : result.explanation) std::cerr << "  " << line << "\n";
    return {status_of(result.how), to_csv({c, work, result, work.floors()})};
  } catch (const std::exception& e) {
    std::cerr << e.what() << std::endl;
    return {Failed, ""};
  }
}

int do_compare(const input& in, const std::vector<std::string>& algorithms, unsigned jobs, bool quiet) {
  const std::vector<configuration> configurations = configurations_of(in, algorithms);
  for (const configuration& c : configurations) check_sweepable(c);
  handle_signals();
  const std::unique_ptr<output_file> csv = open_result(configurations.front(), ".compare.csv");
  std::vector<sweep_row> rows;
  {
    const points_line progress(algorithms.size(), shows_progress(configurations.front(), quiet));
    rows = run_points(
        algorithms.size(), jobs, [&](std::size_t i) { return play_one(configurations[i]); },
        [&](std::size_t done) { progress.update(done); }, [] { return g_signal != 0; });
  }
  std::vector<compared_collective> compared;
  for (std::size_t i = 0; i < rows.size(); ++i) compared.push_back({algorithms[i], rows[i].csv});
  csv->write(comparison_csv(compared));
  csv->commit();
  if (!quiet) std::cout << comparison_table(compared) << fmt::format("\n  wrote {}\n", csv->file().string());
  if (g_signal != 0) return 128 + g_signal;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].status == Done) continue;
    std::cerr << fmt::format("weft: failed at {}\n", algorithms[i]);
    return Failed;
  }
  return Done;
}

/// To \p file, or to standard output for "-". \p option named it.
void write_text(const char* option, const std::string& file, const std::string& text) {
  if (file == "-") {
    std::cout << text;
    return;
  }
  try {
    output_file out(file);
    out.write(text);
    out.commit();
  } catch (const output_error& e) {
    throw configuration_error({{fmt::format("{} {}", option, file), e.what()}});
  }
}

/// The fewest VCs with which the routing of \p c is free of deadlock, or "none"; nothing where trying takes long.
std::string least_vcs_text(configuration c, const topology& graph) {
  constexpr std::size_t MaxRouters = 1024;
  if (graph.routers.size() > MaxRouters) return {};
  const unsigned most = vcs_of_class(c.router);
  c.router.classes = 1;
  const auto make = [&c](unsigned vcs) {
    c.router.vcs = vcs;
    return build_network(c);
  };
  const unsigned least = least_vcs(make, most);
  return least == 0 ? "none" : std::to_string(least);
}

/// Files that `weft topology` writes in place of figures; an empty name for none.
struct topology_files {
  std::string json, graphml, graphviz, svg;
  bool any() const { return !(json.empty() && graphml.empty() && graphviz.empty() && svg.empty()); }
};

int do_topology(const input& in, const topology_files& files) {
  const configuration c = in.load();
  const topology graph = build_network(c);
  if (!files.json.empty()) write_text("--json", files.json, to_text(to_json(graph)));
  if (!files.graphml.empty()) write_text("--graphml", files.graphml, to_graphml(graph));
  if (!files.graphviz.empty()) write_text("--graphviz", files.graphviz, to_graphviz(graph));
  if (!files.svg.empty()) write_text("--svg", files.svg, to_svg(graph));
  if (files.any()) return Done;

  if (isatty(STDERR_FILENO) != 0 && graph.nodes.size() > 4096) std::cerr << "searching the network …\r" << std::flush;
  const topology_figures f = compute_figures(graph, c.workload.pattern.to_self);
  const auto row = [](const char* name, const std::string& value, const std::string& unit) {
    std::cout << fmt::format("  {:<20}{:>10}{}{}\n", name, value, unit.empty() ? "" : "  ", unit);
  };
  std::cout << fmt::format("{}: {}\n\n", c.output.name, describe(graph));
  row("routers", std::to_string(f.routers), "");
  row("nodes", std::to_string(f.nodes), "");
  row("links", std::to_string(f.channels), "directed, between routers");
  row("degree",
      f.min_degree == f.max_degree ? std::to_string(f.max_degree) : fmt::format("{} to {}", f.min_degree, f.max_degree),
      "links that leave a router");
  const auto sampled = [](std::size_t count, const char* what) {
    return count == 0 ? std::string("hops") : fmt::format("hops, {} {}", what, count);
  };
  row("diameter", std::to_string(f.diameter), sampled(f.distance_sources, "or more; nodes looked at:"));
  row("mean distance", fmt::format("{:.3f}", f.mean_distance), sampled(f.distance_sources, "nodes looked at:"));
  row("mean route", fmt::format("{:.3f}", f.mean_route_length),
      sampled(f.route_destinations, "destinations looked at:"));
  row("bisection", std::to_string(f.bisection_channels), "links each way: " + f.bisection_method);
  row("ideal throughput", fmt::format("{:.4f}", f.ideal_throughput),
      "flits/node/cycle of uniform traffic: " + f.throughput_method);
  if (f.accepted_bound > f.ideal_throughput * 1.0001)
    row("accepted, at most", fmt::format("{:.4f}", f.accepted_bound),
        "flits/node/cycle, if some nodes send less than others");
  const std::string vcs = least_vcs_text(c, graph);
  if (!vcs.empty()) row("VCs needed", vcs, fmt::format("of {}", vcs_of_class(c.router)));
  const std::vector<channel_vc> cycle =
      c.routing.allow_deadlock ? find_dependency_cycle(graph, vcs_of_class(c.router)) : std::vector<channel_vc>();
  if (cycle.empty())
    std::cout << "\n  deadlock-free: the channel dependency graph has no cycle\n";
  else
    std::cout << "\n  packets can deadlock: their channels depend on each other in a cycle\n"
              << describe_cycle(graph, cycle);
  return Done;
}

int do_analyse(const input& in, const std::vector<std::string>& algorithms, const std::string& json_file) {
  const std::vector<configuration> configurations = configurations_of(in, algorithms);
  std::vector<std::pair<std::string, collective_counts>> counts;
  for (const configuration& c : configurations) counts.emplace_back(algorithm_of(c), count_collective(c));
  const configuration& first = configurations.front();
  if (json_file != "-") std::cout << analysis_table(first, counts);
  if (!json_file.empty()) write_text("--json", json_file, to_text(analysis_json(first, counts)));
  return Done;
}

int do_check(const input& in) {
  const configuration c = in.load();
  if (c.collective.algorithm)
    collective_experiment(c, nullptr, {});
  else
    build_network(c);
  std::cout << in.file << ": good\n";
  return Done;
}

int do_schema(bool markdown) {
  std::cout << (markdown ? markdown_page() : to_text(json_schema()));
  return Done;
}

int do_codec(const std::vector<std::string>& files, const codec_options& options, const std::string& json_file) {
  std::vector<codec_report> reports;  // all files are read before anything is printed
  for (const std::string& file : files) reports.push_back(examine(file, options));
  if (!json_file.empty()) {
    json list = json::array();
    for (const codec_report& r : reports) list.push_back(to_json(r, options));
    write_text("--json", json_file, to_text(list));
    return Done;
  }
  for (std::size_t i = 0; i < reports.size(); ++i) std::cout << (i > 0 ? "\n" : "") << to_table(reports[i], options);
  return Done;
}

constexpr const char* Overview = R"(Weft simulates networks-on-chip.

  weft run examples/quickstart.yaml                  simulate, print a table, write results/
  weft run my.yaml --set workload.injection.load=0.3 the same with another load
  weft sweep my.yaml --over workload.injection.load=0.05:0.4:0.05
                                                     the same at many points: a table and a drawing
  weft collective examples/network_coding.yaml       play a collective communication
  weft topology my.yaml                              what can be said without simulating
  weft check my.yaml                                 is the configuration right?
  weft codec --tune payload.bin                      what the codecs make of recorded messages
  weft schema --markdown                             all keys of a configuration
)";

constexpr const char* AfterRun = R"(Examples:
  weft run examples/quickstart.yaml
  weft run examples/quickstart.yaml --set workload.pattern=transpose --set workload.injection.load=0.2
  weft run examples/quickstart.yaml --seed 7 -o /tmp/results --quiet

Writes NAME.json and NAME.csv, NAME being that of the file, to the directory `results` or another one; event log,
packet answers and waveforms if the configuration asks for them (section `output`). Ctrl-C ends a run early and writes
what was measured, marked incomplete; a second Ctrl-C kills.

Exit status: 0 done (also when the network is saturated, which is a result), 1 the run failed (deadlock, packets not
delivered within the limit, a flit that did not arrive as it was sent), 2 wrong usage or input, 130 Ctrl-C,
143 SIGTERM.)";

constexpr const char* AfterSweep = R"(Examples:
  weft sweep examples/quickstart.yaml --over workload.injection.load=0.05:0.45:0.05
  weft sweep examples/quickstart.yaml --over workload.injection.load=0.1,0.2,0.3 --over network.router.vcs=2,4,8

Every point runs in a process of its own. Several --over make all combinations; the first is the x axis of the drawing.
Writes NAME.sweep.csv, a row a point, and, if gnuplot is there, NAME.sweep.svg: latency and accepted throughput; points
of a saturated network have no latency there. Exit status as of `weft run`.)";

constexpr const char* AfterCollective = R"(Examples:
  weft collective examples/network_coding.yaml
  weft collective examples/network_coding.yaml --compare all_at_once,tree,neighbour_forwarding,network_coding
  weft collective examples/network_coding.yaml --set collective.barriers=true --set nic.coding=true
  weft collective examples/network_coding.yaml --analyse --set 'network.topology.shape=[256, 256]' \
      --set simulation.level=tlm

Plays the collective of section `collective`: every message is sent when its source has what is in it, every node keeps
what it receives, and at the end every word is compared. Writes NAME.json and NAME.csv; with --compare NAME.compare.csv, a
row an algorithm, each played in a process of its own. --analyse counts messages and hops, step by step, and simulates
nothing.

Exit status: 0 done, 1 a node lacks data at the end, an XOR decoder ran over, or the network is deadlocked, 2 wrong usage or
input, 130 Ctrl-C, 143 SIGTERM.)";

constexpr const char* AfterTopology = R"(Examples:
  weft topology examples/quickstart.yaml
  weft topology examples/quickstart.yaml --set 'network.topology.shape=[4, 4, 4]'
  weft topology examples/quickstart.yaml --svg mesh.svg
  weft topology examples/quickstart.yaml --graphviz - | neato -n2 -Tsvg > mesh.svg)";

constexpr const char* AfterCodec = R"(Examples:
  weft codec payload.bin.gz
  weft codec --tune is.S.2.bin.gz aco.lin105.2.bin.gz
  weft codec --runs 32,28,25,23,22,21 --packet 64 --words 4 payload.bin
  weft codec --cut 14 --json - lammps.melt.2.bin.gz

A file that starts with MPTRACE1 is a recording of messages; any other is one message of 32-bit words. Both may be
packed with gzip.

ratio        original bits / bits in code, message by message: what the code is worth
as packets   flits raw / flits that travel: packets of at most --packet flits, lengths rounded up to flits, each
             packet in the shorter of its two forms; so never below 1

The codes: FPC by table stands for leading zeros by a 3-bit code, one for each of six run lengths; --tune finds the six
that are best for the file, exactly. Classic FPC is the code of Alameldeen and Wood. LSB-cut leaves out the lowest bits
of doubles: exact keeps zeros, denormals, infinities and NaNs as they are, plain is the paper's form. Integers in a file
of doubles, and doubles in a file without a type, are tried "as words" and "as doubles".

Exit status: 0 done, 2 wrong usage or input.)";

constexpr const char* AfterSchema = R"(Examples:
  weft schema > weft.schema.json      an editor can check and complete with it
  weft schema --markdown              the same for people)";

int parse_and_run(int argc, const char* const* argv) {
  CLI::App app(Overview, "weft");
  app.set_version_flag("--version", std::string("weft ") + version());
  app.require_subcommand(1);
  app.get_formatter()->column_width(28);
  app.failure_message([](const CLI::App*, const CLI::Error& e) {
    return fmt::format("weft: error: {}\nSee `weft --help`, or --help of a command.\n", e.what());
  });

  input in;
  bool quiet = false, markdown = false;
  topology_files exports;
  std::string json_file;
  std::function<int()> action;

  CLI::App& run = *app.add_subcommand("run", "Simulates an experiment and writes what it finds.");
  add_input(run, in);
  add_seed(run, in);
  add_output(run, in);
  run.add_flag("-q,--quiet", quiet, "no table, no progress");
  run.footer(AfterRun);
  run.callback([&] { action = [&] { return do_run(in, quiet); }; });

  std::vector<std::string> overs;
  unsigned jobs = std::max(1u, std::thread::hardware_concurrency());
  CLI::App& sweep = *app.add_subcommand("sweep", "Runs an experiment at many points and draws the curve.");
  add_input(sweep, in);
  sweep.add_option("--over", overs, "KEY=VALUE,VALUE,… or KEY=FIRST:LAST:STEP: what to sweep; repeatable")
      ->type_name("KEY=VALUES")
      ->expected(1)
      ->take_all()
      ->required();
  add_jobs(sweep, jobs);
  add_output(sweep, in);
  sweep.add_flag("-q,--quiet", quiet, "no table, no progress");
  sweep.footer(AfterSweep);
  sweep.callback([&] { action = [&] { return do_sweep(in, overs, jobs, quiet); }; });

  bool analyse = false;
  std::vector<std::string> algorithms;
  CLI::App& collective =
      *app.add_subcommand("collective", "Plays a collective communication and writes what it takes.");
  add_input(collective, in);
  add_seed(collective, in);
  add_output(collective, in);
  collective
      .add_option("--compare", algorithms, "ALGORITHM,…: several in place of that of the file; a table and a CSV file")
      ->type_name("ALGORITHMS")
      ->delimiter(',');
  add_jobs(collective, jobs);
  collective.add_flag("--analyse", analyse, "count messages and hops only, without simulating");
  collective.add_option("--json", json_file, "with --analyse: write the counts; - for standard output")
      ->type_name("FILE")
      ->needs("--analyse");
  collective.add_flag("-q,--quiet", quiet, "no table, no progress");
  collective.footer(AfterCollective);
  collective.callback([&] {
    action = [&] {
      if (analyse) return do_analyse(in, algorithms, json_file);
      return algorithms.empty() ? do_collective(in, quiet) : do_compare(in, algorithms, jobs, quiet);
    };
  });

  CLI::App& topology = *app.add_subcommand("topology", "Prints the figures of a network, or writes it as data.");
  add_input(topology, in);
  topology.add_option("--json", exports.json, "write routers, channels, nodes and routing; - for standard output")
      ->type_name("FILE");
  topology.add_option("--graphml", exports.graphml, "write the graph as GraphML; - for standard output")
      ->type_name("FILE");
  topology.add_option("--graphviz", exports.graphviz, "write a drawing for neato; - for standard output")
      ->type_name("FILE");
  topology.add_option("--svg", exports.svg, "write a drawing; - for standard output")->type_name("FILE");
  topology.footer(AfterTopology);
  topology.callback([&] { action = [&] { return do_topology(in, exports); }; });

  CLI::App& check =
      *app.add_subcommand("check", "Reads a configuration and the files it names, and says what is wrong.");
  add_input(check, in);
  check.callback([&] { action = [&] { return do_check(in); }; });

  std::vector<std::string> files;
  std::optional<std::string> runs;
  codec_options codecs;
  CLI::App& codec = *app.add_subcommand("codec", "Prints what the codecs make of recorded messages.");
  codec.add_option("FILE", files, "messages: a recording, or any file; may be packed with gzip")->required();
  codec.add_flag("--tune", codecs.tune, "find the best six run lengths for each file");
  codec.add_option("--runs", runs, "six run lengths to try, falling, as in 18,17,16,15,14,13")->type_name("RUNS");
  codec.add_option("--cut", codecs.cut, "bits that LSB-cut leaves out, 0 to 51; otherwise 28")
      ->type_name("N")
      ->check(CLI::Range(0u, MaxCut));
  codec.add_option("--words", codecs.words_per_flit, "32-bit words of a flit: 1, 2, 4 or 8; otherwise 2")
      ->type_name("K")
      ->check(CLI::IsMember({1u, 2u, 4u, 8u}));
  codec.add_option("--packet", codecs.packet, "flits of the longest packet; otherwise 512")
      ->type_name("FLITS")
      ->check(CLI::Range(1u, (1u << 24) - 1));
  codec.add_option("--json", json_file, "write all figures; - for standard output")->type_name("FILE");
  codec.footer(AfterCodec);
  codec.callback([&] {
    action = [&] {
      if (runs) codecs.runs = parse_runs("--runs", *runs);
      return do_codec(files, codecs, json_file);
    };
  });

  CLI::App& schema = *app.add_subcommand("schema", "Prints all keys of a configuration, as JSON Schema.");
  schema.add_flag("--markdown", markdown, "as the page of the user guide");
  schema.footer(AfterSchema);
  schema.callback([&] { action = [&] { return do_schema(markdown); }; });

  if (argc <= 1) {
    std::cerr << app.help();
    return Wrong;
  }
  std::vector<std::string> commands;
  for (const CLI::App* command : app.get_subcommands({})) commands.push_back(command->get_name());
  if (argv[1][0] != '-' && std::find(commands.begin(), commands.end(), argv[1]) == commands.end()) {
    const std::string hint = did_you_mean(argv[1], commands);
    std::cerr << fmt::format("weft: error: unknown command '{}'{}\n", argv[1],
                             hint.empty() ? fmt::format("; expected one of {}", fmt::join(commands, ", ")) : hint);
    return Wrong;
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? Done : Wrong;
  }
  return action();
}

}  // namespace

int run_command_line(int argc, const char* const* argv) {
  try {
    const int status = parse_and_run(argc, argv);
    std::cout.flush();
    return status;
  } catch (const configuration_error& e) {
    std::cerr << e.what() << "\n";
    return Wrong;
  } catch (const std::exception& e) {
    std::cerr << "weft: error: " << e.what() << "\n";
  }
  return Failed;
}

}  // namespace weft::experiment
