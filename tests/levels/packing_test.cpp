// SPDX-License-Identifier: Apache-2.0
/// Packer and unpacker: no bit is lost or duplicated, whatever the lengths.
#include "levels/bench.h"
#include "levels/stage_bench.h"
#include <memory>
#include <vector>

#include "weft/pin/codec/bit_packer.h"
#include "weft/pin/codec/bit_unpacker.h"

namespace weft::pin {
namespace {

using testing::HasSubstr;

template <typename Width>
class levels_pin_packing : public testing::Test {
 public:
  random_numbers random;
};
TYPED_TEST_SUITE(levels_pin_packing, flit_widths);

/// A chunk of \p length random bits.
template <unsigned K>
chunk<K> random_chunk(random_numbers& random, unsigned length) {
  chunk<K> bits;
  while (bits.size() < length) bits.append(random.next(), std::min(64U, length - bits.size()));
  return bits;
}

TYPED_TEST(levels_pin_packing, packer_splits_bits_of_a_packet_into_flits) {
  constexpr unsigned K = TypeParam::value;
  constexpr unsigned FlitBits = 32 * K;
  bench b;
  sc_core::sc_signal<bool> valid{"valid"}, last{"last"}, valid_out{"valid_out"}, last_out{"last_out"};
  sc_core::sc_signal<chunk<K>> in{"in"};
  sc_core::sc_signal<word_row<3 * K>> flits{"flits"};
  sc_core::sc_signal<std::uint8_t> count{"count"};
  bit_packer<K> dut("dut");
  b.clock(dut);
  dut.valid_i(valid);
  dut.chunk_i(in);
  dut.last_i(last);
  dut.valid_o(valid_out);
  dut.flits_o(flits);
  dut.count_o(count);
  dut.last_o(last_out);
  b.start();

  std::vector<bool> string;  // bits of the packet that are not in whole flits yet
  std::vector<unsigned> seen(4, 0);
  for (unsigned cycle = 0; cycle < 20000; ++cycle) {
    const bool comes = this->random.chance(0.8), ends = this->random.chance(0.1);
    const unsigned length =
        this->random.chance(0.3) ? this->random.chance(0.5) ? chunk_bits(K) : 0 : this->random.below(chunk_bits(K) + 1);
    const chunk<K> bits = random_chunk<K>(this->random, length);
    valid.write(comes);
    in.write(bits);
    last.write(ends);
    b.step();

    word_row<3 * K> due;
    unsigned due_count = 0;
    if (comes) {
      for (unsigned i = 0; i < length; ++i) string.push_back(bits.extract(i, 1) != 0);
      if (ends)
        while (string.size() % FlitBits != 0) string.push_back(false);
      due_count = static_cast<unsigned>(string.size() / FlitBits);
      for (unsigned i = 0; i < due_count * FlitBits; ++i) due.word[i / 32] |= std::uint32_t{string[i]} << i % 32;
      string.erase(string.begin(), string.begin() + due_count * FlitBits);
    }
    ASSERT_EQ(count.read(), due_count) << "cycle " << cycle;
    ASSERT_EQ(flits.read(), due) << "cycle " << cycle;
    ASSERT_EQ(last_out.read(), comes && ends) << "cycle " << cycle;
    seen[due_count]++;
  }
  for (unsigned n = 0; n < (K == 1 ? 4U : 3U); ++n) EXPECT_GT(seen[n], 100U) << n << " flits at once";
}

TYPED_TEST(levels_pin_packing, packer_may_complete_three_flits_with_one_chunk) {
  constexpr unsigned K = TypeParam::value;
  bench b;
  sc_core::sc_signal<bool> valid{"valid"}, last{"last"}, valid_out{"valid_out"}, last_out{"last_out"};
  sc_core::sc_signal<chunk<K>> in{"in"};
  sc_core::sc_signal<word_row<3 * K>> flits{"flits"};
  sc_core::sc_signal<std::uint8_t> count{"count"};
  bit_packer<K> dut("dut");
  b.clock(dut);
  dut.valid_i(valid);
  dut.chunk_i(in);
  dut.last_i(last);
  dut.valid_o(valid_out);
  dut.flits_o(flits);
  dut.count_o(count);
  dut.last_o(last_out);
  b.start();
  valid.write(true);
  in.write(random_chunk<K>(this->random, 32 * K - 1));
  b.step();
  EXPECT_EQ(count.read(), 0);
  EXPECT_TRUE(valid_out.read());
  in.write(random_chunk<K>(this->random, chunk_bits(K)));
  last.write(true);
  b.step();
  EXPECT_EQ(count.read(), (32 * K - 1 + chunk_bits(K) + 32 * K - 1) / (32 * K));
  valid.write(false);
  b.step();
  EXPECT_EQ(count.read(), 0);
  EXPECT_EQ(flits.read(), word_row<3 * K>());
  EXPECT_FALSE(valid_out.read());
  EXPECT_FALSE(last_out.read());
}

template <unsigned K>
class unpacker_bench : public bench {
 public:
  unpacker_bench() {
    clock(dut);
    dut.clear_i(clear);
    dut.push_i(push);
    dut.flit_i(flit);
    dut.pop_i(pop);
    dut.window_o(window_out);
    dut.room_o(room);
    start();
  }
  sc_core::sc_signal<bool> clear{"clear"}, push{"push"}, room{"room"};
  sc_core::sc_signal<word_row<K>> flit{"flit"};
  sc_core::sc_signal<std::uint32_t> pop{"take"};
  sc_core::sc_signal<window<K>> window_out{"window_out"};
  bit_unpacker<K> dut{"dut"};
};

TYPED_TEST(levels_pin_packing, unpacker_shows_the_remaining_bits) {
  constexpr unsigned K = TypeParam::value;
  unpacker_bench<K> b;
  std::vector<bool> string;
  unsigned full = 0, cleared = 0;
  std::uint64_t popped = 0;
  for (unsigned cycle = 0; cycle < 20000; ++cycle) {
    const bool clears = this->random.chance(0.03);
    const bool pushes = (clears || b.room.read()) && this->random.chance(0.7);
    const auto there = static_cast<unsigned>(string.size());
    const unsigned popping = this->random.chance(0.5) ? this->random.below(std::min(there, chunk_bits(K)) + 1) : 0;
    word_row<K> words;
    for (std::uint32_t& w : words.word) w = static_cast<std::uint32_t>(this->random.next());
    b.clear.write(clears);
    b.push.write(pushes);
    b.flit.write(words);
    b.pop.write(popping);
    b.step();

    if (clears)
      string.clear();
    else
      string.erase(string.begin(), string.begin() + popping);
    if (pushes)
      for (unsigned i = 0; i < 32 * K; ++i) string.push_back(words.word[i / 32] >> i % 32 & 1);
    window<K> due;
    for (const bool bit : string) due.append(bit, 1);
    ASSERT_EQ(b.window_out.read(), due) << "cycle " << cycle;
    ASSERT_EQ(b.room.read(), string.size() <= chunk_bits(K)) << "cycle " << cycle;
    full += !b.room.read();
    cleared += clears && pushes;
    popped += clears ? 0 : popping;
  }
  EXPECT_GT(full, 500U);
  EXPECT_GT(cleared, 100U);
  EXPECT_GT(popped, 20000U * 5 * K);
}

TYPED_TEST(levels_pin_packing, unpacker_rejects_a_flit_for_which_it_has_no_room) {
  constexpr unsigned K = TypeParam::value;
  unpacker_bench<K> b;
  b.push.write(true);
  while (b.room.read()) b.step();
  EXPECT_THAT(broken_rule([&] { b.step(); }), HasSubstr("pushed into a full window"));
}

TYPED_TEST(levels_pin_packing, unpacker_rejects_consuming_more_bits_than_available) {
  constexpr unsigned K = TypeParam::value;
  unpacker_bench<K> b;
  b.push.write(true);
  b.step();
  b.pop.write(32 * K + 1);
  EXPECT_THAT(broken_rule([&] { b.step(); }), HasSubstr("bits were popped from a window of"));
}

}  // namespace
}  // namespace weft::pin
