// SPDX-License-Identifier: Apache-2.0
/// Speed of the engine with several threads, as a ratio to one thread: elapsed time of a mesh under uniform traffic.
///
///   build/release/tests/bench/bench_threads
///
/// Two equal networks, one of them with one thread, simulate the same cycles in short turns. A turn is undisturbed if
/// the threads had their processors all the time, so that their processor time is the elapsed time. `speedup` is the
/// ratio of the medians of undisturbed turns, `disturbed` that of all turns, and `turns` the number of those
/// undisturbed with several threads. WEFT_BENCH_SECONDS: seconds per measurement (default 1).

#include "bench/engine_case.h"
#include "bench/measuring.h"
#include <algorithm>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>
#include <unistd.h>

#include "weft/engine/base/worker_team.h"
#include "weft/engine/model.h"
#include "weft/topology/generators/grid.h"
#include "weft/workload/workload.h"

namespace {

using seconds = std::chrono::duration<double>;

double elapsed_seconds() { return seconds(std::chrono::steady_clock::now().time_since_epoch()).count(); }

double middle_of(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
  return values[values.size() / 2];
}

double seconds_of(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// Processor time of all threads of this process except the calling one. The clock of a process would lag behind by up
/// to a tick of the system.
double seconds_of_others() {
  double sum = 0;
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
    const auto id = static_cast<clockid_t>(std::stol(task.path().filename().string()));
    if (id == gettid()) continue;
    constexpr clockid_t OfThread = 6;  // the kernel's number of the clock of a thread, below its id
    sum += seconds_of(~id * 8 | OfThread);
  }
  return sum;
}

/// A turn of one network.
struct turn {
  double elapsed;
  double caller;  ///< processor time of the calling thread
  double others;  ///< processor time of all other threads

  bool undisturbed(unsigned threads) const {
    return caller > 0.97 * elapsed && others >= 0.9 * (threads - 1) * elapsed;
  }
};

std::vector<double> elapsed_of(const std::vector<turn>& turns) {
  std::vector<double> elapsed;
  for (const turn& t : turns) elapsed.push_back(t.elapsed);
  return elapsed;
}

/// The turns with \p threads threads that were undisturbed.
std::vector<turn> undisturbed(const std::vector<turn>& turns, unsigned threads) {
  std::vector<turn> some;
  std::copy_if(turns.begin(), turns.end(), std::back_inserter(some),
               [threads](const turn& t) { return t.undisturbed(threads); });
  return some;
}

struct mesh {
  mesh(const weft::topology& graph, double load, unsigned flits, unsigned threads)
      : source(weft::make_workload(uniform_traffic(load, flits),
                                   {static_cast<std::uint32_t>(graph.nodes.size()), graph.shape, 1})),
        model(weft::engine::make_model(graph, {}, {}, 64, *source, observer)) {
    model->set_threads(threads);
  }

  turn simulate(weft::cycle_t cycles) {
    const double others = seconds_of_others();
    const double start = elapsed_seconds(), caller = seconds_of(CLOCK_THREAD_CPUTIME_ID);
    model->run(cycles);
    const turn simulated{elapsed_seconds() - start, seconds_of(CLOCK_THREAD_CPUTIME_ID) - caller, 0};
    return {simulated.elapsed, simulated.caller, seconds_of_others() - others};
  }

  latency_meter observer;
  std::unique_ptr<weft::packet_source> source;
  std::unique_ptr<weft::engine::driven_model> model;
};

void threads(benchmark::State& state) {
  constexpr double Turn = 0.001;  ///< approximate seconds of a turn: shorter than a time slice of the system
  const auto side = static_cast<unsigned>(state.range(0));
  const weft::topology graph = weft::make_grid({{side, side}, {1, 1, 1, 4}});
  const double load = static_cast<double>(state.range(1)) / 1000;
  const auto flits = static_cast<unsigned>(state.range(2)), count = static_cast<unsigned>(state.range(3));
  for (auto _ : state) {
    mesh one(graph, load, flits, 1), several(graph, load, flits, count);
    const weft::cycle_t filling = side > 100 ? 300 : 1000;
    several.simulate(filling);
    const double each = one.simulate(filling).caller / static_cast<double>(filling);
    const auto cycles = std::max<weft::cycle_t>(4, static_cast<weft::cycle_t>(Turn / each));
    std::vector<turn> of_one, of_several;
    double spent = 0;
    do {
      one.simulate(4);  // loads caches again; below, also wakes the threads
      of_one.push_back(one.simulate(cycles));
      several.simulate(4);
      of_several.push_back(several.simulate(cycles));
      spent += of_one.back().caller;
    } while (of_one.size() < 7 || spent < seconds_each());
    state.SetIterationTime(spent);
    state.counters["disturbed"] = middle_of(elapsed_of(of_one)) / middle_of(elapsed_of(of_several));
    of_one = undisturbed(of_one, 1);
    of_several = undisturbed(of_several, count);
    state.counters["turns"] = static_cast<double>(of_several.size());
    if (of_one.empty()) continue;
    const double of_a_turn = middle_of(elapsed_of(of_one));
    state.counters["us/cycle"] = 1e6 * of_a_turn / static_cast<double>(cycles);
    if (!of_several.empty()) state.counters["speedup"] = of_a_turn / middle_of(elapsed_of(of_several));
  }
}

/// A round of a team without work: the cost of the barrier.
void empty_round(benchmark::State& state) {
  const auto workers = static_cast<unsigned>(state.range(0));
  weft::engine::worker_team team(workers, workers, [](unsigned, std::size_t) {});
  for (auto _ : state) {
    team.start(workers);
    team.finish();
  }
}

}  // namespace

BENCHMARK(threads)
    ->ArgNames({"side", "load_permille", "flits", "threads"})
    ->ArgsProduct({{16, 32, 64}, {10, 50, 100, 200, 400}, {1, 5}, {2}})
    ->ArgsProduct({{256}, {1, 10}, {1}, {2}})
    ->Iterations(1)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond);

BENCHMARK(empty_round)->ArgName("workers")->Arg(1)->Arg(2)->UseRealTime();

BENCHMARK_MAIN();
