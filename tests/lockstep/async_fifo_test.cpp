// SPDX-License-Identifier: Apache-2.0
/// The asynchronous FIFO between two clocks of any ratio: every word arrives once and in order, no more words are
/// within than there are places, and where it is deep enough it keeps the rate of the slower clock. Verilated as plain
/// C++: time is a list of edges.
#include "Vasync_fifo_2.h"
#include "Vasync_fifo_8.h"
#include "Vasync_fifo_8_stages_3.h"
#include "support/random.h"
#include "tb/verilator_runtime.h"
#include <cstdint>
#include <deque>
#include <iostream>
#include <memory>

#include <gtest/gtest.h>
#include <verilated.h>

namespace weft {
namespace {

/// A FIFO, its two clocks, and what stands at its ends.
template <typename Model>
class async_fifo_bench {
 public:
  /// \param write_period of the clock that writes, in units of any kind
  /// \param jitter       each edge is late by at most so much
  async_fifo_bench(dice& random, unsigned write_period, unsigned read_period, unsigned jitter)
      : m_random(random), m_write{write_period, 0, 0}, m_read{read_period, 0, 0}, m_jitter(jitter) {
    m_dut->write_rst_ni = m_dut->read_rst_ni = 1;
    m_dut->write_clk_i = m_dut->read_clk_i = 0;
    m_dut->eval();
  }
  ~async_fifo_bench() {
    m_dut->final();
    tb::write_coverage(m_context);
  }

  double offers = 1, accepts = 1;  ///< how often the writer has a word, and the reader takes one
  std::uint64_t written = 0, read = 0, full_cycles = 0;

  /// Both sides are reset; what is within is lost.
  void reset() {
    m_dut->write_rst_ni = m_dut->read_rst_ni = 0;
    m_dut->eval();
    m_within.clear();
    m_dut->valid_i = 0;
    m_dut->ready_i = 0;
    for (int cycle = 0; cycle < 4; ++cycle) {
      m_dut->write_clk_i = m_dut->read_clk_i = 1;
      m_dut->eval();
      m_dut->write_clk_i = m_dut->read_clk_i = 0;
      m_dut->eval();
    }
    m_dut->write_rst_ni = m_dut->read_rst_ni = 1;
    m_dut->eval();
    m_shown = false;
  }

  /// Runs until so many words have been read. Edges of both clocks at one time are one event for the FIFO.
  void until(std::uint64_t words, unsigned places) {
    for (std::uint64_t edges = 0; read < words; ++edges) {
      ASSERT_LT(edges, 1000 + 400 * words) << "the FIFO stands still: " << written << " written, " << read << " read";
      const std::uint64_t now = std::min(m_write.due, m_read.due);
      const bool writes = m_write.due == now, reads = m_read.due == now;
      // What a side sees just before its edge counts.
      bool came = false;
      if (writes) {
        came = m_dut->valid_i && m_dut->ready_o;
        full_cycles += !m_dut->ready_o;
      }
      if (reads && m_dut->valid_o && m_dut->ready_i) {
        ASSERT_FALSE(m_within.empty()) << "word " << read << " is read before it is written";
        ASSERT_EQ(m_dut->data_o, m_within.front()) << "word " << read;
        m_within.pop_front();
        ++read;
        m_shown = false;
      } else if (reads) {
        ASSERT_TRUE(!m_shown || m_dut->valid_o) << "what was shown is taken back";
        m_shown = m_dut->valid_o;
      }
      if (came) {
        m_within.push_back(m_dut->data_i);
        ++written;
        ASSERT_LE(m_within.size(), places);
      }
      if (writes) m_dut->write_clk_i = 1;
      if (reads) m_dut->read_clk_i = 1;
      m_dut->eval();
      if (writes) m_dut->write_clk_i = 0;
      if (reads) m_dut->read_clk_i = 0;
      if (writes && (came || !m_dut->valid_i)) {
        m_dut->valid_i = m_random.chance(offers);
        m_dut->data_i = static_cast<IData>(m_random.bits());
      }
      if (reads) m_dut->ready_i = m_random.chance(accepts);
      m_dut->eval();
      if (writes) next(m_write);
      if (reads) next(m_read);
    }
  }

  std::uint64_t write_edges() const { return m_write.edges; }
  std::uint64_t read_edges() const { return m_read.edges; }

 private:
  struct clock {
    unsigned period;
    std::uint64_t edges, due;
  };
  void next(clock& c) {
    ++c.edges;
    c.due = c.edges * c.period + (m_jitter == 0 ? 0 : m_random.between(0, m_jitter));
  }

  dice& m_random;
  VerilatedContext m_context;
  std::unique_ptr<Model> m_dut = std::make_unique<Model>(&m_context);
  clock m_write, m_read;
  unsigned m_jitter;
  bool m_shown = false;
  std::deque<IData> m_within;
};

constexpr unsigned Ratios[][2] = {{100, 100}, {100, 101}, {101, 100}, {100, 37}, {37, 100},
                                  {100, 900}, {900, 100}, {64, 128},  {128, 64}, {97, 331}};

template <typename Model>
void every_word_arrives_once_and_in_order(unsigned places) {
  const std::uint64_t seed = test_seed();
  std::cout << "seed: WEFT_SEED=" << seed << " repeats this run" << std::endl;
  dice random(seed);
  std::uint64_t full_cycles = 0;
  for (const auto& ratio : Ratios) {
    for (const unsigned jitter : {0U, 30U}) {
      SCOPED_TRACE(testing::Message() << "periods " << ratio[0] << " and " << ratio[1] << ", jitter " << jitter
                                      << ", WEFT_SEED=" << seed);
      async_fifo_bench<Model> bench(random, ratio[0], ratio[1], jitter);
      for (int round = 0; round < 8; ++round) {
        bench.reset();
        bench.offers = round % 2 == 0 ? 1 : 0.05 + random.between(0, 90) / 100.0;
        bench.accepts = round % 3 == 0 ? 1 : 0.05 + random.between(0, 90) / 100.0;
        bench.until(bench.read + 200, places);
        if (testing::Test::HasFatalFailure()) return;
      }
      full_cycles += bench.full_cycles;
    }
  }
  EXPECT_GT(full_cycles, 0U);
}

TEST(lockstep_async_fifo, every_word_arrives_once_and_in_order_with_8_places) {
  every_word_arrives_once_and_in_order<Vasync_fifo_8>(8);
}
TEST(lockstep_async_fifo, every_word_arrives_once_and_in_order_with_2_places) {
  every_word_arrives_once_and_in_order<Vasync_fifo_2>(2);
}
TEST(lockstep_async_fifo, every_word_arrives_once_and_in_order_with_three_flip_flops) {
  every_word_arrives_once_and_in_order<Vasync_fifo_8_stages_3>(8);
}

/// Words a cycle of the slower clock, when both sides are always willing.
template <typename Model>
double rate(unsigned write_period, unsigned read_period) {
  dice random(1);
  async_fifo_bench<Model> bench(random, write_period, read_period, 0);
  bench.reset();
  bench.until(100, 8);
  const std::uint64_t write_edges = bench.write_edges(), read_edges = bench.read_edges(), read = bench.read;
  bench.until(read + 10'000, 8);
  return static_cast<double>(bench.read - read) /
         static_cast<double>(std::min(bench.write_edges() - write_edges, bench.read_edges() - read_edges));
}

TEST(lockstep_async_fifo, keeps_the_rate_of_the_slower_clock_where_it_is_deep_enough) {
  for (const auto& ratio : Ratios) {
    SCOPED_TRACE(testing::Message() << "periods " << ratio[0] << " and " << ratio[1]);
    EXPECT_GT(rate<Vasync_fifo_8>(ratio[0], ratio[1]), 0.999);
    EXPECT_GT(rate<Vasync_fifo_8_stages_3>(ratio[0], ratio[1]), 0.999);
  }
  EXPECT_LT(rate<Vasync_fifo_2>(100, 100), 0.5) << "two places are not enough, else this test shows nothing";
}

}  // namespace
}  // namespace weft
