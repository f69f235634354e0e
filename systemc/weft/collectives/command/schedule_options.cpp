// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/command/schedule_options.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "weft/core/diagnostic.h"
#include "weft/core/printable.h"
#include "weft/core/quote.h"

namespace weft::experiment {

namespace {

/// With values in this range, all times of schedules are finite and positive.
constexpr double LeastTime = 1e-15, MostTime = 1e15;

/// The elements of a list with commas. Elements may be empty.
std::vector<std::string> elements_of(const std::string& list) {
  std::vector<std::string> elements;
  for (std::size_t from = 0, to = 0; to < list.size(); from = to + 1) {
    to = std::min(list.find(',', from), list.size());
    elements.push_back(list.substr(from, to - from));
  }
  return elements;
}

std::string yaml_list(const std::string& text) {
  std::vector<std::string> elements = elements_of(text);
  std::transform(elements.begin(), elements.end(), elements.begin(), quoted);
  return fmt::format("[{}]", fmt::join(elements, ", "));
}

std::string quoted_unless_number(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789.e+-") == std::string::npos ? text : quoted(text);
}

/// \p text as a number from \p least to MostTime. \throws configuration_error at \p place
double number_at(const std::string& place, const std::string& text, double least) {
  const std::optional<double> value = parse_number<double>(text);
  if (value && *value >= least && *value <= MostTime) return *value;
  fail(place, fmt::format("expected a number from {1:g} to {2:g}, got {0}", in_quotes(text), least, MostTime));
}

}  // namespace

configuration schedule_command_options::load() const {
  std::vector<setting> settings;
  for (const key_option& k : keys) {
    if (!k.value) continue;
    const std::string value = k.is_list ? yaml_list(*k.value) : quoted_unless_number(*k.value);
    settings.push_back({std::string("schedule.") + k.name, value, fmt::format("--{} {}", k.name, *k.value)});
  }
  if (combining) settings.push_back({"schedule.combining", "true", "--combining"});
  return in.file.empty() ? parse_configuration("", "weft schedule", settings) : in.load(settings);
}

void reject_unused_options(const schedule_command_options& o) {
  const bool is_check = !o.check.empty();
  for (const key_option& k : o.keys) {
    if (!k.value) continue;
    const std::string name = k.name, given = fmt::format("--{} {}", k.name, *k.value);
    if (name == "length" && !o.replay)
      fail(given, "has no effect without --replay; it sets the length of the simulated messages");
    if (is_check && (name == "method" || name == "seconds"))
      fail(given, "has no effect with --check, which does not search for a schedule");
    if (o.list_methods && o.in.file.empty()) fail(given, "has no effect with --methods unless CONFIG is given");
  }
  if (!o.list_methods) return;
  const std::pair<const char*, bool> others[] = {{"--output", !o.output.empty()}, {"--json", !o.json_file.empty()},
                                                 {"--svg", !o.svg.empty()},       {"--proof", !o.proof.empty()},
                                                 {"--check", is_check},           {"--times", o.times.has_value()},
                                                 {"--replay", o.replay}};
  for (const auto& [option, is_given] : others)
    if (is_given) fail(option, "has no effect with --methods, which does not search for a schedule");
}

schedule::time_model time_model_of(const schedule_command_options& o) {
  const std::string place = "--times " + *o.times;
  const std::vector<std::string> two = elements_of(*o.times);
  if (two.size() != 2) fail(place, "expected TS,T1, the start-up time of a step and the time per unit, such as 100,1");
  return {number_at(place, two[0], 0), number_at(place, two[1], LeastTime)};
}

std::vector<double> lengths_of(const schedule_command_options& o) {
  const std::string place = "--lengths " + o.lengths;
  std::vector<double> lengths;
  for (const std::string& one : elements_of(o.lengths)) lengths.push_back(number_at(place, one, LeastTime));
  if (lengths.empty()) fail(place, "the list is empty; expected lengths such as 1,16,256");
  return lengths;
}

void add_schedule_options(CLI::App& command, schedule_command_options& o) {
  for (key_option& k : o.keys)
    command.add_option(fmt::format("--{}", k.name), k.value, k.description)->type_name(k.type);
  command.add_flag("--combining", o.combining, "allow messages to be combined into one longer message");
  add_seed(command, o.in);
  command.add_option("-j,--jobs", o.jobs, "number of threads; default: the number of processors")
      ->type_name("N")
      ->check(CLI::Range(1u, 1024u));
  add_file_option(command, "-o,--output", o.output, "write the schedule as ccsched/1; - for standard output");
  add_file_option(command, "--json", o.json_file, "write the answer as JSON; - for standard output");
  add_file_option(command, "--svg", o.svg, "draw the schedule; - for standard output");
  add_file_option(command, "--proof", o.proof,
                  "write the proof that fewer steps are impossible to FILE.cnf and FILE.drat, for drat-trim");
  add_file_option(command, "--check", o.check, "only check the schedule in FILE; - for standard input")
      ->excludes("--output")
      ->excludes("--proof");
  CLI::Option* const times = command.add_option(
      "--times", o.times,
      "print the times with and without combining, for the start-up time TS of a step and the time T1 per unit");
  times->type_name("TS,T1");
  for (const char* const other : {"--check", "--output", "--svg", "--json", "--proof"}) times->excludes(other);
  command.add_option("--lengths", o.lengths, "message lengths in units, for --times")->type_name("M,…")->needs(times);
  command
      .add_flag("--replay", o.replay,
                "simulate the schedule and other algorithms for the same collective on the network")
      ->excludes(times);
  command.add_flag("--methods", o.list_methods, "list the methods; with CONFIG, also why a method does not apply");
}

}  // namespace weft::experiment
