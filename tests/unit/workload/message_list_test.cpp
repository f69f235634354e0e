// SPDX-License-Identifier: Apache-2.0
/// Lists of messages with dependencies: accepted and rejected lists.
#include "weft/mpi/replay/message_list.h"

#include <cstddef>
#include <random>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "weft/workload/error.h"

using namespace weft;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

namespace {

std::string fault_of(const std::string& text) {
  try {
    parse_message_list(text, "list.txt");
  } catch (const workload_error& e) {
    return e.what();
  }
  return "none";
}

TEST(unit_message_list, reads_the_documented_format) {
  const replay_program p = parse_message_list(
      "# id cycle source destination bytes type after\n"
      "7 100 0 1 64 2\n"
      "\n"
      "9 +20 1 2 0 0 7,8   # a reply\n"
      "8 0 3 1 8 1 -\n",
      "some/list.txt");
  EXPECT_EQ(p.name, "list");
  ASSERT_EQ(p.messages.size(), 3u);
  EXPECT_EQ(p.ranks.size(), 4u);
  EXPECT_EQ(p.messages[0].cycle, 100u);
  EXPECT_FALSE(p.messages[0].waits_first);
  EXPECT_EQ(p.messages[0].type, data_type::Double);
  EXPECT_TRUE(p.messages[1].waits_first);
  EXPECT_EQ(p.messages[1].cycle, 20u);
  EXPECT_THAT(p.messages[1].after, ElementsAre(0u, 2u));
  EXPECT_EQ(p.traffic()[0 * 4 + 1], 64u);
  EXPECT_EQ(p.traffic()[3 * 4 + 1], 8u);
}

TEST(unit_message_list, skips_byte_order_mark) {
  const replay_program p = parse_message_list(
      "\xef\xbb\xbf"
      "7 100 0 1 64 2\n",
      "list.txt");
  ASSERT_EQ(p.messages.size(), 1U);
  EXPECT_EQ(p.messages[0].id, 7U);
  EXPECT_NE(fault_of("7 100 0 1 64 2\n\xef\xbb\xbf"
                     "8 100 0 1 64 2\n"),
            "none")
      << "only at the beginning";
}

TEST(unit_message_list, errors_name_the_line) {
  EXPECT_EQ(fault_of("1 2 3\n"),
            "list.txt:1: expected 6 or 7 columns (id cycle source destination bytes type after), found 3");
  EXPECT_EQ(fault_of("0 0 0 1 8 0\n0 0 0 1 8 0\n"),
            "list.txt:2: message 0 is already in line 1; every message needs its own number");
  EXPECT_EQ(fault_of("0 0 0 1 8 4\n"),
            "list.txt:1: expected a data type 0 (other), 1 (int), 2 (double) or 3 (double complex) up to 3, found '4'");
  EXPECT_THAT(fault_of("0 0 0 1 -8 0\n"), HasSubstr("list.txt:1: expected bytes of one message up to "));
  EXPECT_EQ(fault_of("0 0 0 1 8 0\n1 0 0 1 1099511627776 0\n"),
            "list.txt:2: expected bytes of one message up to 1073741824, found '1099511627776'");
  EXPECT_THAT(fault_of("0 +x 0 1 8 0\n"), HasSubstr("expected a cycle up to "));
  EXPECT_THAT(fault_of("0 +4611686018427387905 0 1 8 0\n"), HasSubstr("expected a cycle up to 4611686018427387904"));
  EXPECT_EQ(fault_of("0 0 0 1 8 0\n1 +4611686018427387904 1 0 8 0 0\n2 +1 0 1 8 0 1\n"),
            "list.txt:3: +1 and the delays before it exceed 4611686018427387904 cycles in total");
  EXPECT_THAT(fault_of("0 0 0 400000 8 0\n"), HasSubstr("expected a destination up to 262143, found '400000'"));
  EXPECT_EQ(fault_of("0 0 0 1 8 0 3\n"), "list.txt:1: message 0 waits for message 3, which does not exist");
  EXPECT_EQ(fault_of("0 0 0 1 8 0\n1 0 2 3 8 0 0\n"),
            "list.txt:2: message 1 of rank 2 waits for message 0 from rank 0 to rank 1; expected a message that its "
            "own source receives or sends");
  EXPECT_EQ(fault_of("0 0 0 1 8 0 - x\n"),
            "list.txt:1: expected 6 or 7 columns (id cycle source destination bytes type after), found 8");
  EXPECT_EQ(fault_of("0 0 0 1 8 0\n1 0 1 0 8 0 0,\n"), "list.txt:2: expected an id after the last comma, found '0,'");
  EXPECT_EQ(fault_of("0 0 0 1 8 0 1,\n0 0 0 1 8 0\n"), "list.txt:1: expected an id after the last comma, found '1,'");
  EXPECT_EQ(fault_of("# nothing\n"), "list.txt: expected at least one message, found none");
  std::string many = "0 0 0 1 8 0\n";
  for (int i = 0; i < 30; ++i) many += "x\n";
  EXPECT_THAT(fault_of(many), HasSubstr("list.txt:11: "));
  EXPECT_THAT(fault_of(many), testing::Not(HasSubstr("list.txt:12: ")));
}

/// In a file of another format every line is wrong: the error states only once what the file is and what is expected.
TEST(unit_message_list, error_for_another_file_format_describes_it) {
  const std::string expected =
      "; expected a trace of libweft_mpi.so, a netrace, a Chakra trace named NAME.RANK.et, or a list of messages, with "
      "6 or 7 columns in each line, such as '0 100 0 1 64 0 -'; see docs/02_user/replay.md";
  EXPECT_EQ(fault_of("<algo name=\"ring\">\n</algo>\n"), "list.txt: is XML" + expected);
  EXPECT_EQ(fault_of(std::string("\0\1dumpi\4", 8)), "list.txt: is binary data" + expected);
  const std::string columns = "expected 6 or 7 columns (id cycle source destination bytes type after), found ";
  EXPECT_EQ(
      fault_of("MPI_Isend entering at walltime 10.5, cputime 0.1 seconds in thread 0.\nint count=1\nint dest=1\n"),
      "list.txt: is not a trace of a known format" + expected + "; as a list of messages, line 1: " + columns + "11");
  EXPECT_EQ(
      fault_of("num_ranks 2\n\nrank 0 {\nl1: send 64b to 1 tag 0\n}\n"),
      "list.txt: is not a trace of a known format" + expected + "; as a list of messages, line 1: " + columns + "2");
  EXPECT_EQ(
      fault_of("0 init\n1 init\n0 compute 1e6\n0 isend 1 0 2000\n"),
      "list.txt: is not a trace of a known format" + expected + "; as a list of messages, line 1: " + columns + "2");
}

TEST(unit_message_list, error_messages_for_long_files_are_short) {
  EXPECT_EQ(fault_of("0 " + std::string(2'000'000, 'x') + " 0 1 8 0\n"),
            "list.txt:1: expected a cycle up to 4611686018427387904, found '" + std::string(100, 'x') +
                "… (2,000,000 bytes)'");
  std::string circle = "0 0 0 1 8 0 99999\n";
  for (int i = 1; i < 100'000; ++i) circle += fmt::format("{} 0 {} {} 8 0 {}\n", i, i % 2, 1 - i % 2, i - 1);
  EXPECT_THAT(fault_of(circle), testing::EndsWith(" and so on, 100,000 of them"));
  EXPECT_LT(fault_of(circle).size(), 300U);
}

TEST(unit_message_list, error_names_messages_that_wait_for_each_other) {
  EXPECT_EQ(fault_of("0 0 0 1 8 0\n1 0 1 0 8 0 0,3\n2 0 0 1 8 0 1\n3 0 1 0 8 0 2\n"),
            "list.txt:2: messages wait for each other: 1 for 3 for 2 for 1");
  EXPECT_EQ(fault_of("5 0 0 0 8 0 5\n"), "list.txt:1: messages wait for each other: 5 for 5");
}

TEST(unit_message_list, random_damage_throws_only_workload_errors) {
  const std::string whole = "0 0 0 1 4096 2\n1 +250 1 2 64 0 0\n2 1000 2 0 64 1 1\n3 +5 0 2 8 3 0,2  # the last\n";
  std::mt19937 random(1);
  std::size_t read = 0;
  for (int i = 0; i < 5000; ++i) {
    std::string bytes = whole;
    if (i % 2 == 0) {  // replaces one digit by another
      std::size_t at = random() % bytes.size();
      while (bytes[at] < '0' || bytes[at] > '9') at = (at + 1) % bytes.size();
      bytes[at] = static_cast<char>('0' + random() % 10);
    } else {
      for (unsigned n = 1 + random() % 3; n > 0; --n) bytes[random() % bytes.size()] = static_cast<char>(random());
    }
    read += fault_of(bytes) == "none";
  }
  EXPECT_GT(read, 100u) << "other numbers";
  EXPECT_LT(read, 4900u);
}

}  // namespace
