// SPDX-License-Identifier: Apache-2.0
/// The compressor with a given latency: when packets leave, and in which form.
#include "weft/pin/nic/timed_compressor.h"

#include "levels/stage_bench.h"
#include <vector>

namespace weft::pin {
namespace {

constexpr unsigned TimedWords = 2;

class timed_bench {
 public:
  explicit timed_bench(const compression_parameters& p) : dut("dut", p, cuts), b(dut), parameters(p) { b.base.start(); }

  packet_cuts cuts;
  timed_compressor<32 * TimedWords> dut;
  stage_bench<TimedWords> b;
  compression_parameters parameters;

  packet_of<TimedWords> raw(packet_id id, const message_t& message, data_type type) const {
    return travelling<TimedWords>(id, message, type, codec::Raw, parameters.codec);
  }
  packet_of<TimedWords> shorter(packet_id id, const message_t& message, data_type type) const {
    return travelling<TimedWords>(id, message, type, codec_for(type, false), parameters.codec);
  }
  cycle_t entered(packet_id id, std::uint32_t sequence) const { return b.cycle_of(b.entered, id, sequence); }
  cycle_t left(packet_id id, std::uint32_t sequence) const { return b.cycle_of(b.left, id, sequence); }
};

compression_parameters always(cycle_t latency) {
  compression_parameters p;
  p.selection.mode = selection_mode::Always;
  p.latency = latency;
  return p;
}

TEST(levels_pin_timed_compressor, applies_assumed_ratio_and_head_to_head_latency) {
  compression_parameters p = always(100);
  p.ratio = 2;
  timed_bench t(p);
  random_numbers random;
  const message_t message = make_message(random, content::Random, 200 * TimedWords);
  t.b.send(t.raw(1, message, data_type::Int));
  t.b.drain();
  ASSERT_EQ(t.b.left.size(), 100U) << "half as long, though its bits do not compress";
  const stage_bench<TimedWords>::flit_t& head = t.b.left[0].flit;
  EXPECT_EQ(head.flits, 100U);
  EXPECT_EQ(head.words, 200U * TimedWords);
  EXPECT_EQ(head.codec, codec::Fpc);
  EXPECT_EQ(t.left(1, 0) - t.entered(1, 0), 100U);
  EXPECT_EQ(t.left(1, 99), t.entered(1, 199) + 1);
  EXPECT_EQ(t.b.bubbles(t.b.left), 1U) << "half the length is what a stream of ratio 2 needs, and a cycle for the tail";
}

TEST(levels_pin_timed_compressor, sends_no_flit_before_its_bits_arrive) {
  compression_parameters p = always(10);
  p.ratio = 4;
  timed_bench t(p);
  random_numbers random;
  t.b.send(t.raw(1, make_message(random, content::Random, 39 * TimedWords), data_type::Double));
  t.b.drain();
  ASSERT_EQ(t.b.left.size(), 10U);
  EXPECT_EQ(t.left(1, 0), 10U);
  for (std::uint32_t j = 0; j < 10; ++j)
    EXPECT_GT(t.left(1, j), t.entered(1, std::min(4 * (j + 1), 39U) - 1)) << "flit " << j;
  EXPECT_EQ(t.left(1, 9), t.entered(1, 38) + 1);
}

TEST(levels_pin_timed_compressor, sends_coded_bits_only_after_the_tail_arrives) {
  timed_bench t(always(7));
  random_numbers random;
  const message_t message = make_message(random, content::Small, 20 * TimedWords);
  t.b.send(t.raw(1, message, data_type::Int));
  t.b.send(t.raw(2, message_t(message.begin(), message.begin() + 3 * TimedWords), data_type::Int));
  t.b.drain();
  t.b.compare({t.shorter(1, message, data_type::Int),
               t.shorter(2, message_t(message.begin(), message.begin() + 3 * TimedWords), data_type::Int)});
  EXPECT_EQ(t.left(1, 0), t.entered(1, 19) + 1) << "the length is not available earlier";
  EXPECT_GE(t.left(2, 0), t.entered(2, 0) + 7);
}

TEST(levels_pin_timed_compressor, unselected_packets_pass_without_latency) {
  compression_parameters p = always(100);
  p.selection = {selection_mode::Selective, 4, 10, 1};
  timed_bench t(p);
  random_numbers random;
  t.b.received.write(10);  // not above its threshold
  t.b.queue.write(1);
  const message_t message = make_message(random, content::Small, 4 * TimedWords);
  const message_t shorter(message.begin(), message.begin() + 3 * TimedWords);
  t.b.send(t.raw(1, shorter, data_type::Int));
  t.b.send(t.raw(2, message, data_type::Other));
  t.b.drain();
  for (const auto& e : t.b.left) EXPECT_EQ(e.cycle, t.entered(e.flit.tag.packet(), e.flit.tag.sequence()));
  t.b.queue.write(2);
  t.b.send(t.raw(3, shorter, data_type::Int));
  t.b.drain();
  EXPECT_EQ(t.left(3, 0), t.entered(3, 0) + 100);
  t.b.queue.write(0);
  t.b.received.write(11);
  t.b.send(t.raw(4, shorter, data_type::Int));
  t.b.drain();
  EXPECT_EQ(t.left(4, 0), t.entered(4, 0) + 100);
}

TEST(levels_pin_timed_compressor, keeps_packet_order_and_memory_limit) {
  compression_parameters p = always(30);
  p.depth = 8;
  timed_bench t(p);
  random_numbers random;
  const message_t eight = make_message(random, content::Small, 8 * TimedWords),
                  two = make_message(random, content::Small, 2 * TimedWords);
  t.b.send(t.raw(1, eight, data_type::Int));
  t.b.send(t.raw(2, two, data_type::Other));
  t.b.drain();
  t.b.compare({t.shorter(1, eight, data_type::Int), t.raw(2, two, data_type::Other)});
  const auto tail = static_cast<std::uint32_t>(t.shorter(1, eight, data_type::Int).size() - 1);
  EXPECT_GE(t.entered(2, 0), t.left(1, tail)) << "the memory was full until the tail left";
}

TEST(levels_pin_timed_compressor, codes_random_packets_under_random_stalls) {
  random_numbers random;
  compression_parameters p = always(1 + random.below(40));
  p.depth = 32;
  timed_bench t(p);
  constexpr content Kinds[] = {content::Small, content::Random, content::Mixed, content::Zeros, content::Doubles};
  std::vector<packet_of<TimedWords>> in, out;
  unsigned compressed = 0;
  for (packet_id id = 0; id < 300; ++id) {
    const message_t message = make_message(random, Kinds[random.below(5)], TimedWords * (1 + random.below(36)));
    const auto type = static_cast<data_type>(random.below(4));
    in.push_back(t.raw(id, message, type));
    const bool candidate = in.back().size() >= 2 && in.back().size() <= p.depth && type != data_type::Other;
    out.push_back(candidate ? t.shorter(id, message, type) : in.back());
    compressed += out.back()[0].codec != codec::Raw;
  }
  t.b.run(in, out, random);
  EXPECT_GT(compressed, 50U);
}

}  // namespace
}  // namespace weft::pin
