// SPDX-License-Identifier: Apache-2.0
/// `weft check`: reports the errors of a configuration.
#include <algorithm>
#include <exception>
#include <iostream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "weft/command/command.h"
#include "weft/command/commands.h"
#include "weft/command/exit_status.h"
#include "weft/core/printable.h"
#include "weft/simulation/run.h"
#include "weft/study/design.h"
#include "weft/study/other_experiments.h"

namespace weft::experiment {

namespace {

/// The errors of the points of a sweep, as text for the end of the report; empty if all points are feasible. If there
/// are many points, only the first ones are checked. \throws configuration_error of the first point if none is feasible
std::string check_sweep(const input& in, const configuration& c) {
  constexpr std::size_t Most = 1000;
  check_sampling(c.sweep, c);
  if (keys_of(c.sweep).empty()) return "";
  const std::vector<sweep_point> points = points_of(c.sweep, c.simulation.seed);
  const std::size_t examined = std::min(points.size(), Most);
  std::size_t infeasible = 0;
  std::exception_ptr first;
  std::string message;
  for (std::size_t i = 0; i < examined; ++i) {
    try {
      in.load(points[i]);
    } catch (const configuration_error& e) {
      if (infeasible++ > 0) continue;
      first = std::current_exception();
      message = e.what();
    }
  }
  if (infeasible == 0) return "";
  if (infeasible == examined) std::rethrow_exception(first);
  return fmt::format("; {1} of {0} points of the sweep are infeasible: {2}", examined, infeasible, message);
}

int do_check(const input& in, const rtl_provider& rtl) {
  configuration c = in.load();
  if (c.collective.algorithm)
    check_collective(c, rtl);
  else if (!c.workload.trace.empty())
    check_replay(c, rtl);
  else
    experiment(c, nullptr, {}, rtl);
  const std::string infeasible = check_sweep(in, c);
  std::cout << printable(in.file) << ": good" << printable(infeasible, "\n") << "\n";
  return Done;
}

}  // namespace

void add_check(command_set& commands) {
  const auto in = std::make_shared<input>();
  CLI::App& command = commands.add("check", "Checks a configuration and the files that it names.", "",
                                   [in, &commands] { return do_check(*in, commands.rtl()); });
  add_input(command, *in);
  add_seed(command, *in);
}

}  // namespace weft::experiment
