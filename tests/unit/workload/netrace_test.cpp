// SPDX-License-Identifier: Apache-2.0
/// Netraces: what is read, and what is refused. The bytes are written here field by field, as the page has them.
#include "weft/workload/replay/netrace.h"

#include <cstdint>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "weft/trace/trace_bytes.h"
#include "weft/workload/error.h"

using namespace weft;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

namespace {

/// \p value in \p bytes bytes, the least first.
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

std::string fault_of(const std::string& text, std::uint32_t region = 0) {
  try {
    parse(text, region);
  } catch (const workload_error& e) {
    return e.what();
  }
  return "none";
}

const std::vector<trace_packet> ThreeWays = {
    {50, 7, 1, 0, 2, {9, 8}}, {60, 8, 16, 2, 0, {}}, {1000, 9, 13, 3, 3, {77}}};

TEST(unit_netrace, packets_become_messages_that_wait_for_those_that_name_them) {
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
  EXPECT_THAT(p.messages[2].after, ElementsAre(0u)) << "from a node that gets nothing of it, too";
  EXPECT_TRUE(p.messages[2].waits_for_arrival);
}

TEST(unit_netrace, a_region_is_read_alone) {
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
  EXPECT_THAT(second.messages[1].after, IsEmpty()) << "what it waits for lies before the region";
  EXPECT_EQ(fault_of(all, 3), "t.tra: has 2 regions, expected region 3 to be there");
}

TEST(unit_netrace, damage_is_an_error_wherever_it_is) {
  const std::string whole = header(3, "notes") + text_of(ThreeWays);
  for (std::size_t length = 0; length < whole.size(); ++length)
    EXPECT_THAT(fault_of(whole.substr(0, length)), HasSubstr("t.tra: ends within")) << length;
  EXPECT_THAT(fault_of("X" + whole.substr(1)), HasSubstr("is no netrace"));
  std::string later = whole;
  later[7] = 0x40;
  EXPECT_EQ(fault_of(later), "t.tra: is a netrace of another version; expected 1.0");
  EXPECT_EQ(fault_of(header(1) + trace_packet{0, 1, 1, 0, 4, {}}.text()),
            "t.tra: packet 1 of the trace goes from node 0 to node 4; expected nodes 0 to 3");
  EXPECT_EQ(fault_of(header(1) + trace_packet{0, 1, 7, 0, 1, {}}.text()),
            "t.tra: packet 1 of the trace has the unknown type 7");
  EXPECT_EQ(fault_of(header(1) + trace_packet{0, 1, 200, 0, 1, {}}.text()),
            "t.tra: packet 1 of the trace has the unknown type 200");
  EXPECT_EQ(fault_of(header(2) + trace_packet{5, 1, 1, 0, 1, {}}.text() + trace_packet{4, 2, 1, 0, 1, {}}.text()),
            "t.tra: packet 2 of the trace is of cycle 4, before the first, of 5");
  EXPECT_EQ(fault_of(header(2) + trace_packet{5, 1, 1, 0, 1, {}}.text() + trace_packet{5, 1, 1, 0, 1, {}}.text()),
            "t.tra: packet 2 of the trace has the number 1, which is there already");
  EXPECT_EQ(fault_of(header(2) + trace_packet{5, 1, 1, 0, 1, {2}}.text() + trace_packet{5, 2, 1, 0, 1, {1}}.text()),
            "t.tra: packet 1 depends on itself, over 2 packets");
  EXPECT_EQ(fault_of(header(0)), "t.tra: has no packets");
}

TEST(unit_netrace, whatever_the_bytes_nothing_but_its_own_error_is_thrown) {
  const std::string whole = header(3, "notes", field(0, 8) + field(60, 8) + field(3, 8)) + text_of(ThreeWays);
  std::mt19937 random(1);
  std::size_t read = 0;
  for (int i = 0; i < 5000; ++i) {
    std::string bytes = whole;
    for (unsigned n = 1 + random() % 4; n > 0; --n) bytes[random() % bytes.size()] = static_cast<char>(random());
    read += fault_of(bytes, random() % 2) == "none";
  }
  EXPECT_GT(read, 100u) << "changes of what is not looked at";
  EXPECT_LT(read, 4900u);
}

}  // namespace
