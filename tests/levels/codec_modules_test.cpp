// SPDX-License-Identifier: Apache-2.0
/// Encoders and decoders at their pins: they compute the functions of core, one cycle later.
#include "levels/bench.h"
#include "levels/stage_bench.h"
#include <algorithm>
#include <memory>
#include <vector>

#include "weft/pin/codec/fpc_compressor.h"
#include "weft/pin/codec/fpc_decompressor.h"
#include "weft/pin/codec/lsb_cut_compressor.h"
#include "weft/pin/codec/lsb_cut_decompressor.h"

namespace weft::pin {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

const fpc_table OtherTable{{30, 27, 20, 12, 5, 1}};

template <typename Width>
class levels_pin_codecs : public testing::Test {
 public:
  random_numbers random;
};
TYPED_TEST_SUITE(levels_pin_codecs, flit_widths);

// ---------------------------------------------------------------------------------------------------------------
// Encoders

/// An encoder and its wires.
template <unsigned K, typename Encoder>
class encoder_bench {
 public:
  encoder_bench(bench& b, const char* name, std::unique_ptr<Encoder> made)
      : valid((name + std::string("_valid")).c_str()),
        words((name + std::string("_words")).c_str()),
        count((name + std::string("_count")).c_str()),
        last((name + std::string("_last")).c_str()),
        valid_out((name + std::string("_valid_out")).c_str()),
        chunk_out((name + std::string("_chunk_out")).c_str()),
        last_out((name + std::string("_last_out")).c_str()),
        dut(std::move(made)) {
    b.clock(*dut);
    dut->valid_i(valid);
    dut->words_i(words);
    dut->count_i(count);
    dut->last_i(last);
    dut->valid_o(valid_out);
    dut->chunk_o(chunk_out);
    dut->last_o(last_out);
  }

  sc_core::sc_signal<bool> valid;
  sc_core::sc_signal<word_row<K>> words;
  sc_core::sc_signal<std::uint8_t> count;
  sc_core::sc_signal<bool> last;
  sc_core::sc_signal<bool> valid_out;
  sc_core::sc_signal<chunk<K>> chunk_out;
  sc_core::sc_signal<bool> last_out;
  std::unique_ptr<Encoder> dut;

  /// Sends \p message with gaps and compares the chunks in their cycles with \p encode(words, count, last). Words above
  /// the count of a flit are random. \return the string
  template <typename Encode>
  std::vector<std::uint32_t> send(bench& b, const message_t& message, random_numbers& random, Encode encode) {
    bit_string<2048> bits;
    std::vector<std::uint32_t> string;
    for (std::size_t at = 0; at < message.size();) {
      const bool comes = random.chance(0.8);
      const auto n = static_cast<unsigned>(std::min<std::size_t>(K, message.size() - at));
      word_row<K> row;
      for (std::uint32_t& w : row.word) w = static_cast<std::uint32_t>(random.next());
      std::copy_n(message.begin() + static_cast<std::ptrdiff_t>(at), n, row.word);
      const bool ends = at + n == message.size();
      valid.write(comes);
      words.write(row);
      count.write(static_cast<std::uint8_t>(n));
      last.write(ends);
      b.step();
      EXPECT_EQ(valid_out.read(), comes);
      EXPECT_EQ(last_out.read(), comes && ends);
      chunk<K> due;
      if (comes) due = encode(row, n, ends);
      EXPECT_EQ(chunk_out.read(), due) << "word " << at;
      if (!comes) continue;
      at += n;
      bits.append(due);
      while (bits.size() >= 32 || (ends && !bits.empty())) {
        string.push_back(static_cast<std::uint32_t>(bits.extract(0, 32)));
        bits.drop(std::min(32U, bits.size()));
      }
    }
    valid.write(false);
    return string;
  }
};

/// The string is the coded message of core, without the padding of the last flit.
void expect_same_string(std::vector<std::uint32_t> string, const coded_message& coded) {
  string.resize(coded.payload.size());
  EXPECT_EQ(string, coded.payload);
}

TYPED_TEST(levels_pin_codecs, fpc_compressor_outputs_a_group_one_cycle_later) {
  constexpr unsigned K = TypeParam::value;
  using encoder = fpc_compressor<K>;
  bench b;
  encoder_bench<K, encoder> table(b, "table", std::make_unique<encoder>("dut_table", OtherTable, false));
  encoder_bench<K, encoder> classic(b, "classic", std::make_unique<encoder>("dut_classic", fpc_table(), true));
  b.start();
  unsigned empty = 0;
  for (unsigned i = 0; i < 150; ++i) {
    const content kind = i % 3 == 0 ? content::Mixed : i % 3 == 1 ? content::Zeros : content::Random;
    const message_t message = make_message(this->random, kind, 1 + this->random.below(12 * K));
    codec_parameters p;
    p.table = OtherTable;
    p.classic = true;
    expect_same_string(table.send(b, message, this->random,
                                  [](const word_row<K>& words, unsigned count, bool) {
                                    return encode_fpc_group<K>(words, count, OtherTable);
                                  }),
                       encode(message, codec::Fpc, K, p));
    classic_state state;
    expect_same_string(classic.send(b, message, this->random,
                                    [&](const word_row<K>& words, unsigned count, bool last) {
                                      const chunk<K> group = encode_classic_group<K>(words, count, last, state);
                                      empty += group.empty();
                                      return group;
                                    }),
                       encode(message, codec::FpcClassic, K, p));
  }
  if (K <= 4) {
    EXPECT_GT(empty, 10U) << "within runs";
  }
}

TYPED_TEST(levels_pin_codecs, lsb_cut_compressor_outputs_a_group_one_cycle_later) {
  constexpr unsigned K = TypeParam::value;
  using encoder = lsb_cut_compressor<K>;
  bench b;
  encoder_bench<K, encoder> exact(b, "exact", std::make_unique<encoder>("dut_exact", true));
  encoder_bench<K, encoder> plain(b, "plain", std::make_unique<encoder>("dut_plain", false));
  sc_core::sc_signal<std::uint8_t> cut{"cut"};
  exact.dut->cut_i(cut);
  plain.dut->cut_i(cut);
  b.start();
  for (unsigned i = 0; i < 150; ++i) {
    const message_t message = make_message(this->random, content::Doubles, 1 + this->random.below(12 * K));
    codec_parameters p;
    p.cut = i % (MaxCut + 1);
    cut.write(static_cast<std::uint8_t>(p.cut));
    for (auto* e : {&exact, &plain}) {
      p.exact = e == &exact;
      std::vector<std::uint32_t> halves;  // of a double, for flits of one word
      const auto group_of = [&](const word_row<K>& words, unsigned count, bool last) {
        if constexpr (K > 1) {
          return encode_lsb_cut_group<K>(words, count, p.cut, p.exact);
        } else {
          halves.push_back(words.word[0]);
          if (halves.size() < 2 && !last) return chunk<1>();
          lsb_cut_words<1> group;
          std::copy(halves.begin(), halves.end(), group.word);
          const auto size = static_cast<unsigned>(halves.size());
          halves.clear();
          return encode_lsb_cut_group<1>(group, size, p.cut, p.exact);
        }
      };
      expect_same_string(e->send(b, message, this->random, group_of), encode(message, codec::LsbCut, K, p));
    }
  }
}

TYPED_TEST(levels_pin_codecs, encoders_reject_a_flit_without_words) {
  constexpr unsigned K = TypeParam::value;
  using encoder = fpc_compressor<K>;
  bench b;
  encoder_bench<K, encoder> e(b, "e", std::make_unique<encoder>("dut", fpc_table(), false));
  b.start();
  e.valid.write(true);
  EXPECT_THAT(broken_rule([&] { b.step(); }), AllOf(StartsWith("dut: "), HasSubstr("a flit of 0 words")));
}

TYPED_TEST(levels_pin_codecs, lsb_cut_compressor_rejects_cut_above_maximum) {
  constexpr unsigned K = TypeParam::value;
  using encoder = lsb_cut_compressor<K>;
  bench b;
  encoder_bench<K, encoder> e(b, "e", std::make_unique<encoder>("dut", true));
  sc_core::sc_signal<std::uint8_t> cut{"cut"};
  e.dut->cut_i(cut);
  b.start();
  cut.write(MaxCut + 1);
  e.valid.write(true);
  e.count.write(1);
  EXPECT_THAT(broken_rule([&] { b.step(); }), AllOf(StartsWith("dut: "), HasSubstr("a cut of 52 bits")));
}

// ---------------------------------------------------------------------------------------------------------------
// Decoders

/// A decoder and its wires; the test acts as the unpacker.
template <unsigned K, typename Decoder, unsigned GroupWords>
class decoder_bench : public bench {
 public:
  template <typename... Arguments>
  explicit decoder_bench(Arguments... arguments) : dut("dut", arguments...) {
    clock(dut);
    dut.window_i(window_in);
    dut.count_i(count);
    dut.load_i(load);
    dut.size_o(size);
    dut.fits_o(fits);
    dut.corrupt_o(corrupt);
    dut.words_o(words);
    dut.filling_o(filling);
    dut.excess_o(excess);
  }

  sc_core::sc_signal<window<K>> window_in{"window"};
  sc_core::sc_signal<std::uint8_t> count{"count"};
  sc_core::sc_signal<bool> load{"load"};
  sc_core::sc_signal<std::uint32_t> size{"take"};
  sc_core::sc_signal<bool> fits{"fits"}, corrupt{"corrupt"};
  sc_core::sc_signal<word_row<GroupWords>> words{"words"};
  sc_core::sc_signal<bool> filling{"filling"}, excess{"excess"};
  Decoder dut;

  unsigned loaded = 0, not_there = 0, wrong = 0, filled = 0, exceeding = 0;

  /// Applies \p bits and compares with the measure that core computes of the group. Loads the group if \p loads and
  /// it is valid. \p due: its words. \return whether it was loaded
  template <typename Words>
  bool measure(const window<K>& bits, unsigned words_of_group, const group_measure& measured, bool loads, Words due) {
    window_in.write(bits);
    count.write(static_cast<std::uint8_t>(words_of_group));
    load.write(false);
    settle();
    EXPECT_EQ(size.read(), measured.size);
    EXPECT_EQ(fits.read(), measured.fits);
    EXPECT_EQ(corrupt.read(), measured.corrupt);
    not_there += !fits.read();
    wrong += fits.read() && corrupt.read();
    loads = loads && measured.fits && !measured.corrupt;
    load.write(loads);
    step();
    load.write(false);
    if (!loads) return false;
    ++loaded;
    EXPECT_EQ(words.read(), due());
    EXPECT_EQ(filling.read(), bits.any_from(measured.size));
    EXPECT_EQ(excess.read(), bits.size() - measured.size >= 32 * K);
    filled += filling.read();
    exceeding += excess.read();
    return true;
  }
};

/// A window with \p group in front, followed by other bits, or none, or a part of the group only.
template <unsigned K>
window<K> window_with(const chunk<K>& group, random_numbers& random) {
  window<K> bits;
  bits.append(group);
  if (random.chance(0.2)) {
    window<K> part;
    part.append(bits.words(), random.below(bits.size() + 1));
    return part;
  }
  const bool zeros = random.chance(0.5);
  for (unsigned more = random.below(window_bits(K) - bits.size() + 1); more > 0; --more)
    bits.append(zeros ? 0 : random.next(), 1);
  return bits;
}

/// A window with random bits.
template <unsigned K>
window<K> any_window(random_numbers& random) {
  window<K> bits;
  for (unsigned size = random.below(window_bits(K) + 1); size > 0; --size) bits.append(random.next(), 1);
  return bits;
}

TYPED_TEST(levels_pin_codecs, fpc_decompressor_outputs_size_at_once_and_words_next_cycle) {
  constexpr unsigned K = TypeParam::value;
  decoder_bench<K, fpc_decompressor<K>, K> d(OtherTable, false);
  sc_core::sc_signal<std::uint32_t> left{"left"};
  sc_core::sc_signal<bool> clear{"clear"};
  d.dut.left_i(left);
  d.dut.clear_i(clear);
  d.start();
  for (unsigned i = 0; i < 3000; ++i) {
    const unsigned count = 1 + this->random.below(K);
    word_row<K> words;
    const message_t message = make_message(this->random, content::Mixed, count);
    std::copy(message.begin(), message.end(), words.word);
    const window<K> bits = this->random.chance(0.3)
                               ? any_window<K>(this->random)
                               : window_with<K>(encode_fpc_group<K>(words, count, OtherTable), this->random);
    left.write(count + this->random.below(9));
    d.measure(bits, count, measure_fpc_group<K>(bits, bits.size(), count, OtherTable), this->random.chance(0.8),
              [&] { return extract_fpc_group<K>(bits, count, OtherTable); });
  }
  EXPECT_GT(d.loaded, 1000U);
  EXPECT_GT(d.not_there, 200U);
  EXPECT_GT(d.wrong, 50U);
  EXPECT_GT(d.filled, 300U);
  EXPECT_GT(d.exceeding, 200U);
}

TYPED_TEST(levels_pin_codecs, fpc_decompressor_continues_zero_runs_in_later_groups) {
  constexpr unsigned K = TypeParam::value;
  decoder_bench<K, fpc_decompressor<K>, K> d(fpc_table(), true);
  sc_core::sc_signal<std::uint32_t> left{"left"};
  sc_core::sc_signal<bool> clear{"clear"};
  d.dut.left_i(left);
  d.dut.clear_i(clear);
  d.start();
  classic_state owed;
  unsigned owing = 0, cleared = 0;
  for (unsigned i = 0; i < 4000; ++i) {
    const unsigned count = 1 + this->random.below(K);
    word_row<K> words;
    const message_t message = make_message(this->random, content::Zeros, count);
    std::copy(message.begin(), message.end(), words.word);
    classic_state open;
    chunk<K> group;
    if (this->random.chance(0.3))  // a run that may extend beyond the group
      group.append(this->random.below(MaxZeroRun) << FpcPrefixBits, FpcPrefixBits + 3);
    else
      group = encode_classic_group<K>(words, count, true, open);
    const window<K> bits = this->random.chance(0.3) ? any_window<K>(this->random) : window_with<K>(group, this->random);
    const std::uint32_t words_left = count + this->random.below(9);
    left.write(words_left);
    clear.write(this->random.chance(0.1));
    const classic_measure measured = measure_classic_group<K>(bits, bits.size(), count, words_left, owed);
    const bool loaded = d.measure(bits, count, measured, this->random.chance(0.8),
                                  [&] { return extract_classic_group<K>(bits, count, owed); });
    if (loaded) owed = measured.next();
    cleared += clear.read() && owed.zeros > 0;
    if (clear.read()) owed = classic_state();
    owing += owed.zeros > 0;
  }
  EXPECT_GT(d.loaded, 1000U);
  EXPECT_GT(d.wrong, 50U);
  EXPECT_GT(owing, 200U);
  EXPECT_GT(cleared, 20U);
}

TYPED_TEST(levels_pin_codecs, lsb_cut_decompressor_outputs_size_at_once_and_words_next_cycle) {
  constexpr unsigned K = TypeParam::value;
  constexpr unsigned GroupWords = lsb_cut_group_words(K);
  decoder_bench<K, lsb_cut_decompressor<K>, GroupWords> d(true);
  sc_core::sc_signal<std::uint8_t> cut{"cut"};
  d.dut.cut_i(cut);
  d.start();
  for (unsigned i = 0; i < 4000; ++i) {
    const unsigned count = 1 + this->random.below(GroupWords), n = this->random.below(MaxCut + 1);
    lsb_cut_words<K> words;
    const message_t message = make_message(this->random, content::Doubles, count);
    std::copy(message.begin(), message.end(), words.word);
    const window<K> bits = this->random.chance(0.3)
                               ? any_window<K>(this->random)
                               : window_with<K>(encode_lsb_cut_group<K>(words, count, n, true), this->random);
    cut.write(static_cast<std::uint8_t>(n));
    d.measure(bits, count, measure_lsb_cut_group<K>(bits, bits.size(), count, n, true), this->random.chance(0.8),
              [&] { return extract_lsb_cut_group<K>(bits, count, n, true); });
  }
  EXPECT_GT(d.loaded, 1000U);
  EXPECT_GT(d.not_there, 200U);
  EXPECT_EQ(d.wrong, 0U);
  EXPECT_GT(d.filled, 300U);
  EXPECT_GT(d.exceeding, 200U);
}

TYPED_TEST(levels_pin_codecs, decoders_reject_loading_missing_bits) {
  constexpr unsigned K = TypeParam::value;
  decoder_bench<K, lsb_cut_decompressor<K>, lsb_cut_group_words(K)> d(true);
  sc_core::sc_signal<std::uint8_t> cut{"cut"};
  d.dut.cut_i(cut);
  d.start();
  d.count.write(1);
  d.load.write(true);
  EXPECT_THAT(broken_rule([&] { d.step(); }), AllOf(StartsWith("dut: "), HasSubstr("incomplete")));
}

}  // namespace
}  // namespace weft::pin
