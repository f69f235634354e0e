// SPDX-License-Identifier: Apache-2.0
/// The compression selector and the modules that compute its inputs: congestion counter, queue counter and window
/// timer.
#include "Vcongestion_counter_1_1.h"
#include "Vcongestion_counter_1_4.h"
#include "Vcongestion_counter_2_5.h"
#include "Vcongestion_counter_3_1.h"
#include "Vqueue_counter.h"
#include "Vwindow_timer_1.h"
#include "Vwindow_timer_16.h"
#include "Vwindow_timer_7.h"
#include "lockstep/fixture.h"
#include "lockstep/lockstep.h"
#include "lockstep/variants.h"
#include <algorithm>
#include <array>
#include <string>

#include <gmock/gmock.h>

#include "weft/cosim/verilated_counters.h"
#include "weft/pin/nic/compression_selector.h"
#include "weft/pin/nic/congestion_counter.h"
#include "weft/pin/nic/queue_counter.h"
#include "weft/pin/nic/window_timer.h"

namespace weft::lockstep {
namespace {

constexpr std::uint64_t CounterCycles = 200'000;
constexpr std::uint64_t LargeCount = (1 << 22) - 1;

class lockstep_compression_selector : public variant_test {};

TEST_P(lockstep_compression_selector, selects_the_same_packets_as_systemc) {
  const variant& v = GetParam();
  pin::compression_selector systemc("systemc", v.words, v.codec.classic, v.depth);
  const auto device = v.make_as<tb::compression_selector_pins>("rtl", 0);
  auto& rtl = *device;
  lockstep_bench bench("bench", systemc, rtl);
  auto& mode = bench.input(systemc.mode_i, rtl.mode_i);
  auto& type = bench.input(systemc.type_i, rtl.type_i);
  auto& flits = bench.input(systemc.flits_i, rtl.flits_i);
  auto& words = bench.input(systemc.words_i, rtl.words_i);
  auto& form = bench.input(systemc.codec_i, rtl.codec_i);
  auto& received = bench.input(systemc.received_i, rtl.received_i);
  auto& queue = bench.input(systemc.queue_i, rtl.queue_i);
  auto& length_threshold = bench.input(systemc.length_threshold_i, rtl.length_threshold_i);
  auto& received_threshold = bench.input(systemc.received_threshold_i, rtl.received_threshold_i);
  auto& queue_threshold = bench.input(systemc.queue_threshold_i, rtl.queue_threshold_i);
  auto& choice = bench.output(systemc.codec_o, rtl.codec_o);

  std::array<std::uint64_t, 4> chosen{};
  // Neighboring numbers, so that every comparison has both results; and large ones.
  const auto near = [this](std::uint32_t n) { return n - std::min(n, 2U) + random.between(0, 4); };
  bench.on_cycle([&] {
    ++chosen[choice.read()];
    mode.write(static_cast<std::uint8_t>(random.between(0, 3)));
    type.write(static_cast<std::uint8_t>(random.between(0, 3)));
    form.write(static_cast<std::uint8_t>(random.chance(0.9) ? 0 : random.between(1, 3)));
    const std::uint32_t length =
        random.chance(0.1) ? random.between(0, 0xff'ffff)
                           : std::min(0xff'ffffU, near(random.one_of({2U, v.depth, random.between(0, v.depth)})));
    const std::uint32_t first = length == 0 ? 0 : (length - 1) * v.words + 1;
    flits.write(length);
    words.write(std::min(0xff'ffffU, random.chance(0.8)   ? first + random.between(0, v.words - 1)
                                     : random.chance(0.5) ? near(first)
                                                          : random.between(0, 0xff'ffff)));
    length_threshold.write(random.chance(0.1) ? static_cast<std::uint32_t>(random.bits()) : near(length));
    const std::uint32_t n = random.one_of({0U, random.between(0, 100), static_cast<std::uint32_t>(random.bits())});
    const std::uint32_t q = random.one_of({0U, random.between(0, 100), static_cast<std::uint32_t>(random.bits())});
    received.write(n);
    queue.write(q);
    received_threshold.write(random.chance(0.3) ? 0xffff'ffff : near(n));
    queue_threshold.write(random.chance(0.3) ? 0xffff'ffff : near(q));
  });
  ASSERT_EQ(bench.run(cycles(CounterCycles)), "") << seed_note();
  EXPECT_GT(chosen[static_cast<unsigned>(codec::Raw)], CounterCycles / 10);
  EXPECT_GT(chosen[static_cast<unsigned>(v.codec.classic ? codec::FpcClassic : codec::Fpc)], CounterCycles / 100);
  EXPECT_GT(chosen[static_cast<unsigned>(codec::LsbCut)], CounterCycles / 50);
}
INSTANTIATE_TEST_SUITE_P(all, lockstep_compression_selector, testing::ValuesIn(compression_selectors()));

class lockstep_counters : public lockstep_test {
 protected:
  /// Tests a counter of flits with so many ports and buckets.
  template <unsigned Ports, unsigned Buckets, class Model>
  void count_flits() {
    pin::congestion_counter<64> systemc("systemc", Ports, Buckets);
    tb::verilated_congestion_counter<64, Ports, Model> rtl("rtl", register_seed());
    lockstep_bench bench("bench", systemc, rtl);
    auto& tick = bench.input(systemc.tick_i, rtl.tick_i);
    std::array<sc_core::sc_signal<flit<64>>*, Ports> flits{};
    for (unsigned p = 0; p < Ports; ++p) flits[p] = &bench.input(systemc.flit_i.port(p), rtl.flit_i[p]);
    auto& received = bench.output(systemc.received_o, rtl.received_o);
    double load = 0.5, ticks = 0.1;
    bool steady = false;
    std::uint64_t closed = 0, most = 0;
    bench.on_cycle([&] {
      if (!steady && random.chance(0.01)) load = random.unit(), ticks = random.one_of({0.5, 0.1, 0.01, 1.0});
      flit<64> f;
      for (auto* port : flits) {
        f.valid = random.chance(load);
        port->write(f);
      }
      tick.write(random.chance(ticks));
      closed += tick.read();
      most = std::max<std::uint64_t>(most, received.read());
    });
    for (unsigned part = 0; part < 3; ++part) {
      ASSERT_EQ(bench.run(cycles(CounterCycles / 3)), "") << seed_note();
      bench.reset();
    }
    // Some long windows, so that every bucket needs several bits of its count.
    steady = true;
    for (unsigned window = 0; window < 3 * Buckets; ++window) {
      load = 1, ticks = 0;
      ASSERT_EQ(bench.run(random.between(4000, 20'000)), "") << seed_note();
      ticks = 1;
      ASSERT_EQ(bench.run(random.one_of({1U, 1U, 1U, 2U})), "") << seed_note();
    }
    // One window in which the count gets large, then enough windows to slide it out again.
    load = 1, ticks = 0;
    ASSERT_EQ(bench.run(LargeCount / Ports), "") << seed_note();
    load = 0, ticks = 0.5;
    ASSERT_EQ(bench.run(8 * Buckets + 50), "") << seed_note();
    EXPECT_GT(closed, CounterCycles / 100);
    EXPECT_GE(most, LargeCount - Ports);
  }

  template <unsigned Window, class Model>
  void time_windows() {
    pin::window_timer systemc("systemc", Window);
    tb::verilated_window_timer<Model> rtl("rtl", register_seed());
    lockstep_bench bench("bench", systemc, rtl);
    auto& tick = bench.output(systemc.tick_o, rtl.tick_o);
    std::uint64_t ticks = 0;
    bench.on_cycle([&] { ticks += tick.read(); });
    for (unsigned part = 0; part < 3; ++part) {
      ASSERT_EQ(bench.run(1000), "") << seed_note();
      bench.reset();
    }
    EXPECT_GE(ticks, 3 * (1000 / Window - 1));
  }
};

TEST_F(lockstep_counters, match_systemc_with_1_port_and_tumbling_window) {
  count_flits<1, 1, Vcongestion_counter_1_1>();
}
TEST_F(lockstep_counters, match_systemc_with_1_port_and_sliding_window) {
  count_flits<1, 4, Vcongestion_counter_1_4>();
}
TEST_F(lockstep_counters, match_systemc_with_3_ports_and_tumbling_window) {
  count_flits<3, 1, Vcongestion_counter_3_1>();
}
TEST_F(lockstep_counters, match_systemc_with_2_ports_and_5_sub_windows) {
  count_flits<2, 5, Vcongestion_counter_2_5>();
}
TEST_F(lockstep_counters, window_timer_matches_systemc_for_windows_of_1_cycle) { time_windows<1, Vwindow_timer_1>(); }
TEST_F(lockstep_counters, window_timer_matches_systemc_for_windows_of_7_cycles) { time_windows<7, Vwindow_timer_7>(); }
TEST_F(lockstep_counters, window_timer_matches_systemc_for_windows_of_16_cycles) {
  time_windows<16, Vwindow_timer_16>();
}

TEST_F(lockstep_counters, queue_counter_matches_systemc) {
  pin::queue_counter systemc("systemc");
  tb::verilated_queue_counter<Vqueue_counter> rtl("rtl", register_seed());
  lockstep_bench bench("bench", systemc, rtl);
  auto& join = bench.input(systemc.join_i, rtl.join_i);
  auto& leave = bench.input(systemc.leave_i, rtl.leave_i);
  auto& queue = bench.output(systemc.queue_o, rtl.queue_o);
  unsigned length = 0, longest = 0;
  double joins = 0.5, leaves = 0.5;
  bool steady = false;
  std::uint64_t both = 0;
  bench.on_cycle([&] {
    longest = std::max(longest, queue.read());
    if (!steady && random.chance(0.005)) joins = random.unit();
    const bool comes = random.chance(joins), goes = (length > 0 || comes) && random.chance(leaves);
    join.write(comes);
    leave.write(goes);
    length += comes, length -= goes;
    both += comes && goes;
  });
  for (unsigned part = 0; part < 3; ++part) {
    ASSERT_EQ(bench.run(cycles(CounterCycles / 3)), "") << seed_note();
    join.write(false), leave.write(false);
    bench.reset();
    length = 0;
  }
  // A queue that grows long, and then drains.
  steady = true;
  joins = 1, leaves = 0;
  ASSERT_EQ(bench.run(LargeCount), "") << seed_note();
  joins = 0, leaves = 1;
  ASSERT_EQ(bench.run(1000), "") << seed_note();
  EXPECT_GE(longest, LargeCount - 1);
  EXPECT_GT(both, CounterCycles / 50);
}

// ---------------------------------------------------------------------------------------------------------------
// The bench itself

/// Accumulates its input; from a given cycle on it adds one too many.
class adder : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clk_i{"clk_i"};
  pin::in_port<bool> rst_ni{"rst_ni"};
  pin::in_port<std::uint32_t> add_i{"add_i"};
  sc_core::sc_out<std::uint32_t> sum_o{"sum_o"};
  sc_core::sc_out<flit<64>> flit_o{"flit_o"};

  adder(sc_core::sc_module_name name, unsigned wrong_from) : sc_module(name), m_wrong_from(wrong_from) {
    SC_HAS_PROCESS(adder);
    SC_METHOD(clocked);
    sensitive << clk_i.pos() << rst_ni.neg();
  }

 private:
  void clocked() {
    if (!rst_ni.read()) m_sum = m_cycles = 0;
    flit<64> f;
    f.valid = true;
    f.payload[0] = m_cycles < m_wrong_from ? 5 : 6;
    sum_o.write(m_sum += add_i.read());
    flit_o.write(f);
    ++m_cycles;
  }

  const unsigned m_wrong_from;
  unsigned m_cycles = 0;
  std::uint32_t m_sum = 0;
};

TEST(lockstep_bench, mismatch_report_gives_cycle_instance_signal_and_both_values) {
  adder right("right", ~0U), wrong("wrong", 120);
  lockstep_bench bench("bench", right, wrong);
  auto& add = bench.input(right.add_i, wrong.add_i);
  bench.output(right.sum_o, wrong.sum_o);
  bench.output(right.flit_o, wrong.flit_o);
  bench.on_cycle([&] { add.write(1); });
  EXPECT_EQ(bench.run(100), "");
  const std::string report = bench.run(100);
  EXPECT_THAT(report, testing::MatchesRegex("cycle 1[12][0-9]: flit_o\\.payload\\[0\\]: right has 0x5, wrong has 0x6"));
}

}  // namespace
}  // namespace weft::lockstep
