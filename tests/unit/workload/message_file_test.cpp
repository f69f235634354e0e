// SPDX-License-Identifier: Apache-2.0
// Recordings and other files as messages, packed or not, and the errors that such files can have.
#include "weft/workload/message_file.h"

#include "support.h"
#include "support/recording.h"
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <zlib.h>

#include "weft/workload/error.h"

namespace weft {
namespace {

message_file read(const std::string& content) { return read_messages(temporary_file(content).path()); }

std::string packed(const std::string& text) {
  z_stream stream{};
  deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  std::string bytes(deflateBound(&stream, text.size()) + 32, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(bytes.data());
  stream.avail_out = static_cast<uInt>(bytes.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  bytes.resize(bytes.size() - stream.avail_out);
  deflateEnd(&stream);
  return bytes;
}

/// Expects that reading \p content fails with \p message after the file's name.
void expect_bad(const std::string& content, const std::string& message) {
  const temporary_file file(content);
  expect_error<workload_error>([&] { read_messages(file.path()); }, file.name() + ": " + message);
}

std::vector<std::string> bytes_of(const message_file& file) {
  std::vector<std::string> bytes;
  for (const recorded_message& m : file.messages) bytes.push_back(m.bytes);
  return bytes;
}

RC_GTEST_PROP(unit_workload_message_file, a_recording_reads_back_gzipped_or_not, ()) {
  const auto messages = *rc::gen::arbitrary<std::vector<std::string>>();
  const auto message_class = *rc::gen::inRange(0U, 3U);
  const std::string text = recording(messages, message_class);
  for (const std::string& content : {text, packed(text)}) {
    const message_file file = read(content);
    RC_ASSERT(file.recording);
    RC_ASSERT(file.application == "by hand");
    RC_ASSERT(bytes_of(file) == messages);
    for (const recorded_message& m : file.messages) RC_ASSERT(m.type == static_cast<data_type>(message_class + 1));
  }
}

TEST(unit_workload_message_file, data_class_3_is_read_as_type_other) {
  EXPECT_EQ(read(recording({"x"}, 3)).messages.front().type, data_type::Other);
}

TEST(unit_workload_message_file, rejects_an_unknown_data_class) {
  expect_bad(recording({"x"}, 4), "byte 84: expected a class from 0 to 3, found 4");
}

TEST(unit_workload_message_file, has_a_type_if_all_messages_share_it) {
  EXPECT_EQ(read(recording({"x", "y"}, 2)).type(), data_type::DoubleComplex);
  EXPECT_EQ(read(recording({})).type(), std::nullopt);
  std::string mixed = recording({"x", "y"}, 0);
  mixed[64 + 65 + 20] = 1;
  EXPECT_EQ(read(mixed).type(), std::nullopt);
}

TEST(unit_workload_message_file, file_of_another_format_is_read_as_one_message) {
  for (const std::string& content : {std::string("12345678"), packed("12345678"), packed("1234") + packed("5678")}) {
    const message_file file = read(content);
    EXPECT_FALSE(file.recording);
    EXPECT_EQ(bytes_of(file), std::vector<std::string>{"12345678"});
    EXPECT_EQ(file.messages.front().type, data_type::Other);
  }
  EXPECT_EQ(bytes_of(read("")), std::vector<std::string>{""});
}

TEST(unit_workload_message_file, gzip_magic_alone_does_not_make_a_gzip_file) {
  const std::string like_gzip = "\x1f\x8b\x09 and whatever";
  EXPECT_EQ(bytes_of(read(like_gzip)), std::vector<std::string>{like_gzip});
  EXPECT_EQ(bytes_of(read(packed(like_gzip))), std::vector<std::string>{like_gzip});
}

TEST(unit_workload_message_file, large_files_are_unpacked_completely) {
  std::string text;
  while (text.size() < 1000000) text += std::to_string(text.size());
  EXPECT_EQ(bytes_of(read(packed(text))), std::vector<std::string>{text});
}

TEST(unit_workload_message_file, words_are_little_endian_without_trailing_bytes) {
  const recorded_message m{data_type::Int, as_bytes({1, 0xfedcba98}) + "abc"};
  EXPECT_EQ(m.words(), (std::vector<std::uint32_t>{1, 0xfedcba98}));
  EXPECT_EQ(m.trailing_bytes(), 3u);
}

TEST(unit_workload_message_file, error_for_damaged_recording_gives_the_position) {
  const std::string good = recording({"Hello"});
  const auto changed = [&good](std::size_t at, char to) {
    std::string bad = good;
    bad[at] = to;
    return bad;
  };
  expect_bad(good.substr(0, 20), "byte 20: an MPTRACE1 file ends within its header");
  expect_bad(good.substr(0, 63), "byte 63: an MPTRACE1 file ends within its header");
  expect_bad(changed(7, '2'), "byte 0: expected the format MPTRACE1, found a recording of another format");
  expect_bad(changed(8, 2), "byte 8: expected version 1 of MPTRACE1, found 2");
  expect_bad(changed(12, 31), "byte 12: expected a header of 32 bytes or more, found 31");
  expect_bad(changed(64, 'X'), "byte 64: expected MSG1, the start of record 0");
  expect_bad(changed(24, 2), "byte 133: the file ends after 1 of 2 records");
  expect_bad(changed(24, 0), "byte 64: expected the end of the file after 0 records, found 69 more bytes");
  expect_bad(good.substr(0, 132), "byte 132: the file ends within record 0");
  expect_bad(packed(good.substr(0, 132)), "byte 132: the file ends within record 0");
}

TEST(unit_workload_message_file, a_damaged_gzip_file_is_an_error) {
  const std::string good = packed(recording({std::string(5000, 'x'), "some more"}));
  for (const std::size_t size : {std::size_t{3}, good.size() / 2, good.size() - 1})
    expect_bad(good.substr(0, size), "the gzip file ends early; compress the file again, or fetch it again");
  std::string bad_check = good;
  bad_check[bad_check.size() - 8] ^= 1;
  expect_bad(bad_check, "the gzip file is damaged (incorrect data check); compress the file again, or fetch it again");
  expect_bad(good + "xyz",
             "the gzip file is damaged (incorrect header check); compress the file again, or fetch it again");
}

TEST(unit_workload_message_file, rejects_a_gz_name_without_gzip_content) {
  const temporary_file file("plain");
  const std::filesystem::path gz = file.name() + ".gz";
  std::filesystem::copy(file.path(), gz);
  expect_error<workload_error>(
      [&] { read_messages(gz); },
      gz.string() + ": the name ends in .gz, but the file is not compressed with gzip; compress it, or rename it");
  std::filesystem::remove(gz);
  expect_error<workload_error>([] { read_messages("/nowhere/p.bin"); },
                               "/nowhere/p.bin: cannot be opened: No such file or directory");
}

TEST(unit_workload_message_file, shared_recordings_have_the_expected_length) {
  struct row {
    const char* name;
    std::size_t messages, bytes;
    data_type type;
  };
  for (const row r :
       {row{"is.S.2", 68, 1484564, data_type::Int}, row{"aco.lin105.2", 2001, 424004, data_type::Int},
        row{"cg.S.2", 448, 831232, data_type::Double}, row{"lammps.melt.2", 56, 1450104, data_type::Double}}) {
    const std::filesystem::path path =
        std::filesystem::path(WEFT_SHARED_DATA) / "payload" / (std::string(r.name) + ".bin.gz");
    if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is absent";
    const message_file file = read_messages(path);
    EXPECT_EQ(file.application, r.name);
    EXPECT_EQ(file.messages.size(), r.messages);
    std::size_t bytes = 0;
    for (const recorded_message& m : file.messages) {
      bytes += m.bytes.size();
      EXPECT_EQ(m.type, r.type);
    }
    EXPECT_EQ(bytes, r.bytes);
  }
}

}  // namespace
}  // namespace weft
