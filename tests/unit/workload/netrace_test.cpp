// SPDX-License-Identifier: Apache-2.0
/// Accepted and rejected netraces. The test writes the bytes field by field, as the reference page describes them.
#include "weft/mpi/replay/netrace.h"

#include "support/files.h"
#include <cstdint>
#include <cstdio>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include <boost/iostreams/device/back_inserter.hpp>
#include <boost/iostreams/filter/bzip2.hpp>
#include <boost/iostreams/filtering_stream.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "weft/mpi/trace/trace_bytes.h"
#include "weft/workload/error.h"

using namespace weft;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

namespace {

/// \p value in \p bytes bytes, the least significant first.
std::string field(std::uint64_t value, unsigned bytes) {
  std::string text;
  append_fixed(text, value, bytes);
  return text;
}

struct trace_packet {
  std::uint64_t cycle;
  std::uint32_t id;
  unsigned type, source, destination;
  std::vector<std::uint32_t> dependent;

  std::string text() const {
    std::string all = field(cycle, 8) + field(id, 4) + field(0xabcd, 4) + field(type, 1) + field(source, 1) +
                      field(destination, 1) + field(0x12, 1) + field(dependent.size(), 1);
    for (const std::uint32_t other : dependent) all += field(other, 4);
    return all;
  }
};

constexpr unsigned Nodes = 4;

std::string header(std::uint64_t packets, const std::string& notes = "", const std::string& regions = "") {
  return "UTJH" + field(0x3f800000, 4) + "bench" + std::string(25, '\0') + field(Nodes, 1) + field(0, 1) +
         field(1000, 8) + field(packets, 8) + field(notes.size(), 4) + field(regions.size() / 24, 4) + field(0, 8) +
         notes + regions;
}

std::string text_of(const std::vector<trace_packet>& packets) {
  std::string all;
  for (const trace_packet& p : packets) all += p.text();
  return all;
}

replay_program parse(const std::string& text, std::uint32_t region = 0) {
  std::istringstream in(text);
  return parse_netrace(in, "t.tra", region);
}

std::string netrace_fault(const std::string& text, std::uint32_t region = 0) {
  try {
    parse(text, region);
  } catch (const workload_error& e) {
    return e.what();
  }
  return "none";
}

std::string packed_by_bzip2(const std::string& text, int block = 9) {
  std::string packed;
  boost::iostreams::filtering_ostream out;
  out.push(boost::iostreams::bzip2_compressor(boost::iostreams::bzip2_params(block)));
  out.push(boost::iostreams::back_inserter(packed));
  out << text;
  boost::iostreams::close(out);
  return packed;
}

/// The error for a file with these bytes, without the file's name.
std::string file_fault(const std::string& bytes) {
  const temporary_file file(bytes);
  try {
    read_netrace(file.path(), 0);
  } catch (const workload_error& e) {
    return std::string(e.what()).substr(file.name().size());
  }
  return "none";
}

/// Expects that bzip2 fails to unpack \p bytes at a byte from \p least to \p most.
void expect_damage(const std::string& bytes, std::size_t least, std::size_t most) {
  const std::string fault = file_fault(bytes);
  unsigned long at = 0;
  ASSERT_EQ(std::sscanf(fault.c_str(), ": byte %lu of", &at), 1) << fault;
  EXPECT_EQ(fault, ": byte " + std::to_string(at) +
                       " of the packed file: the block that contains this byte or ends before it cannot be unpacked; "
                       "copy the file again");
  EXPECT_GE(at, least);
  EXPECT_LE(at, most);
}

const std::vector<trace_packet> ThreeWays = {
    {50, 7, 1, 0, 2, {9, 8}}, {60, 8, 16, 2, 0, {}}, {1000, 9, 13, 3, 3, {77}}};

TEST(unit_netrace, packets_become_messages_with_dependencies) {
  const replay_program p = parse(header(3, "notes") + text_of(ThreeWays));
  EXPECT_EQ(p.name, "bench");
  EXPECT_EQ(p.ranks.size(), Nodes);
  ASSERT_EQ(p.messages.size(), 3u);
  EXPECT_EQ(p.messages[0].cycle, 0u) << "counted from the first packet";
  EXPECT_EQ(p.messages[0].bytes, 8u);
  EXPECT_THAT(p.messages[0].after, IsEmpty());
  EXPECT_EQ(p.messages[1].cycle, 10u);
  EXPECT_EQ(p.messages[1].bytes, 72u);
  EXPECT_EQ(p.messages[1].source, 2u);
  EXPECT_EQ(p.messages[1].destination, 0u);
  EXPECT_THAT(p.messages[1].after, ElementsAre(0u));
  EXPECT_THAT(p.messages[2].after, ElementsAre(0u)) << "also from a node that receives no part of it";
  EXPECT_TRUE(p.messages[2].waits_for_arrival);
}

TEST(unit_netrace, reads_a_single_region) {
  const std::string first = text_of({ThreeWays[0]}), rest = text_of({ThreeWays[1], ThreeWays[2]});
  const std::string regions =
      field(0, 8) + field(60, 8) + field(1, 8) + field(first.size(), 8) + field(950, 8) + field(2, 8);
  const std::string all = header(3, "n", regions) + first + rest;
  EXPECT_EQ(parse(all).messages.size(), 3u);
  EXPECT_EQ(parse(all, 1).messages.size(), 1u);
  const replay_program second = parse(all, 2);
  ASSERT_EQ(second.messages.size(), 2u);
  EXPECT_EQ(second.messages[0].id, 8u);
  EXPECT_EQ(second.messages[1].cycle, 940u);
  EXPECT_THAT(second.messages[1].after, IsEmpty()) << "its dependencies are before the region";
  EXPECT_EQ(netrace_fault(all, 3), "t.tra: the trace has 2 regions, but region 3 is requested");
}

TEST(unit_netrace, rejects_truncated_or_damaged_traces) {
  const std::string whole = header(3, "notes") + text_of(ThreeWays);
  for (std::size_t length = 0; length < whole.size(); ++length)
    EXPECT_THAT(netrace_fault(whole.substr(0, length)),
                HasSubstr(" begins here, but the trace already ends at byte " + std::to_string(length) + "; copy"))
        << length;
  EXPECT_EQ(netrace_fault(whole.substr(0, whole.size() - 1)),
            "t.tra: byte 127: packet 3 of the trace begins here, but the trace already ends at byte 151; copy or "
            "record the trace again");
  EXPECT_EQ(
      netrace_fault("X" + whole.substr(1)),
      "t.tra: byte 0: the trace does not begin with UTJH, so it is not a netrace; unpack traces in other formats");
  std::string later = whole;
  later[7] = 0x40;
  EXPECT_EQ(netrace_fault(later), "t.tra: byte 4: the netrace has an unknown version; expected 1.0");
  std::string no_nodes = whole;
  no_nodes[38] = 0;
  EXPECT_THAT(netrace_fault(no_nodes),
              HasSubstr("t.tra: byte 38: the header gives 0 nodes, 5 bytes of notes and 0 regions"));
}

TEST(unit_netrace, rejects_invalid_packets) {
  EXPECT_EQ(netrace_fault(header(1) + trace_packet{0, 1, 1, 0, 4, {}}.text()),
            "t.tra: byte 89: packet 1 of the trace goes from node 0 to node 4; expected nodes 0 to 3; copy or "
            "record the trace again");
  for (const unsigned type : {0U, 7U, 26U, 31U, 200U})
    EXPECT_EQ(netrace_fault(header(1) + trace_packet{0, 1, type, 0, 1, {}}.text()),
              "t.tra: byte 88: packet 1 of the trace has the unknown type " + std::to_string(type) +
                  "; expected type 1 to 6, 13 to 16, 25 or 27 to 30; copy or record the trace again");
  EXPECT_THAT(
      netrace_fault(header(2) + trace_packet{5, 1, 1, 0, 1, {}}.text() + trace_packet{5, 1, 1, 0, 1, {}}.text()),
      HasSubstr("t.tra: byte 101: packet 2 of the trace has the number 1, which an earlier packet already has"));
  EXPECT_THAT(
      netrace_fault(header(2) + trace_packet{5, 1, 1, 0, 1, {2}}.text() + trace_packet{5, 2, 1, 0, 1, {1}}.text()),
      HasSubstr("t.tra: the packet with number 1 depends on itself in a cycle of 2 packets"));
  EXPECT_EQ(netrace_fault(header(0)), "t.tra: byte 72: the trace has no packets; expected at least one");
}

TEST(unit_netrace, rejects_cycles_that_decrease_or_exceed_the_header) {
  const auto with_cycles = [](std::uint64_t first, std::uint64_t second, std::uint64_t third) {
    return header(3) + trace_packet{first, 1, 1, 0, 1, {}}.text() + trace_packet{second, 2, 1, 0, 1, {}}.text() +
           trace_packet{third, 3, 1, 0, 1, {}}.text();
  };
  EXPECT_EQ(netrace_fault(with_cycles(5, 5, 1000)), "none");
  EXPECT_EQ(
      netrace_fault(with_cycles(5, 9, 8)),
      "t.tra: byte 114: packet 3 of the trace has cycle 8; expected 9 (the cycle of the packet before it) to 1000 (the "
      "number of cycles in the header); copy or record the trace again");
  EXPECT_THAT(netrace_fault(with_cycles(5, 1001, 1001)), HasSubstr("t.tra: byte 93: packet 2 of the trace has cycle "
                                                                   "1001; expected 5 (the cycle"));
  EXPECT_THAT(netrace_fault(with_cycles(~std::uint64_t{0}, 5, 9)), HasSubstr("t.tra: byte 72: packet 1 of the trace"));
  std::string long_ago = with_cycles(5, 5, 1000);
  long_ago[47] = '\x80';  // the highest byte of the header's cycles
  EXPECT_EQ(netrace_fault(long_ago),
            "t.tra: byte 40: the header gives 9223372036854776808 cycles; expected at most 9223372036854775807; copy "
            "or record the trace again");
}

/// A trace of two regions; the header describes them correctly or not, depending on the parameters.
std::string in_two(std::uint64_t packets, std::uint64_t first, std::uint64_t second, std::uint64_t shift = 0) {
  const std::string part = text_of({ThreeWays[0]});
  const std::string regions =
      field(0, 8) + field(60, 8) + field(first, 8) + field(part.size() + shift, 8) + field(950, 8) + field(second, 8);
  return header(packets, "", regions) + text_of(ThreeWays);
}

TEST(unit_netrace, rejects_header_regions_and_packets_that_disagree) {
  EXPECT_EQ(netrace_fault(in_two(3, 1, 2)), "none");
  EXPECT_EQ(netrace_fault(in_two(2, 1, 2)),
            "t.tra: byte 48: the header counts 2 packets, but its regions have 1 + 2 packets; copy or "
            "record the trace again");
  EXPECT_THAT(netrace_fault(in_two(4, 1, 2)),
              HasSubstr("the header counts 4 packets, but its regions have 1 + 2 packets; "));
  EXPECT_THAT(netrace_fault(in_two(3, 1, 1)),
              HasSubstr("the header counts 3 packets, but its regions have 1 + 1 packets; "));
  EXPECT_THAT(netrace_fault(in_two(3, 4, ~std::uint64_t{0})),
              HasSubstr("its regions have 4 + 18446744073709551615 packets; "));
  for (std::uint32_t region = 0; region <= 2; ++region) {
    EXPECT_EQ(netrace_fault(in_two(3, 2, 1), region),
              "t.tra: byte 170: the packets before region 2 end here, 50 bytes after the header, but the offset of the "
              "region is 29 bytes; copy or record the trace again");
    EXPECT_THAT(netrace_fault(in_two(3, 1, 2, 4), region), HasSubstr("but the offset of the region is 33 bytes"));
    if (region != 1) {
      EXPECT_THAT(netrace_fault(in_two(3, 1, 2) + "x", region),
                  HasSubstr("t.tra: byte 195: more data follow packet 3, the last packet that the header counts"));
      EXPECT_THAT(netrace_fault(in_two(2, 1, 1), region), HasSubstr("more data follow packet 2"));
    }
  }
  EXPECT_EQ(netrace_fault(header(3) + text_of(ThreeWays) + std::string(1, '\0')),
            "t.tra: byte 147: more data follow packet 3, the last packet that the header counts; copy or "
            "record the trace again");
  EXPECT_THAT(netrace_fault(header(4) + text_of(ThreeWays)), HasSubstr("packet 4 of the trace begins here"));
}

TEST(unit_netrace, rejects_any_damage_of_a_packed_file) {
  const std::string whole = header(3, "notes") + text_of(ThreeWays), packed = packed_by_bzip2(whole);
  EXPECT_EQ(file_fault(packed), "none");
  for (std::size_t length = 3; length < packed.size(); ++length)
    expect_damage(packed.substr(0, length), length, length);
  for (std::size_t at = 4; at < packed.size(); ++at) {
    std::string damaged = packed;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
    expect_damage(damaged, at, packed.size());
  }
  expect_damage(packed + "more", packed.size(), packed.size() + 4);
}

TEST(unit_netrace, reports_damage_of_a_packed_file_by_block) {
  std::vector<trace_packet> many;
  for (std::uint32_t i = 0; i < 14'000; ++i) many.push_back({i / 14, i, 1 + i % 6, i % Nodes, (i + 1) % Nodes, {}});
  const std::string whole = header(many.size()) + text_of(many);
  const std::string packed = packed_by_bzip2(whole, 1);  // three blocks of about 100,000 bytes
  EXPECT_EQ(file_fault(packed), "none");
  std::string damaged = packed;
  damaged[packed.size() / 2] = static_cast<char>(damaged[packed.size() / 2] ^ 0x10);
  expect_damage(damaged, packed.size() / 2, packed.size() * 3 / 4);
  // An error in the trace itself names a byte of the unpacked data.
  std::string wrong = whole;
  wrong[4] = 1;
  EXPECT_EQ(file_fault(packed_by_bzip2(wrong, 1)),
            ", unpacked: byte 4: the netrace has an unknown version; expected 1.0");
}

TEST(unit_netrace, random_damage_throws_only_workload_errors) {
  const std::string whole = header(3, "notes", field(0, 8) + field(60, 8) + field(3, 8)) + text_of(ThreeWays);
  std::mt19937 random(1);
  std::size_t read = 0;
  for (int i = 0; i < 5000; ++i) {
    std::string bytes = whole;
    for (unsigned n = 1 + random() % 4; n > 0; --n) bytes[random() % bytes.size()] = static_cast<char>(random());
    read += netrace_fault(bytes, random() % 2) == "none";
  }
  EXPECT_GT(read, 100u) << "changes of bytes that are not read";
  EXPECT_LT(read, 4900u);
}

}  // namespace
