// SPDX-License-Identifier: Apache-2.0
/// XOR encoder: every rule of docs/03_reference/network_coding.md, and random traffic compared with a model of whole
/// packets.
#include "weft/pin/nic/xor_encoder.h"

#include "levels/xor_packets.h"
#include <algorithm>
#include <vector>

namespace weft::pin {
namespace {

using testing::HasSubstr;

template <unsigned K>
class xor_encoder_bench {
 public:
  explicit xor_encoder_bench(unsigned overhead = 0, unsigned depth = 16)
      : dut("dut", {true, 2, depth, overhead}), b(dut) {
    b.base.start();
  }
  xor_encoder<32 * K> dut;
  stage_bench<K> b;

  cycle_t in(packet_id id, std::uint32_t sequence) const { return b.cycle_of(b.entered, id, sequence); }
  cycle_t out(packet_id id, std::uint32_t sequence) const { return b.cycle_of(b.left, id, sequence); }
};

template <typename Width>
class levels_pin_xor_encoder : public testing::Test {
 public:
  static constexpr unsigned Words = Width::value;
  random_numbers random;
};
TYPED_TEST_SUITE(levels_pin_xor_encoder, flit_widths);

TYPED_TEST(levels_pin_xor_encoder, passes_packets_without_latency) {
  constexpr unsigned K = TypeParam::value;
  xor_encoder_bench<K> e(3);
  const packet_of<K> plain = carrying<K>(1, datum(1, 5 * K, 2));
  const packet_of<K> coded = joined<K>(2, datum(2, K, 1), datum(3, 3 * K, 1), Relay);
  e.b.send(plain);
  e.b.send(coded);
  for (unsigned i = 0; i < 200 && !e.b.waiting.empty(); ++i) {
    const bool ready = this->random.chance(0.5);
    e.b.present(true, ready);
    EXPECT_EQ(e.b.out.read(), e.b.in.read());
    EXPECT_EQ(e.b.in_ready.read(), ready);
    EXPECT_FALSE(e.b.busy.read());
    e.b.cycle(true, ready);
  }
  e.b.compare({plain, coded});
  EXPECT_EQ(e.dut.packets_joined(), 0u);
}

/// Joins a longer, an equal and a shorter packet with a held one of three flits.
template <unsigned K>
void join_after(unsigned overhead) {
  xor_encoder_bench<K> e(overhead);
  const xor_datum held = datum(1, 3 * K, 3), longer = datum(2, 5 * K, 1, data_type::Other), equal = datum(3, 3 * K, 1),
                  shorter = datum(4, K, 1);
  e.b.send(carrying<K>(1, held, xor_role::Hold));
  e.b.send(carrying<K>(2, longer, xor_role::Combine));
  e.b.send(carrying<K>(3, equal, xor_role::Combine));
  e.b.send(carrying<K>(4, shorter, xor_role::Combine));
  e.b.send(carrying<K>(5, equal, xor_role::Combine));
  e.b.drain();
  e.b.compare(
      {joined<K>(2, held, longer), joined<K>(3, held, equal), joined<K>(4, held, shorter), joined<K>(5, held, equal)});
  for (std::uint32_t i = 0; i < 5; ++i) EXPECT_EQ(e.out(2, i), e.in(2, i) + overhead);
  for (std::uint32_t i = 0; i < 3; ++i) EXPECT_EQ(e.out(3, i), e.in(3, i) + overhead);
  for (std::uint32_t i = 0; i < 3; ++i)
    EXPECT_EQ(e.out(4, i), e.in(4, 0) + i + overhead) << "the last flits are appended";
  EXPECT_EQ(e.in(4, 0), e.in(1, 0) + 11) << "one flit a cycle";
  EXPECT_EQ(e.in(5, 0), e.in(4, 0) + 3) << "no flit is accepted while the last flits are appended";
  EXPECT_EQ(e.dut.packets_joined(), 4u);
}

TYPED_TEST(levels_pin_xor_encoder, combines_packets_without_latency) { join_after<TypeParam::value>(0); }
TYPED_TEST(levels_pin_xor_encoder, combines_packets_with_one_cycle_of_latency) { join_after<TypeParam::value>(1); }
TYPED_TEST(levels_pin_xor_encoder, combines_packets_with_35_cycles_of_latency) { join_after<TypeParam::value>(35); }

TYPED_TEST(levels_pin_xor_encoder, combines_chains_of_packets) {
  constexpr unsigned K = TypeParam::value;
  xor_encoder_bench<K> e(this->random.below(4));
  const xor_datum a = datum(1, 4 * K, 1), b = datum(2, K, 2), c = datum(3, 3 * K - 1, 2), d = datum(4, 2 * K, 1);
  e.b.send(carrying<K>(1, a, xor_role::Hold));
  e.b.send(carrying<K>(2, b, xor_role::Chain));
  e.b.send(carrying<K>(3, c, xor_role::Chain));
  e.b.send(carrying<K>(4, d, xor_role::Combine));
  e.b.send(carrying<K>(5, a, xor_role::Combine));
  e.b.drain();
  e.b.compare({joined<K>(2, a, b), joined<K>(3, b, c), joined<K>(4, c, d), joined<K>(5, c, a)});
}

TYPED_TEST(levels_pin_xor_encoder, accepts_held_packets_while_the_receiver_stalls) {
  constexpr unsigned K = TypeParam::value;
  xor_encoder_bench<K> e(4);
  const xor_datum a = datum(1, 2 * K, 1), b = datum(2, 2 * K, 1);
  e.b.send(carrying<K>(1, a, xor_role::Hold));
  e.b.send(carrying<K>(2, b, xor_role::Combine));
  e.b.send(carrying<K>(3, b, xor_role::Hold));
  e.b.send(carrying<K>(4, a));
  for (unsigned i = 0; i < 20; ++i) e.b.cycle(true, false);
  EXPECT_EQ(e.in(2, 0), e.in(1, 0) + 2);
  EXPECT_EQ(e.in(3, 1), e.in(1, 0) + 5) << "a hold behind a full line";
  EXPECT_EQ(e.b.waiting.size(), 2u) << "the passing packet waits";
  e.b.drain();
  EXPECT_EQ(e.out(4, 0), e.out(2, 1) + 1);
  e.b.compare({joined<K>(2, a, b), carrying<K>(4, a)});
}

TYPED_TEST(levels_pin_xor_encoder, delay_line_fills_up_during_a_stall) {
  constexpr unsigned K = TypeParam::value;
  xor_encoder_bench<K> e(3);
  const xor_datum a = datum(1, K, 1), b = datum(2, 5 * K, 1);
  e.b.send(carrying<K>(1, a, xor_role::Hold));
  e.b.send(carrying<K>(2, b, xor_role::Combine));
  for (unsigned i = 0; i < 12; ++i) e.b.cycle(i % 2 == 0, false);
  EXPECT_EQ(e.b.waiting.size(), 2u) << "three registers, three flits";
  e.b.drain();
  e.b.compare({joined<K>(2, a, b)});
  EXPECT_EQ(e.b.bubbles(e.b.left), 0u);
}

TYPED_TEST(levels_pin_xor_encoder, rejects_combine_without_held_packet) {
  constexpr unsigned K = TypeParam::value;
  xor_encoder_bench<K> e(0, 2);
  e.b.send(carrying<K>(1, datum(1, K, 1), xor_role::Combine));
  EXPECT_THAT(broken_rule([&] { e.b.cycle(); }), HasSubstr("a packet to combine arrived, but no packet is held"));
}

TYPED_TEST(levels_pin_xor_encoder, rejects_holding_too_long_a_packet) {
  constexpr unsigned K = TypeParam::value;
  xor_encoder_bench<K> e(0, 2);
  e.b.send(carrying<K>(1, datum(1, 3 * K, 1), xor_role::Hold));
  EXPECT_THAT(broken_rule([&] { e.b.cycle(); }), HasSubstr("3 flits to hold, but the memory has room for 2"));
}

TYPED_TEST(levels_pin_xor_encoder, output_equals_the_xor_of_whole_packets) {
  constexpr unsigned K = TypeParam::value;
  xor_encoder_bench<K> e(this->random.below(3) * this->random.below(20), 8);
  coded_traffic source({6, K, 12, 8, 60, 0, 1, this->random.next()});
  std::vector<packet_of<K>> in, out;
  for (node_id n = 0; n < 6; ++n) {
    packet held;
    while (source.next_creation(n) != Never) {
      packet p = source.pop(n);
      in.push_back(flits_of<K>(source, p));
      const xor_role role = p.code.role;
      const packet last = p;
      if (role == xor_role::Combine || role == xor_role::Chain) {
        p.flits = std::max(held.flits, last.flits);
        p.type = xor_type(held.type, last.type);
        p.code = {xor_role::Coded, last.code.relay, false, held.code.first, last.code.first};
      }
      if (role != xor_role::Hold) out.push_back(flits_of<K>(source, p));
      if (role == xor_role::Hold || role == xor_role::Chain) held = last;
    }
  }
  e.b.run(in, out, this->random);
}

}  // namespace
}  // namespace weft::pin
