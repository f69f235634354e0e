// SPDX-License-Identifier: Apache-2.0
#include "weft/experiment/command/command.h"

#include <algorithm>
#include <thread>
#include <utility>

#include "weft/experiment/command/quote.h"

namespace weft::experiment {

CLI::App& command_set::add(const char* name, const char* description, const char* help, std::function<int()> action) {
  CLI::App& command = *m_app.add_subcommand(name, description);
  command.footer(help);
  command.callback([this, action = std::move(action)] { m_chosen = action; });
  return command;
}

configuration input::load(const std::vector<setting>& point) const {
  std::vector<setting> settings;
  for (const std::string& text : sets) settings.push_back(parse_setting(text));
  if (seed) settings.push_back({"simulation.seed", *seed, "--seed " + *seed});
  if (!directory.empty()) settings.push_back({"output.directory", quoted(directory), "-o " + directory});
  settings.insert(settings.end(), point.begin(), point.end());
  return load_configuration(file, settings);
}

void fail(const std::string& place, const std::string& message) { throw configuration_error({{place, message}}); }

void refuse_collective(const configuration& c) {
  if (!c.collective.algorithm) return;
  throw configuration_error(
      {{c.where("collective.algorithm"), "this experiment is a collective: play it by `weft collective`"}});
}

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

void add_quiet(CLI::App& command, bool& quiet) { command.add_flag("-q,--quiet", quiet, "no table, no progress"); }

unsigned default_jobs() { return std::max(1u, std::thread::hardware_concurrency()); }

void add_jobs(CLI::App& command, unsigned& jobs) {
  command.add_option("-j,--jobs", jobs, "points at a time; otherwise as many as there are processors")
      ->type_name("N")
      ->check(CLI::Range(1u, 1024u));
}

}  // namespace weft::experiment
