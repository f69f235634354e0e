// SPDX-License-Identifier: Apache-2.0
/// Chakra traces: the messages that result from the nodes.
#include "chakra_graph.h"
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace weft;
using namespace chakra_trace;
using ::testing::ElementsAre;

namespace {

/// Bytes between each two ranks, summed over all messages that leave their rank.
std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> travelling(const replay_program& p) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> bytes;
  for (const listed_message& m : p.messages)
    if (!m.stays) bytes[{m.source, m.destination}] += m.bytes;
  return bytes;
}

TEST(unit_chakra, a_receive_waits_for_its_message_and_its_dependencies) {
  const replay_program p = parse_graphs(
      {graph().add(1, Compute, {}, {}, 3).add(2, Send, {1}, {{"comm_size", 100}, {"comm_dst", 1}}),
       graph().add(5, Compute, {}).add(6, Receive, {5}, {{"comm_src", 0}}).add(7, Compute, {6, 5}, {}, 1)});
  ASSERT_EQ(p.messages.size(), 5u);
  EXPECT_EQ(p.messages[0].computing, 3000u);
  EXPECT_TRUE(p.messages[0].stays);
  EXPECT_EQ(p.messages[1].bytes, 100u);
  EXPECT_EQ(p.messages[1].destination, 1u);
  EXPECT_FALSE(p.messages[1].stays);
  EXPECT_THAT(p.messages[1].after, ElementsAre(0u));
  EXPECT_THAT(p.messages[3].after, ElementsAre(2u, 1u)) << "node 6";
  EXPECT_THAT(p.messages[4].after, ElementsAre(2u, 3u)) << "node 7";
}

TEST(unit_chakra, sends_and_receives_match_by_tag_and_order) {
  const attributes to{{"comm_size", 8}, {"comm_dst", 1}, {"comm_tag", 4}}, from{{"comm_src", 0}, {"comm_tag", 4}};
  attributes other = to, other_from = from;
  other["comm_tag"] = other_from["comm_tag"] = 9;
  const replay_program p =
      parse_graphs({graph().add(1, Send, {}, to).add(2, Send, {}, other).add(3, Send, {}, to),
                    graph().add(1, Receive, {}, other_from).add(2, Receive, {}, from).add(3, Receive, {}, from)});
  EXPECT_THAT(p.messages[3].after, ElementsAre(1u));
  EXPECT_THAT(p.messages[4].after, ElementsAre(0u));
  EXPECT_THAT(p.messages[5].after, ElementsAre(2u));
}

TEST(unit_chakra, a_collective_involves_only_its_group) {
  // Ranks 0 and 2 reduce 64 bytes between them; all four pass a barrier.
  std::vector<graph> ranks(4);
  for (std::uint32_t r = 0; r < 4; ++r) {
    if (r % 2 == 0) ranks[r].add(1, Collective, {}, {{"comm_type", 0}, {"comm_size", 64}}, 0, "even");
    ranks[r].add(2, Collective, {}, {{"comm_type", 9}});
  }
  const auto bytes = travelling(parse_graphs(ranks));
  EXPECT_EQ(bytes.at({0, 2}), 64u);
  EXPECT_EQ(bytes.at({2, 0}), 64u);
  EXPECT_EQ(bytes.at({1, 2}), 0u) << "of the barrier";
  EXPECT_EQ(bytes.size(), 8u) << "a barrier goes to the next rank, and the one after it";
}

TEST(unit_chakra, collective_sizes_follow_the_reference_page) {
  const auto all_bytes = [](std::int64_t operation) {
    std::vector<graph> ranks(4);
    for (graph& g : ranks) g.add(1, Collective, {}, {{"comm_type", operation}, {"comm_size", 1024}, {"root", 2}});
    std::uint64_t sum = 0;
    for (const auto& [pair, bytes] : travelling(parse_graphs(ranks))) sum += bytes;
    return sum;
  };
  EXPECT_EQ(all_bytes(0), 4u * 2 * 1024) << "all-reduce of a short vector: doubling";
  EXPECT_EQ(all_bytes(1), 3u * 1024) << "reduce";
  EXPECT_EQ(all_bytes(2), 4u * 3 * 1024) << "all-gather";
  EXPECT_EQ(all_bytes(3), 3u * 1024) << "gather";
  EXPECT_EQ(all_bytes(4), 3u * 256) << "scatter";
  EXPECT_EQ(all_bytes(5), 3u * 1024) << "broadcast";
  EXPECT_EQ(all_bytes(6), 4u * 3 * 256) << "all-to-all";
  EXPECT_EQ(all_bytes(7), 4u * 3 * 256) << "reduce-scatter";
}

TEST(unit_chakra, indivisible_sizes_lose_no_bytes) {
  const auto bytes = [](std::int64_t operation) {
    std::vector<graph> ranks(3);
    for (graph& g : ranks) g.add(1, Collective, {}, {{"comm_type", operation}, {"comm_size", 11}, {"root", 2}});
    return travelling(parse_graphs(ranks));
  };
  for (const std::int64_t operation : {6, 7, 8}) {
    auto all = bytes(operation);
    EXPECT_EQ((all[{1, 0}]), 4u);
    EXPECT_EQ((all[{0, 1}]), 4u);
    EXPECT_EQ((all[{0, 2}]), 3u);
  }
  auto scattered = bytes(4);
  EXPECT_EQ((scattered[{2, 0}]), 4u);
  EXPECT_EQ((scattered[{2, 1}]), 4u);
}

TEST(unit_chakra, ranks_may_send_different_sizes_in_an_all_to_all) {
  std::vector<graph> ranks(2);
  for (std::int64_t r = 0; r < 2; ++r)
    ranks[static_cast<std::size_t>(r)].add(1, Collective, {}, {{"comm_type", 6}, {"comm_size", 100 * (r + 1)}});
  auto all = travelling(parse_graphs(ranks));
  EXPECT_EQ((all[{0, 1}]), 50u);
  EXPECT_EQ((all[{1, 0}]), 100u);
}

}  // namespace
