// SPDX-License-Identifier: Apache-2.0
/// The keys of sweeps.

#include <limits>

#include "weft/configuration/key_table.h"

namespace weft::experiment {

void add_sweep_keys(key_table& t) {
  auto& s = t.c.sweep;
  constexpr std::uint64_t MostPoints = 1'000'000;
  t.add("sweep.over", axes(s.over), "", "All combinations of the values of the keys. The last key changes fastest.", {},
        "none");
  t.add("sweep.linked", axes(s.linked), "",
        "Lists of equal length whose keys change together: the first values of all keys, then the second values.", {},
        "none");
  t.add("sweep.sample", axes(s.sample), "",
        "Keys whose values are drawn at random, from a list or from a range `low:high`; integers for integer keys.", {},
        "none");
  t.add("sweep.samples", integer(s.samples, 1, MostPoints), "points", "Number of samples.");
  t.add("sweep.sampling",
        choice(s.sampling, {{"latin_hypercube", sampling_kind::LatinHypercube}, {"random", sampling_kind::Random}}), "",
        "`latin_hypercube`: the range of each key is divided into as many parts as there are samples, and each part is "
        "used once; `random`: samples are independent.");
  t.add("sweep.sampling_seed", integer(s.sampling_seed, 0, std::numeric_limits<std::uint64_t>::max()), "",
        "Seed of the samples, independent of `simulation.seed`.");
  t.add("sweep.replicates", integer(s.replicates, 1, 10'000), "runs",
        "Runs of each point, with consecutive seeds from `simulation.seed` on.");
}

}  // namespace weft::experiment
