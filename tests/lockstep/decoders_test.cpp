// SPDX-License-Identifier: Apache-2.0
/// The blocks of the receive side: the unpacker's window and both decoders. The decoders get windows as in a
/// decompressor, with valid and with corrupted bit strings. They load valid groups, sometimes late.
#include "lockstep/fixture.h"
#include "lockstep/lockstep.h"
#include "lockstep/stimuli.h"
#include "lockstep/variants.h"
#include <algorithm>
#include <cstdint>
#include <vector>

#include "weft/cosim/verilated_decoders.h"
#include "weft/pin/codec/bit_unpacker.h"
#include "weft/pin/codec/fpc_decompressor.h"
#include "weft/pin/codec/lsb_cut_decompressor.h"

namespace weft::lockstep {
namespace {

constexpr std::uint64_t DecoderCycles = 60'000;

class lockstep_bit_unpacker : public variant_test {
 protected:
  template <unsigned K>
  void has_the_same_window();
};

template <unsigned K>
void lockstep_bit_unpacker::has_the_same_window() {
  const variant& v = GetParam();
  pin::bit_unpacker<K> systemc("systemc");
  const auto device = v.make_as<tb::bit_unpacker_pins<K>>("rtl", register_seed());
  auto& rtl = *device;
  lockstep_bench bench("bench", systemc, rtl);
  auto& clear = bench.input(systemc.clear_i, rtl.clear_i);
  auto& push = bench.input(systemc.push_i, rtl.push_i);
  auto& flit_in = bench.input(systemc.flit_i, rtl.flit_i);
  auto& pop = bench.input(systemc.pop_i, rtl.pop_i);
  bench.output(systemc.window_o, rtl.window_o);
  bench.output(systemc.room_o, rtl.room_o);

  // The bench counts itself, because it must respect the limits of the cycle that begins.
  unsigned held = 0;
  double pushes = 0.5, pops = 0.5;
  std::uint64_t pushed = 0, cleared_and_pushed = 0, denied = 0, popped = 0;
  bench.on_cycle([&] {
    if (random.chance(0.01)) pushes = random.unit(), pops = random.unit();
    const bool clears = random.chance(0.02);
    const bool room = held <= chunk_bits(K);
    const bool pushes_now = random.chance(pushes) && (clears || room);
    const unsigned most = std::min(held, chunk_bits(K));
    const unsigned pop_now = random.chance(pops) ? (random.chance(0.3) ? most : random.between(0, most)) : 0;
    word_row<K> row;
    for (std::uint32_t& word : row.word) word = static_cast<std::uint32_t>(random.bits());
    clear.write(clears);
    push.write(pushes_now);
    flit_in.write(row);
    pop.write(pop_now);
    held = (clears ? 0 : held - pop_now) + (pushes_now ? 32 * K : 0);
    pushed += pushes_now, cleared_and_pushed += clears && pushes_now, denied += !room, popped += pop_now;
  });
  for (unsigned i = 0; i < 4; ++i) {
    ASSERT_EQ(bench.run(cycles(DecoderCycles / 4)), "") << seed_note();
    clear.write(false), push.write(false), pop.write(0);
    bench.reset();
    held = 0;
  }
  EXPECT_GT(pushed, DecoderCycles / 10);
  EXPECT_GT(cleared_and_pushed, DecoderCycles / 1000);
  EXPECT_GT(denied, DecoderCycles / 20);
  EXPECT_GT(popped, DecoderCycles);
}

TEST_P(lockstep_bit_unpacker, outputs_the_same_window_as_systemc) {
  with_words(GetParam().words, [this](auto k) { has_the_same_window<k>(); });
}
INSTANTIATE_TEST_SUITE_P(all, lockstep_bit_unpacker, testing::ValuesIn(bit_unpackers()));

/// A string that a decoder reads, and the position in it.
struct string_reader {
  std::vector<std::uint32_t> payload;
  std::uint64_t at = 0;    ///< bits
  std::uint32_t left = 0;  ///< words
  unsigned cut = 0;

  /// The first \p most bits of the rest.
  template <unsigned Capacity>
  bit_string<Capacity> view(std::uint64_t most) const {
    bit_string<Capacity> bits;
    const std::uint64_t end = std::min<std::uint64_t>({32 * payload.size(), at + Capacity, at + most});
    for (std::uint64_t i = at; i < end;) {
      const auto count = static_cast<unsigned>(std::min<std::uint64_t>(32 - i % 32, end - i));
      bits.append(payload[i / 32] >> (i % 32), count);
      i += count;
    }
    return bits;
  }
};

/// Strings in the code \p how, some of them corrupted.
class string_source {
 public:
  string_source(rng& random, codec how, unsigned words_per_flit, const codec_parameters& parameters)
      : m_random(random),
        m_codec(how),
        m_k(words_per_flit),
        m_parameters(parameters),
        m_messages(random, parameters.table) {}

  string_reader next() {
    codec_parameters parameters = m_parameters;
    parameters.cut = m_random.chance(0.2) ? m_random.one_of({0U, 1U, 51U}) : m_random.between(0, MaxCut);
    const std::size_t words = m_random.between(1, 12 * m_k);
    const auto message =
        m_codec == codec::LsbCut ? m_messages.doubles(words, parameters.cut) : m_messages.integers(words);
    travelling_packet packet;
    packet.payload = encode(message, m_codec, m_k, parameters).payload;
    packet.header.words = static_cast<std::uint32_t>(words);
    packet.header.codec = m_codec;
    packet.header.cut = static_cast<std::uint8_t>(parameters.cut);
    if (m_random.chance(0.3)) spoil(packet, m_random, m_k);
    return {std::move(packet.payload), 0, packet.header.words, parameters.cut};
  }

 private:
  rng& m_random;
  const codec m_codec;
  const unsigned m_k;
  const codec_parameters m_parameters;
  message_source m_messages;
};

/// The first \p size bits of \p view, followed by zeros except for a single bit at a random position.
template <unsigned Capacity>
bit_string<Capacity> with_single_bit(const bit_string<Capacity>& view, unsigned size, rng& random) {
  bit_string<Capacity> bits;
  for (unsigned at = 0; at < size; at += 64) bits.append(view.extract(at, 64), std::min(64U, size - at));
  if (size == Capacity) return bits;
  const unsigned index = random.between(size, Capacity - 1);
  while (bits.size() < index) bits.append(0, std::min(64U, index - bits.size()));
  bits.append(1, 1);
  return bits;
}

/// Counters of what a test has covered.
struct decoder_work {
  std::uint64_t loaded = 0, waited = 0, corrupt = 0, filling = 0, excess = 0;
};

class lockstep_fpc_decompressor : public variant_test {
 protected:
  template <unsigned K>
  void reads_the_same_groups();
};

template <unsigned K>
void lockstep_fpc_decompressor::reads_the_same_groups() {
  const variant& v = GetParam();
  codec_parameters parameters;
  parameters.table = v.codec.table;
  parameters.classic = v.codec.classic;
  pin::fpc_decompressor<K> systemc("systemc", parameters.table, parameters.classic);
  const auto device = v.make_as<tb::fpc_decompressor_pins<K>>("rtl", register_seed());
  auto& rtl = *device;
  lockstep_bench bench("bench", systemc, rtl);
  auto& window_in = bench.input(systemc.window_i, rtl.window_i);
  auto& count = bench.input(systemc.count_i, rtl.count_i);
  auto& left = bench.input(systemc.left_i, rtl.left_i);
  auto& load = bench.input(systemc.load_i, rtl.load_i);
  auto& clear = bench.input(systemc.clear_i, rtl.clear_i);
  bool has_loaded = false;
  const auto after_load = [&has_loaded] { return has_loaded; };
  bench.output(systemc.size_o, rtl.size_o);
  auto& fits = bench.output(systemc.fits_o, rtl.fits_o);
  bench.output(systemc.corrupt_o, rtl.corrupt_o, [&fits] { return fits.read(); });
  bench.output(systemc.words_o, rtl.words_o, after_load);
  auto& filling = bench.output(systemc.filling_o, rtl.filling_o, after_load);
  auto& excess = bench.output(systemc.excess_o, rtl.excess_o, after_load);

  string_source strings(random, parameters.classic ? codec::FpcClassic : codec::Fpc, K, parameters);
  string_reader reader;
  classic_state state;
  bool gives_up = false, loads = false;
  decoder_work work;
  bench.on_cycle([&] {
    if (loads) has_loaded = true;
    work.filling += has_loaded && filling.read(), work.excess += has_loaded && excess.read();
    const bool clears = gives_up;
    if (gives_up || reader.left == 0) {
      // After the last group of a packet no zeros are left, if it had no more words; an aborted packet may leave some.
      reader = strings.next();
      if (reader.left == 0) reader.left = 1;
      state = {};
    }
    const auto n = static_cast<unsigned>(std::min(reader.left, K));
    const auto view = reader.view<window_bits(K)>(random.chance(0.3) ? random.between(0, window_bits(K)) : ~0U);
    // Sometimes many more words, as in a long packet.
    const std::uint32_t words_left =
        n == K && random.chance(0.2) ? (1U << random.between(4, SizeBits - 1)) + random.between(0, 7) : reader.left;
    group_measure group;
    classic_measure run;
    if (v.codec.classic)
      group = run = measure_classic_group<K>(view, view.size(), n, words_left, state);
    else
      group = measure_fpc_group<K>(view, view.size(), n, parameters.table);
    // The clear after an aborted packet has its own cycle, without a load.
    loads = group.fits && !group.corrupt && !clears && random.chance(0.8);
    // A group of size 0 is rare.
    const double single_bit_chance = group.size == 0 ? 0.8 : 0.1;
    window_in.write(group.fits && random.chance(single_bit_chance) ? with_single_bit(view, group.size, random) : view);
    count.write(static_cast<std::uint8_t>(n));
    left.write(words_left);
    load.write(loads);
    clear.write(clears);
    work.loaded += loads, work.waited += !group.fits, work.corrupt += group.fits && group.corrupt;
    gives_up = !clears && ((group.fits && group.corrupt) || reader.at >= 32 * reader.payload.size() ||
                           (!group.fits && random.chance(0.2)));
    if (loads) {
      state = run.next();
      reader.at += group.size;
      reader.left -= n;
      gives_up = gives_up || (reader.left == 0 && state.zeros != 0);
    }
  });
  for (unsigned part = 0; part < 40; ++part) {
    ASSERT_EQ(bench.run(cycles(DecoderCycles / 40)), "") << seed_note();
    // A reset discards the packet and its remaining zeros.
    reader = {};
    state = {};
    gives_up = loads = has_loaded = false;
    load.write(false), clear.write(false);
    bench.reset();
  }
  EXPECT_GT(work.loaded, DecoderCycles / 5);
  EXPECT_GT(work.waited, DecoderCycles / 100);
  EXPECT_GT(work.corrupt, DecoderCycles / 2000);
  EXPECT_GT(work.filling, DecoderCycles / 100);
  EXPECT_GT(work.excess, DecoderCycles / 100);
}

TEST_P(lockstep_fpc_decompressor, reads_the_same_groups_as_systemc) {
  with_words(GetParam().words, [this](auto k) { reads_the_same_groups<k>(); });
}
INSTANTIATE_TEST_SUITE_P(all, lockstep_fpc_decompressor, testing::ValuesIn(fpc_decompressors()));

class lockstep_lsb_cut_decompressor : public variant_test {
 protected:
  template <unsigned K>
  void reads_the_same_groups();
};

template <unsigned K>
void lockstep_lsb_cut_decompressor::reads_the_same_groups() {
  const variant& v = GetParam();
  pin::lsb_cut_decompressor<K> systemc("systemc", v.codec.exact);
  const auto device = v.make_as<tb::lsb_cut_decompressor_pins<K>>("rtl", register_seed());
  auto& rtl = *device;
  lockstep_bench bench("bench", systemc, rtl);
  auto& window_in = bench.input(systemc.window_i, rtl.window_i);
  auto& count = bench.input(systemc.count_i, rtl.count_i);
  auto& cut = bench.input(systemc.cut_i, rtl.cut_i);
  auto& load = bench.input(systemc.load_i, rtl.load_i);
  bool has_loaded = false;
  const auto after_load = [&has_loaded] { return has_loaded; };
  bench.output(systemc.size_o, rtl.size_o);
  bench.output(systemc.fits_o, rtl.fits_o);
  bench.output(systemc.corrupt_o, rtl.corrupt_o);
  bench.output(systemc.words_o, rtl.words_o, after_load);
  auto& filling = bench.output(systemc.filling_o, rtl.filling_o, after_load);
  auto& excess = bench.output(systemc.excess_o, rtl.excess_o, after_load);

  codec_parameters parameters;
  parameters.exact = v.codec.exact;
  string_source strings(random, codec::LsbCut, K, parameters);
  string_reader reader;
  bool loads = false;
  decoder_work work;
  bench.on_cycle([&] {
    if (loads) has_loaded = true;
    work.filling += has_loaded && filling.read(), work.excess += has_loaded && excess.read();
    if (reader.left == 0 || reader.at >= 32 * reader.payload.size() || random.chance(0.01)) {
      reader = strings.next();
      if (reader.left == 0) reader.left = 1;
    }
    const auto n = static_cast<unsigned>(std::min(reader.left, lsb_cut_group_words(K)));
    const auto view = reader.view<window_bits(K)>(random.chance(0.3) ? random.between(0, window_bits(K)) : ~0U);
    const group_measure group = measure_lsb_cut_group<K>(view, view.size(), n, reader.cut, v.codec.exact);
    loads = group.fits && random.chance(0.8);
    window_in.write(group.fits && random.chance(0.1) ? with_single_bit(view, group.size, random) : view);
    count.write(static_cast<std::uint8_t>(n));
    cut.write(static_cast<std::uint8_t>(reader.cut));
    load.write(loads);
    work.loaded += loads, work.waited += !group.fits;
    if (loads) {
      reader.at += group.size;
      reader.left -= n;
    }
  });
  for (unsigned part = 0; part < 4; ++part) {
    ASSERT_EQ(bench.run(cycles(DecoderCycles / 4)), "") << seed_note();
    reader = {};
    loads = has_loaded = false;
    load.write(false);
    bench.reset();
  }
  EXPECT_GT(work.loaded, DecoderCycles / 5);
  EXPECT_GT(work.waited, DecoderCycles / 100);
  EXPECT_GT(work.filling, DecoderCycles / 100);
  EXPECT_GT(work.excess, DecoderCycles / 100);
}

TEST_P(lockstep_lsb_cut_decompressor, reads_the_same_groups_as_systemc) {
  with_words(GetParam().words, [this](auto k) { reads_the_same_groups<k>(); });
}
INSTANTIATE_TEST_SUITE_P(all, lockstep_lsb_cut_decompressor, testing::ValuesIn(lsb_cut_decompressors()));

}  // namespace
}  // namespace weft::lockstep
