// SPDX-License-Identifier: Apache-2.0
/// Switch allocation by the list of lanes that ask decides as allocate_switch() of weft/core does for each router, and
/// its pointers move alike.
#include "weft/engine/decisions/sparse_switch.h"

#include "support/random.h"
#include "unit/engine/switch_reference.h"
#include <array>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace weft::engine {
namespace {

/// A region of routers with \p ports ports of \p vcs VCs, as sparse_switch sees it, and as weft/core does.
template <unsigned Lanes, int Shift>
struct switch_scene {
  using numbers = lane_numbers<Lanes, Shift>;
  using sets = typename numbers::sets;
  using reference = switch_reference<Lanes>;

  switch_scene(unsigned ports, unsigned vcs, dice& random)
      : number(vcs), under_test(number, ports), routers(RegionRouters, {ports, vcs, number.stride(), {}, {}, {}, {}}) {
    pointers.reset(number.shift());
    held.fill({});
    for (unsigned r = 0; r < RegionRouters; ++r) {
      routers[r].randomise_pointers(random);
      for (unsigned port = 0; port < ports; ++port) {
        const unsigned p = port_in_region(r, port);
        pointers.at[p] = {to_byte(port * number.stride() + routers[r].pointers.vc_of_input[port]),
                          to_byte(routers[r].pointers.output_of_input[port]),
                          to_byte(routers[r].pointers.input_of_output[port])};
      }
    }
  }

  unsigned port_in_region(unsigned router, unsigned port) const {
    return (router << numbers::LaneBits) / number.stride() + port;
  }

  void randomise(dice& random) {
    const double crowded = random.unit(), busy = random.chance(0.3) ? 0.02 : random.unit();
    occupied = able = ending = {};
    for (unsigned r = 0; r < RegionRouters; ++r) {
      reference& router = routers[r];
      for (unsigned port = 0; random.chance(crowded) && port < router.ports; ++port) {
        for (unsigned vc = 0; vc < router.vcs; ++vc) {
          const unsigned lane = port * number.stride() + vc, wanted = router.any_lane(random);
          if (router.hold(lane, wanted)) held[r << numbers::LaneBits | lane].output = to_byte(wanted);
          occupied[r].insert_if(random.chance(busy), lane);
          able[r].insert_if(router.holding.contains(lane) && random.chance(busy), lane);
          ending[r].insert_if(router.holding.contains(lane) && random.chance(0.3), lane);
        }
      }
    }
  }

  /// What the lanes say that are granted the switch; their pointers move.
  std::vector<typename reference::departing> departing() {
    std::vector<typename reference::departing> leaving(RegionRouters);
    for (const std::uint16_t granted : under_test.granted()) {
      const unsigned r = granted >> numbers::LaneBits, in = granted & numbers::LaneMask,
                     out = value(held[granted].output);
      EXPECT_FALSE(leaving[r].winners.contains(in));
      leaving[r].winners.insert(in);
      leaving[r].sent.insert(out);
      leaving[r].ended.insert_if(ending[r].contains(in), out);
      pointers.pass(in, port_in_region(r, in >> number.shift()), out, port_in_region(r, out >> number.shift()),
                    number.shift());
    }
    under_test.clear();
    return leaving;
  }

  void expect_pointers() const {
    for (unsigned r = 0; r < RegionRouters; ++r) {
      const reference& router = routers[r];
      for (unsigned port = 0; port < router.ports; ++port) {
        const unsigned p = port_in_region(r, port);
        // A lane behind the last one of a router, which has them all, is 0 in a byte.
        const unsigned vc = (value(pointers.at[p].lane_of_input) - port * number.stride()) & 0xff;
        ASSERT_EQ(wrapped(value(pointers.at[p].output_of_input), router.ports), router.pointers.output_of_input[port]);
        ASSERT_EQ(wrapped(vc, router.vcs), router.pointers.vc_of_input[port]);
        ASSERT_EQ(wrapped(value(pointers.at[p].input_of_output), router.ports), router.pointers.input_of_output[port]);
      }
    }
  }

  const numbers number;
  sparse_switch<Lanes, Shift> under_test;
  sparse_pointers<numbers> pointers;
  std::array<held_lanes, numbers::RegionLanes> held;
  sets occupied{}, able{}, ending{};
  std::vector<reference> routers;
};

template <unsigned Lanes, int Shift>
void compare(unsigned ports, unsigned vcs) {
  SCOPED_TRACE(std::to_string(Lanes) + " lanes, " + std::to_string(ports) + " ports, " + std::to_string(vcs) + " VCs");
  dice random(test_seed() + ports * 32 + vcs);
  const auto here = std::make_unique<switch_scene<Lanes, Shift>>(ports, vcs, random);
  for (unsigned cycle = 0; cycle < 150; ++cycle) {
    here->randomise(random);
    std::uint64_t may_ask = ~std::uint64_t{0};
    here->under_test.allocate(may_ask, here->occupied, here->able, here->held.data(), here->pointers);
    const auto leaving = here->departing();
    for (unsigned r = 0; r < RegionRouters; ++r) {
      const auto ready = here->occupied[r] & here->able[r];
      const auto expected = here->routers[r].allocate(ready, here->ending[r]);
      ASSERT_EQ(may_ask >> r & 1, ready.any()) << "router " << r << ", cycle " << cycle;
      ASSERT_EQ(leaving[r].winners.word, expected.winners.word) << "router " << r << ", cycle " << cycle;
      ASSERT_EQ(leaving[r].sent.word, expected.sent.word) << "router " << r << ", cycle " << cycle;
      ASSERT_EQ(leaving[r].ended.word, expected.ended.word) << "router " << r << ", cycle " << cycle;
    }
    here->expect_pointers();
    if (testing::Test::HasFatalFailure()) return;
  }
}

TEST(unit_engine_sparse_switch, decides_as_a_single_router) {
  for (unsigned ports = 1; ports <= 8; ++ports)
    for (unsigned vcs = 3; vcs <= 4; ++vcs) compare<32, 2>(ports, vcs);
  for (const unsigned ports : {2U, 5U, 16U}) compare<64, -1>(ports, 4);
  for (const unsigned vcs : {1U, 2U, 5U, 8U}) compare<64, -1>(8, vcs);
  compare<64, -1>(4, 16);
  for (const unsigned vcs : {5U, 9U, 16U}) compare<256, -1>(16, vcs);
}

}  // namespace
}  // namespace weft::engine
