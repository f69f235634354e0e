// SPDX-License-Identifier: Apache-2.0
/// XOR decoder: every rule of docs/03_reference/network_coding.md.
#include "weft/pin/nic/xor_decoder.h"

#include "levels/xor_decoder_bench.h"

namespace weft::pin {
namespace {

using testing::HasSubstr;

template <typename Width>
class levels_pin_xor_decoder : public testing::Test {
 public:
  static constexpr unsigned Words = Width::value;
  random_numbers random;
};
TYPED_TEST_SUITE(levels_pin_xor_decoder, flit_widths);

TYPED_TEST(levels_pin_xor_decoder, forwards_and_stores_plain_data_without_latency) {
  constexpr unsigned K = TypeParam::value;
  xor_decoder_bench<K> d;
  const packet_of<K> plain = carrying<K>(1, datum(1, 5 * K, 0));
  const packet_of<K> kept = carrying<K>(2, datum(2, 3 * K, 2));
  d.b.send(plain);
  d.b.send(kept);
  for (unsigned i = 0; i < 200 && !d.b.waiting.empty(); ++i) {
    const bool ready = this->random.chance(0.5);
    d.b.present(true, ready);
    EXPECT_EQ(d.b.out.read(), d.b.in.read());
    EXPECT_EQ(d.b.in_ready.read(), ready);
    d.b.cycle(true, ready);
  }
  d.b.compare({plain, kept});
  EXPECT_EQ(d.dut.entries_used(), 1u);
}

TYPED_TEST(levels_pin_xor_decoder, decodes_an_xor_with_one_cycle_of_latency) {
  constexpr unsigned K = TypeParam::value;
  xor_decoder_bench<K> d;
  const xor_datum known = datum(1, 4 * K, 2), shorter = datum(2, 2 * K, 1, data_type::Double),
                  longer = datum(3, 6 * K, 1);
  d.accept(carrying<K>(1, known));
  d.b.send(with_error(codec_error::Truncated, joined<K>(2, known, shorter)));
  d.b.send(joined<K>(3, longer, known));
  const cycle_t start = d.b.base.now();
  for (unsigned i = 0; i < 2; ++i) d.b.cycle();
  for (unsigned i = 0; i < 2; ++i)
    d.b.cycle(true, false);  // flits past the end of the datum do not wait for the node's ready
  d.b.drain();
  d.b.compare(
      {carrying<K>(1, known), with_error(codec_error::Truncated, carrying<K>(2, shorter)), carrying<K>(3, longer)});
  EXPECT_EQ(d.out(2, 0), start + 1);
  EXPECT_EQ(d.out(2, 1), start + 4) << "together with the tail, whose error it inherits";
  EXPECT_EQ(d.in(2, 3), start + 4);
  EXPECT_EQ(d.out(3, 0), start + 6) << "one look-up for each packet";
  EXPECT_EQ(d.out(3, 5), start + 11);
  EXPECT_EQ(d.dut.packets_decoded(), 2u);
  EXPECT_EQ(d.dut.entries_used(), 0u);
}

TYPED_TEST(levels_pin_xor_decoder, resolves_two_cycles_after_the_missing_datum) {
  constexpr unsigned K = TypeParam::value;
  xor_decoder_bench<K> d;
  const xor_datum a = datum(1, 3 * K, 1), b = datum(2, 4 * K, 1), other = datum(9, K, 0);
  d.accept(with_error(codec_error::Corrupt, joined<K>(1, a, b)));
  EXPECT_TRUE(d.b.left.empty());
  EXPECT_EQ(d.dut.entries_used(), 1u);
  d.b.send(carrying<K>(2, b));
  d.b.send(joined<K>(3, datum(10, K, 1), datum(11, K, 1)));  // its look-up is repeated
  d.b.send(carrying<K>(4, other));
  d.b.drain();
  d.b.compare({carrying<K>(2, b), with_error(codec_error::Corrupt, carrying<K>(1, a)), carrying<K>(4, other)});
  EXPECT_EQ(d.out(1, 0), d.out(2, 3) + 2);
  EXPECT_EQ(d.out(1, 2), d.out(1, 0) + 2);
  EXPECT_EQ(d.in(3, 0), d.out(1, 2) + 2) << "a look-up, and then it moves";
  EXPECT_EQ(d.dut.packets_resolved(), 1u);
  EXPECT_EQ(d.dut.entries_used(), 1u) << "the packet that cannot be decoded";
}

TYPED_TEST(levels_pin_xor_decoder, resolvable_packet_leaves_before_packets_that_arrive_later) {
  constexpr unsigned K = TypeParam::value;
  xor_decoder_bench<K> d;
  const xor_datum a = datum(1, K, 1), b = datum(2, K, 1);
  d.accept(joined<K>(1, a, b));
  d.b.send(carrying<K>(2, b));                   // one flit: held
  d.b.send(carrying<K>(3, datum(3, K, 0)));      // one flit: passes while the entries are compared
  d.b.send(carrying<K>(4, datum(4, 2 * K, 0)));  // waits
  d.b.drain();
  d.b.compare(
      {carrying<K>(2, b), carrying<K>(3, datum(3, K, 0)), carrying<K>(1, a), carrying<K>(4, datum(4, 2 * K, 0))});
  EXPECT_EQ(d.out(1, 0), d.out(2, 0) + 2);
  EXPECT_EQ(d.out(4, 0), d.out(1, 0) + 1);
}

TYPED_TEST(levels_pin_xor_decoder, holds_an_offered_flit_until_it_is_accepted) {
  constexpr unsigned K = TypeParam::value;
  xor_decoder_bench<K> d;
  const xor_datum a = datum(1, K, 1), b = datum(2, K, 1);
  const packet_of<K> plain = carrying<K>(3, datum(3, K, 0));
  d.accept(joined<K>(1, a, b));
  d.b.send(carrying<K>(2, b));
  d.b.cycle();
  d.b.send(plain);
  for (unsigned i = 0; i < 5; ++i) {
    d.b.present(true, false);
    EXPECT_EQ(d.b.out.read(), plain[0]);
    d.b.cycle(true, false);
  }
  d.b.drain();
  d.b.compare({carrying<K>(2, b), plain, carrying<K>(1, a)});
}

TYPED_TEST(levels_pin_xor_decoder, decodes_a_chain_in_every_order) {
  constexpr unsigned K = TypeParam::value;
  xor_decoder_bench<K> d(5);
  const xor_datum a = datum(1, 2 * K, 1), b = datum(2, 3 * K, 2), c = datum(3, K, 2), e = datum(4, 2 * K - 1, 1);
  // Each of the four comes alone once, with the others in a chain.
  for (const xor_datum& alone : {a, b, c, e}) {
    const std::vector<packet_of<K>> packets = {carrying<K>(1, alone), joined<K>(2, a, b), joined<K>(3, b, c),
                                               joined<K>(4, c, e)};
    std::vector<unsigned> order = {0, 1, 2, 3};
    do {
      d.b.left.clear();
      for (const unsigned i : order) d.b.send(packets[i]);
      while (!d.b.waiting.empty()) d.b.cycle(this->random.chance(0.7), this->random.chance(0.7));
      d.b.drain();
      std::map<std::uint32_t, message_t> came;  // by name
      std::uint32_t name = 0;
      for (const auto& event : d.b.left) {
        if (event.flit.head) {
          name = datum_of(event.flit.first).name;
          EXPECT_EQ(event.flit.role, xor_role::Plain);
        }
        const auto words = weft::words_of(event.flit);
        came[name].insert(came[name].end(), std::begin(words.word), std::end(words.word));
      }
      EXPECT_EQ(came.size(), 4u);
      for (const xor_datum& each : {a, b, c, e}) EXPECT_EQ(came[each.name], message_of<K>(each)) << each.name;
      EXPECT_EQ(d.dut.entries_used(), 0u);
      EXPECT_FALSE(d.b.busy.read());
    } while (std::next_permutation(order.begin(), order.end()));
  }
  EXPECT_EQ(d.dut.packets_decoded() + d.dut.packets_resolved(), 3 * 24 * 4u);
  EXPECT_EQ(d.dut.overflows(), 0u);
}

TYPED_TEST(levels_pin_xor_decoder, forwards_a_relay_packet_coded_and_then_decoded) {
  constexpr unsigned K = TypeParam::value;
  xor_decoder_bench<K> d;
  const xor_datum a = datum(1, 3 * K, 2), b = datum(2, 2 * K, 1), c = datum(3, K, 1);
  const packet_of<K> before = joined<K>(1, a, b, Relay), behind = joined<K>(3, c, a, Relay);
  d.accept(before);
  EXPECT_EQ(d.out(1, 0), 1u) << "a look-up, and then it moves";
  d.accept(carrying<K>(2, a));
  d.accept(behind);  // one of its data is held: it passes unchanged all the same
  d.b.compare({before, carrying<K>(2, a), carrying<K>(1, b), behind, carrying<K>(3, c)});
  EXPECT_EQ(d.dut.packets_resolved(), 2u);
  EXPECT_EQ(d.dut.packets_decoded(), 0u);
  EXPECT_EQ(d.dut.entries_used(), 0u);
}

TYPED_TEST(levels_pin_xor_decoder, passes_or_drops_redundant_packets) {
  constexpr unsigned K = TypeParam::value;
  xor_decoder_bench<K> d;
  const xor_datum a = datum(1, 2 * K, 1), b = datum(2, K, 1), c = datum(3, K, 3), e = datum(4, K, 1);
  d.accept(carrying<K>(1, a));
  d.accept(carrying<K>(2, b));
  d.accept(joined<K>(3, a, b));
  d.b.compare({carrying<K>(1, a), carrying<K>(2, b), joined<K>(3, a, b)});
  EXPECT_EQ(d.dut.entries_used(), 0u);
  EXPECT_EQ(d.dut.packets_dropped(), 0u);
  // One of two waiting packets resolves c, and then the other is redundant.
  d.b.left.clear();
  d.b.send(joined<K>(4, c, a));
  d.b.send(joined<K>(5, c, b));
  d.b.send(carrying<K>(6, a));
  d.b.drain();
  d.b.compare({carrying<K>(6, a), carrying<K>(4, c), carrying<K>(5, b)});
  d.b.left.clear();
  EXPECT_EQ(d.dut.entries_used(), 1u) << "c has one use left";
  d.b.send(carrying<K>(7, e));
  d.b.send(joined<K>(8, c, e));
  d.b.drain();
  d.b.compare({carrying<K>(7, e), joined<K>(8, c, e)});
  EXPECT_EQ(d.dut.entries_used(), 0u);
}

TYPED_TEST(levels_pin_xor_decoder, drops_waiting_packet_when_both_data_are_known) {
  constexpr unsigned K = TypeParam::value;
  xor_decoder_bench<K> d(6);
  const xor_datum a = datum(1, K, 2), b = datum(2, K, 2), c = datum(3, K, 2);
  // Three that wait for each other in a circle: the first datum resolves two of them, and the third is redundant.
  d.accept(joined<K>(1, a, b));
  d.accept(joined<K>(2, b, c));
  d.accept(joined<K>(3, c, a));
  d.accept(carrying<K>(4, a));
  EXPECT_EQ(d.dut.packets_resolved(), 2u);
  EXPECT_EQ(d.dut.packets_dropped(), 1u);
  EXPECT_EQ(d.dut.entries_used(), 0u);
  EXPECT_EQ(d.b.left.size(), 3u);
}

TYPED_TEST(levels_pin_xor_decoder, marks_packets_without_room_as_overflow) {
  constexpr unsigned K = TypeParam::value;
  xor_decoder_bench<K> d(2, 3);
  const xor_datum a = datum(1, K, 3), b = datum(2, 3 * K, 1), c = datum(3, K, 1), big = datum(4, 4 * K, 1);
  std::vector<packet_of<K>> expected;
  const auto pass = [&](const packet_of<K>& in, const packet_of<K>& out) {
    d.accept(in);
    expected.push_back(out);
  };
  pass(carrying<K>(1, big), carrying<K>(1, big, xor_role::Plain, true));  // too long
  pass(joined<K>(2, big, c), joined<K>(2, big, c, Overflow));             // too long as well
  pass(carrying<K>(3, a), carrying<K>(3, a));                             // held
  pass(carrying<K>(4, b), carrying<K>(4, b));                             // held: full
  pass(carrying<K>(5, c), carrying<K>(5, c, xor_role::Plain, true));      // no entry is free
  pass(joined<K>(6, big, c), joined<K>(6, big, c, Overflow));             // none to wait in either
  pass(joined<K>(7, a, c, Relay), joined<K>(7, a, c, Relay | Overflow));  // nor for the relay packet
  const xor_datum more = datum(5, K, 2);
  pass(joined<K>(8, a, more), carrying<K>(8, more, xor_role::Plain, true));  // decoded, and not held
  const xor_datum more_than_fits = datum(6, 4 * K, 2);
  pass(joined<K>(9, b, more_than_fits), carrying<K>(9, more_than_fits, xor_role::Plain, true));  // b has been released
  pass(joined<K>(10, more, a), carrying<K>(10, more));  // in the entry that is free
  d.b.compare(expected);
  EXPECT_EQ(d.dut.overflows(), 7u);
  EXPECT_EQ(d.dut.most_entries(), 2u);
}

TYPED_TEST(levels_pin_xor_decoder, decoded_datum_reuses_the_entry_of_the_known_operand) {
  constexpr unsigned K = TypeParam::value;
  xor_decoder_bench<K> d(2);
  const xor_datum a = datum(1, 2 * K, 1), b = datum(2, 3 * K, 2), c = datum(3, K, 1), other = datum(9, K, 1);
  d.accept(carrying<K>(1, other));
  d.accept(carrying<K>(2, a));
  d.accept(joined<K>(3, b, a));
  d.accept(joined<K>(4, b, c));
  d.b.compare({carrying<K>(1, other), carrying<K>(2, a), carrying<K>(3, b), carrying<K>(4, c)});
  EXPECT_EQ(d.dut.most_entries(), 2u);
  EXPECT_EQ(d.dut.entries_used(), 1u);
}

TYPED_TEST(levels_pin_xor_decoder, rejects_two_data_with_the_same_name) {
  constexpr unsigned K = TypeParam::value;
  xor_decoder_bench<K> d;
  d.accept(carrying<K>(1, datum(1, K, 1)));
  d.b.send(carrying<K>(2, datum(1, K, 1)));
  EXPECT_THAT(broken_rule([&] { d.b.cycle(); }), HasSubstr("two data have the name 1"));
}

TYPED_TEST(levels_pin_xor_decoder, rejects_xor_of_a_datum_with_itself) {
  constexpr unsigned K = TypeParam::value;
  xor_decoder_bench<K> d;
  d.b.send(joined<K>(1, datum(1, K, 1), datum(1, K, 1)));
  d.b.cycle();  // the look-up
  EXPECT_THAT(broken_rule([&] { d.b.cycle(); }), HasSubstr("a datum is combined with itself"));
}

/// A flush also frees entries of packets whose datum is lost, which would stay forever.
TYPED_TEST(levels_pin_xor_decoder, flush_frees_all_entries) {
  constexpr unsigned K = TypeParam::value;
  xor_decoder_bench<K> d(2);
  const xor_datum a = datum(1, K, 1), b = datum(2, K, 1), kept = datum(3, 2 * K, 1), next = datum(4, 2 * K, 1);
  d.accept(joined<K>(1, a, b));
  d.accept(carrying<K>(2, kept));
  d.accept(joined<K>(3, a, b));  // overflows
  EXPECT_EQ(d.dut.entries_used(), 2u);
  d.flush.write(true);
  d.b.cycle();
  d.flush.write(false);
  d.accept(joined<K>(4, kept, next));  // waits: the datum was flushed
  d.accept(carrying<K>(5, kept));
  EXPECT_EQ(d.dut.overflows(), 1u);
  EXPECT_EQ(d.dut.entries_used(), 0u);
  d.b.compare({carrying<K>(2, kept), joined<K>(3, a, b, Overflow), carrying<K>(5, kept), carrying<K>(4, next)});
}

TYPED_TEST(levels_pin_xor_decoder, flush_waits_for_the_end_of_a_packet) {
  constexpr unsigned K = TypeParam::value;
  xor_decoder_bench<K> d;
  const xor_datum known = datum(1, 4 * K, 2), other = datum(2, 4 * K, 1);
  d.accept(carrying<K>(1, known));
  d.b.send(joined<K>(2, known, other));
  for (unsigned i = 0; i < 5; ++i) {
    d.flush.write(i == 2);  // the packet is still decoded to its end
    d.b.present(true, true);
    EXPECT_EQ(d.b.busy.read(), i >= 2);
    d.b.cycle();
  }
  EXPECT_EQ(d.dut.entries_used(), 1u);
  d.b.cycle();
  EXPECT_EQ(d.dut.entries_used(), 0u);
  d.b.drain();
  d.b.compare({carrying<K>(1, known), carrying<K>(2, other)});
}

}  // namespace
}  // namespace weft::pin
