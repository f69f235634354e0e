// SPDX-License-Identifier: Apache-2.0
// Whole messages through encode() and decode(): the bit string, compared with one written bit by bit, round trips, and
// every error that a packet can have.
#include "weft/core/coded_packet.h"

#include "unit/core/codec_cases.h"
#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "weft/core/lsb_cut.h"

namespace weft {
namespace {

using words_t = std::vector<std::uint32_t>;

constexpr codec Codecs[] = {codec::Fpc, codec::FpcClassic, codec::LsbCut};

unsigned any_k() { return *rc::gen::element(1U, 2U, 4U, 8U); }
codec any_codec() { return *rc::gen::elementOf(std::vector<codec>(std::begin(Codecs), std::end(Codecs))); }

codec_parameters any_parameters(codec how) {
  codec_parameters p;
  p.table = *any_table();
  p.classic = how == codec::FpcClassic;
  p.cut = *rc::gen::inRange(0, 4) == 0 ? 0 : *rc::gen::inRange(0U, MaxCut + 1);  // 0: strings of whole flits
  p.exact = *rc::gen::arbitrary<bool>();
  return p;
}

header header_of(const words_t& message, codec how, const codec_parameters& p) {
  header h;
  h.words = static_cast<std::uint32_t>(message.size());
  h.codec = how;
  h.cut = how == codec::LsbCut ? static_cast<std::uint8_t>(p.cut) : 0;
  return h;
}

/// The words that should arrive.
words_t arrives(const words_t& message, codec how, const codec_parameters& p) {
  words_t words = message;
  if (how == codec::LsbCut)
    for (std::size_t i = 0; i + 1 < words.size(); i += 2) {
      const std::uint64_t after = after_cut(words[i] | std::uint64_t{words[i + 1]} << 32, p.cut, p.exact);
      words[i] = static_cast<std::uint32_t>(after);
      words[i + 1] = static_cast<std::uint32_t>(after >> 32);
    }
  return words;
}

/// A coded packet with its message and parameters.
struct scene {
  unsigned k = any_k();
  codec how = any_codec();
  codec_parameters parameters = any_parameters(how);
  words_t message = *any_message(1, 60);
  coded_message coded = encode(message, how, k, parameters);
  header head = header_of(message, how, parameters);

  decoded_message decode() const { return weft::decode(head, coded.payload, k, parameters); }
  void flip(std::uint64_t bit) { coded.payload[bit / 32] ^= 1U << bit % 32; }
};

// ---------------------------------------------------------------------------------------------------------------
// The bit string, written from the reference page without hardware groups: bit by bit, a whole message at once

class text {
 public:
  void put(std::uint64_t value, unsigned count) {
    for (unsigned i = 0; i < count; ++i) bits.push_back((value >> i & 1) != 0);
  }
  std::vector<bool> bits;
};

text classic_text(const words_t& message) {
  text t;
  for (std::size_t i = 0; i < message.size();) {
    std::size_t run = 0;
    while (i + run < message.size() && run < 8 && message[i + run] == 0) ++run;
    if (run > 0) {
      t.put(0, 3);
      t.put(run - 1, 3);
      i += run;
      continue;
    }
    const std::uint32_t w = message[i++];
    const auto token = encode_classic_word(w);
    t.put(token.prefix, 3);
    t.put(token.data, token.bits);
  }
  return t;
}

text table_text(const words_t& message, unsigned k, const fpc_table& table) {
  text t;
  for (std::size_t flit = 0; flit < message.size(); flit += k) {
    const auto code = [&](std::uint32_t word) {
      for (unsigned i = 0; i < 6; ++i)
        if (std::uint64_t{word} >> (32 - table.runs[i]) == 0) return i;
      return 6U;
    };
    const std::size_t end = std::min<std::size_t>(flit + k, message.size());
    for (std::size_t i = flit; i < end; ++i) t.put(code(message[i]) == 6 ? 7 : 5 - code(message[i]), 3);
    for (std::size_t i = flit; i < end; ++i)
      t.put(message[i], code(message[i]) == 6 ? 32 : 32U - table.runs[code(message[i])]);
  }
  return t;
}

text lsb_cut_text(const words_t& message, unsigned k, unsigned n, bool exact) {
  text t;
  const std::size_t group = k == 1 ? 2 : k;
  for (std::size_t first = 0; first < message.size(); first += group) {
    const std::size_t end = std::min(first + group, message.size());
    std::vector<std::uint64_t> doubles;
    for (std::size_t i = first; i + 1 < end; i += 2)
      doubles.push_back(message[i] | std::uint64_t{message[i + 1]} << 32);
    for (const std::uint64_t d : doubles) t.put(d >> n, 64 - n);
    if (exact && n > 0) {
      for (int with_bits : {0, 1})
        for (const std::uint64_t d : doubles) {
          const auto exponent = d >> 52 & 2047, rest = d & ((std::uint64_t{1} << n) - 1);
          if (exponent != 0 && exponent != 2047) continue;
          if (with_bits == 0) t.put(rest != 0, 1);
          if (with_bits == 1 && rest != 0) t.put(rest, n);
        }
    }
    if ((end - first) % 2 == 1) t.put(message[end - 1], 32);
  }
  return t;
}

RC_GTEST_PROP(unit_core_coded_packet, bit_string_matches_the_reference, ()) {
  const scene s;
  const text expected = s.how == codec::Fpc ? table_text(s.message, s.k, s.parameters.table)
                        : s.how == codec::FpcClassic
                            ? classic_text(s.message)
                            : lsb_cut_text(s.message, s.k, s.parameters.cut, s.parameters.exact);
  RC_ASSERT(s.coded.bits == expected.bits.size());
  const std::size_t flit = 32 * s.k;
  RC_ASSERT(32 * s.coded.payload.size() == (expected.bits.size() + flit - 1) / flit * flit);
  for (std::size_t i = 0; i < 32 * s.coded.payload.size(); ++i)
    RC_ASSERT((s.coded.payload[i / 32] >> i % 32 & 1) == (i < expected.bits.size() && expected.bits[i] ? 1U : 0U));
}

RC_GTEST_PROP(unit_core_coded_packet, length_is_computed_without_encoding, ()) {
  const scene s;
  coded_length length(s.how, s.parameters);
  for (const std::uint32_t word : s.message) length.add(word);
  RC_ASSERT(length.bits() == s.coded.bits);
}

TEST(unit_core_coded_packet, empty_message_has_no_bits) {
  for (const codec how : Codecs) EXPECT_EQ(coded_length(how, {}).bits(), 0u);
  coded_length raw(codec::Raw, {});
  raw.add(1);
  EXPECT_EQ(raw.bits(), 32u);
}

// ---------------------------------------------------------------------------------------------------------------
// Round trips

RC_GTEST_PROP(unit_core_coded_packet, decoding_restores_the_encoded_message, ()) {
  const scene s;
  const decoded_message back = s.decode();
  RC_ASSERT(back.error == codec_error::None);
  RC_ASSERT(back.words == arrives(s.message, s.how, s.parameters));
}

// Covers every length, number of cut bits and K, with every kind of double.
TEST(unit_core_coded_packet, decodes_every_kind_of_double_for_every_cut) {
  std::vector<std::uint64_t> doubles;
  for (const std::uint64_t sign : {0, 1})
    for (const std::uint64_t exponent : {0, 1, 1023, 2046, 2047})
      for (const std::uint64_t mantissa : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{1} << 51,
                                           std::uint64_t{0x8000000000003}, (std::uint64_t{1} << 52) - 1})
        doubles.push_back(sign << 63 | exponent << 52 | mantissa);
  words_t message;
  for (const std::uint64_t d : doubles) {
    message.push_back(static_cast<std::uint32_t>(d));
    message.push_back(static_cast<std::uint32_t>(d >> 32));
  }
  message.push_back(0x12345678);
  codec_parameters p;
  for (const unsigned k : {1, 2, 4, 8})
    for (const bool exact : {true, false})
      for (p.cut = 0; p.cut <= MaxCut; ++p.cut) {
        p.exact = exact;
        const coded_message coded = encode(message, codec::LsbCut, k, p);
        const decoded_message back = decode(header_of(message, codec::LsbCut, p), coded.payload, k, p);
        ASSERT_EQ(back.error, codec_error::None) << "K " << k << ", cut " << p.cut;
        ASSERT_EQ(back.words, arrives(message, codec::LsbCut, p)) << "K " << k << ", cut " << p.cut;
        if (!exact) continue;
        for (std::size_t i = 0; i < doubles.size(); ++i) {
          if (!is_special(doubles[i])) continue;
          ASSERT_EQ(back.words[2 * i], message[2 * i]);
          ASSERT_EQ(back.words[2 * i + 1], message[2 * i + 1]);
        }
      }
}

RC_GTEST_PROP(unit_core_coded_packet, sends_the_shorter_form_and_raw_on_ties, ()) {
  const unsigned k = any_k();
  const codec how = *rc::gen::element(codec::Raw, codec::Fpc, codec::FpcClassic, codec::LsbCut);
  const codec_parameters p = any_parameters(how);
  const words_t message = *any_message(0, 40);
  const auto type = *rc::gen::element(data_type::Int, data_type::Double);
  const travelling_packet packet = travelling_form(message, type, how, k, p);
  const std::size_t raw_flits = std::max<std::size_t>(1, (message.size() + k - 1) / k);
  const std::size_t coded_flits =
      how == codec::Raw || message.empty() ? raw_flits : encode(message, how, k, p).payload.size() / k;
  RC_ASSERT(packet.header.flits == std::min(raw_flits, coded_flits));
  RC_ASSERT(packet.payload.size() == packet.header.flits * k);
  RC_ASSERT(packet.header.words == message.size());
  RC_ASSERT(packet.header.type == type);
  RC_ASSERT(packet.header.codec == (coded_flits < raw_flits ? how : codec::Raw));
  RC_ASSERT(packet.header.cut == (packet.header.codec == codec::LsbCut ? p.cut : 0));
  const decoded_message back = decode(packet.header, packet.payload, k, p);
  RC_ASSERT(back.error == codec_error::None);
  RC_ASSERT(back.words == arrives(message, packet.header.codec, p));
}

TEST(unit_core_coded_packet, empty_message_is_sent_raw_in_one_flit) {
  const travelling_packet packet = travelling_form({}, data_type::Int, codec::Fpc, 4, {});
  EXPECT_EQ(packet.header.codec, codec::Raw);
  EXPECT_EQ(packet.payload, words_t(4, 0));
  EXPECT_TRUE(decode(packet.header, packet.payload, 4, {}).words.empty());
}

// ---------------------------------------------------------------------------------------------------------------
// Errors

RC_GTEST_PROP(unit_core_coded_packet, early_end_is_reported_as_truncated, ()) {
  scene s;
  const words_t whole = arrives(s.message, s.how, s.parameters);
  while (s.coded.payload.size() > s.k) {
    s.coded.payload.resize(s.coded.payload.size() - s.k);
    const decoded_message back = s.decode();
    RC_ASSERT(back.error == codec_error::Truncated);
    // The words before the end of the packet are right, the rest are zeros.
    RC_ASSERT(back.words.size() == whole.size());
    std::size_t right = 0;
    while (right < whole.size() && back.words[right] == whole[right]) ++right;
    RC_ASSERT(std::all_of(back.words.begin() + static_cast<std::ptrdiff_t>(right), back.words.end(),
                          [](std::uint32_t w) { return w == 0; }));
  }
}

RC_GTEST_PROP(unit_core_coded_packet, extra_flits_are_reported_as_over_long, ()) {
  scene s;
  const auto more = *rc::gen::inRange(1U, 7U);
  for (unsigned i = 0; i < more * s.k; ++i) s.coded.payload.push_back(*rc::gen::element(0U, 1U, 0xffffffffU));
  const decoded_message back = s.decode();
  RC_ASSERT(back.error == codec_error::OverLong);
  // The last group is decoded if the window holds the whole packet; otherwise it is zeros, like any wrong one.
  const words_t whole = arrives(s.message, s.how, s.parameters);
  const std::size_t group = s.how == codec::LsbCut && s.k == 1 ? 2 : s.k;
  const std::size_t last = (whole.size() - 1) / group * group;
  RC_ASSERT(std::equal(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(last), back.words.begin()));
  const bool decoded = std::equal(whole.begin(), whole.end(), back.words.begin());
  const bool zeros = std::all_of(back.words.begin() + static_cast<std::ptrdiff_t>(last), back.words.end(),
                                 [](std::uint32_t w) { return w == 0; });
  RC_ASSERT(decoded || zeros);
  if (more * 32 * s.k > window_bits(s.k)) RC_ASSERT(zeros);
}

RC_GTEST_PROP(unit_core_coded_packet, nonzero_padding_is_reported_as_corrupt, ()) {
  scene s;
  const std::uint64_t filling = 32 * s.coded.payload.size() - s.coded.bits;
  RC_PRE(filling > 0u);
  s.flip(s.coded.bits + *rc::gen::inRange<std::uint64_t>(0, filling));
  const decoded_message back = s.decode();
  RC_ASSERT(back.error == codec_error::Corrupt);
  RC_ASSERT(back.words == arrives(s.message, s.how, s.parameters));
}

RC_GTEST_PROP(unit_core_coded_packet, invalid_prefix_is_reported_as_corrupt, ()) {
  const unsigned k = any_k();
  codec_parameters p = any_parameters(codec::Fpc);
  const words_t message = *any_message(1, 40);
  coded_message coded = encode(message, codec::Fpc, k, p);
  const std::size_t wrong = *rc::gen::inRange<std::size_t>(0, message.size());
  std::uint64_t at = 0;  // position of the group that contains the word
  for (std::size_t first = 0; first + k <= wrong; first += k)
    at += encode(words_t(message.begin() + static_cast<std::ptrdiff_t>(first),
                         message.begin() + static_cast<std::ptrdiff_t>(first + k)),
                 codec::Fpc, k, p)
              .bits;
  for (unsigned i = 0; i < 3; ++i) {
    const std::uint64_t bit = at + 3 * (wrong % k) + i;
    coded.payload[bit / 32] &= ~(1U << bit % 32);
    coded.payload[bit / 32] |= (6U >> i & 1) << bit % 32;
  }
  const decoded_message back = decode(header_of(message, codec::Fpc, p), coded.payload, k, p);
  RC_ASSERT(back.error == codec_error::Corrupt);
  for (std::size_t i = 0; i < message.size(); ++i) RC_ASSERT(back.words[i] == (i < wrong / k * k ? message[i] : 0));
}

RC_GTEST_PROP(unit_core_coded_packet, run_beyond_the_end_is_reported_as_corrupt, ()) {
  const unsigned k = any_k();
  codec_parameters p = any_parameters(codec::FpcClassic);
  words_t message = *any_message(0, 40);
  message.push_back(1);
  const auto zeros = *rc::gen::inRange(1U, 8U), too_many = *rc::gen::inRange(zeros + 1, 9U);
  words_t sent = message, padded = message;
  padded.resize(message.size() + zeros);
  sent.resize(message.size() + too_many);
  const coded_message coded = encode(sent, codec::FpcClassic, k, p);
  const decoded_message back = decode(header_of(padded, codec::FpcClassic, p), coded.payload, k, p);
  RC_ASSERT(back.error == codec_error::Corrupt);
}

TEST(unit_core_coded_packet, impossible_header_is_reported_as_corrupt) {
  const words_t message{1, 2, 3, 4};
  codec_parameters p;
  const auto error_of = [&p, &message](codec how, auto change) {
    header h = header_of(message, how, p);
    change(h);
    const decoded_message back = decode(h, encode(message, how, 2, p).payload, 2, p);
    EXPECT_EQ(back.words, words_t(h.words, 0));
    return back.error;
  };
  const auto nothing = [](header&) {};
  EXPECT_EQ(error_of(codec::LsbCut, [](header& h) { h.cut = 52; }), codec_error::Corrupt);
  EXPECT_EQ(error_of(codec::Fpc, [](header& h) { h.words = 0; }), codec_error::Corrupt);
  EXPECT_EQ(error_of(codec::FpcClassic, nothing), codec_error::Corrupt);
  p.classic = true;
  EXPECT_EQ(error_of(codec::Fpc, nothing), codec_error::Corrupt);
}

// For any input, the decoder gives as many words as the header announces. What it accepts is what an encoder could have
// sent, except for a few strings that are not the shortest.
RC_GTEST_PROP(unit_core_coded_packet, corrupted_payload_decodes_to_the_length_in_the_header, ()) {
  scene s;
  for (auto& word : s.coded.payload)
    if (*rc::gen::inRange(0, 4) == 0) word ^= *rc::gen::arbitrary<std::uint32_t>();
  s.head.words = *rc::gen::inRange(0U, 100U);
  RC_ASSERT(s.decode().words.size() == s.head.words);
}

RC_GTEST_PROP(unit_core_coded_packet, a_raw_packet_passes_unchanged, ()) {
  const unsigned k = any_k();
  const words_t payload = *rc::gen::container<words_t>(k * *rc::gen::inRange<std::size_t>(1, 5), any_word());
  header h;
  h.words = *rc::gen::inRange(0U, 50U);
  const decoded_message back = decode(h, payload, k, {});
  words_t expected = payload;
  expected.resize(h.words);
  RC_ASSERT(back.words == expected);
  RC_ASSERT(back.error == codec_error::None);
}

TEST(unit_core_coded_packet, rejects_impossible_arguments) {
  codec_parameters deep, unsorted;
  deep.cut = MaxCut + 1;
  unsorted.table.runs = {1, 2, 3, 4, 5, 6};
  EXPECT_THROW(encode({1}, codec::LsbCut, 2, deep), std::invalid_argument);
  EXPECT_THROW(encode({1}, codec::Fpc, 2, unsorted), std::invalid_argument);
  EXPECT_THROW(encode({}, codec::Fpc, 2, {}), std::invalid_argument);
  EXPECT_THROW(encode({1}, codec::Raw, 3, {}), std::invalid_argument);
  EXPECT_THROW(decode({}, {1, 2, 3}, 2, {}), std::invalid_argument);
  EXPECT_THROW(decode({}, {}, 2, {}), std::invalid_argument);
}

}  // namespace
}  // namespace weft
