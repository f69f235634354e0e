// SPDX-License-Identifier: Apache-2.0
#include "weft/workload/packet_list.h"

#include "support.h"
#include <algorithm>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <malloc.h>
#include <rapidcheck/gtest.h>

#include "weft/workload/error.h"

namespace weft {
namespace {

/// Number of bytes in use on the heap; 0 with sanitizers that have their own heap.
std::size_t bytes_allocated() {
  const struct mallinfo2 heap = mallinfo2();
  return heap.uordblks + heap.hblkhd;
}

packet make_packet(packet_id id, cycle_t created, node_id source, node_id destination, std::uint32_t flits) {
  packet p;
  p.id = id;
  p.created = created;
  p.source = source;
  p.destination = destination;
  p.flits = flits;
  return p;
}

packet_list_source make_source(const std::vector<packet>& packets, std::uint32_t nodes) {
  return {packets, nodes, payload_parameters{}, 1};
}

/// The packets that \p node creates next, all in the same cycle; removes them as a network does.
std::vector<packet> take_next(packet_source& source, node_id node) {
  const cycle_t announced = source.next_creation(node);
  std::vector<packet> packets{source.pop(node)};
  while (packets.back().more > 0) packets.push_back(source.following(packet(packets.back())));
  for (const packet& p : packets) EXPECT_EQ(p.created, announced);
  return packets;
}

std::vector<packet_id> take_all(packet_source& source, node_id node) {
  std::vector<packet_id> ids;
  while (source.next_creation(node) != Never) {
    for (const packet& p : take_next(source, node)) {
      EXPECT_EQ(p.source, node);
      ids.push_back(p.id);
    }
  }
  return ids;
}

TEST(unit_workload_packet_list, each_line_becomes_a_packet) {
  const auto packets = parse_packet_list(
      "# packet cycle source destination length\n\n  7 3 0 1 5\n2\t0\t1 1 1 # to itself\r\n"
      "18446744073709551615 18446744073709551614 1 0 4294967295",
      "list", {2});
  ASSERT_EQ(packets.size(), 3u);
  EXPECT_EQ(packets[0].id, 7u);
  EXPECT_EQ(packets[0].created, 3u);
  EXPECT_EQ(packets[0].source, 0u);
  EXPECT_EQ(packets[0].destination, 1u);
  EXPECT_EQ(packets[0].flits, 5u);
  EXPECT_EQ(packets[1].destination, 1u);
  EXPECT_EQ(packets[2].id, 18446744073709551615u);
  EXPECT_EQ(packets[2].flits, 4294967295u);
  EXPECT_TRUE(parse_packet_list("", "list", {2}).empty());
}

TEST(unit_workload_packet_list, skips_byte_order_mark) {
  const std::vector<packet> packets = parse_packet_list(
      "\xef\xbb\xbf"
      "3 10 0 1 4\n",
      "list", {2});
  ASSERT_EQ(packets.size(), 1U);
  EXPECT_EQ(packets[0].id, 3U);
  EXPECT_TRUE(parse_packet_list("\xef\xbb\xbf"
                                "# none\n",
                                "list", {2})
                  .empty());
}

TEST(unit_workload_packet_list, a_packet_may_have_its_own_type) {
  const auto packets = parse_packet_list("0 0 0 1 5 2\n1 0 0 1 5\n2 0 0 1 5 0\n", "list", {2, data_type::Int});
  ASSERT_EQ(packets.size(), 3u);
  EXPECT_EQ(packets[0].type, data_type::Double);
  EXPECT_EQ(packets[1].type, data_type::Int) << "that of the list";
  EXPECT_EQ(packets[2].type, data_type::Other);
}

TEST(unit_workload_packet_list, a_packet_may_have_its_own_message_class) {
  const auto packets = parse_packet_list("0 0 0 1 5 2 1\n1 0 0 1 5 0\n2 0 0 1 5\n", "list", {2, data_type::Int, 2});
  ASSERT_EQ(packets.size(), 3u);
  EXPECT_EQ(packets[0].message_class, 1);
  EXPECT_EQ(packets[0].type, data_type::Double);
  EXPECT_EQ(packets[1].message_class, 0);
  EXPECT_EQ(packets[2].message_class, 0);
  expect_error<workload_error>(
      [] {
        parse_packet_list("0 0 0 1 5 2 2\n", "a.txt", {2, data_type::Int, 2});
      },
      "a.txt:1: expected a class in 0…1 (network.router.classes), found 2");
}

TEST(unit_workload_packet_list, errors_name_file_and_line_and_what_was_expected) {
  const auto expect = [](const std::string& text, const std::string& message) {
    expect_error<workload_error>([&] { parse_packet_list("# list\n" + text, "a.txt", {4}); }, "a.txt:" + message);
  };
  expect("0 0 4 1 1", "2: expected a source in 0…3, found 4");
  expect("0 0 1 4 1", "2: expected a destination in 0…3, found 4");
  expect("0 0 0 1 0", "2: expected a length of 1…4294967295 flits, found 0");
  expect("0 0 0 1 4294967296", "2: expected a length of 1…4294967295 flits, found 4294967296");
  expect("0 18446744073709551615 0 1 1", "2: expected a cycle below 18446744073709551615");
  expect("5 0 0 1 1\n6 0 0 1 1\n\n5 1 0 1 1\n", "5: packet 5 is already in line 2; every packet needs its own number");
  expect("0 0 0 1", "2: expected 5 to 7 columns 'packet cycle source destination length type class', found 4");
  expect("0 0 0 # 1 1", "2: expected 5 to 7 columns 'packet cycle source destination length type class', found 3");
  expect("0 0 0 1 1 9", "2: expected a data type 0 (other), 1 (int), 2 (double) or 3 (double complex), found 9");
  expect("0 0 0 1 1 2 16", "2: expected a class in 0…15 (network.router.classes), found 16");
  expect("0 0 0 1 1 2 9 9",
         "2: expected 5 to 7 columns 'packet cycle source destination length type class', found 8 or more");
  expect("0 -1 0 1 1", "2: column 2 (cycle): expected a whole number 0…2^64-1, found '-1'");
  expect("0 0 0 1 5x", "2: column 5 (length): expected a whole number 0…2^64-1, found '5x'");
  expect("0 0.5 0 1 1", "2: column 2 (cycle): expected a whole number 0…2^64-1, found '0.5'");
  expect("18446744073709551616 0 0 1 1",
         "2: column 1 (packet): expected a whole number 0…2^64-1, found '18446744073709551616'");
  expect("0 0 9 1 1\n1 0 0 1 1\n1 0 0 1 1\nx",
         "2: expected a source in 0…3, found 9\na.txt:4: packet 1 is already in line 3; every packet needs its own "
         "number\na.txt:5: column 1 (packet): expected a whole number 0…2^64-1, found 'x'");
  expect_error<workload_error>([] { read_packet_list("/nowhere/a.txt", {4}); },
                               "/nowhere/a.txt: cannot be opened: No such file or directory");
  const temporary_file compressed("\x1f\x8b\x08 and so on");
  expect_error<workload_error>(
      [&] { read_packet_list(compressed.path(), {4}); },
      compressed.name() + ": the file is compressed; decompress it first, with gunzip -k " + compressed.name());
}

/// In a file of another format every line is wrong, so the error states only once what the file is.
TEST(unit_workload_packet_list, error_for_another_file_format_describes_it) {
  const std::string expected = "; expected lines of whole numbers, 'packet cycle source destination length type class'";
  const auto expect = [](const std::string& text, const std::string& message) {
    expect_error<workload_error>([&] { parse_packet_list(text, "a.txt", {4}); }, "a.txt: " + message);
  };
  expect("<trace>\n</trace>\n", "the file is XML" + expected);
  expect(std::string("\x00\x01dump", 6), "the file is binary data" + expected);
  expect("read 5\nwrite 7\n", "the file has no valid row" + expected +
                                  "; line 1: column 1 (packet): expected a whole number 0…2^64-1, found 'read'");
  std::string many;
  for (unsigned i = 0; i < 100; ++i) many += "read 5\n";
  expect(many, "the file has no valid row" + expected +
                   "; line 1: column 1 (packet): expected a whole number 0…2^64-1, found 'read'");
  expect_error<workload_error>(
      [] { parse_packet_list("0 0 0 1 1\n" + std::string(2'000'000, 'x') + "\n", "a.txt", {4}); },
      "a.txt:2: column 1 (packet): expected a whole number 0…2^64-1, found '" + std::string(100, 'x') +
          "… (2,000,000 bytes)'");
}

TEST(unit_workload_packet_list, packets_are_ordered_by_cycle_then_by_list_order) {
  auto source = make_source({make_packet(1, 9, 0, 1, 1), make_packet(2, 5, 2, 1, 1), make_packet(3, 5, 0, 1, 1),
                             make_packet(9, 7, 0, 2, 1), make_packet(4, 7, 0, 1, 1), make_packet(5, 0, 2, 0, 1)},
                            3);
  EXPECT_EQ(take_all(source, 2), (std::vector<packet_id>{5, 2}));
  EXPECT_EQ(take_all(source, 1), (std::vector<packet_id>{}));
  EXPECT_EQ(take_all(source, 0), (std::vector<packet_id>{3, 9, 4, 1}));
  EXPECT_EQ(source.next_creation(0), Never);
}

TEST(unit_workload_packet_list, packets_of_one_cycle_are_chained_to_the_first) {
  auto source = make_source({make_packet(1, 5, 0, 1, 3), make_packet(2, 5, 1, 0, 1), make_packet(3, 5, 0, 2, 4),
                             make_packet(4, 6, 0, 1, 1), make_packet(5, 5, 0, 1, 2)},
                            3);
  const packet first = source.pop(0);
  EXPECT_EQ(first.id, 1U);
  EXPECT_EQ(first.more, 2U);
  const packet second = source.following(first), third = source.following(second);
  EXPECT_EQ(second.id, 3U);
  EXPECT_EQ(second.destination, 2U);
  EXPECT_EQ(second.flits, 4U);
  EXPECT_EQ(second.more, 1U);
  EXPECT_EQ(third.id, 5U);
  EXPECT_EQ(third.more, 0U);
  EXPECT_EQ(source.following(first).id, 3U) << "independent of earlier calls";
  EXPECT_EQ(source.next_creation(0), 6U);
  EXPECT_EQ(source.pop(0).id, 4U);
  EXPECT_EQ(source.pop(1).more, 0U);
}

TEST(unit_workload_packet_list, keeps_attributes_that_no_list_file_can_express) {
  packet urgent = make_packet(1, 5, 0, 1, 3), named = make_packet(2, 5, 0, 1, 3), cut = make_packet(3, 5, 0, 1, 3);
  urgent.urgent = true;
  named.code.first = {7, 6, 1, data_type::Int};
  named.message_class = 1;
  cut.cut = 9;
  auto source = make_source({urgent, named, cut}, 2);
  EXPECT_TRUE(source.pop(0).urgent);
  const packet second = source.pop(0);
  EXPECT_EQ(second.code, named.code);
  EXPECT_EQ(second.message_class, 1U);
  EXPECT_EQ(source.pop(0).cut, 9U);
}

TEST(unit_workload_packet_list, takes_few_bytes_per_packet) {
  constexpr std::size_t Packets = 200'000;
  std::string text;
  for (std::size_t i = 0; i < Packets; ++i) text += std::to_string(i) + " 0 " + std::to_string(i % 64) + " 7 1\n";
  const std::size_t before = bytes_allocated();
  const auto source = packet_list_source::of(parse_compact_packets(text, "list", {64}), 64, {}, 1);
  EXPECT_LE(bytes_allocated() - before, 36 * Packets);
  EXPECT_EQ(source->next_creation(63), 0U);
}

TEST(unit_workload_packet_list, rejects_packets_of_another_network) {
  expect_error<std::invalid_argument>(
      [] { make_source({make_packet(8, 0, 0, 3, 2)}, 3); },
      "packet 8: 2 flits from node 0 to node 3; expected at least one flit and nodes below 3");
  EXPECT_THROW(make_source({make_packet(8, 0, 3, 0, 2)}, 3), std::invalid_argument);
  EXPECT_THROW(make_source({make_packet(8, 0, 0, 0, 0)}, 3), std::invalid_argument);
}

TEST(unit_workload_packet_list, consecutive_packets_continue_one_payload_stream) {
  const temporary_file file(std::string("0123456789abcdef"));
  payload_parameters parameters;
  parameters.kind = payload_kind::File;
  parameters.file = file.path();
  const packet first = make_packet(0, 0, 2, 1, 1), second = make_packet(1, 0, 0, 1, 1);
  const packet_list_source source({first, second}, 3, parameters, 1);
  std::uint64_t word = 0;
  source.payload(first, 0, 64, &word);
  EXPECT_EQ(word, 0x3736353433323130u);
  source.payload(second, 0, 64, &word);
  EXPECT_EQ(word, 0x6665646362613938u);
}

RC_GTEST_PROP(unit_workload_packet_list, parsed_packets_match_the_text, ()) {
  const auto small = rc::gen::inRange<std::uint64_t>(0, 1000000);
  std::ostringstream text;
  std::vector<packet> packets;
  const auto count = *rc::gen::inRange<packet_id>(0, 50);
  for (packet_id id = 0; id < count; ++id) {
    const packet p = make_packet(id, *small, *rc::gen::inRange<node_id>(0, 64), *rc::gen::inRange<node_id>(0, 64),
                                 *rc::gen::inRange<std::uint32_t>(1, 100));
    packets.push_back(p);
    text << p.id << ' ' << p.created << ' ' << p.source << ' ' << p.destination << ' ' << p.flits << '\n';
  }
  auto source = make_source(parse_packet_list(text.str(), "list", {64}), 64);
  std::vector<packet> taken;
  for (node_id node = 0; node < 64; ++node) {
    cycle_t previous = 0;
    while (source.next_creation(node) != Never) {
      RC_ASSERT(source.next_creation(node) >= previous);
      previous = source.next_creation(node);
      for (const packet& p : take_next(source, node)) {
        RC_ASSERT(p.source == node);
        taken.push_back(p);
      }
    }
  }
  RC_ASSERT(taken.size() == packets.size());
  std::sort(taken.begin(), taken.end(), [](const packet& a, const packet& b) { return a.id < b.id; });
  for (std::size_t i = 0; i < taken.size(); ++i) {
    RC_ASSERT(taken[i].id == packets[i].id);
    RC_ASSERT(taken[i].created == packets[i].created);
    RC_ASSERT(taken[i].destination == packets[i].destination);
    RC_ASSERT(taken[i].flits == packets[i].flits);
  }
}

TEST(unit_workload_packet_list, answers_are_written_in_packet_order_and_read_back) {
  const std::vector<packet_answer> answers = {{3, 10, 20, 24, 5}, {1, 0, 57, 61, 11}, {2, Never, Never, Never, 0}};
  std::ostringstream out;
  write_answers(out, answers);
  EXPECT_EQ(out.str(),
            "1 0 57 61 11\n"
            "2 18446744073709551615 18446744073709551615 18446744073709551615 0\n"
            "3 10 20 24 5\n");
  const auto read = parse_answers(out.str(), "answers");
  ASSERT_EQ(read.size(), 3u);
  EXPECT_EQ(read[0], answers[1]);
  EXPECT_EQ(read[1], answers[2]);
  EXPECT_EQ(read[2], answers[0]);
  const temporary_file file(out.str());
  EXPECT_EQ(read_answers(file.path()), read);
}

TEST(unit_workload_packet_list, errors_in_answers_name_file_and_line) {
  expect_error<workload_error>(
      [] { parse_answers("0 1 2 3\n", "a.ret"); },
      "a.ret:1: expected 5 columns 'packet injected head_delivered tail_delivered routers', found 4");
  expect_error<workload_error>([] { parse_answers("0 1 2 3 4294967296\n", "a.ret"); },
                               "a.ret:1: expected 0…4294967295 routers, found 4294967296");
}

class unit_workload_packet_list_oracle : public testing::TestWithParam<const char*> {};

TEST_P(unit_workload_packet_list_oracle, lists_and_answers_of_booksim2_are_readable) {
  const std::string base = std::string("oracle/") + GetParam();
  const std::string list = shared_data(base + ".gen.gz"), answer = shared_data(base + ".ret.gz");
  if (list.empty() || answer.empty()) {
    GTEST_SKIP() << WEFT_SHARED_DATA << "/" << base
                 << ".*.gz is absent; the answers of BookSim2 are not in the checkout";
  }
  const std::uint32_t side = base.find("mesh16") != std::string::npos ? 16 : 8;
  const auto packets = parse_packet_list(list, base + ".gen", {side * side});
  const auto answers = parse_answers(answer, base + ".ret");
  EXPECT_EQ(packets.size(), static_cast<std::size_t>(std::count(list.begin(), list.end(), '\n')));
  ASSERT_FALSE(answers.empty());
  EXPECT_LE(answers.size(), packets.size());

  // Every answer belongs to a packet of the list and counts the routers of its path.
  for (const packet_answer& a : answers) {
    const packet& p = packets.at(a.id);
    ASSERT_EQ(p.id, a.id);
    ASSERT_GE(a.injected, p.created);
    ASSERT_GE(a.tail_delivered, a.head_delivered + p.flits - 1);
    const auto distance = [](std::uint32_t x, std::uint32_t y) { return x > y ? x - y : y - x; };
    ASSERT_EQ(a.routers,
              1 + distance(p.source % side, p.destination % side) + distance(p.source / side, p.destination / side));
  }
  std::ostringstream out;
  write_answers(out, answers);
  EXPECT_EQ(parse_answers(out.str(), "again").size(), answers.size());

  auto source = make_source(packets, side * side);
  std::size_t taken = 0;
  for (node_id node = 0; node < side * side; ++node) taken += take_all(source, node).size();
  EXPECT_EQ(taken, packets.size());
}

INSTANTIATE_TEST_SUITE_P(booksim, unit_workload_packet_list_oracle,
                         testing::Values("mesh8_0.05_1", "mesh8_0.2_1", "mesh8_0.2_U", "mesh8_0.3_5", "mesh8_0.8_5",
                                         "mesh8_0.9_U", "mesh16_0.1_5"),
                         [](const auto& oracle) {
                           std::string name = oracle.param;
                           std::replace(name.begin(), name.end(), '.', '_');
                           return name;
                         });

}  // namespace
}  // namespace weft
