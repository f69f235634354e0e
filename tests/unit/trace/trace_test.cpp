// SPDX-License-Identifier: Apache-2.0
// Traces: the reader returns what was written, also from an incomplete file, and finds any changed bit.
#include "support/temporary_directory.h"
#include "trace_case.h"
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>
#include <sys/stat.h>

#include "weft/mpi/trace/trace_reader.h"
#include "weft/mpi/trace/trace_writer.h"

namespace weft {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;

TEST_F(unit_trace_format, written_trace_reads_back) {
  {
    trace_writer w(file("a"), header_of(1));
    write_some(w);
    w.finish();
  }
  everything e;
  std::ifstream in(file("a"), std::ios::binary);
  std::vector<trace_header> parts;
  read_trace(in, "a", parts, e);
  ASSERT_EQ(parts.size(), 1u);
  const trace_header& h = parts[0];
  EXPECT_EQ(h.run, 77u);
  EXPECT_EQ(h.rank, 1u);
  EXPECT_EQ(h.ranks, 3u);
  EXPECT_EQ(h.started, -5);
  EXPECT_EQ(h.payload, trace_payload::Sampled);
  EXPECT_EQ(h.sample, 8u);
  EXPECT_EQ(h.cut, truncation_point::Receiver);
  EXPECT_EQ(h.cut_bits, 51);
  EXPECT_EQ(h.truncation_rules, "raw tag 1; 51 bits");
  EXPECT_EQ(h.clock, trace_clock::Processor);
  EXPECT_EQ(h.program, "lu.C.x");
  ASSERT_EQ(e.communicators.size(), 2u);
  EXPECT_THAT(e.communicators[0].members, ElementsAre(0, 1, 2));
  EXPECT_THAT(e.communicators[1].members, ElementsAre(2, 0));
  EXPECT_THAT(e.communicators[1].peers, ElementsAre(1));
  EXPECT_EQ(e.communicators[1].ordinal, 3u);
  ASSERT_EQ(e.elements.size(), 1u);
  EXPECT_EQ(e.elements[0].name, "MPI_DOUBLE");
  EXPECT_EQ(e.elements[0].type, data_type::Double);
  EXPECT_EQ(e.elements[0].size, 8u);
  ASSERT_EQ(e.calls.size(), 8u);
  EXPECT_EQ(e.calls[0].payload, "01234567");
  EXPECT_EQ(e.calls[1].peer, AnyRank);
  EXPECT_EQ(e.calls[1].bytes, std::uint64_t{1} << 40);
  EXPECT_TRUE(e.calls[1].any_source && e.calls[1].any_tag);
  EXPECT_THAT(e.calls[2].receives, ElementsAre(8, 16, 300));
  EXPECT_THAT(e.calls[3].from, ElementsAre(0, 2));
  EXPECT_TRUE(e.calls[4].completions[0] == (trace_completion{1, true, false, 2, 9, 64}));
  EXPECT_TRUE(e.calls[4].completions[1].cancelled);
  EXPECT_TRUE(e.calls[5].continues);
  EXPECT_TRUE(e.calls[7].completions[0] == (trace_completion{3, true, false, 1, 4, 32}));
  EXPECT_TRUE(e.calls[7].continues);
  EXPECT_THAT(e.threads_so_far, ElementsAre(2, 5));
  EXPECT_THAT(e.endings, ElementsAre(trace_ending::Complete));
}

TEST_F(unit_trace_format, reads_a_long_payload_and_many_blocks) {
  std::string payload(300'000, ' ');
  for (std::size_t i = 0; i < payload.size(); ++i) payload[i] = static_cast<char>(i * 7 / 5);
  {
    trace_writer w(file("a"), header_of(0));
    write_some(w);
    for (int i = 0; i < 5000; ++i) w.add(send_of(static_cast<std::uint64_t>(i)));
    for (int i = 0; i < 50; ++i) w.add(send_of(20'000), payload.data() + i, 20'000);
    w.add(send_of(payload.size()), payload.data(), payload.size());
    w.finish();
  }
  everything e;
  std::ifstream in(file("a"), std::ios::binary);
  std::vector<trace_header> parts;
  read_trace(in, "a", parts, e);
  ASSERT_EQ(e.calls.size(), 5059u);
  EXPECT_EQ(e.calls[8 + 4321].bytes, 4321u);
  for (std::size_t i = 0; i < 50; ++i) EXPECT_EQ(e.calls[5008 + i].payload, payload.substr(i, 20'000)) << i;
  EXPECT_EQ(e.calls.back().payload, payload);
}

TEST_F(unit_trace_format, allocates_no_excess_disk_space) {
  const std::string payload(1 << 20, 'x');
  {
    trace_writer w(file("a"), header_of(0));
    write_some(w);
    for (int i = 0; i < 9; ++i) w.add(send_of(payload.size()), payload.data(), payload.size());
  }
  struct stat found {};
  ASSERT_EQ(stat(file("a").c_str(), &found), 0);
  EXPECT_GT(found.st_size, 9 << 20);
  EXPECT_LT(found.st_blocks * 512, found.st_size + (1 << 20));
}

/// Counts what is read, block by block.
class counted final : public trace_visitor {
 public:
  void call(const trace_call& c) override {
    ++calls;
    bytes += c.payload.size();
  }
  std::uint64_t calls = 0, bytes = 0;
};

TEST_F(unit_trace_format, a_long_trace_is_complete_despite_partial_caching) {
  std::string payload(1 << 20, 'x');
  {
    trace_writer w(file("a"), header_of(0));
    write_some(w);
    for (int i = 0; i < 270; ++i) {
      payload.back() = static_cast<char>(i);
      w.add(send_of(payload.size()), payload.data(), payload.size());
    }
    w.finish();
    EXPECT_EQ(w.error(), 0);
  }
  counted all;
  std::ifstream in(file("a"), std::ios::binary);
  std::vector<trace_header> parts;
  read_trace(in, "a", parts, all);
  EXPECT_EQ(all.calls, 8u + 270);
  EXPECT_EQ(all.bytes, 8u + 270 * payload.size());
  EXPECT_EQ(fs::file_size(file("a")) >> 20, 270u);
}

TEST_F(unit_trace_format, reads_a_truncated_trace_up_to_the_truncation) {
  const std::string whole = three_blocks(file("a"));
  everything all;
  std::istringstream in(whole);
  std::vector<trace_header> parts;
  read_trace(in, "a", parts, all);
  std::size_t before = 0;
  for (std::size_t size = 0; size < whole.size(); ++size) {
    std::istringstream part(whole.substr(0, size));
    everything e;
    parts.clear();
    if (size < header_size()) {
      EXPECT_THROW(read_trace(part, "a", parts, e), input_error) << size;
      continue;
    }
    ASSERT_NO_THROW(read_trace(part, "a", parts, e)) << size;
    ASSERT_LE(before, e.calls.size()) << "more bytes gave fewer calls";
    before = e.calls.size();
    for (std::size_t i = 0; i < e.calls.size(); ++i) ASSERT_TRUE(equal(e.calls[i], all.calls[i])) << size;
    ASSERT_EQ(e.endings.size(), 1u);
    EXPECT_NE(e.endings[0], trace_ending::Complete) << size;
    EXPECT_EQ(e.endings[0] == trace_ending::Truncated, e.lost[0] > 0);
  }
  EXPECT_EQ(before, all.calls.size());
}

TEST_F(unit_trace_format, detects_any_flipped_bit) {
  const std::string whole = three_blocks(file("a"));
  for (std::size_t bit = 0; bit < 8 * whole.size(); ++bit) {
    std::string bytes = whole;
    bytes[bit / 8] = static_cast<char>(static_cast<unsigned char>(bytes[bit / 8]) ^ (1u << (bit % 8)));
    std::istringstream in(bytes);
    everything e;
    std::vector<trace_header> parts;
    ASSERT_THROW(read_trace(in, "a", parts, e), input_error) << "byte " << bit / 8 << ", bit " << bit % 8;
  }
}

TEST(unit_trace_writer, does_not_overwrite_files_through_links) {
  const temporary_directory folder;
  std::ofstream(folder / "victim") << "precious";
  fs::create_symlink("victim", folder / "rank.0");
  fs::create_symlink("missing", folder / "rank.1");
  fs::create_hard_link(folder / "victim", folder / "rank.2");
  ASSERT_EQ(mkfifo((folder / "rank.3").c_str(), 0600), 0);
  for (const char* const name : {"rank.0", "rank.1", "rank.2", "rank.3"})
    EXPECT_THROW(trace_writer((folder / name).string(), header_of(0)), std::system_error) << name;
  std::string text;
  std::ifstream(folder / "victim") >> text;
  EXPECT_EQ(text, "precious");
  EXPECT_FALSE(fs::exists(folder / "missing"));
}

RC_GTEST_PROP(unit_trace_random, numbers_round_trip, ()) {
  const auto value = *rc::gen::arbitrary<std::int64_t>();
  const auto bytes = *rc::gen::inRange<std::uint64_t>(0, std::uint64_t{1} << 62);
  const temporary_directory folder;
  const fs::path name = folder / "a.trace";
  {
    trace_writer w(name.string(), header_of(0));
    w.add(trace_communicator{0, 0, {0, 1, 2}, {}});
    w.add(trace_element{0, 1, data_type::Other, "MPI_BYTE"});
    trace_call c = send_of(bytes);
    c.computing = static_cast<std::uint64_t>(value);
    c.tag = value & 0x7fffffff;
    w.add(c);
    w.finish();
  }
  everything e;
  std::ifstream in(name, std::ios::binary);
  std::vector<trace_header> parts;
  read_trace(in, name.string(), parts, e);
  RC_ASSERT(e.calls.size() == 1u);
  RC_ASSERT(e.calls[0].computing == static_cast<std::uint64_t>(value));
  RC_ASSERT(e.calls[0].bytes == bytes);
  RC_ASSERT(e.calls[0].tag == (value & 0x7fffffff));
}

}  // namespace
}  // namespace weft
