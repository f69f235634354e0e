// SPDX-License-Identifier: Apache-2.0
#include "weft/command/command.h"

#include <algorithm>
#include <iostream>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "weft/command/result_files.h"
#include "weft/core/printable.h"
#include "weft/core/quote.h"
#include "weft/report/format.h"

namespace weft::experiment {

namespace {

/// The name in messages and results of the configuration that standard input contains.
constexpr const char* StandardInput = "standard_input";

/// Standard input. It is read once, because each point of a sweep loads its configuration again.
const std::string& standard_input() {
  static const std::string text = content_of("CONFIG", "-");
  return text;
}

}  // namespace

CLI::App& command_set::add(const char* name, const char* description, const char* help, std::function<int()> action) {
  CLI::App& command = *m_app.add_subcommand(name, description);
  command.footer(help);
  command.callback([this, action = std::move(action)] { m_chosen = action; });
  return command;
}

void command_set::add_left_out(const char* name, const diagnostic& error) {
  const auto fail = [error]() -> int { throw configuration_error({error}); };
  add(name, "Not included in this build.", "", fail).prefix_command();
}

std::vector<setting> input::settings(const std::vector<setting>& more) const {
  std::vector<setting> all;
  for (const std::string& text : sets) all.push_back(parse_setting(text));
  if (seed) all.push_back({"simulation.seed", *seed, "--seed " + *seed});
  if (!directory.empty()) all.push_back({"output.directory", quoted(directory), "-o " + directory});
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

configuration input::load(const std::vector<setting>& point) const {
  if (is_standard_input()) return parse_configuration(standard_input(), StandardInput, settings(point));
  return load_configuration(file, settings(point));
}

configuration input::load_unchecked(const std::vector<setting>& more) const {
  if (is_standard_input()) return parse_unchecked(standard_input(), StandardInput, settings(more));
  return weft::experiment::load_unchecked(file, settings(more));
}

void input::require_file(const std::string& why) const {
  if (is_standard_input()) fail("CONFIG -", why + "; expected the name of a file");
}

CLI::Validator number_between(double least, double most) {
  const auto check = [least, most](const std::string& text) {
    const auto value = parse_number<double>(text);
    return value && *value >= least && *value <= most
               ? ""
               : fmt::format("expected a number from {1:g} to {2:g}, got {0}", text, least, most);
  };
  return {check, fmt::format("FLOAT in [{:g} - {:g}]", least, most)};
}

void fail(const std::string& place, const std::string& message) { throw configuration_error({{place, message}}); }

void warn_other_version(const configuration& c) {
  if (!c.recorded_by.empty() && c.recorded_by != version())
    std::cerr << fmt::format("weft: {} is a result of weft {}, but this is weft {}; results may differ\n",
                             printable(c.file.string()), printable(c.recorded_by), version());
}

CLI::Option* add_file_option(CLI::App& command, const char* names, std::string& file, const char* description) {
  const auto named = [](const std::string& name) { return name.empty() ? "expected a file name, got ''" : ""; };
  return command.add_option(names, file, description)->type_name("FILE")->check(named);
}

void add_input(CLI::App& command, input& in) {
  command
      .add_option("CONFIG", in.file,
                  "the experiment, a YAML file, or - for standard input; `weft schema --markdown` lists its keys")
      ->type_name("FILE")
      ->required();
  command.add_option("--set", in.sets, "override a key of the file, as in --set network.router.vcs=8; repeatable")
      ->type_name("KEY=VALUE")
      ->expected(1)
      ->take_all();
}

void add_seed(CLI::App& command, input& in) {
  command.add_option("--seed", in.seed, "short for --set simulation.seed=N")->type_name("N");
}

void add_output(CLI::App& command, input& in) {
  add_file_option(command, "-o,--output", in.directory,
                  "directory of the results; short for --set output.directory=DIR")
      ->type_name("DIR");
}

void add_quiet(CLI::App& command, bool& quiet) {
  command.add_flag("-q,--quiet", quiet, "print no table and no progress");
}

CLI::Option* add_result_json(CLI::App& command, std::string& file) {
  return add_file_option(command, "--json", file,
                         "write the result to this file instead of NAME.json and NAME.csv; - for standard output, "
                         "without the table");
}

unsigned default_jobs() { return std::max(1u, std::thread::hardware_concurrency()); }

void add_jobs(CLI::App& command, unsigned& jobs, const char* what) {
  command.add_option("-j,--jobs", jobs, fmt::format("number of {} at a time; default: the number of processors", what))
      ->type_name("N")
      ->check(CLI::Range(1u, 1024u));
}

}  // namespace weft::experiment
