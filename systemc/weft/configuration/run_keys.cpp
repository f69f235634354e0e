// SPDX-License-Identifier: Apache-2.0
/// The keys of a run: duration, abstraction level, and output.

#include <limits>

#include <fmt/format.h>

#include "weft/configuration/key_table.h"
#include "weft/energy/technology.h"

namespace weft::experiment {

namespace {

constexpr std::uint64_t MaxCycles = 1'000'000'000'000;
constexpr std::uint64_t MaxThreads = 1'024;
constexpr double MinRelativeError = 1e-5;

void add_simulation_keys(key_table& t) {
  auto& c = t.c;
  t.add("simulation.level",
        renamed(choice(c.simulation.level, {{"pin", abstraction_level::Pin}, {"engine", abstraction_level::Engine}}),
                {{"tlm", "engine"}}),
        "",
        "`pin` selects SystemC modules with pins, clock and reset. `engine` selects the cycle engine, which gives the "
        "same result in every cycle and is much faster.");
  t.add("simulation.seed", integer(c.simulation.seed, 0, std::numeric_limits<std::uint64_t>::max()), "",
        "Seed of all random generators. The same seed gives the same results on every machine.");
  t.add("simulation.warmup", or_name(c.simulation.warmup, integer_type(0, MaxCycles), "auto"), "cycles",
        "Length of the warm-up. Packets created during the warm-up are not measured. With `auto`, the warm-up lasts "
        "until the end of the transient, which MSER-5 determines from the number of packets in flight; the result "
        "reports its length.",
        flowing_traffic(), fmt::format("{}; 0 with a packet list", *c.simulation.warmup));
  t.add("simulation.measure", integer(c.simulation.measure, 0, MaxCycles), "cycles",
        "Length of the window. Packets created in the window are measured. With a packet list, 0 is also possible: the "
        "window then lasts until the end of the list.",
        flowing_traffic(), fmt::format("{}; 0 with a packet list", c.simulation.measure));
  t.add("simulation.until.relative_error", or_name(c.simulation.until, fraction_type(MinRelativeError, 1), "none"), "",
        "Relative error at which the window may end, such as `1 %`: the half width of the 95 % interval of the mean "
        "packet latency, divided by the mean.",
        {other_traffic(), {"workload.trace", ""}, {"workload.packet_list", ""}});
  t.add("simulation.until.at_most", integer(c.simulation.at_most, 1, MaxCycles), "cycles",
        "Maximum length of the window. The window then ends even if the interval is still too wide.",
        {{"simulation.until.relative_error", "none", true}});
  t.add("simulation.drain", integer(c.simulation.drain, 0, MaxCycles), "cycles",
        "Maximum time after the window in which the run waits until all measured packets have been delivered.",
        flowing_traffic());
  t.add("simulation.deadlock_after", integer(c.simulation.deadlock_after, 1, MaxCycles), "cycles",
        "Time after which the network is considered deadlocked if packets wait and no flit moves.");
  t.add("simulation.clock_gating", boolean(c.simulation.clock_gating), "",
        "Whether only active modules are clocked. This makes the simulation faster and changes no result.",
        {{"simulation.level", "pin"}});
  t.add("simulation.threads", or_name(c.simulation.threads, integer_type(1, MaxThreads), "auto"), "",
        "Maximum number of threads that simulate the network. It changes no result. `auto` uses the processors that "
        "are available, but at most one thread per 256 routers; in a sweep, the points that run at the same time share "
        "the processors. Networks of up to 64 routers, routers on the [generic "
        "path](../03_reference/engine.md#two-paths), and runs with `output.breakdown` or `output.energy` use one "
        "thread.",
        {{"simulation.level", "engine"}});
  t.add("simulation.clock", or_name(c.simulation.clock, number_type(1e-6, 1e6), "none"), "GHz",
        "Clock frequency of the network. If it is set, results are also given in nanoseconds and gigabytes per second. "
        "A replay uses it to convert recorded times to cycles; for a replay, `none` means 1 GHz.",
        {other_traffic()});
}

void add_energy_keys(key_table& t) {
  auto& energy = t.c.output.energy;
  std::vector<std::string> names = built_in_technologies();
  names.insert(names.begin(), {"none", "file"});
  t.add("output.energy.technology", plain(choice_type(names), energy.technology), "",
        "The technology whose coefficients convert counted events to energy, area and clock. `none` reports no energy, "
        "and `file` reads the coefficients from `output.energy.file`.");
  t.add("output.energy.file", path(energy.file, t.c), "",
        "File with the [coefficients](../03_reference/energy.md#technology-files) of a technology.",
        {{"output.energy.technology", "file"}}, "none");
  t.add("output.energy.pitch", number(energy.pitch, 0, 1000), "mm",
        "Distance of neighboring routers in the layout, which gives the wire length of links.",
        {{"output.energy.technology", "none", true}});
  t.add("output.energy.supply", or_name(energy.supply, number_type(0.05, 20), "nominal"), "V",
        "Supply voltage. Energies of events and of the clock are scaled by its square, leakage by the voltage itself. "
        "`nominal` is the voltage of the technology.",
        {{"output.energy.technology", "none", true}});
  t.add("output.energy.clock_gating", boolean(energy.clock_gating), "",
        "Whether the words of buffers have clock gates: only a word that is written is clocked. Without clock gates, "
        "all flip-flops of all buffers are clocked in every cycle, as in the netlists that were measured.",
        {{"output.energy.technology", "none", true}});
  t.add("output.energy.thermal", boolean(energy.thermal), "",
        "Whether to write the floor plan of the routers to `NAME.flp` and their power in each interval of the time "
        "series to `NAME.ptrace`, in the formats of the thermal simulator HotSpot.",
        {{"output.energy.technology", "none", true}, {"output.interval", "none", true}, other_traffic()});
}

void add_output_keys(key_table& t) {
  auto& c = t.c;
  t.add("output.directory", path(c.output.directory, c), "",
        "Directory of the output files. Weft creates it if necessary.", {}, "`results` in the working directory");
  t.add("output.name", text(c.output.name), "", "The name of the output files without suffix, called NAME below.", {},
        "the configuration file's name without suffix");
  t.add("output.json", boolean(c.output.json), "", "Whether to write all results to `NAME.json`.");
  t.add("output.csv", boolean(c.output.csv), "",
        "Whether to write the main metrics to `NAME.csv`, as one header line and one row.");
  t.add("output.event_log", boolean(c.output.event_log), "",
        "Whether to write the injection and the ejection of every flit to `NAME.events`. Each event is a line `cycle "
        "kind node vc packet sequence`. The order of the lines is fixed.");
  t.add("output.answers", boolean(c.output.answers), "",
        "Whether to write `NAME.answers`, which has a line `packet injected head_delivered tail_delivered routers` for "
        "each delivered packet.",
        flowing_traffic());
  t.add("output.breakdown", boolean(c.output.breakdown), "",
        "Whether to report the packet latency by cause (queues, VC allocation, switch allocation, credits, …) in "
        "`NAME.json` and `NAME.csv`. This makes the run slower.",
        flowing_traffic());
  t.add("output.matrix", boolean(c.output.matrix), "",
        "Whether to report the number of packets and their mean latency for each pair of nodes in `NAME.json`. The "
        "network must not have more than 1,024 nodes.",
        flowing_traffic());
  t.add("output.interval", or_name(c.output.interval, integer_type(1, MaxCycles), "none"), "cycles",
        "Length of the intervals of the time series in `NAME.json`. The series starts in cycle 0 and ends with the "
        "last interval that ends in the window.",
        flowing_traffic());
  t.add("output.queues", boolean(c.output.queues), "",
        "Whether the time series reports the number of flits in the buffer of each input VC of each router; `weft "
        "report` shows these numbers.",
        {{"output.interval", "none", true}});
  t.add("output.vcd", texts(c.output.vcd), "",
        "List of shell patterns, such as `network.router_3*`. Weft writes the waveforms of all modules and signals "
        "whose hierarchical name matches a pattern to `NAME.vcd`.",
        {{"simulation.level", "pin"}}, "none");
  t.add("output.progress",
        choice(c.output.progress,
               {{"auto", progress_kind::Auto}, {"never", progress_kind::Never}, {"always", progress_kind::Always}}),
        "",
        "Whether to show progress on standard error. With `auto`, progress is shown only if standard error is a "
        "terminal.");
}

}  // namespace

void add_run_keys(key_table& t) {
  add_simulation_keys(t);
  add_output_keys(t);
  add_energy_keys(t);
}

}  // namespace weft::experiment
