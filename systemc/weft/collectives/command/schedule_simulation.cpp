// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/command/schedule_simulation.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "weft/collectives/schedule/send_sequence.h"
#include "weft/command/exit_status.h"
#include "weft/command/session.h"
#include "weft/configuration/keys.h"
#include "weft/configuration/network.h"
#include "weft/core/printable.h"

namespace weft::experiment {

namespace {

// The process of a run sends its metrics to the main process as text.

std::string packed(const simulated_run& run) {
  json steps = json::array();
  for (const schedule_metrics::step& s : run.kept.steps) steps.push_back({s.messages, s.alone, s.took});
  return compact_text({{"outcome", run.outcome},
                       {"cycles", run.cycles},
                       {"steps", steps},
                       {"waits", run.kept.waits},
                       {"first", run.kept.first_wait},
                       {"explanation", run.explanation}});
}

simulated_run unpacked(std::string name, const std::string& text) {
  const json j = json::parse(text);
  simulated_run run{std::move(name), j["outcome"], j["cycles"], {}, j["explanation"]};
  for (const json& s : j["steps"]) run.kept.steps.push_back({s[0], s[1], s[2]});
  run.kept.waits = j["waits"];
  run.kept.first_wait = j["first"];
  return run;
}

simulated_run play_run(const configuration& c, const played_schedule* played, const rtl_provider& rtl) {
  collective_experiment work(c, nullptr, {}, rtl, played);
  const collective_result result = work.run(hooks_of_session());
  work.tear_down();
  const cycle_t cycles = work.traffic().end() - work.traffic().total().begin;
  simulated_run run{{}, name_of(result.how), cycles, {}, result.explanation};
  if (played) run.kept = work.schedule_kept();
  return run;
}

/// A configuration, and whether it simulates the schedule or an algorithm.
struct planned_run {
  std::string name;
  configuration c;
  bool scheduled;
};

/// The algorithms with which a schedule is compared.
constexpr collective_algorithm Ordinary[] = {collective_algorithm::AllAtOnce, collective_algorithm::Tree,
                                             collective_algorithm::NeighbourForwarding, collective_algorithm::Ring,
                                             collective_algorithm::RecursiveDoubling};

std::vector<planned_run> runs_of(const configuration& c, const schedule::collective& requested) {
  std::vector<planned_run> runs;
  const auto add = [&](const char* name, bool scheduled, bool barriers, std::uint32_t length) -> configuration& {
    runs.push_back({name, c, scheduled});
    configuration& of_run = runs.back().c;
    of_run.collective.barriers = barriers;
    of_run.collective.length = length;
    set_collective(of_run, requested);
    return of_run;
  };
  const std::uint32_t length = c.schedule.length;
  add("with barriers", true, true, length);
  add("with messages twice as long", true, true, 2 * length);
  add("without barriers", true, false, length);
  for (const collective_algorithm a : Ordinary) {
    configuration& of_run = add(CollectiveAlgorithmNames[static_cast<std::size_t>(a)], false, false, length);
    of_run.collective.algorithm = a;
    of_run.collective.what.algorithm = a;
  }
  return runs;
}

/// Whether the algorithm of \p run can perform the requested collective.
bool can_be_played(const planned_run& run) {
  if (run.scheduled) return true;
  try {
    count_collective(run.c);
    return true;
  } catch (const configuration_error&) {
    return false;
  }
}

/// Checks that nodes have the ports that the schedule uses, and that routers accept its longest packet. Without this
/// check, each run would report these errors from its own process.
void check_playable(const configuration& c, const played_schedule& played) {
  std::size_t longest = 0;
  for (const schedule::step& s : played.steps.steps) longest = std::max(longest, schedule::size_of(s));
  const auto flits = static_cast<std::uint32_t>(2 * longest * c.schedule.length);
  if (std::vector<diagnostic> errors = check_longest_packet(c, flits); !errors.empty())
    throw configuration_error(std::move(errors));

  const topology graph = build_network(c);
  try {
    schedule::in_order(graph, schedule::step_network(graph, played.ports), played.steps);
  } catch (const std::invalid_argument& e) {
    throw configuration_error({{c.where({"nic.ports", "schedule.ports", "network"}), e.what()}});
  }
}

std::optional<step_costs> costs_of(const schedule_simulation& r) {
  if (!r.with_barriers.complete() || !r.twice_as_long.complete()) return std::nullopt;
  const double per_flit = static_cast<double>(r.twice_as_long.cycles - r.with_barriers.cycles) /
                          static_cast<double>(r.length * r.occupancy);
  const double rest =
      static_cast<double>(r.with_barriers.cycles) - per_flit * static_cast<double>(r.length * r.occupancy);
  return step_costs{rest / static_cast<double>(r.start_ups), per_flit};
}

/// The result of a process. If the process ended without metrics, it has printed its error on standard error.
simulated_run run_of(const planned_run& planned, const work_result& row) {
  if (!row.text.empty()) return unpacked(planned.name, row.text);
  return {planned.name, signal_seen() != 0 ? name_of(outcome::Interrupted) : "failed"};
}

std::vector<const simulated_run*> all_runs(const schedule_simulation& r) {
  std::vector<const simulated_run*> runs{&r.with_barriers, &r.twice_as_long, &r.without_barriers};
  for (const simulated_run& run : r.algorithms) runs.push_back(&run);
  return runs;
}

/// The comparison of an algorithm with the schedule, as in ", 1.50 times the schedule with barriers, 0.90 times
/// without". Empty if one of them has no metrics.
std::string compared_to_schedule(const schedule_simulation& r, const simulated_run& algorithm) {
  const auto times = [&algorithm](const simulated_run& schedule) {
    return static_cast<double>(algorithm.cycles) / static_cast<double>(schedule.cycles);
  };
  if (!algorithm.complete() || !r.with_barriers.complete() || algorithm.cycles == 0) return {};
  std::string text = fmt::format(", {:.2f} times the schedule with barriers", times(r.with_barriers));
  if (r.without_barriers.complete()) text += fmt::format(", {:.2f} times without", times(r.without_barriers));
  return text;
}

}  // namespace

bool schedule_simulation::kept() const {
  return with_barriers.complete() && with_barriers.kept.waits == 0 && late_steps == 0;
}

const simulated_run* schedule_simulation::first_failure() const {
  const std::vector<const simulated_run*> runs = all_runs(*this);
  const auto found =
      std::find_if_not(runs.begin(), runs.end(), [](const simulated_run* run) { return run->complete(); });
  return found == runs.end() ? nullptr : *found;
}

schedule_simulation simulate_schedule(const configuration& c, const played_schedule& played, unsigned jobs,
                                      bool progress, const rtl_provider& rtl) {
  check_playable(c, played);
  std::vector<planned_run> runs = runs_of(c, played.requested);
  runs.erase(std::remove_if(runs.begin(), runs.end(), [](const planned_run& r) { return !can_be_played(r); }),
             runs.end());
  const std::vector<work_result> rows = run_points_of_session(runs.size(), jobs, progress, [&](std::size_t i) {
    return work_result{Done, packed(play_run(runs[i].c, runs[i].scheduled ? &played : nullptr, rtl))};
  });

  schedule_simulation r;
  r.level = c.simulation.level;
  r.length = c.schedule.length;
  r.start_ups = played.steps.start_ups();
  r.occupancy = played.steps.occupancy();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    simulated_run run = run_of(runs[i], rows[i]);
    if (i == 0)
      r.with_barriers = std::move(run);
    else if (i == 1)
      r.twice_as_long = std::move(run);
    else if (i == 2)
      r.without_barriers = std::move(run);
    else
      r.algorithms.push_back(std::move(run));
  }
  for (const schedule_metrics::step& s : r.with_barriers.kept.steps) r.late_steps += s.took > s.alone;
  r.costs = costs_of(r);
  return r;
}

std::string to_table(const schedule_simulation& r) {
  std::string text =
      fmt::format("  replay at {}, messages of {} flit{}\n", r.level == abstraction_level::Pin ? "pin" : "engine",
                  r.length, r.length == 1 ? "" : "s");
  const auto line = [&text](const std::string& name, const std::string& what) {
    text += fmt::format("    {:<22} {}\n", name, what);
  };
  const auto run_lines = [&line](const simulated_run& run, const std::string& compared = "") {
    line(run.name, run.complete() ? fmt::format("{} cycles{}", run.cycles, compared) : run.outcome);
    for (const std::string& why : run.explanation) line("", "  " + printable(why));
  };
  run_lines(r.with_barriers);
  if (r.kept()) {
    line("", r.start_ups == 1
                 ? std::string("no packet waits; the step takes as long as its slowest packet alone")
                 : fmt::format("no packet waits; each of the {} steps takes as long as its slowest packet alone",
                               grouped(r.start_ups)));
  } else if (r.with_barriers.complete()) {
    line("", fmt::format("{} packets wait, {} steps take longer than their slowest packet alone",
                         r.with_barriers.kept.waits, r.late_steps));
    if (r.with_barriers.kept.waits > 0) line("", r.with_barriers.kept.first_wait);
  }
  if (r.costs) {
    line("", fmt::format("ts = {:.1f} cycles, t1 = {:.2f} cycles a flit, measured with messages of {} and {} flits",
                         r.costs->start_up, r.costs->per_flit, r.length, 2 * r.length));
  }
  if (r.with_barriers.complete() && !r.twice_as_long.complete()) run_lines(r.twice_as_long);
  run_lines(r.without_barriers);
  for (const simulated_run& run : r.algorithms) run_lines(run, compared_to_schedule(r, run));
  return text;
}

json to_json(const schedule_simulation& r) {
  const auto cycles = [](const simulated_run& run) { return run.complete() ? json(run.cycles) : json(nullptr); };
  json algorithms = json::array();
  for (const simulated_run& run : r.algorithms)
    algorithms.push_back({{"algorithm", run.name}, {"outcome", run.outcome}, {"cycles", cycles(run)}});
  const simulated_run* const failed = r.first_failure();
  return {{"level", r.level == abstraction_level::Pin ? "pin" : "engine"},
          {"length", r.length},
          {"kept", r.kept()},
          {"waits", r.with_barriers.kept.waits},
          {"late_steps", r.late_steps},
          {"start_up", r.costs ? json(r.costs->start_up) : json(nullptr)},
          {"per_flit", r.costs ? json(r.costs->per_flit) : json(nullptr)},
          {"with_barriers", cycles(r.with_barriers)},
          {"without_barriers", cycles(r.without_barriers)},
          {"outcomes",
           {{"with_barriers", r.with_barriers.outcome},
            {"twice_as_long", r.twice_as_long.outcome},
            {"without_barriers", r.without_barriers.outcome}}},
          {"explanation", failed != nullptr ? failed->explanation : std::vector<std::string>()},
          {"algorithms", std::move(algorithms)}};
}

}  // namespace weft::experiment
