// SPDX-License-Identifier: Apache-2.0
/// Speed of the engine: cycles per second of a mesh under uniform traffic, and nanoseconds per flit-hop (one flit
/// through
/// one router). User CPU time.
///
///   build/release/tests/bench/bench_engine --benchmark_repetitions=5 --benchmark_report_aggregates_only=true
///
/// WEFT_BENCH_SECONDS: CPU seconds per measurement (default 1). WEFT_BENCH_CYCLES: measure exactly so many cycles
/// instead, the same on every machine (instructions.sh). WEFT_BENCH_STEP=1 also counts their instructions one by one;
/// the times are then meaningless, as a hundred cycles of 8x8 take some ten seconds.

#include "bench/engine_case.h"
#include "bench/instruction_counter.h"
#include "bench/measuring.h"

#include <benchmark/benchmark.h>

#include "weft/engine/model.h"
#include "weft/router/allocator_kinds.h"
#include "weft/topology/generators/grid.h"
#include "weft/workload/workload.h"

namespace {

/// Cycles that fill the network, and cycles between two readings of the clock.
constexpr weft::cycle_t Filling = 1000, Step = 500;

using model_maker = decltype(&weft::engine::make_model);

/// Measures the network that \p make makes of a mesh with the arguments of \p state.
void measure(benchmark::State& state, model_maker make, const weft::router_parameters& router) {
  const auto cycles_each = static_cast<weft::cycle_t>(number_from("WEFT_BENCH_CYCLES", 0));  // 0: as many as time
                                                                                             // allows
  const bool steps = cycles_each > 0 && number_from("WEFT_BENCH_STEP", 0) > 0;
  if (steps && !instruction_counter::IsAvailable) {
    state.SkipWithError("WEFT_BENCH_STEP needs Linux on x86-64");
    return;
  }
  const auto side = static_cast<unsigned>(state.range(0));
  const auto load = static_cast<double>(state.range(1)) / 1000;
  const weft::topology graph = weft::make_grid({{side, side}, {1, 1, 1, 4}});
  const auto traffic = uniform_traffic(load, static_cast<unsigned>(state.range(2)));

  double cycles = 0, seconds = 0, flit_hops = 0, instructions = 0;
  for (auto _ : state) {
    const auto source = weft::make_workload(traffic, {side * side, graph.shape, 1});
    latency_meter observer;
    const auto model = make(graph, router, {}, 64, *source, observer);
    model->run(Filling);
    const auto hops_before = model->flit_hops();
    const double start = user_seconds();
    double spent = 0;
    do {
      const weft::cycle_t step = cycles_each > 0 ? cycles_each : Step;
      if (steps) instruction_counter::start();
      model->run(step);
      if (steps) instructions += static_cast<double>(instruction_counter::stop());
      cycles += static_cast<double>(step);
      spent = user_seconds() - start;
    } while (cycles_each == 0 && spent < seconds_each());
    seconds += spent;
    flit_hops += static_cast<double>(model->flit_hops() - hops_before);
    state.SetIterationTime(spent);
    state.counters["latency"] = observer.mean();
  }
  state.counters["kcycles/s"] = cycles / seconds / 1000;
  state.counters["flit-hops"] = flit_hops;
  if (flit_hops > 0) state.counters["ns/flit-hop"] = 1e9 * seconds / flit_hops;
  if (steps) state.counters["instr/flit-hop"] = instructions / flit_hops;
}

void mesh(benchmark::State& state) { measure(state, weft::engine::make_model, {}); }

/// The same on the generic path, with an allocator of the kind whose number is the fourth argument.
void generic_mesh(benchmark::State& state) {
  const auto& kind = weft::allocator_entries().at(static_cast<std::size_t>(state.range(3)));
  weft::router_parameters router;
  router.vc_allocator.kind = router.switch_allocator.kind = kind.kind;
  state.SetLabel(kind.name);
  measure(state, weft::engine::make_generic_model, router);
}

}  // namespace

BENCHMARK(mesh)
    ->ArgNames({"side", "load_permille", "flits"})
    ->ArgsProduct({{4}, {10, 100, 300}, {5}})  // comparable with the pin level and RTL
    ->ArgsProduct({{8}, {10}, {5}})
    ->ArgsProduct({{8, 16, 32}, {1, 50, 100, 200, 300, 400}, {1, 5, 0}})
    ->ArgsProduct({{64}, {1, 10, 50, 100}, {1}})  // large networks, which exceed the caches
    ->ArgsProduct({{256}, {1, 10}, {1}})          // above 0.015 the bisection of this one is saturated
    ->Iterations(1)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

BENCHMARK(generic_mesh)
    ->ArgNames({"side", "load_permille", "flits", "allocator"})
    ->ArgsProduct({{8}, {10, 100, 300}, {1, 5}, benchmark::CreateDenseRange(0, 7, 1)})
    ->Iterations(1)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

BENCHMARK_MAIN();
