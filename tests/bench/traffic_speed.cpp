// SPDX-License-Identifier: Apache-2.0
/// Cost of a packet of uniform traffic, of a traffic matrix and of several traffics, in networks of different sizes.
/// User CPU time.
///
///   build/release/tests/bench/bench_traffic
///
/// `create` only creates packets, 1,000 cycles at a time. `simulate` also sends them through a mesh, in the engine. The
/// second argument selects the traffic: 0 is uniform traffic, 1 a matrix of equal rates, which is the same traffic, 2 a
/// matrix of random rates, 3 a matrix of random rates with eight destinations of each node, and 4 five uniform traffics
/// at the same time, whose loads add up to that of the others.
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <set>
#include <string>

#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <unistd.h>

#include "weft/core/network_observer.h"
#include "weft/core/random.h"
#include "weft/engine/model.h"
#include "weft/topology/generators/grid.h"
#include "weft/workload/pattern.h"
#include "weft/workload/workload.h"

namespace {

using namespace weft;

/// A matrix of random rates from 1 to \p most, with \p count destinations of each node.
std::string matrix_text(std::uint32_t nodes, std::uint32_t count, std::uint32_t most) {
  random_stream random(1, 0, stream_purpose::Schedule);
  std::string text;
  for (node_id s = 0; s < nodes; ++s) {
    std::set<node_id> others;
    if (count == nodes - 1)
      for (node_id d = 0; d < nodes; ++d) others.insert(others.end(), d);
    others.erase(s);
    while (others.size() < count)
      if (const node_id d = random.below(nodes); d != s) others.insert(d);
    for (const node_id d : others) text += fmt::format("{} {} {}\n", s, d, 1 + random.below(most));
  }
  return text;
}

workload_parameters five_traffics(double load) {
  workload_parameters w;
  w.injection.load = load;
  w.traffics.resize(5);
  for (named_traffic& t : w.traffics) t.injection.load = load / 5;
  return w;
}

std::unique_ptr<packet_source> make_traffic(std::uint32_t nodes, double load, std::int64_t kind) {
  if (kind == 4) return make_workload(five_traffics(load), {nodes, {}, 1});
  constexpr std::uint32_t Few = 8;
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / fmt::format("weft_traffic_{}.txt", getpid());
  if (kind != 0) std::ofstream(file) << matrix_text(nodes, kind == 3 ? Few : nodes - 1, kind == 1 ? 1 : 1'000'000);
  workload_parameters traffic;
  traffic.injection.load = load;
  if (kind != 0) traffic.pattern.kind = &find_pattern("matrix");
  traffic.pattern.file = file;
  auto source = make_workload(traffic, {nodes, {}, 1});
  std::filesystem::remove(file);
  return source;
}

void create(benchmark::State& state) {
  const auto nodes = static_cast<std::uint32_t>(state.range(0));
  const auto source = make_traffic(nodes, 0.1, state.range(1));
  std::int64_t packets = 0;
  for (cycle_t end = 1000; state.KeepRunning(); end += 1000) {
    for (node_id n = 0; n < nodes; ++n) {
      while (source->next_creation(n) < end) {
        benchmark::DoNotOptimize(source->pop(n));
        ++packets;
      }
    }
  }
  state.counters["ns/packet"] = benchmark::Counter(static_cast<double>(packets) * 1e-9,
                                                   benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

class delivery_counter : public network_observer {
 public:
  bool needs_payload() const override { return false; }
  network_events event_interest() const override { return {network_event::Delivered}; }
  void delivered(const packet&, cycle_t, std::uint32_t) override { ++m_packets; }
  std::uint64_t packets() const { return m_packets; }

 private:
  std::uint64_t m_packets = 0;
};

void simulate(benchmark::State& state) {
  const auto side = static_cast<unsigned>(state.range(0));
  const topology graph = make_grid({{side, side}, {1, 1, 1, 4}});
  const auto source = make_traffic(side * side, 0.05, state.range(1));
  delivery_counter observer;
  const auto model = engine::make_model(graph, {}, {}, 64, *source, observer);
  model->run(2000);
  const std::uint64_t before = observer.packets();
  for (auto _ : state) model->run(500);
  state.counters["ns/packet"] = benchmark::Counter(static_cast<double>(observer.packets() - before) * 1e-9,
                                                   benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

}  // namespace

BENCHMARK(create)->ArgNames({"nodes", "traffic"})->ArgsProduct({{64, 256, 1024}, {0, 1, 2, 3, 4}});
BENCHMARK(simulate)
    ->ArgNames({"side", "traffic"})
    ->ArgsProduct({{8, 32}, {0, 1, 2, 3, 4}})
    ->Unit(benchmark::kMillisecond);

BENCHMARK_MAIN();
