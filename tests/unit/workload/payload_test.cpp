// SPDX-License-Identifier: Apache-2.0
#include "weft/workload/payload.h"

#include "support.h"
#include "support/recording.h"
#include <array>
#include <cmath>
#include <cstring>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "weft/core/random.h"
#include "weft/workload/error.h"

namespace weft {
namespace {

using words_t = std::array<std::uint64_t, 4>;
constexpr std::uint64_t Untouched = 0x5a5a5a5a5a5a5a5a;

payload_parameters of(payload_kind kind, const std::filesystem::path& file = {}) {
  payload_parameters p;
  p.kind = kind;
  p.file = file;
  return p;
}

words_t flit(const payload_generator& payload, packet_id id, std::uint32_t sequence, unsigned bits) {
  words_t words;
  words.fill(Untouched);
  payload(id, sequence, bits, words.data());
  return words;
}

/// The first \p count words of the only node's stream, read as flits of one word.
std::vector<std::uint64_t> first_words(const payload_parameters& parameters, std::size_t count,
                                       std::uint64_t seed = 1) {
  const payload_generator payload(parameters, seed, 1, 1);
  std::vector<std::uint64_t> words;
  for (packet_id id = 0; id < count; ++id) words.push_back(flit(payload, id, 0, 64)[0]);
  return words;
}

double to_double(std::uint64_t bits) {
  double value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

RC_GTEST_PROP(unit_workload_payload, is_a_pure_function, ()) {
  static const temporary_file file("some bytes of no particular length");
  const auto kind = *rc::gen::element(payload_kind::Zero, payload_kind::Random, payload_kind::SmallIntegers,
                                      payload_kind::SmoothDoubles, payload_kind::File);
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  const auto id = *rc::gen::arbitrary<packet_id>();
  const auto sequence = *rc::gen::inRange<std::uint32_t>(0, 20);
  const auto bits = *rc::gen::element(32u, 64u, 128u, 256u);
  const payload_generator payload(of(kind, file.path()), seed, 16, 20);
  const words_t words = flit(payload, id, sequence, bits);
  flit(payload, id + 1, sequence, bits);
  flit(payload, id, sequence + 1, 64);
  RC_ASSERT(flit(payload, id, sequence, bits) == words);
  RC_ASSERT(flit(payload_generator(of(kind, file.path()), seed, 16, 20), id, sequence, bits) == words);
}

// A packet continues where the previous packet of its node ended, for any flit width.
TEST(unit_workload_payload, packets_of_a_node_continue_one_stream) {
  constexpr std::uint32_t Nodes = 3, Node = 2, Length = 4;
  for (const payload_kind kind : {payload_kind::Random, payload_kind::SmallIntegers, payload_kind::SmoothDoubles}) {
    const payload_generator payload(of(kind), 1, Nodes, Length);
    const auto read = [&](unsigned bits) {
      std::vector<std::uint32_t> halves;
      for (packet_id i = 0; halves.size() < 64; ++i) {
        for (std::uint32_t sequence = 0; sequence < Length; ++sequence) {
          const words_t words = flit(payload, i * Nodes + Node, sequence, bits);
          for (unsigned h = 0; h < bits / 32; ++h) {
            halves.push_back(static_cast<std::uint32_t>(words[h / 2] >> (32 * (h % 2))));
          }
        }
      }
      halves.resize(64);
      return halves;
    };
    const auto narrow = read(32);
    EXPECT_EQ(read(64), narrow);
    EXPECT_EQ(read(128), narrow);
    EXPECT_EQ(read(256), narrow);
  }
}

TEST(unit_workload_payload, only_the_words_of_the_flit_are_written) {
  const payload_generator payload(of(payload_kind::Random), 1, 1, 1);
  EXPECT_EQ(flit(payload, 0, 0, 32)[0] >> 32, 0u);
  EXPECT_EQ(flit(payload, 0, 0, 32)[1], Untouched);
  EXPECT_EQ(flit(payload, 0, 0, 64)[1], Untouched);
  EXPECT_NE(flit(payload, 0, 0, 128)[1], Untouched);
  EXPECT_EQ(flit(payload, 0, 0, 128)[2], Untouched);
  EXPECT_NE(flit(payload, 0, 0, 256)[3], Untouched);
}

TEST(unit_workload_payload, payload_differs_between_seeds_and_nodes) {
  for (const payload_kind kind : {payload_kind::Random, payload_kind::SmoothDoubles}) {
    EXPECT_NE(first_words(of(kind), 1, 1), first_words(of(kind), 1, 2));
    const payload_generator payload(of(kind), 1, 2, 1);
    EXPECT_NE(flit(payload, 0, 0, 64), flit(payload, 1, 0, 64));
  }
}

TEST(unit_workload_payload, zero_payload_contains_only_zeros) {
  EXPECT_EQ(first_words(of(payload_kind::Zero), 10), std::vector<std::uint64_t>(10, 0));
}

TEST(unit_workload_payload, random_payload_has_as_many_ones_as_zeros) {
  constexpr std::size_t Count = 10000;
  double ones = 0;
  for (std::uint64_t word : first_words(of(payload_kind::Random), Count)) {
    for (; word != 0; word &= word - 1) ++ones;
  }
  EXPECT_NEAR(ones, 32 * Count, 5 * std::sqrt(16 * Count));
}

TEST(unit_workload_payload, small_integers_are_as_small_as_documented) {
  constexpr std::size_t Count = 50000;
  const auto fits = [](std::int32_t value, unsigned bits) {
    return value >= -(1 << (bits - 1)) && value < 1 << (bits - 1);
  };
  std::vector<std::uint64_t> counted(4);  // zeros; other values of 4, 8 and 16 bits
  for (const std::uint64_t word : first_words(of(payload_kind::SmallIntegers), Count)) {
    for (const std::uint64_t half : {word & 0xffffffff, word >> 32}) {
      const auto value = static_cast<std::int32_t>(static_cast<std::uint32_t>(half));
      ASSERT_TRUE(fits(value, 16));
      ++counted[value == 0 ? 0 : fits(value, 4) ? 1 : fits(value, 8) ? 2 : 3];
    }
  }
  // A wider range contains the narrower ones.
  const double n = 2 * Count;
  const double zero = 0.4 + 0.3 / 16 + 0.2 / 256 + 0.1 / 65536;
  const double four = 0.3 * 15 / 16 + 0.2 * 15 / 256 + 0.1 * 15 / 65536;
  const double eight = 0.2 * 240 / 256 + 0.1 * 240 / 65536;
  EXPECT_LT(chi_square(counted, {n * zero, n * four, n * eight, n * (1 - zero - four - eight)}), chi_square_limit(4));
}

TEST(unit_workload_payload, smooth_doubles_vary_slowly) {
  const auto words = first_words(of(payload_kind::SmoothDoubles), 20000);
  double least = 1, most = -1;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const double value = to_double(words[i]);
    ASSERT_GE(value, -1);
    ASSERT_LE(value, 1);
    least = std::min(least, value);
    most = std::max(most, value);
    if (i == 0) continue;
    const double step = value - to_double(words[i - 1]);
    ASSERT_LE(std::abs(step), 1. / 128) << i;
    // The slope is continuous: successive steps differ by at most 4 control distances / 256^2 per sample.
    if (i > 1) {
      const double previous_step = to_double(words[i - 1]) - to_double(words[i - 2]);
      ASSERT_LE(std::abs(step - previous_step), 4. / 65536 + 1e-15) << i;
    }
  }
  EXPECT_LT(least, -0.5);
  EXPECT_GT(most, 0.5);
}

// The values match bit for bit, so every machine gives the same values.
TEST(unit_workload_payload, smooth_doubles_match_their_control_points_exactly) {
  const std::uint64_t key = stream_key(1, 0, stream_purpose::Payload);
  const auto control = [key](std::uint64_t i) {
    return std::ldexp(static_cast<double>(splitmix64(key, i) >> 18), -45) - 1;  // exact
  };
  const auto words = first_words(of(payload_kind::SmoothDoubles), 513);
  for (const std::size_t knot : {0, 1, 2}) {  // here only two control points have weight, half each
    EXPECT_EQ(to_double(words[256 * knot]), (control(knot) + control(knot + 1)) / 2);
  }
}

TEST(unit_workload_payload, a_file_is_read_cyclically) {
  const temporary_file file("0123456789ab");
  const payload_generator payload(of(payload_kind::File, file.path()), 1, 1, 2);
  std::string read;
  for (packet_id id = 0; id < 3; ++id) {
    for (std::uint32_t sequence = 0; sequence < 2; ++sequence)
      read += little_endian(flit(payload, id, sequence, 64)[0], 8);
  }
  EXPECT_EQ(read, "0123456789ab0123456789ab0123456789ab0123456789ab");
}

TEST(unit_workload_payload, a_file_shorter_than_a_word_is_read_cyclically) {
  const temporary_file file("abc");
  EXPECT_EQ(first_words(of(payload_kind::File, file.path()), 1)[0], 0x6261636261636261u);
}

TEST(unit_workload_payload, nodes_start_at_different_places_of_a_file) {
  const temporary_file file("AAAAAAAABBBBBBBBCCCCCCCCDDDDDDDDe");
  const payload_generator payload(of(payload_kind::File, file.path()), 1, 2, 1);
  EXPECT_EQ(little_endian(flit(payload, 0, 0, 64)[0], 8), "AAAAAAAA");
  EXPECT_EQ(little_endian(flit(payload, 1, 0, 64)[0], 8), "CCCCCCCC");
  EXPECT_EQ(little_endian(flit(payload, 2, 0, 64)[0], 8), "BBBBBBBB");
}

TEST(unit_workload_payload, reads_only_message_records) {
  const temporary_file file(recording({"Hello, ", "", "world!", "\n\t\r"}));
  const auto words = first_words(of(payload_kind::File, file.path()), 2);
  EXPECT_EQ(little_endian(words[0], 8) + little_endian(words[1], 8), "Hello, world!\n\t\r");
}

TEST(unit_workload_payload, recording_determines_the_default_packet_type) {
  const temporary_file ints(recording({"12345678"}, 0)), doubles(recording({"12345678"}, 1)), bytes("12345678");
  const auto type = [](const temporary_file& file, declared_type declared) {
    payload_parameters p = of(payload_kind::File, file.path());
    p.type = declared;
    return payload_generator(p, 1, 1, 1).type();
  };
  EXPECT_EQ(type(ints, declared_type::Auto), data_type::Int);
  EXPECT_EQ(type(doubles, declared_type::Auto), data_type::Double);
  EXPECT_EQ(type(bytes, declared_type::Auto), data_type::Other);
  EXPECT_EQ(type(doubles, declared_type::Int), data_type::Int);
}

TEST(unit_workload_payload, unusable_files_are_errors) {
  const auto expect = [](const std::string& content, const std::string& message) {
    const temporary_file file(content);
    expect_error<workload_error>([&] { payload_generator(of(payload_kind::File, file.path()), 1, 1, 1); },
                                 file.name() + ": " + message);
  };
  const std::string good = recording({"Hello"});
  std::string other_version = good, no_record = good;
  other_version[8] = 2;
  no_record[64] = 'X';
  expect("", "the file has no payload bytes; choose another file or another kind of payload");
  expect(recording({}), "the file has no payload bytes; choose another file or another kind of payload");
  expect(recording({""}), "the file has no payload bytes; choose another file or another kind of payload");
  expect("MPTRACE1", "byte 8: an MPTRACE1 file ends within its header");
  expect(other_version, "byte 8: expected version 1 of MPTRACE1, found 2");
  expect(no_record, "byte 64: expected MSG1, the start of record 0");
  expect(good.substr(0, 127), "byte 127: the file ends after 0 of 1 records");
  expect(good.substr(0, 132), "byte 132: the file ends within record 0");
  expect_error<workload_error>([] { payload_generator(of(payload_kind::File, "/nowhere/p.bin"), 1, 1, 1); },
                               "/nowhere/p.bin: cannot be opened: No such file or directory");
  expect_error<std::invalid_argument>([] { payload_generator(of(payload_kind::File), 1, 1, 1); },
                                      "payload file: needs the name of a file");
}

// 106,001 integers in 2,001 messages: city indices 0 to 104 and 1,001 tour lengths. The check would detect a message
// header among them.
TEST(unit_workload_payload, shared_recording_is_read_without_headers) {
  const std::filesystem::path file = WEFT_SHARED_DATA "/payload/aco.lin105.2.bin.gz";
  if (!std::filesystem::exists(file)) GTEST_SKIP() << file << " is absent";
  const payload_generator payload(of(payload_kind::File, file), 1, 1, 1);
  std::size_t lengths = 0;
  for (packet_id id = 0; id < 106001; ++id) lengths += flit(payload, id, 0, 32)[0] > 104;
  EXPECT_EQ(flit(payload, 0, 0, 32)[0], 23224u);
  EXPECT_EQ(lengths, 1001u);
}

}  // namespace
}  // namespace weft
