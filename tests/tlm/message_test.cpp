// SPDX-License-Identifier: Apache-2.0
/// Conversion of messages to packets and back.
#include "weft/tlm/message.h"

#include <algorithm>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace weft::tlm2;
using weft::data_type;

namespace {

message request(bool write, std::uint32_t length) {
  message m;
  m.write = write;
  m.length = m.streaming_width = length;
  m.address = 0x123456789abcdef0;
  if (write) m.data.resize(length, 0x11);
  return m;
}

message response(bool write, std::uint32_t length) {
  message m;
  m.kind = message_kind::Response;
  m.write = write;
  m.length = length;
  if (!write) m.data.resize(length, 0x22);
  return m;
}

}  // namespace

TEST(tlm_message, flit_counts_match_the_reference_page) {
  const unsigned bits[] = {32, 64, 128, 256};
  const unsigned read[] = {4, 2, 1, 1}, done[] = {2, 1, 1, 1}, write_64[] = {20, 10, 5, 3}, data_64[] = {18, 9, 5, 3};
  for (int i = 0; i < 4; ++i) {
    const packet_format format{bits[i], 64};
    EXPECT_EQ(count_flits(request(false, 64), format), read[i]) << bits[i];
    EXPECT_EQ(count_flits(response(true, 64), format), done[i]) << bits[i];
    EXPECT_EQ(count_flits(request(true, 64), format), write_64[i]) << bits[i];
    EXPECT_EQ(count_flits(response(false, 64), format), data_64[i]) << bits[i];
  }
  // 4096 bytes in packets of 64 flits: 63 words of 8 bytes each, and the address.
  EXPECT_EQ(count_flits(request(true, 4096), {64, 64}), 9 + 513U);
  std::vector<piece> pieces;
  to_packets(request(true, 4096), {64, 64}, pieces);
  EXPECT_EQ(pieces.size(), 9U);
  EXPECT_EQ(count_flits(request(true, 1), {64, 64}), 3U);
}

/// Random messages are divided into packets of random size, which arrive in random order.
TEST(tlm_message, messages_survive_division_into_packets) {
  std::mt19937_64 random(4);
  std::vector<piece> pieces;  // reused, as in the component
  assembly whole;
  for (int round = 0; round < 2000; ++round) {
    message m;
    m.kind = random() % 2 == 0 ? message_kind::Request : message_kind::Response;
    m.write = random() % 2 == 0;
    m.length = 1 + static_cast<std::uint32_t>(random() % (round % 50 == 0 ? 65536 : 500));
    m.tag = static_cast<std::uint16_t>(random() % Tags);
    m.order = static_cast<std::uint16_t>(random() % Orders);
    m.streaming_width = m.length;
    m.dmi_allowed = random() % 2 == 0;
    if (m.kind == message_kind::Request) {
      m.address = random();
      if (random() % 2 == 0) m.streaming_width = 1 + static_cast<std::uint32_t>(random() % m.length);
      if (random() % 2 == 0) m.byte_enables.resize(1 + random() % m.length);
      for (unsigned char& e : m.byte_enables) e = random() % 2 == 0 ? 0 : 0xff;
    } else {
      m.status = static_cast<std::uint8_t>(random() % 6);
    }
    m.type = travelling_type(static_cast<data_type>(random() % 4), m.length, !m.byte_enables.empty());
    const bool has_data = m.kind == message_kind::Request ? m.write : !m.write && m.status == 0;
    if (has_data) m.data.resize(m.length);
    for (unsigned char& b : m.data) b = static_cast<unsigned char>(random());

    const unsigned bits = 32U << random() % 4;
    const packet_format format{bits, 256 / bits + static_cast<unsigned>(random() % 20)};
    to_packets(m, format, pieces);
    std::uint32_t flits = 0;
    for (piece& p : pieces) {
      ASSERT_LE(p.flits, format.max_flits);
      ASSERT_GE(p.flits, 1U);
      ASSERT_LE(p.words.size(), (std::size_t{p.flits} * bits + 63) / 64);
      p.words.resize((std::size_t{p.flits} * bits + 63) / 64);  // padded to whole flits
      flits += p.flits;
    }
    ASSERT_EQ(flits, count_flits(m, format));
    std::shuffle(pieces.begin(), pieces.end(), random);
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      ASSERT_EQ(assembly::tag_of(pieces[i].words, m.type), m.tag);
      ASSERT_EQ(assembly::is_whole(pieces[i].words, m.type), pieces.size() == 1);
      ASSERT_EQ(whole.add(pieces[i].words, m.type), i + 1 == pieces.size());
    }
    const message back = whole.pop(m.kind);
    ASSERT_EQ(back.write, m.write);
    ASSERT_EQ(back.tag, m.tag);
    ASSERT_EQ(back.order, m.order);
    ASSERT_EQ(back.status, m.status);
    ASSERT_EQ(back.dmi_allowed, m.dmi_allowed);
    ASSERT_EQ(back.length, m.length);
    ASSERT_EQ(back.data, m.data);
    ASSERT_EQ(back.type, m.type);
    if (m.kind == message_kind::Response) continue;
    ASSERT_EQ(back.address, m.address);
    ASSERT_EQ(back.streaming_width, m.streaming_width);
    ASSERT_EQ(back.byte_enables, m.byte_enables);
  }
}

TEST(tlm_message, only_messages_of_whole_doubles_have_type_double) {
  EXPECT_EQ(travelling_type(data_type::Double, 16, false), data_type::Double);
  EXPECT_EQ(travelling_type(data_type::Double, 12, false), data_type::Other);
  EXPECT_EQ(travelling_type(data_type::DoubleComplex, 16, true), data_type::Other);
  EXPECT_EQ(travelling_type(data_type::Int, 3, true), data_type::Int);
}
