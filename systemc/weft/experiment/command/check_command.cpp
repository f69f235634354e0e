// SPDX-License-Identifier: Apache-2.0
/// `weft check`: says what is wrong with a configuration.
#include <iostream>
#include <memory>
#include <optional>

#include "weft/experiment/command/command.h"
#include "weft/experiment/command/commands.h"
#include "weft/experiment/command/exit_status.h"
#include "weft/experiment/run/collective_experiment.h"
#include "weft/experiment/run/replay_experiment.h"
#include "weft/experiment/run/run.h"
#include "weft/experiment/study/design.h"

namespace weft::experiment {

namespace {

int do_check(const input& in, const rtl_provider& rtl) {
  configuration c = in.load();
  const std::optional<played_schedule> played = read_schedule_of(c);
  if (c.collective.algorithm)
    collective_experiment(c, nullptr, {}, rtl, played ? &*played : nullptr);
  else if (!c.workload.trace.empty())
    replay_experiment(c, nullptr, {}, rtl);
  else
    experiment(c, nullptr, {}, rtl);
  points_of(c.sweep, c.simulation.seed);
  std::cout << in.file << ": good\n";
  return Done;
}

}  // namespace

void add_check(command_set& commands) {
  const auto in = std::make_shared<input>();
  CLI::App& command = commands.add("check", "Reads a configuration and the files it names, and says what is wrong.", "",
                                   [in, &commands] { return do_check(*in, commands.rtl()); });
  add_input(command, *in);
  add_seed(command, *in);
}

}  // namespace weft::experiment
