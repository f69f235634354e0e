// SPDX-License-Identifier: Apache-2.0
/// Overhead of SystemC around the engine: a mesh under uniform traffic, simulated alone and by an engine_clock,
/// alternately, so that other load on the machine slows both down alike. Reports CPU time; each result has its own
/// process, because SystemC elaborates once per process.
///
///   build/release/tests/bench/bench_clock --benchmark_repetitions=5 --benchmark_report_aggregates_only=true
///
/// WEFT_BENCH_SECONDS: CPU seconds per measurement (default 1).

#include "bench/measuring.h"
#include "support/subprocess.h"
#include <ctime>
#include <memory>
#include <sstream>

#include <benchmark/benchmark.h>
#include <systemc>

#include "weft/core/network_observer.h"
#include "weft/engine/model.h"
#include "weft/tlm/engine_clock.h"
#include "weft/topology/generators/grid.h"
#include "weft/workload/workload.h"

namespace {

constexpr weft::cycle_t Filling = 1000, Step = 500;

struct nobody : weft::network_observer {
  bool needs_payload() const override { return false; }
  weft::network_events event_interest() const override { return {}; }
};

/// Finer than user_seconds(): the two alternate after less than a millisecond.
double cpu_seconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// A network with its traffic source and observer.
struct network {
  network(unsigned side, double load, unsigned flits) : graph(weft::make_grid({{side, side}})) {
    weft::workload_parameters traffic;
    traffic.injection.load = load;
    traffic.length.flits = flits;
    source = weft::make_workload(traffic, {side * side, graph.shape, 1});
    model = weft::engine::make_model(graph, {}, {}, 64, *source, observer);
  }

  weft::topology graph;
  nobody observer;
  std::unique_ptr<weft::packet_source> source;
  std::unique_ptr<weft::engine::driven_model> model;
};

struct measurement {
  double cycles = 0, bare = 0, clocked = 0;  ///< seconds
};

measurement measure(unsigned side, double load, unsigned flits, weft::cycle_t stride, double seconds) {
  network bare(side, load, flits), clocked(side, load, flits);
  const sc_core::sc_time period(1, sc_core::SC_NS);
  weft::tlm2::engine_clock clock("clock", period, stride);
  clock.add(*clocked.model);
  clock.schedule_next();
  const auto start = [&](weft::cycle_t cycles) { sc_core::sc_start(static_cast<double>(cycles) * period); };
  bare.model->run(Filling);
  start(Filling);

  measurement m;
  while (m.bare + m.clocked < seconds) {
    const double before = cpu_seconds();
    bare.model->run(Step);
    const double between = cpu_seconds();
    start(Step);
    m.bare += between - before;
    m.clocked += cpu_seconds() - between;
    m.cycles += Step;
  }
  return m;
}

void around(benchmark::State& state) {
  const double seconds = seconds_each();
  measurement sum;
  for (auto _ : state) {
    const std::string text = run_in_subprocess_or_throw([&] {
      const measurement m =
          measure(static_cast<unsigned>(state.range(0)), static_cast<double>(state.range(1)) / 1000,
                  static_cast<unsigned>(state.range(2)), static_cast<weft::cycle_t>(state.range(3)), seconds);
      std::ostringstream out;
      out << m.cycles << ' ' << m.bare << ' ' << m.clocked;
      return out.str();
    });
    measurement m;
    std::istringstream(text) >> m.cycles >> m.bare >> m.clocked;
    state.SetIterationTime(m.clocked);
    sum.cycles += m.cycles;
    sum.bare += m.bare;
    sum.clocked += m.clocked;
  }
  state.counters["bare_ns/cycle"] = 1e9 * sum.bare / sum.cycles;
  state.counters["clock_ns/cycle"] = 1e9 * sum.clocked / sum.cycles;
  state.counters["SystemC%"] = 100 * (sum.clocked / sum.bare - 1);
}

}  // namespace

BENCHMARK(around)
    ->ArgNames({"side", "load_permille", "flits", "stride"})
    ->ArgsProduct({{8}, {10, 50, 100, 300}, {1, 5}, {1, 16}})
    ->ArgsProduct({{16}, {10, 100}, {1}, {1}})
    ->Iterations(1)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

int sc_main(int argc, char* argv[]) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
