// SPDX-License-Identifier: Apache-2.0
/// channel_bundles deliver the same in the same cycle as individual channels, with vectors of every size.
#include "weft/engine/router/channel_bundles.h"

#include "support/random.h"
#include <memory>
#include <string>

#include <gtest/gtest.h>

namespace weft::engine {
namespace {

constexpr unsigned Ports = channel_bundles::Ports / RegionRouters, PortVcs = dense_switch::Vcs;
constexpr std::size_t Regions = 4;
constexpr cycle_t Reach = 5;

/// Where the channel of a port ends, relative to its router.
struct displacement {
  int away;       ///< distance, in router numbers
  unsigned port;  ///< input port of the receiver
  unsigned cycles;
};

/// Channels of the routers of region \p region. Most have the displacement of their port, as in a regular network; some
/// have a random one, and some ports have no channel. No two channels end at the same VC in the same cycle.
channel_bundles::ends any_ends(rng& random, std::size_t region, double regular) {
  channel_bundles::ends ends;
  router_vc_sets<32> delivered[Regions][Reach + 1]{};
  const auto any_displacement = [&random] {
    constexpr int Most = RegionRouters + 20;
    const int away = static_cast<int>(random.between(0, 2 * Most)) - Most;
    return displacement{away, random.between(0, Ports - 1), random.between(1, Reach)};
  };
  for (unsigned port = 0; port < Ports; ++port) {
    const displacement usual = any_displacement();
    for (unsigned router = 0; router < RegionRouters; ++router) {
      const displacement of = random.chance(regular) ? usual : any_displacement();
      const auto receiver = static_cast<std::ptrdiff_t>(region * RegionRouters + router) + of.away;
      if (random.chance(0.05) || receiver < 0 || receiver >= static_cast<std::ptrdiff_t>(Regions * RegionRouters))
        continue;
      auto& there = delivered[receiver / RegionRouters][of.cycles][receiver % RegionRouters];
      if (there.contains(of.port * PortVcs)) continue;
      there.insert(of.port * PortVcs);
      ends.to[router * Ports + port] = static_cast<std::uint32_t>(receiver * 32 + of.port * PortVcs);
      ends.cycles[router * Ports + port] = static_cast<std::uint16_t>(of.cycles);
    }
  }
  return ends;
}

void compare(vectors use, double regular) {
  SCOPED_TRACE("regular " + std::to_string(regular));
  rng random(test_seed() + static_cast<std::uint64_t>(regular * 100));
  for (std::size_t region = 0; region < Regions; ++region) {
    const channel_bundles::ends ends = any_ends(random, region, regular);
    const channel_bundles under_test(ends, use);
    set_wheel<32> carried(Reach, Regions * RegionRouters), expected(Reach, Regions * RegionRouters);
    departures<32> leaving;
    for (cycle_t now = 0; now < 40; ++now) {
      const double busy = random.chance(0.5) ? 0.02 : random.unit();
      const bool credits = random.chance(0.5);
      auto& members = credits ? leaving.winners : leaving.sent;
      for (unsigned router = 0; router < RegionRouters; ++router) {
        for (auto* beside : {&leaving.ended_outputs, &leaving.winners, &leaving.sent})
          (*beside)[router].word[0] = static_cast<std::uint32_t>(random.bits());  // must have no effect
        members[router] = {};
        for (unsigned vc_index = 0; vc_index < 32; ++vc_index) {
          const unsigned port = router * Ports + vc_index / PortVcs;
          if (ends.cycles[port] == 0 || !random.chance(busy)) continue;
          members[router].insert(vc_index);
          const std::uint32_t to = ends.to[port] + vc_index % PortVcs;
          expected.at(now + ends.cycles[port]).insert(to / 32, to % 32);
        }
      }
      under_test.carry(leaving, members, ends, carried, now);
      const auto arrived = carried.at(now), due = expected.at(now);
      for (std::size_t r = 0; r < Regions; ++r) {
        const std::uint64_t touched = arrived.pop_touched(r), must_touch = due.pop_touched(r);
        ASSERT_EQ(touched & must_touch, must_touch) << "cycle " << now << ", region " << r;
        for (std::size_t router = r * RegionRouters; router < (r + 1) * RegionRouters; ++router) {
          ASSERT_EQ(arrived.sets[router].word[0], due.sets[router].word[0]) << "cycle " << now << ", router " << router;
          arrived.sets[router] = due.sets[router] = {};
        }
      }
    }
  }
}

class unit_engine_channel_bundles : public testing::TestWithParam<vectors> {};

TEST_P(unit_engine_channel_bundles, match_individual_channels) {
  if (GetParam() > best_vectors()) GTEST_SKIP() << "this machine has no such vectors";
  for (const double regular : {0.0, 0.3, 0.9, 1.0}) compare(GetParam(), regular);
}

INSTANTIATE_TEST_SUITE_P(vectors, unit_engine_channel_bundles,
                         testing::Values(vectors::OfFour, vectors::OfEight, vectors::OfSixteen));

}  // namespace
}  // namespace weft::engine
