// SPDX-License-Identifier: Apache-2.0
/// Regulated flows: their files, their token buckets, and the packets that they create.
#include "weft/workload/flows.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "weft/workload/error.h"

namespace weft {
namespace {

constexpr flow_context Sixteen{16, 2};

std::string error_of(const std::string& text) {
  try {
    parse_flows(text, "f.txt", Sixteen);
  } catch (const workload_error& e) {
    return e.what();
  }
  return "";
}

TEST(unit_flows, are_read_with_their_optional_columns) {
  const auto flows = parse_flows("# c\na 0 5 4 0.25 8\n\nb_2 1 2 1 1 1 1 77 # late\n", "f.txt", Sixteen);
  ASSERT_EQ(flows.size(), 2U);
  EXPECT_EQ(flows[0].name, "a");
  EXPECT_EQ(flows[0].destination, 5U);
  EXPECT_EQ(flows[0].flits, 4U);
  EXPECT_EQ(flows[0].rate, 0.25);
  EXPECT_EQ(flows[0].burst, 8U);
  EXPECT_EQ(flows[0].message_class, 0U);
  EXPECT_EQ(flows[0].start, 0U);
  EXPECT_EQ(flows[1].message_class, 1U);
  EXPECT_EQ(flows[1].start, 77U);
}

struct wrong_line {
  const char* name;
  const char* text;
  const char* message;
};

void PrintTo(const wrong_line& w, std::ostream* out) { *out << w.name; }

class unit_wrong_flows : public testing::TestWithParam<wrong_line> {};

TEST_P(unit_wrong_flows, are_rejected) {
  EXPECT_THAT(error_of(GetParam().text), testing::HasSubstr(GetParam().message));
}

const wrong_line WrongLines[] = {
    {"few_columns", "a 0 5 4 0.1 8\nb 0 5 4 0.1\n",
     "f.txt:2: expected 6 to 8 columns (name source destination flits rate burst [class [start]]), found 5"},
    {"many_columns", "a 0 5 4 0.1 8\nb 0 5 4 0.1 4 0 0 0\n", "f.txt:2: expected 6 to 8 columns"},
    {"no_name", "a 0 5 4 0.1 8\n0 0 5 4 0.1 4\n",
     "f.txt:2: column 1 (name): expected a name of letters, digits and '_'"},
    {"name_twice", "a 0 5 4 0.1 8\na 0 6 4 0.1 4\n",
     "f.txt:2: flow 'a' is already in line 1; every flow needs its own"},
    {"no_source", "a 0 5 4 0.1 8\nb 16 5 4 0.1 4\n",
     "f.txt:2: column 2 (source): expected a node from 0 to 15, found '16'"},
    {"no_destination", "a 0 5 4 0.1 8\nb 0 x 4 0.1 4\n",
     "f.txt:2: column 3 (destination): expected a node from 0 to 15"},
    {"to_itself", "a 0 5 4 0.1 8\nb 7 7 4 0.1 4\n", "f.txt:2: flow 'b' leads from node 7 to itself"},
    {"no_flits", "a 0 5 4 0.1 8\nb 0 5 0 0.1 4\n",
     "f.txt:2: column 4 (flits): expected a length from 1 to 4096, found '0'"},
    {"no_rate", "a 0 5 4 0.1 8\nb 0 5 4 0 4\n", "f.txt:2: column 5 (rate): expected a rate from 1e-06 to 1"},
    {"rate_above_one", "a 0 5 4 0.1 8\nb 0 5 4 1.01 4\n", "f.txt:2: column 5 (rate): expected a rate from 1e-06 to 1"},
    {"rate_nan", "a 0 5 4 0.1 8\nb 0 5 4 nan 4\n", "f.txt:2: column 5 (rate): expected a rate from 1e-06 to 1"},
    {"short_burst", "a 0 5 4 0.1 8\nb 0 5 4 0.1 3\n",
     "f.txt:2: column 6 (burst): expected a burst of at least one packet, which has 4 flits, found '3'"},
    {"no_class", "a 0 5 4 0.1 8\nb 0 5 4 0.1 4 2\n",
     "f.txt:2: column 7 (class): expected a class (network.router.classes) from 0 to 1, found '2'"},
    {"no_start", "a 0 5 4 0.1 8\nb 0 5 4 0.1 4 0 -1\n",
     "f.txt:2: column 8 (start): expected a cycle from 0 to 1000000000"},
    {"no_flow", "# nothing\n", "f.txt: the file has no flow; expected at least one"},
};
INSTANTIATE_TEST_SUITE_P(each, unit_wrong_flows, testing::ValuesIn(WrongLines),
                         [](const auto& line) { return line.param.name; });

TEST(unit_flows, have_at_most_1024_lines) {
  std::string text;
  for (unsigned i = 0; i <= MaxFlows; ++i) text += "f" + std::to_string(i) + " 0 5 4 0.1 8\n";
  EXPECT_THAT(error_of(text), testing::HasSubstr("f.txt:1025: expected at most 1024 flows"));
}

/// The cycles in which a source creates packets, by flow.
std::map<std::size_t, std::vector<cycle_t>> releases(const std::vector<regulated_flow>& flows,
                                                     const flow_parameters& how, cycle_t end) {
  flow_source source(flows, how, 16, {}, 7);
  std::map<std::size_t, std::vector<cycle_t>> all;
  for (node_id node = 0; node < 16; ++node) {
    while (source.next_creation(node) < end) {
      const packet p = source.pop(node);
      EXPECT_EQ(p.source, node);
      all[p.id / 16 % flows.size()].push_back(p.created);
    }
  }
  return all;
}

TEST(unit_flows, greedy_release_is_the_burst_and_then_the_rate) {
  const auto all = releases({{"a", 3, 5, 4, 0.25, 12, 0, 10}}, {}, 80);
  // Three packets empty the bucket; then it takes 16 cycles to get 4 tokens.
  EXPECT_THAT(all.at(0), testing::ElementsAre(10, 10, 10, 26, 42, 58, 74));
}

TEST(unit_flows, release_no_more_than_burst_and_rate_in_any_time) {
  const std::vector<regulated_flow> flows{
      {"a", 3, 5, 4, 0.3, 13, 0, 0}, {"b", 3, 6, 7, 0.07, 20, 0, 5}, {"c", 9, 5, 1, 0.9, 2, 0, 0}};
  for (const flow_release release : {flow_release::Greedy, flow_release::Random}) {
    const auto all = releases(flows, {{}, release, 1.0}, 3000);
    for (const auto& [f, cycles] : all) {
      EXPECT_GT(cycles.size(), 20U);
      for (std::size_t i = 0; i < cycles.size(); ++i)
        for (std::size_t k = i; k < cycles.size(); ++k)
          EXPECT_LE(static_cast<double>((k - i + 1) * flows[f].flits),
                    flows[f].burst + flows[f].rate * static_cast<double>(cycles[k] - cycles[i]));
    }
  }
}

TEST(unit_flows, random_release_has_its_share_of_the_rate) {
  const auto all = releases({{"a", 0, 1, 4, 0.4, 40, 0, 0}}, {{}, flow_release::Random, 0.5}, 400'000);
  // 20,000 packets; the standard deviation of their number is 140.
  EXPECT_NEAR(static_cast<double>(all.at(0).size()), 400'000 * 0.2 / 4, 5 * 140);
}

TEST(unit_flows, of_one_node_are_released_in_their_order) {
  flow_source source({{"a", 0, 1, 2, 0.1, 2, 1, 4}, {"b", 0, 2, 3, 0.1, 3, 0, 4}, {"c", 0, 3, 1, 0.1, 1, 0, 2}}, {}, 16,
                     {}, 1);
  EXPECT_EQ(source.next_creation(0), 2U);
  EXPECT_EQ(source.pop(0).destination, 3U);
  EXPECT_EQ(source.next_creation(0), 4U);
  const packet a = source.pop(0), b = source.pop(0);
  EXPECT_EQ(a.destination, 1U);
  EXPECT_EQ(a.message_class, 1U);
  EXPECT_EQ(a.flits, 2U);
  EXPECT_EQ(b.destination, 2U);
  EXPECT_EQ(source.next_creation(1), Never);
}

TEST(unit_flows, very_slow_flows_do_not_overflow) {
  const auto all = releases({{"a", 0, 1, 4096, 1e-6, 1'000'000, 0, 0}}, {}, 5'000'000'000);
  EXPECT_EQ(all.at(0).size(),
            245U);  // the burst has 244 packets and 576 tokens more; 3.5e9 cycles later follows the next
  regulated_flow slow{"a", 0, 1, 1, 1e-6, 1, 0, 0};
  token_bucket bucket(slow);
  bucket.release(0);
  EXPECT_NEAR(static_cast<double>(bucket.next_release(1)), 1e6, 1e6 * 1e-3);
  EXPECT_EQ(bucket.next_release(cycle_t{1} << 60), cycle_t{1} << 60);
}

}  // namespace
}  // namespace weft
