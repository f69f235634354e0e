// SPDX-License-Identifier: Apache-2.0
/// The channel monitor in tb/sv reports nothing on a channel whose ends are reset together, and one violation per
/// broken rule.
#include "Vchannel_monitor.h"
#include "Vmonitored_channel.h"
#include <cstdint>
#include <memory>

#include <gtest/gtest.h>

#include "weft/cosim/verilator_runtime.h"

namespace weft::lockstep {
namespace {

constexpr unsigned ChannelVcs = 2, ChannelDepth = 4;

template <class Model>
void clock_once(Model& model) {
  model.clk_i = 0;
  model.eval();
  model.clk_i = 1;
  model.eval();
}

template <class Model>
void reset_both_ends(Model& model) {
  model.sender_rst_ni = 1;
  model.receiver_rst_ni = 1;
  model.eval();
  model.sender_rst_ni = 0;
  model.receiver_rst_ni = 0;
  clock_once(model);
  clock_once(model);
  model.sender_rst_ni = 1;
  model.receiver_rst_ni = 1;
}

/// The monitor alone; the test drives its wires.
class lockstep_channel_monitor : public testing::Test {
 protected:
  lockstep_channel_monitor() { reset_both_ends(m_monitor); }
  ~lockstep_channel_monitor() override { m_monitor.final(); }

  struct flit {
    bool head, tail;
    unsigned vc;
  };

  /// One cycle with a flit, a credit, both or none.
  void show(const flit* sent, const unsigned* returned_vc) {
    constexpr unsigned Data = 1 + 168;  // path id and data, which the monitor does not read
    for (std::uint32_t& word : m_monitor.flit_i.m_storage) word = 0;
    if (sent != nullptr) {
      const std::uint32_t bits = 8U | (sent->head ? 4U : 0U) | (sent->tail ? 2U : 0U) | sent->vc;
      m_monitor.flit_i[Data / 32] = bits << Data % 32;
    }
    m_monitor.credit_i = returned_vc != nullptr ? 2 | *returned_vc : 0;
    clock_once(m_monitor);
  }
  unsigned errors_of(const flit& sent) {
    const unsigned before = m_monitor.errors_o;
    show(&sent, nullptr);
    return m_monitor.errors_o - before;
  }
  unsigned errors_of_credit(unsigned vc) {
    const unsigned before = m_monitor.errors_o;
    show(nullptr, &vc);
    return m_monitor.errors_o - before;
  }

  std::unique_ptr<VerilatedContext> m_context = tb::make_context();
  Vchannel_monitor m_monitor{m_context.get(), "monitor"};
};

TEST_F(lockstep_channel_monitor, reports_flits_without_a_credit) {
  for (unsigned i = 0; i < ChannelDepth; ++i) EXPECT_EQ(errors_of({true, true, 1}), 0U);
  EXPECT_EQ(errors_of({true, true, 1}), 1U);
  EXPECT_EQ(errors_of({true, true, 0}), 0U);
  EXPECT_EQ(errors_of_credit(1), 0U);
  EXPECT_EQ(errors_of({true, true, 1}), 0U);
  EXPECT_EQ(m_monitor.flits_o, ChannelDepth + 3);
  EXPECT_EQ(m_monitor.credits_o, 1U);
}

TEST_F(lockstep_channel_monitor, reports_surplus_credits) {
  EXPECT_EQ(errors_of({true, true, 0}), 0U);
  EXPECT_EQ(errors_of_credit(1), 1U);
  EXPECT_EQ(errors_of_credit(0), 0U);
  EXPECT_EQ(errors_of_credit(0), 1U);
}

TEST_F(lockstep_channel_monitor, reports_broken_packets) {
  EXPECT_EQ(errors_of({false, true, 0}), 1U) << "a body flit outside a packet";
  EXPECT_EQ(errors_of({true, false, 0}), 0U);
  EXPECT_EQ(errors_of({true, true, 1}), 0U) << "another VC may interleave";
  EXPECT_EQ(errors_of({true, true, 0}), 1U) << "a head flit inside a packet";
}

TEST_F(lockstep_channel_monitor, reports_each_reset_of_one_end_once) {
  m_monitor.receiver_rst_ni = 0;
  for (int i = 0; i < 3; ++i) show(nullptr, nullptr);
  EXPECT_EQ(m_monitor.errors_o, 1U);
  reset_both_ends(m_monitor);
  EXPECT_EQ(m_monitor.errors_o, 1U) << "errors are kept over resets";
  m_monitor.sender_rst_ni = 0;
  for (int i = 0; i < 3; ++i) show(nullptr, nullptr);
  EXPECT_EQ(m_monitor.errors_o, 2U);
}

/// An injector and an ejector with a reset each, and the monitor between them.
class lockstep_monitored_channel : public testing::Test {
 protected:
  lockstep_monitored_channel() { reset_both_ends(m_channel); }
  ~lockstep_monitored_channel() override { m_channel.final(); }

  /// Offers packets for \p cycles cycles; the receiver accepts flits from cycle \p first on. \return number of received
  /// flits
  unsigned run(unsigned cycles, unsigned first = 0) {
    unsigned received = 0;
    for (unsigned cycle = 0; cycle < cycles; ++cycle) {
      m_channel.valid_i = 1;
      m_channel.ready_i = cycle >= first;
      m_channel.clk_i = 0;
      m_channel.eval();
      if (m_channel.received_o && m_channel.ready_i) ++received;
      m_channel.clk_i = 1;
      m_channel.eval();
    }
    return received;
  }
  /// Resets the receiver alone while its buffers are full.
  void reset_full_receiver() {
    run(20, 20);
    m_channel.receiver_rst_ni = 0;
    run(2, 2);
    m_channel.receiver_rst_ni = 1;
  }

  std::unique_ptr<VerilatedContext> m_context = tb::make_context();
  Vmonitored_channel m_channel{m_context.get(), "channel"};
};

TEST_F(lockstep_monitored_channel, reports_nothing_when_both_ends_are_reset_together) {
  EXPECT_GE(run(100), 90U);
  run(20, 20);
  reset_both_ends(m_channel);
  EXPECT_GE(run(100), 90U);
  EXPECT_EQ(m_channel.errors_o, 0U);
}

TEST_F(lockstep_monitored_channel, reports_receiver_reset_that_blocks_the_sender) {
  reset_full_receiver();
  EXPECT_EQ(run(100), 0U) << "the credits of the lost flits do not return";
  EXPECT_EQ(m_channel.errors_o, 1U);
  reset_both_ends(m_channel);
  EXPECT_GE(run(100), 90U) << "a reset of both ends repairs the channel";
}

}  // namespace
}  // namespace weft::lockstep
