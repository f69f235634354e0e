// SPDX-License-Identifier: Apache-2.0
/// The asynchronous FIFO between two clocks of any ratio. Every word arrives once and in order. At every edge, each
/// side has the outputs that follow from the synchronizers. If the FIFO is deep enough, it sustains the rate of the
/// slower clock. It is verilated as plain C++, where time is a list of edges.
#include "Vasync_fifo_2.h"
#include "Vasync_fifo_8.h"
#include "Vasync_fifo_8_stages_3.h"
#include "support/random.h"
#include <algorithm>
#include <cstdint>
#include <deque>
#include <iostream>
#include <memory>
#include <utility>

#include <gtest/gtest.h>
#include <verilated.h>

#include "weft/cosim/verilator_runtime.h"

namespace weft {
namespace {

/// Parameters of a FIFO.
struct fifo_shape {
  unsigned places = 8, stages = 2;
};

/// A FIFO, its two clocks, and a writer and a reader.
template <typename Model>
class async_fifo_bench {
 public:
  /// \param write_period period of the writing clock, in arbitrary units
  /// \param jitter       upper bound of each edge's delay
  async_fifo_bench(rng& random, const fifo_shape& shape, unsigned write_period, unsigned read_period, unsigned jitter)
      : m_random(random),
        m_shape(shape),
        m_write{write_period, 0, 0, {}},
        m_read{read_period, 0, 0, {}},
        m_jitter(jitter) {
    m_dut->write_rst_ni = m_dut->read_rst_ni = 1;
    m_dut->write_clk_i = m_dut->read_clk_i = 0;
    m_dut->eval();
  }
  ~async_fifo_bench() {
    m_dut->final();
    tb::write_coverage(m_context);
  }

  double offers = 1, accepts = 1;  ///< probabilities that the writer has a word, and that the reader accepts one
  std::uint64_t written = 0, read = 0, full_cycles = 0;

  /// Resets both sides at any phase of their clocks and discards the contents. The sides leave reset one after the
  /// other.
  void reset() {
    m_dut->write_rst_ni = m_dut->read_rst_ni = 0;
    m_dut->valid_i = 0;
    m_dut->ready_i = 0;
    m_dut->eval();
    m_within.clear();
    m_write.other.assign(m_shape.stages, 0);
    m_read.other.assign(m_shape.stages, 0);
    m_came = m_gone = 0;
    CData* sides[] = {&m_dut->write_rst_ni, &m_dut->read_rst_ni};
    if (m_random.chance(0.5)) std::swap(sides[0], sides[1]);
    for (CData* side : sides) {
      for (unsigned edges = m_random.between(0, 9); edges > 0; --edges) edge();
      *side = 1;
      m_dut->eval();
    }
  }

  /// Runs until \p words words have been read.
  void until(std::uint64_t words) {
    for (std::uint64_t edges = 0; read < words; ++edges) {
      if (testing::Test::HasFatalFailure()) return;
      ASSERT_LT(edges, 1000 + 400 * words)
          << "the FIFO makes no progress: " << written << " written, " << read << " read";
      edge();
    }
  }

  std::uint64_t write_edges() const { return m_write.edges; }
  std::uint64_t read_edges() const { return m_read.edges; }

 private:
  struct clock {
    unsigned period;
    std::uint64_t edges, due;
    std::deque<std::uint64_t> other;  // word counts of the other side in this side's synchronizer
  };

  /// Simulates the next edge. Simultaneous edges of both clocks are one event: neither side observes the other's
  /// change.
  void edge() {
    const std::uint64_t now = std::min(m_write.due, m_read.due);
    const bool writes = m_write.due == now, reads = m_read.due == now;
    // Handshakes use the values just before the edge.
    compare();
    if (testing::Test::HasFatalFailure()) return;
    const bool came = m_dut->valid_i && m_dut->ready_o, gone = m_dut->valid_o && m_dut->ready_i;
    const std::uint64_t came_before = m_came, gone_before = m_gone;
    if (writes) {
      full_cycles += !m_dut->ready_o;
      if (came) {
        m_within.push_back(m_dut->data_i);
        ++m_came;
        ++written;
      }
      next(m_write, gone_before);
    }
    if (reads) {
      if (gone) {
        m_within.pop_front();
        ++m_gone;
        ++read;
      }
      next(m_read, came_before);
    }
    if (writes) m_dut->write_clk_i = 1;
    if (reads) m_dut->read_clk_i = 1;
    m_dut->eval();
    compare();
    if (writes) m_dut->write_clk_i = 0;
    if (reads) m_dut->read_clk_i = 0;
    if (m_dut->write_rst_ni && m_dut->read_rst_ni) {
      if (writes && (came || !m_dut->valid_i)) {
        m_dut->valid_i = m_random.chance(offers);
        m_dut->data_i = static_cast<IData>(m_random.bits());
      }
      if (reads) m_dut->ready_i = m_random.chance(accepts);
    }
    m_dut->eval();
  }

  /// Full and empty use the other side's count of as many of this side's edges ago as the synchronizer has flip-flops.
  void compare() {
    ASSERT_EQ(m_dut->ready_o != 0, m_came - m_write.other.front() < m_shape.places) << "behind word " << written;
    ASSERT_EQ(m_dut->valid_o != 0, m_read.other.front() != m_gone) << "word " << read;
    if (m_dut->valid_o) {
      ASSERT_EQ(m_dut->data_o, m_within.front()) << "word " << read;
    }
  }

  void next(clock& c, std::uint64_t other) {
    ++c.edges;
    c.due = c.edges * c.period + (m_jitter == 0 ? 0 : m_random.between(0, m_jitter));
    c.other.push_back(other);
    c.other.pop_front();
  }

  rng& m_random;
  const fifo_shape m_shape;
  VerilatedContext m_context;
  std::unique_ptr<Model> m_dut = std::make_unique<Model>(&m_context, "fifo");
  clock m_write, m_read;
  unsigned m_jitter;
  std::deque<IData> m_within;
  std::uint64_t m_came = 0, m_gone = 0;  // words since the reset
};

constexpr unsigned Ratios[][2] = {{100, 100}, {100, 101}, {101, 100}, {100, 37}, {37, 100},
                                  {100, 900}, {900, 100}, {64, 128},  {128, 64}, {97, 331}};

template <typename Model>
void every_word_arrives_once_and_in_order(const fifo_shape& shape) {
  const std::uint64_t seed = test_seed();
  std::cout << "seed: WEFT_SEED=" << seed << " repeats this run" << std::endl;
  rng random(seed);
  std::uint64_t full_cycles = 0;
  for (const auto& ratio : Ratios) {
    for (const unsigned jitter : {0U, 30U}) {
      SCOPED_TRACE(testing::Message() << "periods " << ratio[0] << " and " << ratio[1] << ", jitter " << jitter
                                      << ", WEFT_SEED=" << seed);
      async_fifo_bench<Model> bench(random, shape, ratio[0], ratio[1], jitter);
      for (int round = 0; round < 8; ++round) {
        bench.reset();
        bench.offers = round % 2 == 0 ? 1 : 0.05 + random.between(0, 90) / 100.0;
        bench.accepts = round % 3 == 0 ? 1 : 0.05 + random.between(0, 90) / 100.0;
        bench.until(bench.read + 200);
        if (testing::Test::HasFatalFailure()) return;
      }
      full_cycles += bench.full_cycles;
    }
  }
  EXPECT_GT(full_cycles, 0U);
}

TEST(lockstep_async_fifo, delivers_every_word_once_and_in_order_with_8_entries) {
  every_word_arrives_once_and_in_order<Vasync_fifo_8>({8, 2});
}
TEST(lockstep_async_fifo, delivers_every_word_once_and_in_order_with_2_entries) {
  every_word_arrives_once_and_in_order<Vasync_fifo_2>({2, 2});
}
TEST(lockstep_async_fifo, delivers_every_word_once_and_in_order_with_3_synchronizer_stages) {
  every_word_arrives_once_and_in_order<Vasync_fifo_8_stages_3>({8, 3});
}

/// Words per cycle of the slower clock when the writer always has a word and the reader always accepts.
template <typename Model>
double rate(const fifo_shape& shape, unsigned write_period, unsigned read_period) {
  rng random(1);
  async_fifo_bench<Model> bench(random, shape, write_period, read_period, 0);
  bench.reset();
  bench.until(100);
  const std::uint64_t write_edges = bench.write_edges(), read_edges = bench.read_edges(), read = bench.read;
  bench.until(read + 10'000);
  return static_cast<double>(bench.read - read) /
         static_cast<double>(std::min(bench.write_edges() - write_edges, bench.read_edges() - read_edges));
}

TEST(lockstep_async_fifo, reaches_the_rate_of_the_slower_clock_if_deep_enough) {
  for (const auto& ratio : Ratios) {
    SCOPED_TRACE(testing::Message() << "periods " << ratio[0] << " and " << ratio[1]);
    EXPECT_GT(rate<Vasync_fifo_8>({8, 2}, ratio[0], ratio[1]), 0.999);
    EXPECT_GT(rate<Vasync_fifo_8_stages_3>({8, 3}, ratio[0], ratio[1]), 0.999);
  }
  EXPECT_LT(rate<Vasync_fifo_2>({2, 2}, 100, 100), 0.5) << "two places are not enough, else this test shows nothing";
}

}  // namespace
}  // namespace weft
