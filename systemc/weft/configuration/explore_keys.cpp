// SPDX-License-Identifier: Apache-2.0
/// The keys of searches over designs.

#include <limits>

#include "weft/configuration/key_table.h"

namespace weft::experiment {

void add_explore_keys(key_table& t) {
  auto& e = t.c.explore;
  t.add("explore.minimize", texts(e.minimize), "",
        "Objectives to minimize: columns of `NAME.csv`, such as `latency_mean` and `energy_per_bit`, or `saturation`, "
        "`area`, `clock`, `static_power`, `ideal_throughput` and `zero_load_latency`.");
  t.add("explore.maximize", texts(e.maximize), "", "Objectives to maximize, named as in `minimize`.");
  t.add(
      "explore.constraints", texts(e.constraints), "",
      "Limits that a design must keep, as in `area <= 0.5` or `saturation >= 0.3`. They have the names of objectives.");
  t.add("explore.budget", integer(e.budget, 1, 1'000'000), "runs",
        "Simulated cycles that the search may spend, as a number of runs of full length. The search for a saturation "
        "load "
        "takes about 12.");
  t.add("explore.population", integer(e.population, 8, 10'000), "designs",
        "Number of designs that a generation of the search proposes; a multiple of 4.");
  t.add("explore.shorter", integer(e.shorter, 1, 64), "times",
        "Each design is first simulated with a warm-up and a window that are this many times shorter. The better half "
        "of a generation is then simulated at full length. `1`: all designs are simulated at full length at once.");
  t.add("explore.seed", integer(e.seed, 0, std::numeric_limits<std::uint32_t>::max()), "",
        "Seed of the random generator of the search. It is independent of `simulation.seed`.");
  t.add("explore.method", choice(e.method, {{"nsga2", explore_method::Nsga2}, {"random", explore_method::Random}}), "",
        "`nsga2` is the genetic algorithm NSGA-II. `random` draws designs independently, for comparison.");
  t.add("explore.bounds", boolean(e.bounds), "",
        "Whether bounds of latency, saturation load and energy exclude designs before they are simulated. Area, clock "
        "and "
        "static power are exact, so a design whose value violates a constraint is always excluded.");
  t.add("explore.saturation_width", number(e.saturation_width, 1e-6, 1), "flits/node/cycle",
        "Width of the interval at which a search for the saturation load of a design ends.");
}

}  // namespace weft::experiment
