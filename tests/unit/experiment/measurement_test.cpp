// SPDX-License-Identifier: Apache-2.0
#include "weft/simulation/measurement.h"

#include <unordered_map>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <malloc.h>
#include <rapidcheck/gtest.h>

namespace weft::experiment {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

/// Payload word i of flit s of packet p is 1000 p + 10 s + i.
class numbered_source final : public packet_source {
 public:
  cycle_t next_creation(node_id) const override { return Never; }
  packet pop(node_id) override { return {}; }
  void payload(const packet& p, std::uint32_t sequence, unsigned bits, std::uint64_t* words) const override {
    for (unsigned i = 0; i < (bits + 63) / 64; ++i) words[i] = 1000 * p.id + 10 * sequence + i;
  }
};

class unit_experiment_measurement : public testing::Test {
 protected:
  /// Creates packet \p p, injects one flit per cycle from \p injected on, and delivers the last one in cycle \p done.
  void pass(measurement& m, const packet& p, cycle_t injected, cycle_t done, std::uint32_t routers) {
    m.created(p);
    m.sent(p.id, p.source, injected);
    for (std::uint32_t s = 0; s < p.flits; ++s) m.injected({injected + s, p.source, 0, p.id, s}, raw(p));
    if (m.needs_waits()) m.waited(p.id, m_waits, done - 3);
    for (std::uint32_t s = 0; s < p.flits; ++s) eject(m, p, s, done + 1 + s - p.flits);
    m.delivered(p, done, routers);
  }
  void eject(measurement& m, const packet& p, std::uint32_t sequence, cycle_t cycle) {
    std::uint64_t words[4];
    m_source.payload(p, sequence, 256, words);
    m.ejected({cycle, p.destination, 0, p.id, sequence}, words);
    m.received({cycle, p.destination, 0, p.id, sequence}, words);
  }
  /// The header of a packet that is not compressed.
  static header raw(const packet& p) { return {p.destination, p.source, p.flits}; }

  measurement_options window(cycle_t first, cycle_t cycles) {
    measurement_options o;
    o.nodes = 4;
    o.warmup = first;
    o.measure = cycles;
    o.keep_answers = true;
    return o;
  }

  router_waits m_waits;  ///< waits of each packet, reported three cycles before its delivery
  numbered_source m_source;
  packet m_packet{7, 0, 1, 2, 100};
};

TEST_F(unit_experiment_measurement, metrics_match_hand_calculation) {
  measurement m(m_source, window(100, 60));
  pass(m, {1, 0, 3, 2, 99}, 99, 110, 3);    // created too early: only its flits are counted
  pass(m, {2, 0, 3, 2, 100}, 104, 120, 3);  // latency 20, network 16
  pass(m, {3, 1, 2, 4, 110}, 110, 140, 5);  // 30, 30
  pass(m, {4, 2, 2, 2, 159}, 160, 199, 1);  // 40, 39; delivered after the window
  pass(m, {5, 0, 1, 1, 160}, 160, 170, 2);  // created too late
  EXPECT_EQ(m.error(), "");
  EXPECT_EQ(m.measured(), 3u);
  EXPECT_EQ(m.measured_under_way(), 0u);
  EXPECT_DOUBLE_EQ(m.latency().mean(), 30);
  EXPECT_EQ(m.latency().percentile(50), 30u);
  EXPECT_DOUBLE_EQ(m.network_latency().mean(), 85.0 / 3);
  EXPECT_DOUBLE_EQ(m.mean_routers(), 3);
  EXPECT_DOUBLE_EQ(m.mean_length(), 8.0 / 3);
  EXPECT_DOUBLE_EQ(m.offered().mean, 8.0 / 60 / 4);
  EXPECT_DOUBLE_EQ(m.accepted().mean, 8.0 / 60 / 4);  // packets 1, 2 and 3
  ASSERT_EQ(m.by_length().size(), 2u);
  EXPECT_EQ(m.by_length().at(2).count, 2u);
  EXPECT_EQ(m.by_length().at(2).latency_sum, 60u);
  EXPECT_EQ(m.by_routers().at(5).count, 1u);
  ASSERT_EQ(m.answers().size(), 5u);
  EXPECT_EQ(m.answers()[1], (packet_answer{2, 104, 119, 120, 3}));
}

TEST_F(unit_experiment_measurement, tracks_queued_and_in_flight_packets) {
  measurement m(m_source, window(0, 1000));
  m.created(m_packet);
  EXPECT_THAT(m.flits_waiting(), ElementsAre(2, 0, 0, 0));
  EXPECT_EQ(m.totals_before(101).packets_queued, 1u);
  EXPECT_EQ(m.totals_before(100).packets_queued, 0u) << "it is created in cycle 100";
  EXPECT_EQ(m.totals_before(100).flits_created, 0u);
  EXPECT_EQ(m.packets_under_way(), 1u);
  m.sent(7, 0, 101);
  EXPECT_THAT(m.flits_waiting(), ElementsAre(0, 0, 0, 0));
  EXPECT_EQ(m.totals_before(Never).packets_queued, 0u);
  m.injected({101, 0, 0, 7, 0}, raw(m_packet));
  EXPECT_EQ(m.find(7)->flits_injected, 1u);
  m.injected({102, 0, 0, 7, 1}, {});
  eject(m, m_packet, 0, 110);
  eject(m, m_packet, 1, 111);
  EXPECT_EQ(m.measured_under_way(), 1u);
  m.delivered(m_packet, 111, 2);
  EXPECT_EQ(m.packets_under_way(), 0u);
  EXPECT_EQ(m.measured_under_way(), 0u);
  EXPECT_EQ(m.flits_injected(), 2u);
  EXPECT_EQ(m.flits_ejected(), 2u);
}

/// A node receives a compressed packet as flits at the ejector and then as flits of the message.
TEST_F(unit_experiment_measurement, created_and_carried_flits_of_compressed_packets_are_counted) {
  measurement m(m_source, window(0, 100));
  const packet p{1, 0, 3, 4, 10};
  m.created(p);
  m.sent(1, 0, 12);
  m.injected({20, 0, 0, 1, 0}, {3, 0, 2, 8, data_type::Int, codec::Fpc});
  m.injected({21, 0, 0, 1, 1}, {});
  m.ejected({40, 3, 0, 1, 0}, nullptr);
  m.ejected({41, 3, 0, 1, 1}, nullptr);
  std::uint64_t words[4];
  for (std::uint32_t s = 0; s < 4; ++s) {
    m_source.payload(p, s, 64, words);
    m.received({44 + s, 3, 0, 1, s}, words);
  }
  m.delivered(p, 47, 2);
  pass(m, {2, 0, 3, 2, 50}, 50, 60, 2);
  EXPECT_EQ(m.error(), "");
  EXPECT_DOUBLE_EQ(m.accepted().mean, 6.0 / 100 / 4);
  EXPECT_DOUBLE_EQ(m.carried().mean, 4.0 / 100 / 4);
  const compression_metrics& c = m.compression();
  EXPECT_EQ(c.packets, 2u);
  EXPECT_EQ(c.compressed, 1u);
  EXPECT_EQ(c.flits_created, 6u);
  EXPECT_EQ(c.flits_travelled, 4u);
  EXPECT_EQ(c.send_cycles, 8u);
  EXPECT_EQ(c.receive_cycles, 6u);
  EXPECT_DOUBLE_EQ(m.mean_waiting(), 8.0 / 100 / 4);
  EXPECT_EQ(c.most_waiting, 1);
  EXPECT_EQ(m.by_length().at(4).compressed, 1u);
  EXPECT_EQ(m.by_length().at(2).compressed, 0u);
  EXPECT_EQ(c.interval, 2u);
  ASSERT_EQ(c.over_time.size(), 26u);
  EXPECT_EQ(c.over_time[5].compressed, 1u);
  EXPECT_EQ(c.over_time[25].count, 1u);
  EXPECT_EQ(m.answers()[0], (packet_answer{1, 12, 44, 47, 2}));
  EXPECT_EQ(m.network_latency().min(), 10u) << "of the other packet";
  EXPECT_EQ(m.network_latency().max(), 21u);
}

TEST_F(unit_experiment_measurement, reports_changed_bits_that_truncation_should_have_kept) {
  const auto error_after = [&](std::uint64_t lost_bits) {
    measurement m(m_source, window(0, 1000));
    const packet p{7, 0, 1, 2, 100};  // payload words 7000 and 7010, which are denormals
    m.created(p);
    m.sent(7, 0, 101);
    m.injected({101, 0, 0, 7, 0}, {1, 0, 1, 4, data_type::Double, codec::LsbCut, 4});
    m.ejected({110, 1, 0, 7, 0}, nullptr);
    const std::uint64_t first = 7000, second = 7010 ^ lost_bits;
    m.received({111, 1, 0, 7, 0}, &first);
    m.received({112, 1, 0, 7, 1}, &second);
    return m.error();
  };
  EXPECT_EQ(error_after(0), "") << "denormals are unchanged";
  EXPECT_NE(error_after(1), "");
}

TEST_F(unit_experiment_measurement, accepts_missing_payload_if_sizes_are_assumed) {
  measurement_options o = window(0, 1000);
  o.assumed_size = true;
  measurement m(m_source, o);
  m.created(m_packet);
  m.sent(7, 0, 101);
  m.injected({101, 0, 0, 7, 0}, {1, 0, 1, 4, data_type::Int, codec::Fpc});
  m.ejected({110, 1, 0, 7, 0}, nullptr);
  m.delivered(m_packet, 110, 2);
  EXPECT_EQ(m.error(), "");
  EXPECT_DOUBLE_EQ(m.accepted().mean, 2.0 / 1000 / 4);
}

TEST_F(unit_experiment_measurement, reports_a_changed_payload_with_both_values) {
  measurement_options o = window(0, 1000);
  o.payload_bits = 128;
  measurement m(m_source, o);
  m.created(m_packet);
  m.injected({101, 0, 0, 7, 0}, raw(m_packet));
  const std::uint64_t wrong[] = {7000, 0};
  m.received({110, 1, 0, 7, 0}, wrong);
  EXPECT_EQ(m.error(),
            "cycle 110: node 1 received flit 0 of packet 7 with payload 0x0000000000001b58 "
            "0x0000000000000000 instead "
            "of 0x0000000000001b58 0x0000000000001b59 (words, low first)");
}

TEST_F(unit_experiment_measurement, reports_packet_and_flit_errors) {
  const auto error_after = [&](auto use) {
    measurement m(m_source, window(0, 1000));
    m.created(m_packet);
    m.sent(7, 0, 101);
    m.injected({101, 0, 0, 7, 0}, raw(m_packet));
    m.injected({102, 0, 0, 7, 1}, {});
    use(m);
    return m.error();
  };
  EXPECT_EQ(error_after([&](measurement& m) { m.created(m_packet); }), "cycle 100: packet 7 was created twice");
  EXPECT_EQ(error_after([&](measurement& m) {
              m.injected({103, 0, 0, 7, 2}, {});
            }),
            "cycle 103: node 0 injected flit 2 of packet 7, which was not its next flit to send");
  EXPECT_EQ(error_after([&](measurement& m) {
              m.injected({103, 0, 0, 8, 0}, {});
            }),
            "cycle 103: node 0 injected flit 0 of packet 8, which was not its next flit to send");
  EXPECT_EQ(error_after([&](measurement& m) { eject(m, m_packet, 1, 110); }),
            "cycle 110: node 1 received flit 1 of packet 7, expected flit 0");
  EXPECT_EQ(error_after([&](measurement& m) {
              eject(m, {8, 0, 1, 2, 0}, 0, 110);
            }),
            "cycle 110: node 1 received flit 0 of packet 8, which was not in flight");
  EXPECT_EQ(error_after([&](measurement& m) {
              eject(m, {7, 0, 3, 2, 100}, 0, 110);
            }),
            "cycle 110: node 3 received flit 0 of packet 7, which is for node 1");
  EXPECT_EQ(error_after([&](measurement& m) { m.delivered(m_packet, 110, 1); }),
            "cycle 110: packet 7 was reported as delivered, with 0 of 2 flits received");
  EXPECT_THAT(error_after([&](measurement& m) {
                for (std::uint32_t s : {0, 1}) eject(m, m_packet, s, 110 + s);
                m.delivered(m_packet, 111, 1);
                eject(m, m_packet, 1, 112);
              }),
              HasSubstr("which was not in flight"));
}

TEST_F(unit_experiment_measurement, an_empty_window_has_no_throughput) {
  measurement m(m_source, window(100, 50));
  m.close_window(20);
  EXPECT_EQ(m.window_first(), 100u);
  EXPECT_EQ(m.window_end(), 100u);
  EXPECT_EQ(m.accepted().mean, 0);
  EXPECT_FALSE(m.accepted().around.half_width.has_value());
  EXPECT_STREQ(m.accepted().around.none, "nothing was measured");
}

TEST_F(unit_experiment_measurement, ten_packets_are_too_few_for_confidence_intervals) {
  measurement m(m_source, window(0, 6000));
  for (packet_id id = 0; id < 10; ++id) pass(m, {id, 0, 3, 500, 600 * id}, 600 * id, 600 * id + 599, 3);
  EXPECT_DOUBLE_EQ(m.accepted().mean, 5000.0 / 6000 / 4);
  for (const rate& r : {m.offered(), m.accepted(), m.carried()}) {
    EXPECT_FALSE(r.around.half_width.has_value());
    EXPECT_STREQ(r.around.none, "fewer than 320 values");
  }
  EXPECT_FALSE(m.latency_interval().half_width.has_value());
}

TEST_F(unit_experiment_measurement, counts_accepted_flits_by_source) {
  measurement m(m_source, window(100, 60));
  pass(m, {1, 0, 3, 2, 99}, 99, 110, 3);
  pass(m, {2, 0, 3, 2, 100}, 104, 120, 3);
  pass(m, {3, 2, 2, 4, 110}, 110, 159, 5);
  pass(m, {4, 1, 2, 2, 159}, 160, 199, 1);  // delivered after the window
  EXPECT_THAT(m.accepted_of_sources(), ElementsAre(4, 0, 4, 0));
  EXPECT_THAT(m.flits_injected_by(), ElementsAre(4, 2, 4, 0));
  EXPECT_EQ(m.totals_before(Never).flits_received, 10u);
  EXPECT_EQ(m.totals_before(Never).packets_delivered, 4u);
  EXPECT_TRUE(m.pairs().empty());
}

TEST_F(unit_experiment_measurement, latency_breakdown_matches_hand_calculation) {
  measurement_options o = window(0, 1000);
  o.node_channels = {1, 1, 2, 3};
  measurement m(m_source, o);
  // The packet is in the queue for 4 cycles. Without waits the head would arrive after 2 + 4 + 1 + 4 + 3 cycles and the
  // tail one cycle later; it arrives in cycle 130.
  m_waits = {5, 3, 2, 1};
  pass(m, {1, 0, 3, 2, 100}, 104, 130, 2);
  ASSERT_TRUE(m.parts().has_value());
  EXPECT_EQ(m.parts()->source_queue, 4u);
  EXPECT_EQ(m.parts()->injection, 3u);
  EXPECT_EQ(m.parts()->pipeline, 9u);
  EXPECT_EQ(m.parts()->serialisation, 1u);
  EXPECT_EQ(m.parts()->ejection, 3u);
  EXPECT_EQ(m.parts()->vc_allocation, 5u);
  EXPECT_EQ(m.parts()->switch_allocation, 3u);
  EXPECT_EQ(m.parts()->credit_wait, 2u);
  EXPECT_FALSE(measurement(m_source, window(0, 1000)).parts().has_value());
}

TEST_F(unit_experiment_measurement, counts_source_destination_pairs_on_request) {
  measurement_options o = window(100, 60);
  o.keep_pairs = true;
  measurement m(m_source, o);
  pass(m, {1, 0, 3, 2, 99}, 99, 110, 3);  // not measured
  pass(m, {2, 0, 3, 2, 100}, 104, 120, 3);
  pass(m, {3, 0, 3, 2, 110}, 110, 140, 3);
  pass(m, {4, 2, 1, 2, 120}, 120, 135, 3);
  ASSERT_EQ(m.pairs().size(), 16u);
  EXPECT_EQ(m.pairs()[3].packets, 2u);
  EXPECT_EQ(m.pairs()[3].latency_sum, 50u);
  EXPECT_EQ(m.pairs()[9].packets, 1u);
  EXPECT_EQ(m.pairs()[0].packets, 0u);
}

TEST_F(unit_experiment_measurement, a_window_may_be_opened_later) {
  measurement_options o = window(Never, 50);
  measurement m(m_source, o);
  pass(m, {1, 0, 3, 4, 10}, 10, 40, 3);
  EXPECT_EQ(m.measured(), 0u);
  m.open_window(100);
  pass(m, {2, 0, 3, 4, 110}, 110, 140, 3);
  pass(m, {3, 0, 3, 4, 150}, 150, 190, 3);
  EXPECT_EQ(m.window_end(), 150u);
  EXPECT_EQ(m.measured(), 1u);
  EXPECT_DOUBLE_EQ(m.latency().mean(), 30);
}

TEST_F(unit_experiment_measurement, window_without_an_end_ends_when_it_is_closed) {
  measurement m(m_source, window(0, 0));
  pass(m, {1, 0, 3, 4, 10}, 10, 40, 3);
  m.close_window(50);
  EXPECT_EQ(m.window_end(), 50u);
  EXPECT_DOUBLE_EQ(m.accepted().mean, 4.0 / 50 / 4);
}

RC_GTEST_PROP(unit_experiment_flight_table, returns_inserted_packets_until_erased, ()) {
  flight_table table;
  std::unordered_map<packet_id, std::uint32_t> expected;
  const auto ids = rc::gen::inRange<packet_id>(0, 300);
  for (int step = 0; step < 1000; ++step) {
    const packet_id id = *ids * 0x1'0000'0001;
    if (const auto found = expected.find(id); found != expected.end()) {
      RC_ASSERT(table.find(id) != nullptr);
      RC_ASSERT(table.find(id)->what.source == found->second);
      table.erase(id);
      expected.erase(found);
    } else {
      RC_ASSERT(table.find(id) == nullptr);
      packet p;
      p.id = id;
      p.source = static_cast<node_id>(step);
      table.insert(p);
      expected[id] = p.source;
    }
    RC_ASSERT(table.size() == expected.size());
  }
  for (const auto& [id, source] : expected) RC_ASSERT(table.find(id)->what.source == source);
}

TEST(unit_experiment_flight_table, stores_waiting_packets_in_few_bytes) {
  constexpr std::size_t Packets = 200'000;
  const auto allocated = [] {
    const struct mallinfo2 heap = mallinfo2();
    return heap.uordblks + heap.hblkhd;
  };
  const std::size_t before = allocated();
  flight_table table;
  packet p;
  for (p.id = 0; p.id < Packets; ++p.id) {
    p.created = 2 * p.id;
    p.more = 3;
    p.cut = 7;
    table.insert(p);
  }
  EXPECT_LE(allocated() - before, 60 * Packets);
  EXPECT_TRUE(table.contains(77));
  const flight* const f = table.find(77);
  ASSERT_NE(f, nullptr);
  EXPECT_EQ(f->what.created, 154U);
  EXPECT_EQ(f->what.more, 3U);
  EXPECT_EQ(f->what.cut, 7U);
  EXPECT_EQ(f->sent, Never);
  EXPECT_FALSE(table.contains(Packets));
}

TEST(unit_experiment_flight_table, keeps_the_xor_fields_of_a_packet) {
  flight_table table;
  packet p;
  p.code.role = xor_role::Coded;
  p.code.second = {5, 6, 7, data_type::Double};
  table.insert(p);
  EXPECT_EQ(table.find(0)->what.code, p.code);
}

}  // namespace
}  // namespace weft::experiment
