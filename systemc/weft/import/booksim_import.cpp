// SPDX-License-Identifier: Apache-2.0
#include "weft/import/booksim_import.h"

#include <algorithm>
#include <cstdint>
#include <string>

#include <fmt/format.h>

#include "weft/import/booksim_parts.h"

namespace weft::experiment {

namespace {

void import_simulation(imported_settings& in, converted_configuration& out) {
  if (in.use("sim_type").value == "batch")
    in.error("sim_type", "batches have no counterpart in Weft; a list of packets can hold one");
  for (const char* const name : {"batch_size", "batch_count"})
    in.lack(name, "BookSim2 uses it only with sim_type = batch");
  // BookSim2 counts the periods of the warm-up among the samples.
  const std::uint64_t period = in.whole("sample_period");
  const std::uint64_t warmup = in.whole("warmup_periods"), samples = in.whole("max_samples");
  if (samples <= warmup)
    in.error(in.has("max_samples") ? "max_samples" : "warmup_periods",
             fmt::format("max_samples: expected more than {} (warmup_periods), because BookSim2 counts the periods of "
                         "the warm-up among the samples, got {}",
                         warmup, samples));
  out.set("simulation.level", "engine", {});
  // Without periods for it, BookSim2 warms up until its results converge.
  out.set("simulation.warmup", warmup == 0 ? "auto" : std::to_string(warmup * period),
          {"warmup_periods", "sample_period"});
  out.set("simulation.measure", (samples - std::min(warmup, samples)) * period,
          {"max_samples", "warmup_periods", "sample_period"});
  if (in.use("seed").value == "time")
    in.lack("seed", "Weft's seed is a number, so that a run can be repeated; the default is 1");
  else
    out.set("simulation.seed", in.whole("seed"), {"seed"});
  if (in.has("deadlock_warn_timeout"))
    out.set("simulation.deadlock_after", in.whole("deadlock_warn_timeout"), {"deadlock_warn_timeout"});
  if (in.whole("sim_count") > 1) out.set("sweep.replicates", in.whole("sim_count"), {"sim_count"});
  in.use("print_csv_results");  // Weft always writes a CSV file
}

}  // namespace

converted_configuration import_booksim(imported_settings& in, const std::string& network_file) {
  converted_configuration out;
  import_booksim_network(in, network_file, out);
  import_booksim_router(in, out);
  import_booksim_workload(in, out);
  import_simulation(in, out);
  in.throw_if_any();
  return out;
}

}  // namespace weft::experiment
