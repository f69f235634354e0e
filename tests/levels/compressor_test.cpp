// SPDX-License-Identifier: Apache-2.0
/// The compressor of a NIC: which form leaves, in which cycles, and what moves meanwhile.
#include "weft/pin/nic/compressor.h"

#include "levels/stage_bench.h"
#include <memory>
#include <vector>

#include "weft/core/selection.h"

namespace weft::pin {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

template <unsigned K>
class compressor_bench {
 public:
  explicit compressor_bench(const compressor_parameters& p = {}, unsigned cut_bits = 28)
      : dut("dut", p), b(dut), codecs{p.table, p.classic, cut_bits, p.exact} {
    dut.mode_i(mode);
    dut.length_threshold_i(length_threshold);
    dut.received_threshold_i(received_threshold);
    dut.queue_threshold_i(queue_threshold);
    dut.cut_i(cut);
    select(selection_mode::Always);
    length_threshold.write(200);
    cut.write(static_cast<std::uint8_t>(cut_bits));
    b.base.start();
  }

  compressor<32 * K> dut;
  stage_bench<K> b;
  codec_parameters codecs;
  sc_core::sc_signal<std::uint8_t> mode{"mode"};
  sc_core::sc_signal<std::uint32_t> length_threshold{"length_threshold"};
  sc_core::sc_signal<std::uint32_t> received_threshold{"received_threshold"};
  sc_core::sc_signal<std::uint32_t> queue_threshold{"queue_threshold"};
  sc_core::sc_signal<std::uint8_t> cut{"cut"};

  void select(selection_mode m) { mode.write(static_cast<std::uint8_t>(m)); }

  /// A message as the node sends it.
  packet_of<K> raw(packet_id id, const message_t& message, data_type type) const {
    return travelling<K>(id, message, type, codec::Raw, codecs);
  }
  /// The same, as it leaves if compression is tried.
  packet_of<K> shorter(packet_id id, const message_t& message, data_type type) const {
    return travelling<K>(id, message, type, codec_for(type, codecs.classic), codecs);
  }
};

template <typename Width>
class levels_pin_compressor : public testing::Test {
 public:
  static constexpr unsigned Words = Width::value;
  random_numbers random;

  /// Sends messages of every kind, length and type with random gaps and stalls, and expects the shorter form of each.
  void shorter_forms_leave(const compressor_parameters& parameters, unsigned cut, unsigned packets) {
    compressor_bench<Words> bench(parameters, cut);
    constexpr content Kinds[] = {content::Small, content::Random, content::Mixed, content::Zeros, content::Doubles};
    std::vector<packet_of<Words>> in, out;
    std::uint64_t compressed = 0, lost = 0, words_in = 0, words_out = 0;
    for (packet_id id = 0; id < packets; ++id) {
      const unsigned most = random.chance(0.1) ? parameters.depth + 4 : 24;
      const message_t message = make_message(random, Kinds[random.below(5)], random.below(most * Words + 1));
      const auto type = static_cast<data_type>(random.below(4));
      in.push_back(bench.raw(id, message, type));
      out.push_back(in.back());
      if (random.chance(0.1)) {  // its header is inconsistent
        in.back()[0].words += Words;
        out.back() = in.back();
        continue;
      }
      if (in.back().size() > parameters.depth || in.back().size() < 2 || type == data_type::Other) continue;
      out.back() = bench.shorter(id, message, type);
      if (out.back()[0].codec == codec::Raw) {
        ++lost;
      } else {
        ++compressed;
        words_in += message.size();
        words_out += out.back().size() * Words;
      }
    }
    bench.b.run(in, out, random);
    EXPECT_EQ(bench.dut.packets_compressed(), compressed);
    EXPECT_EQ(bench.dut.packets_lost(), lost);
    EXPECT_EQ(bench.dut.words_in(), words_in);
    EXPECT_EQ(bench.dut.words_out(), words_out);
    EXPECT_GT(compressed, packets / 20);
    EXPECT_GT(lost, packets / 20);
  }
};
TYPED_TEST_SUITE(levels_pin_compressor, flit_widths);

constexpr data_type Int = data_type::Int, Double = data_type::Double, Other = data_type::Other;

// ---------------------------------------------------------------------------------------------------------------
// Latency and throughput

TYPED_TEST(levels_pin_compressor, bypass_has_no_latency_and_forwards_stalls) {
  constexpr unsigned K = TypeParam::value;
  compressor_bench<K> c;
  const packet_of<K> packet = c.raw(1, make_message(this->random, content::Small, 5 * K), Other);
  c.b.send(packet);
  for (unsigned i = 0; i < 100 && !c.b.waiting.empty(); ++i) {
    const bool ready = this->random.chance(0.5);
    c.b.present(true, ready);
    EXPECT_EQ(c.b.out.read(), c.b.in.read());
    EXPECT_EQ(c.b.in_ready.read(), ready);
    EXPECT_FALSE(c.b.busy.read());
    c.b.cycle(true, ready);
  }
  c.b.compare({packet});
  c.b.present(false, true);
  EXPECT_FALSE(c.b.out.read().valid);
}

TYPED_TEST(levels_pin_compressor, head_leaves_four_cycles_after_its_tail_arrived) {
  constexpr unsigned K = TypeParam::value;
  compressor_bench<K> c;
  const message_t small = make_message(this->random, content::Small, 10 * K);
  const message_t hard = make_message(this->random, content::Random, 10 * K);
  message_t doubles = hard;  // of medium magnitude: no special values among them
  for (std::size_t i = 1; i < doubles.size(); i += 2) doubles[i] = 0x40000000 | doubles[i] >> 4;
  std::vector<packet_of<K>> expected;
  const auto pass = [&](packet_id id, const message_t& message, data_type type, bool compresses) {
    c.b.send(c.raw(id, message, type));
    c.b.drain();
    expected.push_back(c.shorter(id, message, type));
    EXPECT_EQ(expected.back()[0].codec != codec::Raw, compresses);
    EXPECT_EQ(c.b.cycle_of(c.b.entered, id, 9), c.b.cycle_of(c.b.entered, id, 0) + 9) << "one flit a cycle";
    EXPECT_EQ(c.b.cycle_of(c.b.left, id, 0), c.b.cycle_of(c.b.entered, id, 9) + 4) << "packet " << id;
    EXPECT_EQ(c.b.left.back().cycle, c.b.cycle_of(c.b.left, id, 0) + expected.back().size() - 1) << "one flit a cycle";
  };
  pass(1, small, Int, true);
  pass(2, doubles, Double, true);
  pass(3, hard, Int, false);
  c.b.compare(expected);
}

TYPED_TEST(levels_pin_compressor, raw_packet_queued_behind_a_coded_one_takes_two_cycles) {
  constexpr unsigned K = TypeParam::value;
  compressor_bench<K> c;
  c.b.send(c.raw(1, make_message(this->random, content::Small, 6 * K), Int));
  do c.b.cycle();
  while (!c.b.out.read().tail);
  ASSERT_TRUE(c.b.busy.read());
  c.b.send(c.raw(2, make_message(this->random, content::Small, 3 * K), Other));
  c.b.drain();
  for (std::uint32_t i = 0; i < 3; ++i)
    EXPECT_EQ(c.b.cycle_of(c.b.left, 2, i), c.b.cycle_of(c.b.entered, 2, i) + 2) << "flit " << i;
}

TYPED_TEST(levels_pin_compressor, accepts_a_flit_per_cycle_when_every_packet_is_coded) {
  constexpr unsigned K = TypeParam::value;
  constexpr packet_id Packets = 100;
  compressor_bench<K> c;
  std::vector<packet_of<K>> expected;
  for (packet_id id = 0; id < Packets; ++id) {
    const message_t message = make_message(this->random, content::Small, 9 * K);
    c.b.send(c.raw(id, message, Int));
    expected.push_back(c.shorter(id, message, Int));
  }
  c.b.drain();
  c.b.compare(expected);
  EXPECT_EQ(c.b.bubbles(c.b.entered), 0U);
  EXPECT_EQ(c.dut.packets_compressed(), Packets);
  cycle_t tail = 0;
  auto head = c.b.left.begin();
  for (const auto& e : c.b.entered) {
    if (!e.flit.tail) continue;
    tail = e.cycle;
    while (head->flit.tag.packet() != e.flit.tag.packet()) ++head;
    ASSERT_EQ(head->cycle, tail + 4) << head->flit;
  }
}

TYPED_TEST(levels_pin_compressor, sends_a_flit_per_cycle_when_no_packet_shrinks) {
  constexpr unsigned K = TypeParam::value;
  compressor_bench<K> c;
  std::vector<packet_of<K>> expected;
  for (packet_id id = 0; id < 100; ++id) {
    expected.push_back(c.raw(id, make_message(this->random, content::Random, 12 * K), Int));
    c.b.send(expected.back());
  }
  c.b.drain();
  c.b.compare(expected);
  EXPECT_EQ(c.dut.packets_lost(), 100U);
  EXPECT_EQ(c.b.bubbles(c.b.entered), 0U);
  EXPECT_EQ(c.b.bubbles(c.b.left), 0U);
}

TYPED_TEST(levels_pin_compressor, raw_packets_follow_a_coded_one_without_a_bubble) {
  constexpr unsigned K = TypeParam::value;
  compressor_bench<K> c;
  std::vector<packet_of<K>> expected;
  for (packet_id id = 0; id < 60; ++id) {
    const message_t message = make_message(this->random, content::Small, (1 + this->random.below(4)) * K);
    const packet_of<K> raw = c.raw(id, message, Other);
    c.b.send(id == 0 ? c.raw(id, make_message(this->random, content::Small, 4 * K), Int) : raw);
    expected.push_back(raw);
  }
  c.b.drain();
  EXPECT_EQ(c.b.bubbles(c.b.entered), 0U);
  EXPECT_EQ(c.b.bubbles(c.b.left), 0U);
}

// ---------------------------------------------------------------------------------------------------------------
// Function

TYPED_TEST(levels_pin_compressor, sends_each_packet_coded_or_raw_whichever_is_shorter) {
  this->shorter_forms_leave({}, 28, 1500);
}

TYPED_TEST(levels_pin_compressor, sends_the_shorter_form_with_small_memories) {
  compressor_parameters p;
  p.depth = 16;
  p.packets = 2;
  this->shorter_forms_leave(p, 40, 1500);
}

TYPED_TEST(levels_pin_compressor, sends_the_shorter_form_with_classic_fpc_and_plain_lsb_cut) {
  compressor_parameters p;
  p.depth = 32;
  p.packets = 4;
  p.classic = true;
  p.exact = false;
  this->shorter_forms_leave(p, 12, 1500);
}

TYPED_TEST(levels_pin_compressor, sends_the_shorter_form_with_another_table) {
  compressor_parameters p;
  p.depth = 64;
  p.table = {{32, 28, 25, 23, 22, 21}};
  this->shorter_forms_leave(p, 51, 1500);
}

TYPED_TEST(levels_pin_compressor, accepts_no_packet_while_its_memory_is_full) {
  constexpr unsigned K = TypeParam::value;
  compressor_parameters p;
  p.depth = 16;
  compressor_bench<K> c(p);
  std::vector<packet_of<K>> expected;
  for (packet_id id = 0; id < 6; ++id) {
    expected.push_back(c.raw(id, make_message(this->random, content::Random, 5 * K), Int));
    c.b.send(expected.back());
  }
  for (unsigned i = 0; i < 60; ++i) c.b.cycle(true, false);
  EXPECT_EQ(c.b.entered.size(), 15U) << "three packets of five flits in a memory of 16";
  c.b.drain();
  c.b.compare(expected);
}

TYPED_TEST(levels_pin_compressor, packet_waits_for_a_free_descriptor) {
  constexpr unsigned K = TypeParam::value;
  compressor_parameters p;
  p.packets = 4;
  compressor_bench<K> c(p);
  c.b.send(c.raw(0, make_message(this->random, content::Random, 2 * K), Int));
  for (packet_id id = 1; id < 9; ++id) c.b.send(c.raw(id, {1}, Other));
  for (unsigned i = 0; i < 60; ++i) c.b.cycle(true, false);
  EXPECT_EQ(c.b.entered.size(), 2U + 3);
  c.b.drain();
  EXPECT_EQ(c.b.left.size(), 2U + 8);
}

TYPED_TEST(levels_pin_compressor, oversized_packet_bypasses_once_the_memory_is_empty) {
  constexpr unsigned K = TypeParam::value;
  compressor_parameters p;
  p.depth = 8;
  compressor_bench<K> c(p);
  const message_t small = make_message(this->random, content::Small, 8 * K);
  const packet_of<K> longer = c.raw(2, make_message(this->random, content::Small, 9 * K), Int);
  c.b.send(c.raw(1, small, Int));
  c.b.send(longer);
  while (c.b.entered.size() < 8) c.b.cycle();
  while (c.b.busy.read()) {
    c.b.present(true, true);
    EXPECT_FALSE(c.b.in_ready.read());
    c.b.cycle();
  }
  c.b.drain();
  c.b.compare({c.shorter(1, small, Int), longer});
  for (std::uint32_t i = 0; i < 9; ++i)
    EXPECT_EQ(c.b.cycle_of(c.b.left, 2, i), c.b.cycle_of(c.b.entered, 2, i)) << "flit " << i;
}

TYPED_TEST(levels_pin_compressor, selects_packets_by_length_received_flits_and_queue_length) {
  constexpr unsigned K = TypeParam::value;
  compressor_bench<K> c;
  c.select(selection_mode::Selective);
  c.length_threshold.write(6);
  c.received_threshold.write(10);
  c.queue_threshold.write(3);
  packet_id id = 0;
  const auto leaves_coded = [&](unsigned flits, unsigned received, unsigned queue) {
    c.b.received.write(received);
    c.b.queue.write(queue);
    c.b.send(c.raw(id++, make_message(this->random, content::Small, flits * K), Int));
    c.b.left.clear();
    c.b.drain();
    return c.b.left.front().flit.codec != codec::Raw;
  };
  EXPECT_FALSE(leaves_coded(5, 10, 3));
  EXPECT_TRUE(leaves_coded(6, 10, 3));
  EXPECT_TRUE(leaves_coded(5, 11, 3));
  EXPECT_TRUE(leaves_coded(5, 10, 4));
  c.select(selection_mode::None);
  EXPECT_FALSE(leaves_coded(6, 11, 4));
  c.select(selection_mode::Always);
  EXPECT_TRUE(leaves_coded(5, 0, 0));
}

TYPED_TEST(levels_pin_compressor, selection_is_kept_while_the_head_waits) {
  constexpr unsigned K = TypeParam::value;
  compressor_parameters p;
  p.depth = 8;
  compressor_bench<K> c(p);
  c.select(selection_mode::Selective);
  const message_t hard = make_message(this->random, content::Random, 5 * K);
  for (const bool congested : {false, true}) {
    c.b.received.write(1);
    c.b.send(c.raw(0, hard, Int));
    for (unsigned i = 0; i < 20; ++i) c.b.cycle(true, false);
    // The memory has no room for this packet, so its head waits while the congestion changes.
    c.b.left.clear();
    c.b.received.write(congested);
    c.b.send(c.raw(1, make_message(this->random, content::Small, 8 * K), Int));
    c.b.cycle(true, false);
    ASSERT_EQ(c.b.waiting.size(), 8U);
    for (unsigned i = 0; i < 5; ++i) {
      c.b.received.write(i % 2);
      c.b.cycle(true, false);
    }
    c.b.received.write(!congested);
    c.b.drain();
    const auto coded_1 = [&](const auto& e) { return e.flit.tag.packet() == 1 && e.flit.codec != codec::Raw; };
    EXPECT_EQ(std::any_of(c.b.left.begin(), c.b.left.end(), coded_1), congested);
  }
}

TYPED_TEST(levels_pin_compressor, is_empty_after_reset) {
  constexpr unsigned K = TypeParam::value;
  compressor_bench<K> c;
  c.b.send(c.raw(1, make_message(this->random, content::Random, 4 * K), Int));
  c.b.send(c.raw(2, make_message(this->random, content::Mixed, 9 * K), Int));
  for (unsigned i = 0; i < 9; ++i) c.b.cycle(true, false);
  ASSERT_TRUE(c.b.out.read().valid);
  c.b.restart();
  EXPECT_FALSE(c.b.out.read().valid);
  EXPECT_FALSE(c.b.busy.read());
  const message_t small = make_message(this->random, content::Small, 7 * K);
  c.b.send(c.raw(3, small, Int));
  c.b.drain();
  c.b.compare({c.shorter(3, small, Int)});
}

// ---------------------------------------------------------------------------------------------------------------
// Violated assertions

TYPED_TEST(levels_pin_compressor, rejects_a_length_that_differs_from_the_header) {
  constexpr unsigned K = TypeParam::value;
  compressor_bench<K> c;
  packet_of<K> packet = c.raw(1, make_message(this->random, content::Small, 4 * K), Int);
  packet[2].tail = true;
  packet.resize(3);
  c.b.send(packet);
  EXPECT_THAT(broken_rule([&] { c.b.drain(); }),
              AllOf(StartsWith("dut: "), HasSubstr("differs from the length of the packet: tail flit")));
}

TYPED_TEST(levels_pin_compressor, rejects_a_head_flit_inside_a_packet) {
  constexpr unsigned K = TypeParam::value;
  compressor_bench<K> c;
  packet_of<K> packet = c.raw(1, make_message(this->random, content::Small, 4 * K), Int);
  packet.pop_back();
  c.b.send(packet);
  c.b.send(packet);
  EXPECT_THAT(broken_rule([&] { c.b.drain(); }), AllOf(StartsWith("dut: "), HasSubstr("head flit inside a packet")));
}

TEST(levels_pin_compressor_parameters, rejects_depth_that_is_not_a_power_of_two) {
  compressor_parameters p;
  p.depth = 500;
  EXPECT_THAT(broken_rule([&] { compressor<64> dut("dut", p); }), AllOf(StartsWith("dut: "), HasSubstr("depth 500")));
}

TEST(levels_pin_compressor_parameters, rejects_run_lengths_that_do_not_decrease) {
  compressor_parameters p;
  p.table.runs[3] = 17;
  EXPECT_THAT(broken_rule([&] { compressor<64> dut("dut", p); }), HasSubstr("run lengths must decrease"));
}

}  // namespace
}  // namespace weft::pin
