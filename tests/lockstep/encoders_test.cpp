// SPDX-License-Identifier: Apache-2.0
/// Blocks of the send side: both encoders and the packer. Each receives packets with random gaps; while nothing is
/// valid, the data pins carry random values. Every output is compared in every cycle.
#include "lockstep/fixture.h"
#include "lockstep/lockstep.h"
#include "lockstep/stimuli.h"
#include "lockstep/variants.h"
#include <algorithm>
#include <vector>

#include "weft/cosim/verilated_encoders.h"
#include "weft/pin/codec/bit_packer.h"
#include "weft/pin/codec/fpc_compressor.h"
#include "weft/pin/codec/lsb_cut_compressor.h"

namespace weft::lockstep {
namespace {

constexpr std::uint64_t EncoderCycles = 60'000;

/// Drives an encoder with the flits of messages.
template <unsigned K>
class flit_feeder {
 public:
  flit_feeder(rng& random, bool doubles, const fpc_table& table)
      : m_random(random), m_doubles(doubles), m_messages(random, table) {}

  template <typename Valid, typename Words, typename Count, typename Last>
  void drive(Valid& valid, Words& words, Count& count, Last& last) {
    const bool sends = !m_random.chance(m_gaps);
    word_row<K> row;
    for (std::uint32_t& word : row.word) word = m_messages.integer(m_random.between(0, m_messages.IntegerKinds - 1));
    if (!sends) {
      valid.write(false);
      words.write(row);
      count.write(static_cast<std::uint8_t>(m_random.between(0, K)));
      last.write(m_random.chance(0.5));
      return;
    }
    if (m_at >= m_message.size()) next_message();
    const auto n = static_cast<unsigned>(std::min<std::size_t>(K, m_message.size() - m_at));
    std::copy_n(m_message.begin() + static_cast<std::ptrdiff_t>(m_at), n, row.word);  // words above n are arbitrary
    m_at += n;
    words_sent += n;
    valid.write(true);
    words.write(row);
    count.write(static_cast<std::uint8_t>(n));
    last.write(m_at == m_message.size());
    packets_sent += m_at == m_message.size();
  }

  /// Call it after a reset.
  void drop_packet() { m_message.clear(), m_at = 0; }
  unsigned cut() const { return m_cut; }

  std::uint64_t words_sent = 0, packets_sent = 0;

 private:
  void next_message() {
    m_cut = m_random.chance(0.2) ? m_random.one_of({0U, 1U, 51U}) : m_random.between(0, MaxCut);
    m_gaps = m_random.one_of({0.0, 0.0, 0.1, 0.6});
    const std::size_t words = m_random.between(1, m_random.one_of({2U, 3 * K, 20 * K}));
    m_message = m_doubles ? m_messages.doubles(words, m_cut) : m_messages.integers(words);
    m_at = 0;
  }

  rng& m_random;
  const bool m_doubles;
  message_source m_messages;
  std::vector<std::uint32_t> m_message;
  std::size_t m_at = 0;
  unsigned m_cut = 28;
  double m_gaps = 0;
};

class lockstep_fpc_compressor : public variant_test {
 protected:
  template <unsigned K>
  void gives_the_same_chunks();
};

template <unsigned K>
void lockstep_fpc_compressor::gives_the_same_chunks() {
  const variant& v = GetParam();
  pin::fpc_compressor<K> systemc("systemc", v.codec.table, v.codec.classic);
  const auto device = v.make_as<tb::fpc_compressor_pins<K>>("rtl", register_seed());
  auto& rtl = *device;
  lockstep_bench bench("bench", systemc, rtl);
  auto& valid = bench.input(systemc.valid_i, rtl.valid_i);
  auto& words = bench.input(systemc.words_i, rtl.words_i);
  auto& count = bench.input(systemc.count_i, rtl.count_i);
  auto& last = bench.input(systemc.last_i, rtl.last_i);
  bench.output(systemc.valid_o, rtl.valid_o);
  auto& chunk = bench.output(systemc.chunk_o, rtl.chunk_o);
  bench.output(systemc.last_o, rtl.last_o);

  flit_feeder<K> feeder(random, false, v.codec.table);
  std::uint64_t bits = 0;
  bench.on_cycle([&] {
    bits += chunk.read().size();
    feeder.drive(valid, words, count, last);
  });
  for (unsigned i = 0; i < 4; ++i) {
    ASSERT_EQ(bench.run(cycles(EncoderCycles / 4)), "") << seed_note();
    feeder.drop_packet();
    valid.write(false);
    bench.reset();
  }
  EXPECT_GT(feeder.words_sent, EncoderCycles / 3 * K);
  EXPECT_GT(feeder.packets_sent, EncoderCycles / 200);
  EXPECT_GT(bits, 4 * feeder.words_sent);
}

TEST_P(lockstep_fpc_compressor, outputs_the_same_chunks_as_systemc) {
  with_words(GetParam().words, [this](auto k) { gives_the_same_chunks<k>(); });
}
INSTANTIATE_TEST_SUITE_P(all, lockstep_fpc_compressor, testing::ValuesIn(fpc_compressors()));

class lockstep_lsb_cut_compressor : public variant_test {
 protected:
  template <unsigned K>
  void gives_the_same_chunks();
};

template <unsigned K>
void lockstep_lsb_cut_compressor::gives_the_same_chunks() {
  const variant& v = GetParam();
  pin::lsb_cut_compressor<K> systemc("systemc", v.codec.exact);
  const auto device = v.make_as<tb::lsb_cut_compressor_pins<K>>("rtl", register_seed());
  auto& rtl = *device;
  lockstep_bench bench("bench", systemc, rtl);
  auto& valid = bench.input(systemc.valid_i, rtl.valid_i);
  auto& words = bench.input(systemc.words_i, rtl.words_i);
  auto& count = bench.input(systemc.count_i, rtl.count_i);
  auto& last = bench.input(systemc.last_i, rtl.last_i);
  auto& cut = bench.input(systemc.cut_i, rtl.cut_i);
  bench.output(systemc.valid_o, rtl.valid_o);
  auto& chunk = bench.output(systemc.chunk_o, rtl.chunk_o);
  bench.output(systemc.last_o, rtl.last_o);

  flit_feeder<K> feeder(random, true, fpc_table());
  std::uint64_t bits = 0;
  bench.on_cycle([&] {
    bits += chunk.read().size();
    feeder.drive(valid, words, count, last);
    cut.write(static_cast<std::uint8_t>(feeder.cut()));
  });
  for (unsigned i = 0; i < 4; ++i) {
    ASSERT_EQ(bench.run(cycles(EncoderCycles / 4)), "") << seed_note();
    feeder.drop_packet();
    valid.write(false);
    bench.reset();
  }
  EXPECT_GT(feeder.words_sent, EncoderCycles / 3 * K);
  EXPECT_GT(feeder.packets_sent, EncoderCycles / 200);
  EXPECT_GT(bits, 6 * feeder.words_sent);
}

TEST_P(lockstep_lsb_cut_compressor, outputs_the_same_chunks_as_systemc) {
  with_words(GetParam().words, [this](auto k) { gives_the_same_chunks<k>(); });
}
INSTANTIATE_TEST_SUITE_P(all, lockstep_lsb_cut_compressor, testing::ValuesIn(lsb_cut_compressors()));

class lockstep_bit_packer : public variant_test {
 protected:
  template <unsigned K>
  void gives_the_same_flits();
};

template <unsigned K>
void lockstep_bit_packer::gives_the_same_flits() {
  const variant& v = GetParam();
  pin::bit_packer<K> systemc("systemc");
  const auto device = v.make_as<tb::bit_packer_pins<K>>("rtl", register_seed());
  auto& rtl = *device;
  lockstep_bench bench("bench", systemc, rtl);
  auto& valid = bench.input(systemc.valid_i, rtl.valid_i);
  auto& chunk_in = bench.input(systemc.chunk_i, rtl.chunk_i);
  auto& last = bench.input(systemc.last_i, rtl.last_i);
  bench.output(systemc.valid_o, rtl.valid_o);
  bench.output(systemc.flits_o, rtl.flits_o);
  auto& count = bench.output(systemc.count_o, rtl.count_o);
  bench.output(systemc.last_o, rtl.last_o);

  double gaps = 0, long_ones = 0.5;
  std::uint64_t flits_of_chunk[4] = {}, bits = 0;
  bench.on_cycle([&] {
    ++flits_of_chunk[count.read()];
    if (random.chance(0.02)) gaps = random.one_of({0.0, 0.1, 0.6}), long_ones = random.unit();
    const bool sends = !random.chance(gaps);
    // The longest length, 0, or any.
    const unsigned longest = chunk_bits(K);
    const unsigned length =
        random.chance(long_ones) ? longest - random.between(0, 2) : random.one_of({0U, 1U, random.between(0, longest)});
    chunk<K> string;
    for (unsigned at = 0; at < length; at += 64) string.append(random.bits(), std::min(64U, length - at));
    valid.write(sends);
    chunk_in.write(string);
    last.write(random.chance(0.1));
    bits += sends ? length : 0;
  });
  for (unsigned i = 0; i < 4; ++i) {
    ASSERT_EQ(bench.run(cycles(EncoderCycles / 4)), "") << seed_note();
    valid.write(false);
    bench.reset();
  }
  EXPECT_GT(bits, EncoderCycles * 5 * K);
  for (unsigned flits = 0; flits < 4; ++flits) EXPECT_GT(flits_of_chunk[flits], EncoderCycles / 1000) << flits;
}

TEST_P(lockstep_bit_packer, outputs_the_same_flits_as_systemc) {
  with_words(GetParam().words, [this](auto k) { gives_the_same_flits<k>(); });
}
INSTANTIATE_TEST_SUITE_P(all, lockstep_bit_packer, testing::ValuesIn(bit_packers()));

}  // namespace
}  // namespace weft::lockstep
