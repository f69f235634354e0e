// SPDX-License-Identifier: Apache-2.0
/// The stream monitor in tb/sv reports nothing on valid streams, and one violation per broken rule.
#include "Vstream_monitor.h"
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "weft/cosim/pins.h"
#include "weft/cosim/verilator_runtime.h"

namespace weft::lockstep {
namespace {

/// A flit on the wires for one cycle.
struct offer {
  bool valid = true, head = false, tail = false, ready = true;
  header h;
  std::uint64_t payload = 0;
};

class lockstep_stream_monitor : public testing::Test {
 protected:
  lockstep_stream_monitor() {
    m_monitor.rst_ni = 1;
    m_monitor.eval();
    m_monitor.rst_ni = 0;
    m_monitor.eval();
    m_monitor.rst_ni = 1;
    m_monitor.eval();
  }
  ~lockstep_stream_monitor() override { m_monitor.final(); }

  void show(const offer& o) {
    m_monitor.flit_valid_i = o.valid;
    m_monitor.flit_head_i = o.head;
    m_monitor.flit_tail_i = o.tail;
    tb::put(m_monitor.flit_header_i, o.h);
    m_monitor.flit_payload_i = o.payload;
    m_monitor.ready_i = o.ready;
    m_monitor.clk_i = 0;
    m_monitor.eval();
    m_monitor.clk_i = 1;
    m_monitor.eval();
  }

  /// A raw packet of \p flits flits of two words.
  static std::vector<offer> packet(std::uint32_t flits) {
    std::vector<offer> offers(flits);
    offers.front().head = true;
    offers.front().h = {5, 6, flits, 2 * flits, data_type::Int, codec::Raw, 0};
    offers.back().tail = true;
    for (std::uint32_t i = 0; i < flits; ++i) offers[i].payload = 100 + i;
    return offers;
  }
  /// The number of errors for \p offers, shown one after the other with valid packets around them.
  unsigned errors_of(const std::vector<offer>& offers) {
    const unsigned before = m_monitor.errors_o;
    for (const offer& o : offers) show(o);
    return m_monitor.errors_o - before;
  }

  std::unique_ptr<VerilatedContext> m_context = tb::make_context();
  Vstream_monitor m_monitor{m_context.get(), "monitor"};
};

TEST_F(lockstep_stream_monitor, counts_good_packets_without_errors) {
  EXPECT_EQ(errors_of(packet(1)), 0U);
  auto stalled = packet(3);
  stalled.insert(stalled.begin() + 1, stalled[1]);
  stalled[1].ready = false;
  offer pause;
  pause.valid = false;
  stalled.insert(stalled.begin() + 3, pause);
  EXPECT_EQ(errors_of(stalled), 0U);
  auto coded = packet(2);
  coded[0].h = {1, 2, 2, 9, data_type::Double, codec::LsbCut, 51};
  EXPECT_EQ(errors_of(coded), 0U);
  EXPECT_EQ(m_monitor.packets_o, 3U);
  EXPECT_EQ(m_monitor.flits_o, 6U);
}

TEST_F(lockstep_stream_monitor, reports_a_flit_that_changes_while_waiting) {
  const auto changed = [](const std::function<void(offer&)>& change) {
    auto offers = packet(2);
    offers.insert(offers.begin(), offers[0]);
    offers[0].ready = false;
    change(offers[0]);
    return offers;
  };
  EXPECT_EQ(errors_of(changed([](offer&) {})), 0U);
  EXPECT_EQ(errors_of(changed([](offer& o) { o.payload ^= 1; })), 1U);
  EXPECT_EQ(errors_of(changed([](offer& o) { o.tail = true; })), 1U);
  EXPECT_EQ(errors_of(changed([](offer& o) { o.h.source ^= 1; })), 1U);
  auto retracted = packet(2);
  retracted[0].ready = false;
  offer pause;
  pause.valid = false;
  retracted.insert(retracted.begin() + 1, pause);
  const auto rest = packet(2);
  retracted.insert(retracted.begin() + 2, rest[0]);
  EXPECT_EQ(errors_of(retracted), 1U);
}

TEST_F(lockstep_stream_monitor, reports_broken_packets) {
  auto no_head = packet(2);
  no_head[0].head = false;
  no_head[0].h = {};
  EXPECT_GE(errors_of(no_head), 1U);
  auto two_heads = packet(3);
  two_heads[1] = two_heads[0];
  EXPECT_GE(errors_of(two_heads), 1U);
}

TEST_F(lockstep_stream_monitor, reports_a_length_that_differs_from_the_header) {
  auto early = packet(3);
  early[1].tail = true;
  early.pop_back();
  EXPECT_EQ(errors_of(early), 1U);
  auto late = packet(3);
  late[2].tail = false;
  late.push_back(late[1]);
  late[3].tail = true;
  EXPECT_EQ(errors_of(late), 2U) << "no tail where it should be, and one where it should not";
}

TEST_F(lockstep_stream_monitor, reports_inconsistent_headers) {
  const auto with = [](const std::function<void(header&)>& change) {
    auto offers = packet(2);
    change(offers[0].h);
    return offers;
  };
  EXPECT_EQ(errors_of(with([](header& h) { h.words = 5; })), 1U) << "more words than flits";
  EXPECT_EQ(errors_of(with([](header& h) { h.words = 2; })), 1U) << "fewer";
  EXPECT_EQ(errors_of(with([](header& h) { h.cut = 3; })), 1U) << "a cut of a raw packet";
  EXPECT_EQ(errors_of(with([](header& h) { h.codec = codec::Fpc, h.words = 4; })), 1U) << "coded, but not shorter";
  EXPECT_EQ(errors_of(with([](header& h) { h.codec = codec::LsbCut, h.words = 9, h.cut = 52; })), 1U);
  EXPECT_EQ(errors_of(with([](header& h) { h.codec = codec::Fpc, h.words = 0; })), 2U) << "of no words, so not shorter";
  auto body = packet(2);
  body[1].h.words = 1;
  EXPECT_EQ(errors_of(body), 1U) << "a header in the body";
}

}  // namespace
}  // namespace weft::lockstep
