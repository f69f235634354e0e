// SPDX-License-Identifier: Apache-2.0
/// The keys of a run: duration, abstraction level, and output.

#include <limits>

#include <fmt/format.h>

#include "weft/configuration/key_table.h"

namespace weft::experiment {

namespace {

constexpr std::uint64_t MaxCycles = 1'000'000'000'000;
constexpr double MinRelativeError = 1e-5;

void add_simulation_keys(key_table& t) {
  auto& c = t.c;
  t.add("simulation.level",
        renamed(choice(c.simulation.level, {{"pin", abstraction_level::Pin}, {"engine", abstraction_level::Engine}}),
                {{"tlm", "engine"}}),
        "",
        "`pin`: SystemC modules with pins, clock and reset; `engine`: the cycle engine, which gives the same result in "
        "every cycle and is much faster.");
  t.add("simulation.seed", integer(c.simulation.seed, 0, std::numeric_limits<std::uint64_t>::max()), "",
        "Seed of all random generators. The same seed gives the same results on every machine.");
  t.add("simulation.warmup", or_name(c.simulation.warmup, integer_type(0, MaxCycles), "auto"), "cycles",
        "Length of the warm-up. Packets created in it are not measured. `auto`: until the end of the transient, which "
        "MSER-5 determines from the number of packets in flight; the result reports its length.",
        flowing_traffic(), fmt::format("{}; 0 with a packet list", *c.simulation.warmup));
  t.add("simulation.measure", integer(c.simulation.measure, 0, MaxCycles), "cycles",
        "Length of the window. Packets created in it are measured. 0, only with a packet list: until the end of the "
        "list.",
        flowing_traffic(), fmt::format("{}; 0 with a packet list", c.simulation.measure));
  t.add("simulation.until.relative_error", or_name(c.simulation.until, fraction_type(MinRelativeError, 1), "none"), "",
        "Half width of the 95 % interval of the mean packet latency, as a share of the mean, at which the window may "
        "end: `1 %`.",
        {other_traffic(), {"workload.trace", ""}, {"workload.packet_list", ""}});
  t.add("simulation.until.at_most", integer(c.simulation.at_most, 1, MaxCycles), "cycles",
        "Longest window: it ends there even if the interval is still wider.",
        {{"simulation.until.relative_error", "none", true}});
  t.add("simulation.drain", integer(c.simulation.drain, 0, MaxCycles), "cycles",
        "Longest time to wait after the window for measured packets to be delivered.", flowing_traffic());
  t.add("simulation.deadlock_after", integer(c.simulation.deadlock_after, 1, MaxCycles), "cycles",
        "If packets wait and no flit moves for this long, the network is deadlocked.");
  t.add("simulation.clock_gating", boolean(c.simulation.clock_gating), "",
        "Clock only active modules. This makes the simulation faster and changes no result.",
        {{"simulation.level", "pin"}});
  t.add("simulation.clock", or_name(c.simulation.clock, number_type(1e-6, 1e6), "none"), "GHz",
        "Clock frequency of the network. If it is set, results are also in nanoseconds and gigabytes per second. A "
        "replay converts recorded time to cycles with it; there `none` means 1 GHz.",
        {other_traffic()});
}

void add_output_keys(key_table& t) {
  auto& c = t.c;
  t.add("output.directory", path(c.output.directory, c), "", "Directory of the files; it is created if it is missing.",
        {}, "`results` in the working directory");
  t.add("output.name", text(c.output.name), "", "NAME of the files, without suffix.", {},
        "the configuration file's name without suffix");
  t.add("output.json", boolean(c.output.json), "", "Write `NAME.json`: all results.");
  t.add("output.csv", boolean(c.output.csv), "", "Write `NAME.csv`: the main metrics, one header line and one row.");
  t.add("output.event_log", boolean(c.output.event_log), "",
        "Write `NAME.events`: injection and ejection of every flit, one line `cycle kind node vc packet sequence` "
        "each, in a fixed order.");
  t.add("output.answers", boolean(c.output.answers), "",
        "Write `NAME.answers`: one line `packet injected head_delivered tail_delivered routers` for each delivered "
        "packet.",
        flowing_traffic());
  t.add("output.breakdown", boolean(c.output.breakdown), "",
        "Report packet latency by cause (queues, VC allocation, switch allocation, credits, …) in `NAME.json` and "
        "`NAME.csv`. This makes the run slower.",
        flowing_traffic());
  t.add("output.matrix", boolean(c.output.matrix), "",
        "Report packets and mean latency of each pair of nodes in `NAME.json`; for at most 1,024 nodes.",
        flowing_traffic());
  t.add("output.interval", or_name(c.output.interval, integer_type(1, MaxCycles), "none"), "cycles",
        "Report a time series in `NAME.json`: intervals of this length, from cycle 0 to the last one that ends in the "
        "window.",
        flowing_traffic());
  t.add("output.queues", boolean(c.output.queues), "",
        "Report in the time series how many flits are in the buffer of each input VC of each router; `weft report` "
        "shows them.",
        {{"output.interval", "none", true}});
  t.add("output.vcd", texts(c.output.vcd), "",
        "Write `NAME.vcd`: waveforms of the modules and signals whose hierarchical name matches one of these shell "
        "patterns, such as `network.router_3*`.",
        {{"simulation.level", "pin"}}, "none");
  t.add("output.progress",
        choice(c.output.progress,
               {{"auto", progress_kind::Auto}, {"never", progress_kind::Never}, {"always", progress_kind::Always}}),
        "", "Show progress on standard error. `auto`: only if standard error is a terminal.");
}

}  // namespace

void add_run_keys(key_table& t) {
  add_simulation_keys(t);
  add_output_keys(t);
}

}  // namespace weft::experiment
