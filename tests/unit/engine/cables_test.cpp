// SPDX-License-Identifier: Apache-2.0
/// What cables carry arrives where, and when, it would arrive channel by channel, whatever the vectors.
#include "weft/engine/router/cables.h"

#include "support/random.h"
#include <memory>
#include <string>

#include <gtest/gtest.h>

namespace weft::engine {
namespace {

constexpr unsigned Ports = cables::Ports / RegionRouters, LaneVcs = dense_switch::Vcs;
constexpr std::size_t Regions = 4;
constexpr cycle_t Reach = 5;

/// How a port's channels may lead.
struct course {
  int away;       ///< routers
  unsigned port;  ///< there
  unsigned cycles;
};

/// Channels of the routers of region \p region: mostly along the course of their port, as in a regular network; some
/// where they will, and some ports have none. No two end at the same lane in the same cycle.
cables::ends any_ends(dice& random, std::size_t region, double regular) {
  cables::ends ends;
  lane_sets<32> taken[Regions][Reach + 1]{};
  const auto any_course = [&random] {
    constexpr int Most = RegionRouters + 20;
    const int away = static_cast<int>(random.between(0, 2 * Most)) - Most;
    return course{away, random.between(0, Ports - 1), random.between(1, Reach)};
  };
  for (unsigned port = 0; port < Ports; ++port) {
    const course usual = any_course();
    for (unsigned router = 0; router < RegionRouters; ++router) {
      const course of = random.chance(regular) ? usual : any_course();
      const auto receiver = static_cast<std::ptrdiff_t>(region * RegionRouters + router) + of.away;
      if (random.chance(0.05) || receiver < 0 || receiver >= static_cast<std::ptrdiff_t>(Regions * RegionRouters))
        continue;
      auto& there = taken[receiver / RegionRouters][of.cycles][receiver % RegionRouters];
      if (there.contains(of.port * LaneVcs)) continue;
      there.insert(of.port * LaneVcs);
      ends.to[router * Ports + port] = static_cast<std::uint32_t>(receiver * 32 + of.port * LaneVcs);
      ends.cycles[router * Ports + port] = static_cast<std::uint16_t>(of.cycles);
    }
  }
  return ends;
}

void compare(vectors use, double regular) {
  SCOPED_TRACE("regular " + std::to_string(regular));
  dice random(test_seed() + static_cast<std::uint64_t>(regular * 100));
  for (std::size_t region = 0; region < Regions; ++region) {
    const cables::ends ends = any_ends(random, region, regular);
    const cables under_test(ends, use);
    set_wheel<32> carried(Reach, Regions * RegionRouters), expected(Reach, Regions * RegionRouters);
    departures<32> leaving;
    for (cycle_t now = 0; now < 40; ++now) {
      const double busy = random.chance(0.5) ? 0.02 : random.unit();
      const bool credits = random.chance(0.5);
      auto& members = credits ? leaving.winners : leaving.sent;
      for (unsigned router = 0; router < RegionRouters; ++router) {
        for (auto* beside : {&leaving.ended_outputs, &leaving.winners, &leaving.sent})
          (*beside)[router].word[0] = static_cast<std::uint32_t>(random.bits());  // must not matter
        members[router] = {};
        for (unsigned lane = 0; lane < 32; ++lane) {
          const unsigned port = router * Ports + lane / LaneVcs;
          if (ends.cycles[port] == 0 || !random.chance(busy)) continue;
          members[router].insert(lane);
          const std::uint32_t to = ends.to[port] + lane % LaneVcs;
          expected.at(now + ends.cycles[port]).insert(to / 32, to % 32);
        }
      }
      under_test.carry(leaving, members, ends, carried, now);
      const auto arrived = carried.at(now), due = expected.at(now);
      for (std::size_t r = 0; r < Regions; ++r) {
        const std::uint64_t touched = arrived.take_touched(r), must_touch = due.take_touched(r);
        ASSERT_EQ(touched & must_touch, must_touch) << "cycle " << now << ", region " << r;
        for (std::size_t router = r * RegionRouters; router < (r + 1) * RegionRouters; ++router) {
          ASSERT_EQ(arrived.sets[router].word[0], due.sets[router].word[0]) << "cycle " << now << ", router " << router;
          arrived.sets[router] = due.sets[router] = {};
        }
      }
    }
  }
}

class unit_engine_cables : public testing::TestWithParam<vectors> {};

TEST_P(unit_engine_cables, carry_as_channel_by_channel) {
  if (GetParam() > best_vectors()) GTEST_SKIP() << "this machine has no such vectors";
  for (const double regular : {0.0, 0.3, 0.9, 1.0}) compare(GetParam(), regular);
}

INSTANTIATE_TEST_SUITE_P(vectors, unit_engine_cables,
                         testing::Values(vectors::OfFour, vectors::OfEight, vectors::OfSixteen));

}  // namespace
}  // namespace weft::engine
