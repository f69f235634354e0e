// SPDX-License-Identifier: Apache-2.0
/// A look-up returns the travel of the packet's own source, destination and class, or nothing.
#include "weft/engine/base/travel_table.h"

#include <gtest/gtest.h>

using namespace weft;
using namespace weft::engine;

namespace {

packet from_to(node_id source, node_id destination, unsigned message_class) {
  packet p;
  p.source = source;
  p.destination = destination;
  p.message_class = static_cast<std::uint8_t>(message_class);
  return p;
}

/// A travel that differs for each combination of source, destination and class.
travel travel_of(const packet& p) { return {p.source * 1000 + p.destination, p.message_class + 1U}; }

}  // namespace

TEST(unit_engine_travel_table, is_empty_after_construction) {
  const travel_table table;
  EXPECT_EQ(table.find(from_to(0, 0, 0)), nullptr);
}

/// 60 sources and as many destinations make more keys than the table has entries, so some entries replace others.
TEST(unit_engine_travel_table, never_returns_the_travel_of_another_packet) {
  travel_table table;
  unsigned found = 0, all = 0;
  for (unsigned round = 0; round < 2; ++round) {
    for (unsigned message_class = 0; message_class < 2; ++message_class) {
      for (node_id source = 0; source < 60; ++source) {
        for (node_id destination = 0; destination < 60; ++destination) {
          const packet p = from_to(source, destination, message_class);
          if (const travel* known = table.find(p); known != nullptr) {
            ++found;
            ASSERT_EQ(known->cycles, travel_of(p).cycles);
            ASSERT_EQ(known->routers, travel_of(p).routers);
          }
          table.enter(p, travel_of(p));
          ASSERT_NE(table.find(p), nullptr);
          ++all;
        }
      }
    }
  }
  EXPECT_LT(found, all);
}

TEST(unit_engine_travel_table, holds_all_pairs_of_one_source_or_one_destination) {
  for (const bool back : {false, true}) {
    travel_table table;
    const auto between = [&](node_id one) { return back ? from_to(one, 7, 0) : from_to(7, one, 0); };
    for (node_id n = 0; n < 4096; ++n) table.enter(between(n), travel_of(between(n)));
    for (node_id n = 0; n < 4096; ++n) {
      ASSERT_NE(table.find(between(n)), nullptr);
      ASSERT_EQ(table.find(between(n))->cycles, travel_of(between(n)).cycles);
    }
  }
}
