// SPDX-License-Identifier: Apache-2.0
/// Codecs and compression stages: words per second of the pure functions, and cycles per second of the stages as
/// SystemC modules and as verilated RTL, in a loop of compressor and decompressor.
#include "bench/measuring.h"
#include "support/subprocess.h"
#include <cstdint>
#include <functional>
#include <vector>

#include <benchmark/benchmark.h>
#include <systemc>

#include "weft/core/coded_packet.h"
#include "weft/core/random.h"
#include "weft/pin/nic/compression.h"
#ifdef WEFT_RTL
#include "weft/cosim/rtl_stages.h"
#endif

using namespace weft;

namespace {

constexpr unsigned K = 2;
constexpr std::uint32_t Words = 210;  // of a message: 105 flits, the mean of the lengths 10 to 200

/// Integers near 0, or random doubles.
std::vector<std::uint32_t> message(codec how, std::uint64_t seed) {
  std::vector<std::uint32_t> words(Words);
  for (std::uint32_t i = 0; i < Words; ++i) {
    const std::uint64_t bits = splitmix64(seed, i);
    words[i] = static_cast<std::uint32_t>(bits);
    if (how != codec::LsbCut) words[i] >>= bits >> 58 & 31;
  }
  return words;
}

void code(benchmark::State& state) {
  const auto how = static_cast<codec>(state.range(0));
  const std::vector<std::uint32_t> words = message(how, 1);
  std::uint64_t coded = 0;
  for (auto _ : state) {
    const coded_message m = encode(words, how, K, {});
    coded = m.bits;
    benchmark::DoNotOptimize(m.payload.data());
  }
  state.counters["words/s"] =
      benchmark::Counter(static_cast<double>(state.iterations()) * Words, benchmark::Counter::kIsRate);
  state.counters["ratio"] = 32.0 * Words / static_cast<double>(coded);
}
BENCHMARK(code)->ArgName("codec")->DenseRange(1, 3);

void decode_again(benchmark::State& state) {
  const auto how = static_cast<codec>(state.range(0));
  const std::vector<std::uint32_t> payload = encode(message(how, 1), how, K, {}).payload;
  header head;
  head.words = Words;
  head.codec = how;
  head.cut = how == codec::LsbCut ? 28 : 0;
  for (auto _ : state) {
    const decoded_message m = decode(head, payload, K, {{}, how == codec::FpcClassic});
    benchmark::DoNotOptimize(m.words.data());
  }
  state.counters["words/s"] =
      benchmark::Counter(static_cast<double>(state.iterations()) * Words, benchmark::Counter::kIsRate);
}
BENCHMARK(decode_again)->ArgName("codec")->DenseRange(1, 3);

/// Sends packets of one message repeatedly, one flit per cycle, and accepts all output.
class driver : public sc_core::sc_module {
 public:
  using flit_t = flit<32 * K>;
  sc_core::sc_in<bool> clk_i{"clk_i"};
  pin::in_port<bool> rst_ni{"rst_ni"};
  sc_core::sc_out<flit_t> flit_o{"flit_o"};
  pin::in_port<bool> ready_i{"ready_i"};
  pin::in_port<flit_t> flit_i{"flit_i"};
  std::uint64_t received = 0;

  driver(sc_core::sc_module_name module_name, data_type type, const std::vector<std::uint32_t>& words)
      : sc_module(module_name) {
    const travelling_packet p = travelling_form(words, type, codec::Raw, K, {});
    for (std::uint32_t i = 0; i < p.header.flits; ++i) {
      flit_t f;
      f.valid = true;
      f.head = i == 0;
      f.tail = i + 1 == p.header.flits;
      if (f.head) put_header(f, p.header);
      f.payload[0] = p.payload[2 * i] | std::uint64_t{p.payload[2 * i + 1]} << 32;
      m_flits.push_back(f);
    }
    SC_HAS_PROCESS(driver);
    SC_METHOD(clocked);
    sensitive << clk_i.pos();
    dont_initialize();
  }

 private:
  void clocked() {
    if (!rst_ni.read()) return;
    received += flit_i.read().valid;
    if (m_started && ready_i.read()) m_next = (m_next + 1) % m_flits.size();
    m_started = true;
    flit_o.write(m_flits[m_next]);
  }

  std::vector<flit_t> m_flits;
  std::size_t m_next = 0;
  bool m_started = false;
};

/// Cycles per second of user time of a compressor followed by a decompressor, always busy.
double stage_speed(const compression_parameters& parameters, data_type type,
                   const std::shared_ptr<const pin::external_stages>& external) {
  const sc_core::sc_time period{1, sc_core::SC_NS};
  sc_core::sc_clock clock("clk", period);
  sc_core::sc_signal<bool> reset{"rst_n"}, ready{"ready", true}, in_ready{"in_ready"}, mid_ready{"mid_ready"},
      busy{"busy"}, busy_too{"busy_too"};
  sc_core::sc_signal<std::uint32_t> n{"n"}, q{"q"};
  sc_core::sc_signal<driver::flit_t> in{"in"}, mid{"mid"}, out{"out"};
  pin::compression_settings settings(parameters);
  const auto stages = pin::make_compression_stages<32 * K>(parameters, settings, external);
  const auto compressor = stages.send[0]("compressor", 0);
  const auto decompressor = stages.receive[0]("decompressor", 0);
  driver d("driver", type, message(type == data_type::Int ? codec::Fpc : codec::LsbCut, 1));
  const auto bind = [&](auto& stage, auto& from, auto& from_ready, auto& to, auto& to_ready, auto& busy_signal) {
    stage.clk_i(clock);
    stage.rst_ni(reset);
    stage.flit_i(from);
    stage.ready_o(from_ready);
    stage.flit_o(to);
    stage.ready_i(to_ready);
    stage.received_i(n);
    stage.queue_i(q);
    stage.busy_o(busy_signal);
  };
  bind(*compressor, in, in_ready, mid, mid_ready, busy);
  bind(*decompressor, mid, mid_ready, out, ready, busy_too);
  d.clk_i(clock);
  d.rst_ni(reset);
  d.flit_o(in);
  d.ready_i(in_ready);
  d.flit_i(out);
  sc_core::sc_start(3.5 * period);
  reset.write(true);
  sc_core::sc_start(2000 * period);
  constexpr int Cycles = 50'000;
  const std::uint64_t before = d.received;
  const double start = user_seconds();
  sc_core::sc_start(Cycles * period);
  const double seconds = user_seconds() - start;
  if (d.received - before < Cycles / 2) throw std::logic_error("the stages passed too few flits");
  return Cycles / seconds;
}

void stages(benchmark::State& state) {
  const auto type = state.range(0) == 1 ? data_type::Int : data_type::Double;
  [[maybe_unused]] const bool rtl = state.range(1) == 1;  // without RTL it is 0
  compression_parameters parameters;
  parameters.selection.mode = selection_mode::Always;
  for (auto _ : state) {
    const std::string text = run_in_subprocess_or_throw([&] {
      std::shared_ptr<const pin::external_stages> external;
#ifdef WEFT_RTL
      if (rtl) external = tb::make_rtl_stages(parameters, {});
#endif
      return std::to_string(stage_speed(parameters, type, external));
    });
    const double speed = std::stod(text);
    state.SetIterationTime(1 / speed);
    state.counters["kcycles/s"] = speed / 1000;
  }
}
void stage_arguments(benchmark::internal::Benchmark* b) {
  for (const int type : {1, 2}) b->Args({type, 0});
#ifdef WEFT_RTL
  for (const int type : {1, 2}) b->Args({type, 1});
#endif
}
BENCHMARK(stages)->Apply(stage_arguments)->ArgNames({"type", "rtl"})->UseManualTime()->Iterations(1);

}  // namespace

int sc_main(int count, char** arguments) {
  benchmark::Initialize(&count, arguments);
  if (benchmark::ReportUnrecognizedArguments(count, arguments)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
