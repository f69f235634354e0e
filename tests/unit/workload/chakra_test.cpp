// SPDX-License-Identifier: Apache-2.0
/// Chakra traces: what becomes of the nodes, and what is refused.
#include "weft/workload/replay/chakra.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <protozero/pbf_writer.hpp>

#include "weft/workload/error.h"

using namespace weft;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

namespace {

enum type : std::int32_t { Compute = 4, Send = 5, Receive = 6, Collective = 7 };

using attributes = std::map<std::string, std::int64_t>;

std::string delimited(const std::string& message) {
  std::string all;
  protozero::add_varint_to_buffer(&all, message.size());
  return all + message;
}

/// The file of a rank, node by node.
class graph {
 public:
  graph() {
    std::string about;
    protozero::pbf_writer(about).add_string(1, "0.0.4");
    m_text = delimited(about);
  }
  graph& add(std::uint64_t id, type kind, const std::vector<std::uint64_t>& after, const attributes& with = {},
             std::uint64_t microseconds = 0, const std::string& group = "") {
    std::string text;
    protozero::pbf_writer node(text);
    node.add_uint64(1, id);
    node.add_string(2, "name");
    node.add_enum(3, kind);
    if (id % 2 == 0)
      node.add_packed_uint64(5, after.begin(), after.end());
    else  // the form allows both
      for (const std::uint64_t one : after) node.add_uint64(4, one);
    node.add_uint64(7, microseconds);
    for (const auto& [name, value] : with) {
      protozero::pbf_writer a(node, 10);
      a.add_string(1, name);
      a.add_int64(9, value);
    }
    if (!group.empty()) {
      protozero::pbf_writer a(node, 10);
      a.add_string(1, "pg_name");
      a.add_string(29, group);
    }
    m_text += delimited(text);
    return *this;
  }
  const std::string& text() const { return m_text; }

 private:
  std::string m_text;
};

replay_program parse(const std::vector<graph>& ranks) {
  std::vector<std::string> texts, names;
  for (const graph& g : ranks) {
    texts.push_back(g.text());
    names.push_back("t." + std::to_string(names.size()) + ".et");
  }
  return parse_chakra(texts, names);
}

std::string fault_of(const std::vector<graph>& ranks) {
  try {
    parse(ranks);
  } catch (const workload_error& e) {
    return e.what();
  }
  return "none";
}

/// Bytes between two ranks, of all messages that travel.
std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> travelling(const replay_program& p) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> bytes;
  for (const listed_message& m : p.messages)
    if (!m.stays) bytes[{m.source, m.destination}] += m.bytes;
  return bytes;
}

TEST(unit_chakra, a_receive_waits_for_its_message_and_for_what_it_depends_on) {
  const replay_program p =
      parse({graph().add(1, Compute, {}, {}, 3).add(2, Send, {1}, {{"comm_size", 100}, {"comm_dst", 1}}),
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

TEST(unit_chakra, messages_of_a_pair_go_together_by_tag_and_in_order) {
  const attributes to{{"comm_size", 8}, {"comm_dst", 1}, {"comm_tag", 4}}, from{{"comm_src", 0}, {"comm_tag", 4}};
  attributes other = to, other_from = from;
  other["comm_tag"] = other_from["comm_tag"] = 9;
  const replay_program p =
      parse({graph().add(1, Send, {}, to).add(2, Send, {}, other).add(3, Send, {}, to),
             graph().add(1, Receive, {}, other_from).add(2, Receive, {}, from).add(3, Receive, {}, from)});
  EXPECT_THAT(p.messages[3].after, ElementsAre(1u));
  EXPECT_THAT(p.messages[4].after, ElementsAre(0u));
  EXPECT_THAT(p.messages[5].after, ElementsAre(2u));
}

TEST(unit_chakra, collectives_are_those_of_their_group) {
  // Ranks 0 and 2 reduce 64 bytes among them, all four pass a barrier.
  std::vector<graph> ranks(4);
  for (std::uint32_t r = 0; r < 4; ++r) {
    if (r % 2 == 0) ranks[r].add(1, Collective, {}, {{"comm_type", 0}, {"comm_size", 64}}, 0, "even");
    ranks[r].add(2, Collective, {}, {{"comm_type", 9}});
  }
  const auto bytes = travelling(parse(ranks));
  EXPECT_EQ(bytes.at({0, 2}), 64u);
  EXPECT_EQ(bytes.at({2, 0}), 64u);
  EXPECT_EQ(bytes.at({1, 2}), 0u) << "of the barrier";
  EXPECT_EQ(bytes.size(), 8u) << "a barrier goes to the next rank, and the one after it";
}

TEST(unit_chakra, sizes_count_as_the_page_says) {
  const auto all_bytes = [](std::int64_t operation) {
    std::vector<graph> ranks(4);
    for (graph& g : ranks) g.add(1, Collective, {}, {{"comm_type", operation}, {"comm_size", 1024}, {"root", 2}});
    std::uint64_t sum = 0;
    for (const auto& [pair, bytes] : travelling(parse(ranks))) sum += bytes;
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

TEST(unit_chakra, what_has_no_partner_is_an_error) {
  const attributes to{{"comm_size", 8}, {"comm_dst", 1}};
  EXPECT_EQ(fault_of({graph().add(1, Send, {}, to), graph().add(1, Compute, {})}),
            "t.0.et: sends to rank 1 with tag 0: 1, but receives of them: 0");
  EXPECT_EQ(fault_of({graph().add(1, Send, {}, to)}), "t.0.et: node 1 has comm_dst 1; expected a rank from 0 to 0");
  EXPECT_EQ(fault_of({graph().add(1, Send, {}, {{"comm_dst", 0}})}),
            "t.0.et: node 1 has comm_size missing; expected 0 to 2^40 bytes");
  EXPECT_EQ(fault_of({graph().add(1, Collective, {}, {{"comm_type", 9}}), graph().add(1, Compute, {})}),
            "t.1.et: collectives of all ranks: 0, but of rank 0: 1");
  EXPECT_THAT(fault_of({graph().add(1, Collective, {}, {{"comm_type", 9}}),
                        graph().add(1, Collective, {}, {{"comm_type", 0}, {"comm_size", 8}})}),
              HasSubstr("t.1.et: node 1 is a collective with another comm_type or root than node 1 of rank 0"));
  EXPECT_EQ(fault_of({graph().add(1, Collective, {}, {{"comm_type", 10}})}),
            "t.0.et: node 1 has comm_type 10; expected 0 to 9");
  EXPECT_EQ(fault_of({graph().add(1, Collective, {}, {{"comm_type", 1}, {"comm_size", 8}, {"root", 3}})}),
            "t.0.et: node 1 has root 3, which takes no part");
  EXPECT_EQ(fault_of({graph().add(1, Compute, {2})}), "t.0.et: node 1 waits for node 2, which is not there");
  EXPECT_EQ(fault_of({graph().add(1, Compute, {}).add(1, Compute, {})}), "t.0.et: node 1 is there twice");
  EXPECT_EQ(fault_of({graph().add(1, Compute, {2}).add(2, Compute, {1})}),
            "t.0.et: node 1 waits for itself, over 1 others");
  EXPECT_EQ(fault_of({graph()}), "t.0.et: has no nodes");
}

TEST(unit_chakra, damage_is_an_error) {
  const std::string whole = graph().add(1, Compute, {}, {{"runtime", 5}}).add(2, Compute, {1}).text();
  std::size_t refused = 0;
  for (std::size_t length = 0; length < whole.size(); ++length) {
    try {
      const replay_program p = parse_chakra({whole.substr(0, length)}, {"t.0.et"});
      EXPECT_LT(p.messages.size(), 2u) << length;  // cut between two nodes: the first one is there
    } catch (const workload_error& e) {
      ++refused;
      EXPECT_THAT(e.what(), HasSubstr("t.0.et: ")) << length;
    }
  }
  EXPECT_EQ(refused, whole.size() - 1);
}

TEST(unit_chakra, whatever_the_bytes_nothing_but_its_own_error_is_thrown) {
  const std::string whole = graph()
                                .add(1, Compute, {}, {{"runtime", 5}})
                                .add(2, Collective, {1}, {{"comm_type", 0}, {"comm_size", 64}})
                                .add(3, Compute, {1, 2})
                                .text();
  std::mt19937 random(1);
  std::size_t read = 0, refused = 0;
  for (int i = 0; i < 5000; ++i) {
    std::string bytes = whole;
    for (unsigned n = 1 + random() % 4; n > 0; --n) bytes[random() % bytes.size()] = static_cast<char>(random());
    try {
      parse_chakra({bytes, whole}, {"t.0.et", "t.1.et"});
      ++read;
    } catch (const workload_error&) {
      ++refused;
    }
  }
  EXPECT_GT(read, 100u) << "changes of names";
  EXPECT_GT(refused, 100u);
}

}  // namespace
