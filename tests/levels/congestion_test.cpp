// SPDX-License-Identifier: Apache-2.0
/// The inputs of the compression decision: the two counters and the selector.
#include "levels/bench.h"
#include <deque>
#include <memory>
#include <vector>

#include "weft/pin/nic/compression_selector.h"
#include "weft/pin/nic/congestion_counter.h"
#include "weft/pin/nic/queue_counter.h"
#include "weft/pin/nic/window_timer.h"

namespace weft::pin {
namespace {

using testing::HasSubstr;

// ---------------------------------------------------------------------------------------------------------------
// Congestion counter (N)

TEST(levels_pin_congestion_counter, sums_the_last_sub_windows) {
  constexpr unsigned Ports = 2, SubWindow = 7;
  random_numbers random;
  bench b;
  window_timer timer("timer", SubWindow);
  sc_core::sc_signal<bool> tick{"tick"};
  b.clock(timer);
  timer.tick_o(tick);
  sc_core::sc_vector<sc_core::sc_signal<flit_t>> in("in", Ports);
  const std::vector<unsigned> buckets{1, 2, 5, congestion_counter<64>::MaxBuckets};
  std::vector<std::unique_ptr<congestion_counter<64>>> duts;
  sc_core::sc_vector<sc_core::sc_signal<std::uint32_t>> received("received", buckets.size());
  for (std::size_t i = 0; i < buckets.size(); ++i) {
    duts.push_back(std::make_unique<congestion_counter<64>>(("dut" + std::to_string(i)).c_str(), Ports, buckets[i]));
    b.clock(*duts.back());
    duts.back()->tick_i(tick);
    duts.back()->flit_i.bind(in);
    duts.back()->received_o(received[i]);
  }
  b.start();
  std::vector<unsigned> closed;  // flits of each sub-window
  unsigned open = 0, most = 0;
  double load = 0.5;
  for (; b.now() < 3000; b.step()) {
    for (std::size_t i = 0; i < buckets.size(); ++i) {
      unsigned due = 0;
      for (std::size_t w = 0; w < buckets[i] && w < closed.size(); ++w) due += closed[closed.size() - 1 - w];
      ASSERT_EQ(received[i].read(), due) << buckets[i] << " buckets, cycle " << b.now();
      most = std::max(most, due);
    }
    if (b.now() % 50 == 0) load = random.chance(0.3) ? 0 : 0.1 * random.below(11);
    for (auto& port : in) {
      const bool comes = random.chance(load);
      port.write(comes ? single(b.now(), 0) : flit_t());
      open += comes;
    }
    ASSERT_EQ(tick.read(), b.now() % SubWindow == SubWindow - 1);
    if (!tick.read()) continue;
    closed.push_back(open);
    open = 0;
  }
  EXPECT_GT(most, 150U);
}

TEST(levels_pin_congestion_counter, reset_clears_all_sub_windows) {
  bench b;
  sc_core::sc_signal<bool> tick{"tick"};
  sc_core::sc_vector<sc_core::sc_signal<flit_t>> in("in", 1);
  sc_core::sc_signal<std::uint32_t> received{"received"};
  congestion_counter<64> dut("dut", 1, 3);
  b.clock(dut);
  dut.tick_i(tick);
  dut.flit_i.bind(in);
  dut.received_o(received);
  b.start();
  in[0].write(single(1, 0));
  tick.write(true);
  b.step(2);
  EXPECT_EQ(received.read(), 2U);
  in[0].write(flit_t());
  b.assert_reset();
  EXPECT_EQ(received.read(), 0U);
  b.release_reset();
  b.step(4);
  EXPECT_EQ(received.read(), 0U);
}

TEST(levels_pin_congestion_counter, rejects_zero_sub_windows) {
  EXPECT_THAT(broken_rule([] { congestion_counter<64> dut("dut", 1, 0); }), HasSubstr("0 sub-windows"));
}

// ---------------------------------------------------------------------------------------------------------------
// Queue counter (Q)

class queue_bench : public bench {
 public:
  queue_bench() {
    clock(dut);
    dut.join_i(join);
    dut.leave_i(leave);
    dut.queue_o(queue);
    start();
  }
  sc_core::sc_signal<bool> join{"join"}, leave{"leave"};
  sc_core::sc_signal<std::uint32_t> queue{"queue"};
  queue_counter dut{"dut"};
};

TEST(levels_pin_queue_counter, counts_packets_that_joined_minus_those_that_left) {
  random_numbers random;
  queue_bench b;
  unsigned waiting = 0, both = 0, most = 0;
  for (unsigned cycle = 0; cycle < 2000; ++cycle) {
    const bool joins = random.chance(cycle % 200 < 120 ? 0.6 : 0.2);
    const bool leaves = waiting > 0 && random.chance(0.4);
    b.join.write(joins);
    b.leave.write(leaves);
    b.step();
    waiting += joins;
    waiting -= leaves;
    ASSERT_EQ(b.queue.read(), waiting);
    both += joins && leaves;
    most = std::max(most, waiting);
  }
  EXPECT_GT(both, 100U);
  EXPECT_GT(most, 10U);
  b.join.write(false);
  b.leave.write(false);
  b.assert_reset();
  EXPECT_EQ(b.queue.read(), 0U);
}

TEST(levels_pin_queue_counter, rejects_leaving_an_empty_queue) {
  queue_bench b;
  b.leave.write(true);
  EXPECT_THAT(broken_rule([&] { b.step(); }), HasSubstr("a packet left an empty queue"));
}

// ---------------------------------------------------------------------------------------------------------------
// Selection

TEST(levels_pin_compression_selector, selects_packets_by_algorithm_1_of_the_paper) {
  constexpr unsigned Words = 2, Depth = 16;
  random_numbers random;
  bench b;
  sc_core::sc_signal<std::uint8_t> mode{"mode"}, type{"type"}, form{"form"};
  sc_core::sc_signal<std::uint32_t> flits{"flits"}, words{"words"}, received{"received"}, queue{"queue"};
  sc_core::sc_signal<std::uint32_t> long_from{"long_from"}, received_above{"received_above"},
      queue_above{"queue_above"};
  sc_core::sc_vector<sc_core::sc_signal<std::uint8_t>> chosen("chosen", 2);
  std::vector<std::unique_ptr<compression_selector>> duts;  // table, classic
  for (unsigned classic = 0; classic < 2; ++classic) {
    duts.push_back(
        std::make_unique<compression_selector>(("dut" + std::to_string(classic)).c_str(), Words, classic != 0, Depth));
    compression_selector& dut = *duts.back();
    dut.mode_i(mode);
    dut.type_i(type);
    dut.flits_i(flits);
    dut.words_i(words);
    dut.codec_i(form);
    dut.received_i(received);
    dut.queue_i(queue);
    dut.length_threshold_i(long_from);
    dut.received_threshold_i(received_above);
    dut.queue_threshold_i(queue_above);
    dut.codec_o(chosen[classic]);
  }
  b.start();
  unsigned compressed = 0;
  for (unsigned i = 0; i < 20000; ++i) {
    mode.write(static_cast<std::uint8_t>(random.below(4)));
    type.write(static_cast<std::uint8_t>(random.below(4)));
    form.write(random.chance(0.1) ? static_cast<std::uint8_t>(random.below(4)) : 0);
    const unsigned length = random.chance(0.7) ? 8 : random.below(Depth + 4);
    flits.write(length);
    words.write(random.chance(0.8) ? Words * length - random.below(2) : random.below(50));
    for (auto* s : {&received, &queue, &long_from, &received_above, &queue_above}) s->write(random.below(12));
    b.settle();

    const bool truthful = flits.read() == words.read() / Words + words.read() % Words;
    const bool candidate = form.read() == 0 && flits.read() > 1 && flits.read() <= Depth && truthful;
    const bool pays = flits.read() >= long_from.read() || received.read() > received_above.read() ||
                      queue.read() > queue_above.read();
    const bool selected = mode.read() == 1 || (mode.read() == 2 && pays);
    const unsigned codec_of_type[2][4] = {{0, 1, 3, 3}, {0, 2, 3, 3}};
    for (unsigned classic = 0; classic < 2; ++classic) {
      ASSERT_EQ(chosen[classic].read(), candidate && selected ? codec_of_type[classic][type.read()] : 0U);
      compressed += chosen[classic].read() != 0;
    }
    b.step();
  }
  EXPECT_GT(compressed, 3000U);
}

}  // namespace
}  // namespace weft::pin
