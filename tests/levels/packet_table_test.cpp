// SPDX-License-Identifier: Apache-2.0
/// The table of the packets in a network, which holds data that flits do not carry.
#include "weft/pin/packet_table.h"

#include "levels/bench.h"
#include <map>
#include <vector>

#include <gtest/gtest.h>

#include "weft/pin/nic/packet_cuts.h"

namespace weft::pin {
namespace {

TEST(levels_pin_packet_table, tag_is_the_low_bits_of_the_packet_id) {
  packet_table table;
  for (packet_id id = 0; id < 1000; ++id) EXPECT_EQ(table.add(id, 0), flit_tag(static_cast<std::uint32_t>(id)));
  EXPECT_EQ(table.add((packet_id{1} << 40) + 1023, 0), flit_tag(1023)) << "the low bits of the packet id";
}

TEST(levels_pin_packet_table, packets_have_distinct_tags) {
  packet_table table;
  const packet_id stride = packet_id{1} << 24;
  std::vector<flit_tag> tags;
  for (packet_id n = 0; n < 300; ++n) tags.push_back(table.add(n * stride + 7, n));
  for (std::size_t n = 0; n < tags.size(); ++n) {
    EXPECT_EQ(table.of(tags[n]).id, n * stride + 7);
    EXPECT_EQ(table.of(tags[n].of(99)).created, n) << "the same for any flit of the packet";
  }
}

TEST(levels_pin_packet_table, keeps_rows_while_packets_are_added_and_removed) {
  random_numbers random;
  packet_table table;
  std::map<packet_id, std::pair<flit_tag, packet_table::row>> within;
  packet_id next = 0;
  for (unsigned step = 0; step < 20000; ++step) {
    if (within.empty() || random.chance(step % 4000 < 2000 ? 0.6 : 0.4)) {
      next += 1 + random.below(300);
      within[next] = {table.add(next, step), {next, step, 0}};
    } else {
      auto some = within.lower_bound(random.below(static_cast<unsigned>(next + 1)));
      if (some == within.end()) some = within.begin();
      auto& [tag, row] = some->second;
      if (random.chance(0.5)) {
        table.pass(tag);
        ++row.routers;
      } else {
        table.remove(tag);
        within.erase(some);
      }
    }
    ASSERT_EQ(table.size(), within.size());
    if (step % 500 != 0) continue;
    for (const auto& [id, known] : within) {
      const packet_table::row& row = table.of(known.first);
      ASSERT_EQ(row.id, id);
      ASSERT_EQ(row.created, known.second.created);
      ASSERT_EQ(row.routers, known.second.routers);
    }
  }
}

TEST(levels_pin_packet_table, never_assigns_the_reserved_unset_tag) {
  packet_table table;
  const packet_id last = flit_tag::Numbers;
  EXPECT_EQ(table.add(last - 1, 0), flit_tag(flit_tag::Numbers - 1));
  EXPECT_EQ(table.add(last, 0), flit_tag(0)) << "the next number";
  EXPECT_EQ(table.add(2 * last + 1, 0), flit_tag(1)) << "the next number; 0 is in use";
  EXPECT_EQ(table.add(last + 1, 7), flit_tag(2));
  EXPECT_EQ(table.of(flit_tag(2)).created, 7U);
}

TEST(levels_pin_packet_table, ignores_a_flit_without_tag) {
  packet_table table;
  const flit_tag only = table.add(flit_tag::Numbers & 63, 0);  // occupies the entry that an invalid tag would have
  table.pass(flit_tag());
  EXPECT_EQ(table.of(only).routers, 0U);
  EXPECT_THAT(broken_rule([&] { table.of(flit_tag()); }), testing::HasSubstr("flit without a tag"));
}

TEST(levels_pin_packet_table, packet_without_tag_is_truncated_as_configured) {
  packet_table table;
  const flit_tag tagged = table.add(flit_tag::Numbers & 63, 0, 9);
  codec_parameters configured;
  configured.cut = 20;
  packet_cuts cuts;
  EXPECT_EQ(cuts.of(tagged, configured).cut, 20U) << "there is no table";
  cuts.attach(table);
  EXPECT_EQ(cuts.of(tagged, configured).cut, 9U);
  EXPECT_EQ(cuts.of(flit_tag(), configured).cut, 20U);
}

TEST(levels_pin_packet_table, unset_tag_stays_unset) {
  EXPECT_FALSE(flit_tag().is_set());
  EXPECT_EQ(flit_tag().of(7), flit_tag());
  EXPECT_FALSE(flit_t().tag.is_set());
  EXPECT_TRUE(flit_tag(0).is_set());
  EXPECT_EQ(flit_tag(3).of(300).sequence(), 300U % 256);
}

}  // namespace
}  // namespace weft::pin
