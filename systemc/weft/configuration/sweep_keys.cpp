// SPDX-License-Identifier: Apache-2.0
/// The keys of sweeps.

#include <limits>

#include "weft/configuration/key_table.h"

namespace weft::experiment {

void add_sweep_keys(key_table& t) {
  auto& s = t.c.sweep;
  constexpr std::uint64_t MostPoints = 1'000'000;
  t.add("sweep.over", axes(s.over), "",
        "Keys with lists of values. The sweep has a point for each combination of the values; the last key changes "
        "fastest.",
        {}, "none");
  t.add("sweep.linked", axes(s.linked), "",
        "Keys that change together. Their lists of values have equal length: the first value of each list is used "
        "together, then the second value of each list.",
        {}, "none");
  t.add("sweep.sample", axes(s.sample), "",
        "Keys whose values are drawn at random, from a list or from a range `low:high`. Values for integer keys are "
        "integers.",
        {}, "none");
  t.add("sweep.samples", integer(s.samples, 1, MostPoints), "points", "Number of samples.");
  t.add("sweep.sampling",
        choice(s.sampling, {{"latin_hypercube", sampling_kind::LatinHypercube}, {"random", sampling_kind::Random}}), "",
        "With `latin_hypercube`, the range of each key is divided into as many parts as there are samples, and each "
        "part is used once. With `random`, the samples are independent.");
  t.add("sweep.sampling_seed", integer(s.sampling_seed, 0, std::numeric_limits<std::uint64_t>::max()), "",
        "Seed of the random generator for the samples. It is independent of `simulation.seed`.");
  t.add("sweep.replicates", integer(s.replicates, 1, 10'000), "runs",
        "Number of runs of each point. Their seeds are consecutive numbers from `simulation.seed` on.");
}

}  // namespace weft::experiment
