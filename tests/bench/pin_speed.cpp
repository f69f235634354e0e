// SPDX-License-Identifier: Apache-2.0
/// Speed of the pin level: cycles per second of a mesh under uniform traffic, nanoseconds per flit-hop (one flit
/// through one router), and the shares of the SystemC kernel and of Weft's code. User CPU time; each result has its own
/// process, because SystemC elaborates once per process.
///
///   build/release/tests/bench/bench_pin --benchmark_repetitions=5 --benchmark_report_aggregates_only=true
///
/// WEFT_BENCH_SECONDS: CPU seconds per measurement (default 1). WEFT_BENCH_CYCLES: exactly so many cycles instead,
/// without shares, because sampling costs instructions.

#include "bench/measuring.h"
#include "bench/sampler.h"
#include "support/subprocess.h"
#include <memory>
#include <optional>
#include <sstream>

#include <benchmark/benchmark.h>
#include <systemc>

#ifdef WEFT_RTL
#include "weft/cosim/rtl_nics.h"
#include "weft/cosim/rtl_routers.h"
#endif
#include "weft/core/network_model.h"
#include "weft/core/network_observer.h"
#include "weft/pin/model.h"
#include "weft/topology/generators/grid.h"
#include "weft/workload/workload.h"

namespace {

struct measurement {
  double cycles = 0;
  double seconds = 0;
  double flit_hops = 0;
  time_shares shares;
};

std::ostream& operator<<(std::ostream& out, const measurement& m) {
  return out << m.cycles << ' ' << m.seconds << ' ' << m.flit_hops << ' ' << m.shares.kernel << ' ' << m.shares.weft
             << ' ' << m.shares.other;
}

std::istream& operator>>(std::istream& in, measurement& m) {
  return in >> m.cycles >> m.seconds >> m.flit_hops >> m.shares.kernel >> m.shares.weft >> m.shares.other;
}

struct nobody : weft::network_observer {};

double flit_hops(const weft::network_model& model) {
  double sum = 0;
  for (const weft::channel_count& c : model.channel_counts()) sum += static_cast<double>(c.flits);
  return sum;
}

/// The modules that are verilated RTL.
enum class verilated { Nothing, Routers, Everything };

/// A mesh, and the implementation of its modules.
struct bench_case {
  unsigned side;
  double load;
  unsigned flits;
  bool gated;  ///< only modules with something to do are clocked
  verilated rtl;
};

weft::pin::model_options options_of(const bench_case& c, const weft::topology& graph) {
  weft::pin::model_options options;
  options.clock_gating = c.gated;
#ifdef WEFT_RTL
  if (c.rtl != verilated::Nothing) options.routers = weft::tb::make_rtl_routers(graph, 64, {}, {}, {});
  if (c.rtl == verilated::Everything) options.nics = weft::tb::make_rtl_nics(graph, 64, {}, {}, {});
#else
  static_cast<void>(graph);
#endif
  return options;
}

measurement measure(const bench_case& c, double seconds) {
  const unsigned side = c.side;
  const weft::topology graph = weft::make_grid({{side, side}, {1, 1, 1, 4}});
  weft::workload_parameters traffic;
  traffic.injection.load = c.load;
  traffic.length.flits = c.flits;
  const auto source = weft::make_workload(traffic, {side * side, graph.shape, 1});
  nobody observer;
  const auto model = weft::pin::make_model(graph, {}, {}, options_of(c, graph), *source, observer);

  model->run(1000);  // fills the network
  measurement m;
  const double hops = flit_hops(*model);
  const double start = user_seconds();
  const auto cycles_each = static_cast<weft::cycle_t>(number_from("WEFT_BENCH_CYCLES", 0));  // 0: as many as time
                                                                                             // allows
  const weft::cycle_t step = cycles_each > 0 ? cycles_each : 500;
  std::optional<sampler> samples;
  if (cycles_each == 0) samples.emplace();
  do {
    model->run(step);
    m.cycles += static_cast<double>(step);
    m.seconds = user_seconds() - start;
  } while (cycles_each == 0 && m.seconds < seconds);
  if (samples) m.shares = samples->stop();
  m.flit_hops = flit_hops(*model) - hops;
  return m;
}

void mesh(benchmark::State& state) {
  const double seconds = seconds_each();
  measurement sum;
  for (auto _ : state) {
    const std::string text = run_in_subprocess_or_throw([&] {
      std::ostringstream out;
      out << measure(
          {static_cast<unsigned>(state.range(0)), static_cast<double>(state.range(1)) / 1000,
           static_cast<unsigned>(state.range(2)), state.range(3) != 0, static_cast<verilated>(state.range(4))},
          seconds);
      return out.str();
    });
    measurement m;
    std::istringstream(text) >> m;
    state.SetIterationTime(m.seconds);
    sum.cycles += m.cycles;
    sum.seconds += m.seconds;
    sum.flit_hops += m.flit_hops;
    sum.shares.kernel += m.shares.kernel;
    sum.shares.weft += m.shares.weft;
    sum.shares.other += m.shares.other;
  }
  const auto share = [&](std::size_t part) {
    return 100.0 * static_cast<double>(part) / static_cast<double>(std::max<std::size_t>(1, sum.shares.total()));
  };
  state.counters["flit-hops"] = sum.flit_hops;
  state.counters["kcycles/s"] = sum.cycles / sum.seconds / 1000;
  if (sum.flit_hops > 0) state.counters["ns/flit-hop"] = 1e9 * sum.seconds / sum.flit_hops;
  state.counters["kernel%"] = share(sum.shares.kernel);
  state.counters["weft%"] = share(sum.shares.weft);
}

}  // namespace

BENCHMARK(mesh)
    ->ArgNames({"side", "load_permille", "flits", "gated", "rtl"})
    ->ArgsProduct({{4, 8, 16}, {0, 10, 100, 300}, {5}, {1}, {0}})
    ->ArgsProduct({{8}, {10, 100, 300}, {1}, {1}, {0}})  // one-flit packets: every flit a head
    ->ArgsProduct({{8}, {0, 10, 100}, {5}, {0}, {0}})    // every module clocked every cycle
#ifdef WEFT_RTL
    ->ArgsProduct({{4, 8}, {0, 10, 100, 300}, {5}, {1}, {1, 2}})  // verilated routers, and NICs too
#endif
    ->Iterations(1)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

int sc_main(int argc, char* argv[]) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
