// SPDX-License-Identifier: Apache-2.0
/// The decompressor of a NIC: its output, its latency, and its response to packets that no compressor makes.
#include "weft/pin/nic/decompressor.h"

#include "levels/stage_bench.h"
#include <algorithm>
#include <vector>

namespace weft::pin {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

template <unsigned K>
class decompressor_bench {
 public:
  explicit decompressor_bench(const decompressor_parameters& p = {}, unsigned cut = 28)
      : dut("dut", p), b(dut), codecs{p.table, p.classic, cut, p.exact} {
    b.base.start();
  }

  decompressor<32 * K> dut;
  stage_bench<K> b;
  codec_parameters codecs;

  codec integers() const { return codecs.classic ? codec::FpcClassic : codec::Fpc; }
  packet_of<K> raw(packet_id id, const message_t& message) const {
    return travelling<K>(id, message, data_type::Other, codec::Raw, codecs);
  }

  /// The expected output for \p packet.
  packet_of<K> decoded(const packet_of<K>& packet) const {
    const flit_of<K>& head = packet.front();
    if (head.codec == codec::Raw) return packet;
    std::vector<std::uint32_t> payload;
    for (const flit_of<K>& f : packet)
      for (const std::uint32_t word : weft::words_of(f).word) payload.push_back(word);
    decoded_message message = decode(header_of(head), payload, K, codecs);
    header h = header_of(head);
    h.codec = codec::Raw;
    h.cut = 0;
    h.flits = std::max(1U, (h.words + K - 1) / K);
    message.words.resize(std::size_t{h.flits} * K);
    packet_of<K> out = make_packet<K>(head.tag.packet(), h, message.words, head.vc);
    out.back().error = message.error;
    return out;
  }

  /// Sends one packet and compares all of its output with the reference. \return the error in its tail
  codec_error error_of(const packet_of<K>& packet) {
    b.left.clear();
    b.send(packet);
    b.drain();
    b.compare({decoded(packet)});
    return b.left.back().flit.error;
  }
};

template <typename Width>
class levels_pin_decompressor : public testing::Test {
 public:
  static constexpr unsigned Words = Width::value;
  random_numbers random;

  message_t any_message(codec how, unsigned most_flits) {
    constexpr content Integers[] = {content::Small, content::Random, content::Mixed, content::Zeros};
    const content kind = how == codec::LsbCut ? content::Doubles : Integers[random.below(4)];
    return make_message(random, kind, 1 + random.below(most_flits * Words));
  }

  /// Sends raw and coded packets in any order, with random gaps and stalls, and expects the messages back.
  void messages_come_back(const decompressor_parameters& parameters, unsigned packets) {
    decompressor_bench<Words> d(parameters);
    std::vector<packet_of<Words>> in, out;
    for (packet_id id = 0; id < packets; ++id) {
      const codec how = random.chance(0.25) ? codec::Raw : random.chance(0.5) ? codec::LsbCut : d.integers();
      const message_t message = any_message(how, 16);
      d.codecs.cut = random.below(MaxCut + 1);
      in.push_back(how == codec::Raw ? d.raw(id, message) : coded<Words>(id, message, how, d.codecs));
      const unsigned vc = random.below(4);
      for (flit_of<Words>& f : in.back()) f.vc = static_cast<std::uint8_t>(vc);
      out.push_back(d.decoded(in.back()));
      if (how == codec::Raw || how == codec::LsbCut) continue;
      const packet_of<Words> original = d.raw(id, message);
      for (std::size_t i = 0; i < original.size(); ++i) ASSERT_EQ(words_of(out.back()[i]), words_of(original[i]));
    }
    d.b.run(in, out, random);
    EXPECT_GT(d.dut.packets_decompressed(), packets / 2);
    EXPECT_EQ(d.dut.packets_wrong(), 0U);
  }

  /// A coded packet that may be corrupted.
  packet_of<Words> spoilt(packet_of<Words> packet) {
    flit_of<Words>& h = packet.front();
    switch (random.below(6)) {
      case 0:  // a bit
        packet[random.below(static_cast<unsigned>(packet.size()))].payload[0] ^= 1ULL << random.below(32);
        break;
      case 1:  // missing flits
        packet.resize(1 + random.below(static_cast<unsigned>(packet.size())));
        break;
      case 2:  // surplus flits
        for (unsigned more = 1 + random.below(6); more > 0; --more) {
          packet.push_back(packet.back());
          packet.back().head = false;
          put_header(packet.back(), header());
        }
        break;
      case 3:
        h.words = random.below(2 * h.words + 2);
        break;
      case 4:
        h.codec = static_cast<codec>(1 + random.below(3));
        break;
      default:
        h.cut = static_cast<std::uint8_t>(random.below(64));
        break;
    }
    for (flit_of<Words>& f : packet) f.tail = false;
    packet.back().tail = true;
    return packet;
  }

  void expect_errors_reported(const decompressor_parameters& parameters, unsigned packets) {
    decompressor_bench<Words> d(parameters);
    std::vector<packet_of<Words>> in, out;
    std::vector<unsigned> seen(4, 0);
    for (packet_id id = 0; id < packets; ++id) {
      const codec how = random.chance(0.5) ? codec::LsbCut : d.integers();
      d.codecs.cut = random.below(MaxCut + 1);
      in.push_back(random.chance(0.1) ? d.raw(id, any_message(codec::Raw, 6))
                                      : spoilt(coded<Words>(id, any_message(how, 12), how, d.codecs)));
      out.push_back(d.decoded(in.back()));
      seen[static_cast<unsigned>(out.back().back().error)]++;
    }
    d.b.run(in, out, random);
    for (const unsigned n : seen) EXPECT_GT(n, packets / 50) << testing::PrintToString(seen);
    EXPECT_EQ(d.dut.packets_wrong(), packets - seen[0]);
  }
};
TYPED_TEST_SUITE(levels_pin_decompressor, flit_widths);

// ---------------------------------------------------------------------------------------------------------------
// Latency and throughput

TYPED_TEST(levels_pin_decompressor, bypass_has_no_latency_and_forwards_stalls) {
  constexpr unsigned K = TypeParam::value;
  decompressor_bench<K> d;
  const packet_of<K> packet = d.raw(1, make_message(this->random, content::Random, 7 * K));
  d.b.send(packet);
  for (unsigned i = 0; i < 100 && !d.b.waiting.empty(); ++i) {
    const bool ready = this->random.chance(0.5);
    d.b.present(true, ready);
    EXPECT_EQ(d.b.out.read(), d.b.in.read());
    EXPECT_EQ(d.b.in_ready.read(), ready);
    EXPECT_FALSE(d.b.busy.read());
    d.b.cycle(true, ready);
  }
  d.b.compare({packet});
  d.b.present(false, true);
  EXPECT_FALSE(d.b.out.read().valid);
}

TYPED_TEST(levels_pin_decompressor, a_coded_flit_takes_four_cycles) {
  constexpr unsigned K = TypeParam::value;
  decompressor_bench<K> d;
  packet_id id = 0;
  for (const codec how : {codec::Fpc, codec::LsbCut}) {
    // Without a cut the group of the first flit of doubles is that flit; with K = 1 it is two.
    d.codecs.cut = 0;
    const packet_of<K> packet = coded<K>(++id, make_message(this->random, content::Small, 6 * K), how, d.codecs);
    d.b.send(packet);
    d.b.drain();
    const unsigned complete = how == codec::LsbCut && K == 1 ? 1 : 0;
    EXPECT_EQ(d.b.cycle_of(d.b.left, id, 0), d.b.cycle_of(d.b.entered, id, complete) + 4);
  }
}

TYPED_TEST(levels_pin_decompressor, sends_a_flit_per_cycle_across_packets) {
  constexpr unsigned K = TypeParam::value;
  decompressor_bench<K> d;
  d.codecs.cut = 40;
  std::vector<packet_of<K>> expected;
  for (packet_id id = 0; id < 100; ++id) {
    const bool doubles = this->random.chance(0.5);
    message_t message = make_message(this->random, content::Small, (8 + this->random.below(10)) * K);
    for (std::size_t i = 1; doubles && i < message.size(); i += 2) message[i] |= 0x40000000;
    const packet_of<K> packet = coded<K>(id, message, doubles ? codec::LsbCut : codec::Fpc, d.codecs);
    d.b.send(packet);
    expected.push_back(d.decoded(packet));
  }
  d.b.drain();
  d.b.compare(expected);
  EXPECT_EQ(d.b.bubbles(d.b.left), 0U);
}

TYPED_TEST(levels_pin_decompressor, raw_packets_follow_a_coded_one_without_a_bubble) {
  constexpr unsigned K = TypeParam::value;
  decompressor_bench<K> d;
  const packet_of<K> first = coded<K>(0, make_message(this->random, content::Small, 9 * K), codec::Fpc, d.codecs);
  std::vector<packet_of<K>> expected{d.decoded(first)};
  d.b.send(first);
  for (packet_id id = 1; id < 60; ++id) {
    expected.push_back(d.raw(id, make_message(this->random, content::Random, 1 + this->random.below(4 * K))));
    d.b.send(expected.back());
  }
  d.b.drain();
  d.b.compare(expected);
  EXPECT_EQ(d.b.bubbles(d.b.left), 0U);
}

TYPED_TEST(levels_pin_decompressor, a_raw_flit_behind_others_takes_three_cycles) {
  constexpr unsigned K = TypeParam::value;
  decompressor_bench<K> d;
  d.b.send(coded<K>(1, make_message(this->random, content::Small, 6 * K), codec::Fpc, d.codecs));
  do d.b.cycle();
  while (!d.b.out.read().tail);
  ASSERT_TRUE(d.b.busy.read());
  d.b.send(d.raw(2, make_message(this->random, content::Random, 5 * K)));
  d.b.drain();
  for (std::uint32_t i = 0; i < 5; ++i)
    EXPECT_EQ(d.b.cycle_of(d.b.left, 2, i), d.b.cycle_of(d.b.entered, 2, i) + 3) << "flit " << i;
}

TYPED_TEST(levels_pin_decompressor, a_coded_packet_follows_a_raw_one_after_one_cycle) {
  constexpr unsigned K = TypeParam::value;
  decompressor_bench<K> d;
  std::vector<packet_of<K>> expected;
  for (packet_id id = 0; id < 40; ++id) {
    const message_t message = make_message(this->random, content::Small, 9 * K);
    const packet_of<K> packet = id % 2 == 0 ? coded<K>(id, message, codec::Fpc, d.codecs) : d.raw(id, message);
    d.b.send(packet);
    expected.push_back(d.decoded(packet));
  }
  d.b.drain();
  d.b.compare(expected);
  EXPECT_EQ(d.b.bubbles(d.b.left), 19U);
}

// ---------------------------------------------------------------------------------------------------------------
// Function

TYPED_TEST(levels_pin_decompressor, restores_messages) { this->messages_come_back({}, 1500); }

TYPED_TEST(levels_pin_decompressor, restores_messages_coded_by_classic_fpc_and_plain_lsb_cut) {
  decompressor_parameters p;
  p.classic = true;
  p.exact = false;
  this->messages_come_back(p, 1500);
}

TYPED_TEST(levels_pin_decompressor, restores_messages_with_another_table) {
  decompressor_parameters p;
  p.table = {{32, 28, 25, 23, 22, 21}};
  this->messages_come_back(p, 1000);
}

TYPED_TEST(levels_pin_decompressor, is_empty_after_reset) {
  constexpr unsigned K = TypeParam::value;
  decompressor_bench<K> d;
  for (packet_id id = 0; id < 4; ++id)
    d.b.send(coded<K>(id, make_message(this->random, content::Mixed, 9 * K), codec::Fpc, d.codecs));
  for (unsigned i = 0; i < 12; ++i) d.b.cycle(true, false);
  ASSERT_TRUE(d.b.out.read().valid);
  d.b.restart();
  EXPECT_FALSE(d.b.out.read().valid);
  EXPECT_FALSE(d.b.busy.read());
  const packet_of<K> packet = coded<K>(9, make_message(this->random, content::Zeros, 7 * K), codec::Fpc, d.codecs);
  d.b.send(packet);
  d.b.drain();
  d.b.compare({d.decoded(packet)});
}

// ---------------------------------------------------------------------------------------------------------------
// Packets that no compressor made

TYPED_TEST(levels_pin_decompressor, reports_the_kind_of_each_decoding_error) {
  constexpr unsigned K = TypeParam::value;
  decompressor_bench<K> d;
  const message_t message = make_message(this->random, content::Small, 20 * K);
  const packet_of<K> good = coded<K>(1, message, codec::Fpc, d.codecs);
  EXPECT_EQ(d.error_of(good), codec_error::None);

  packet_of<K> shorter = good;
  shorter.pop_back();
  shorter.back().tail = true;
  EXPECT_EQ(d.error_of(shorter), codec_error::Truncated);

  for (const unsigned more : {1, 2, 3, 10}) {
    packet_of<K> longer = good;
    for (unsigned i = 0; i < more; ++i) {
      longer.back().tail = false;
      longer.push_back(longer.back());
      longer.back().tail = true;
    }
    EXPECT_EQ(d.error_of(longer), codec_error::OverLong) << more << " flits more";
  }

  packet_of<K> invalid = good;
  invalid[0].payload[0] = (invalid[0].payload[0] & ~std::uint64_t{7}) | FpcInvalid;
  EXPECT_EQ(d.error_of(invalid), codec_error::Corrupt);

  packet_of<K> filled = coded<K>(1, {1}, codec::Fpc, d.codecs);
  filled[0].payload[0] |= std::uint64_t{1} << 31;
  EXPECT_EQ(d.error_of(filled), codec_error::Corrupt);

  packet_of<K> unknown = good;
  unknown[0].codec = codec::FpcClassic;
  EXPECT_EQ(d.error_of(unknown), codec_error::Corrupt);

  packet_of<K> cut = good;
  cut[0].codec = codec::LsbCut;
  cut[0].cut = MaxCut + 1;
  EXPECT_EQ(d.error_of(cut), codec_error::Corrupt);

  packet_of<K> empty = good;
  empty[0].words = 0;
  EXPECT_EQ(d.error_of(empty), codec_error::Corrupt);
  EXPECT_EQ(d.b.left.size(), 1U) << "head and tail in one";

  EXPECT_EQ(d.error_of(good), codec_error::None) << "no state of the corrupt packet remains";
}

TYPED_TEST(levels_pin_decompressor, reports_zero_run_beyond_the_message) {
  constexpr unsigned K = TypeParam::value;
  decompressor_parameters p;
  p.classic = true;
  decompressor_bench<K> d(p);
  packet_of<K> packet = coded<K>(1, message_t(5, 0), codec::FpcClassic, d.codecs);
  ASSERT_EQ(packet.size(), 1U);
  EXPECT_EQ(d.error_of(packet), codec_error::None);
  packet[0].payload[0] = 5U << FpcPrefixBits;  // a run of six
  EXPECT_EQ(d.error_of(packet), codec_error::Corrupt);
  EXPECT_EQ(d.error_of(coded<K>(2, {1, 2, 3}, codec::FpcClassic, d.codecs)), codec_error::None);
}

TYPED_TEST(levels_pin_decompressor, packet_with_too_many_words_leaves_as_one_flit) {
  constexpr unsigned K = TypeParam::value;
  decompressor_parameters parameters;
  parameters.most_words = 6 * K;
  decompressor_bench<K> d(parameters);
  for (const unsigned words : {6 * K, 6 * K + 1, MaxMessageWords}) {
    packet_of<K> packet = travelling<K>(1, message_t(6 * K), data_type::Int, d.integers(), d.codecs);
    packet.front().words = words;
    d.b.left.clear();
    d.b.send(packet);
    d.b.drain();
    const bool fits = words == 6 * K;
    ASSERT_EQ(d.b.left.size(), fits ? 6U : 1U) << words;
    EXPECT_EQ(d.b.left.back().flit.error, fits ? codec_error::None : codec_error::Corrupt);
    EXPECT_EQ(d.b.left.front().flit.words, fits ? 6 * K : 0U);
    EXPECT_EQ(d.b.left.front().flit.flits, d.b.left.size());
  }
}

TYPED_TEST(levels_pin_decompressor, corrupt_packets_keep_length_and_report_errors) {
  this->expect_errors_reported({}, 3000);
}

TYPED_TEST(levels_pin_decompressor, corrupt_classic_packets_keep_length_and_report_errors) {
  decompressor_parameters p;
  p.classic = true;
  this->expect_errors_reported(p, 3000);
}

// ---------------------------------------------------------------------------------------------------------------
// Violated assertions

TYPED_TEST(levels_pin_decompressor, rejects_a_head_flit_inside_a_packet) {
  constexpr unsigned K = TypeParam::value;
  decompressor_bench<K> d;
  d.b.send(coded<K>(0, make_message(this->random, content::Small, 9 * K), codec::Fpc, d.codecs));
  packet_of<K> packet = d.raw(1, make_message(this->random, content::Random, 4 * K));
  packet.pop_back();
  d.b.send(packet);
  d.b.send(packet);
  EXPECT_THAT(broken_rule([&] { d.b.drain(); }),
              AllOf(StartsWith("dut: "), HasSubstr("head flit inside a packet, or body flit outside one: head flit")));
}

}  // namespace
}  // namespace weft::pin
