// SPDX-License-Identifier: Apache-2.0
/// The engine under SystemC behaves as it does alone.
#include "support/event_log.h"
#include "support/network_case.h"
#include "support/random.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "weft/tlm/engine_clock.h"
#include "weft/topology/analysis/check.h"

namespace {

/// A case of tests/support; its model is driven from outside.
struct driven_case {
  explicit driven_case(const network_case& c)
      : graph(c.graph),
        source(make_traffic(c), c.stop),
        log((c.payload_bits + 63) / 64, event_log::detail::Everything),
        model(weft::engine::make_model(graph, c.router, c.nic, c.payload_bits, source, log)) {}

  weft::topology graph;
  stopping_source source;
  event_log log;
  std::unique_ptr<weft::engine::driven_model> model;
};

}  // namespace

/// The test uses forty random networks, two per clock. A clock runs every cycle or batches of 16 cycles. In half of the
/// networks the traffic ends, and they become idle.
TEST(tlm_clock, engine_in_systemc_matches_the_bare_engine) {
  constexpr weft::cycle_t Cycles = 3000;
  const sc_core::sc_time period(2, sc_core::SC_NS);
  std::vector<std::unique_ptr<driven_case>> bare, clocked;
  std::vector<std::unique_ptr<weft::tlm2::engine_clock>> clocks;
  std::uint64_t after = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    network_case c = random_case(seed);
    c.stop = seed % 2 == 0 ? 600 : weft::Never;
    bare.push_back(std::make_unique<driven_case>(c));
    clocked.push_back(std::make_unique<driven_case>(c));
    if (seed % 2 == 1) {
      clocks.push_back(std::make_unique<weft::tlm2::engine_clock>(("clock" + std::to_string(seed)).c_str(), period,
                                                                  seed % 4 == 1 ? 1 : 16));
      clocks.back()->after_cycles([&after] { ++after; });
    }
    clocks.back()->add(*clocked.back()->model);
  }
  sc_core::sc_start(Cycles * period);
  std::size_t events = 0;
  for (auto& clock : clocks) clock->catch_up();
  for (std::size_t i = 0; i < bare.size(); ++i) {
    bare[i]->model->run(Cycles);
    EXPECT_EQ(bare[i]->model->now(), clocked[i]->model->now()) << "case " << i + 1;
    EXPECT_EQ(first_difference(bare[i]->log.text(Cycles), clocked[i]->log.text(Cycles)), "") << "case " << i + 1;
    events += bare[i]->log.events();
  }
  EXPECT_GT(events, 100'000U);
  EXPECT_GT(after, 0U);
}

TEST(tlm_clock, rejects_a_period_or_stride_of_zero) {
  EXPECT_THROW(weft::tlm2::engine_clock("clock", sc_core::SC_ZERO_TIME), std::invalid_argument);
  EXPECT_THROW(weft::tlm2::engine_clock("stride", sc_core::sc_time(1, sc_core::SC_NS), 0), std::invalid_argument);
}
