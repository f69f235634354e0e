// SPDX-License-Identifier: Apache-2.0
/// Switch allocation by a list of requesting VCs makes the same decisions as allocate_switch() of weft/router for each
/// router, and moves its pointers the same way.
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

/// A region of routers with \p ports ports of \p vcs VCs, in the forms of sparse_switch and of weft/router.
template <unsigned RouterVcs, int Shift>
struct switch_scene {
  using numbers = vc_numbering<RouterVcs, Shift>;
  using sets = typename numbers::sets;
  using reference = switch_reference<RouterVcs>;

  switch_scene(unsigned ports, unsigned vcs, rng& random)
      : number(vcs), under_test(number, ports), routers(RegionRouters, reference(ports, vcs, number.stride())) {
    pointers.reset(number.shift());
    held.fill({});
    for (unsigned r = 0; r < RegionRouters; ++r) {
      routers[r].randomise_pointers(random);
      for (unsigned port = 0; port < ports; ++port) {
        const unsigned p = port_in_region(r, port);
        pointers.at[p] = {to_byte(port * number.stride() + routers[r].allocator.vc_of_input(port)),
                          to_byte(routers[r].allocator.output_of_input(port)),
                          to_byte(routers[r].allocator.input_of_output(port))};
      }
    }
  }

  unsigned port_in_region(unsigned router, unsigned port) const {
    return (router << numbers::VcIndexBits) / number.stride() + port;
  }

  void randomise(rng& random) {
    const double crowded = random.unit(), busy = random.chance(0.3) ? 0.02 : random.unit();
    occupied = able = ending = {};
    for (unsigned r = 0; r < RegionRouters; ++r) {
      reference& router = routers[r];
      for (unsigned port = 0; random.chance(crowded) && port < router.ports; ++port) {
        for (unsigned vc = 0; vc < router.vcs; ++vc) {
          const unsigned vc_index = port * number.stride() + vc, output_vc = router.any_vc(random);
          if (router.hold(vc_index, output_vc)) held[r << numbers::VcIndexBits | vc_index].output = to_byte(output_vc);
          occupied[r].insert_if(random.chance(busy), vc_index);
          able[r].insert_if(router.holding.contains(vc_index) && random.chance(busy), vc_index);
          ending[r].insert_if(router.holding.contains(vc_index) && random.chance(0.3), vc_index);
        }
      }
    }
  }

  /// The departures of the VCs that are granted the switch; moves their pointers.
  std::vector<typename reference::departing> departing() {
    std::vector<typename reference::departing> leaving(RegionRouters);
    for (const std::uint16_t granted : under_test.granted()) {
      const unsigned r = granted >> numbers::VcIndexBits, in = granted & numbers::VcIndexMask,
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

  void expect_pointers() {
    for (unsigned r = 0; r < RegionRouters; ++r) {
      reference& router = routers[r];
      for (unsigned port = 0; port < router.ports; ++port) {
        const unsigned p = port_in_region(r, port);
        // In a router with all its VCs, the index past the last VC wraps to 0 in a byte.
        const unsigned vc = (value(pointers.at[p].vc_of_input_port) - port * number.stride()) & 0xff;
        ASSERT_EQ(wrapped(value(pointers.at[p].output_of_input), router.ports), router.allocator.output_of_input(port));
        ASSERT_EQ(wrapped(vc, router.vcs), router.allocator.vc_of_input(port));
        ASSERT_EQ(wrapped(value(pointers.at[p].input_of_output), router.ports), router.allocator.input_of_output(port));
      }
    }
  }

  const numbers number;
  sparse_switch<RouterVcs, Shift> under_test;
  sparse_pointers<numbers> pointers;
  std::array<vc_ownership, numbers::RegionVcs> held;
  sets occupied{}, able{}, ending{};
  std::vector<reference> routers;
};

template <unsigned RouterVcs, int Shift>
void compare(unsigned ports, unsigned vcs) {
  SCOPED_TRACE(std::to_string(RouterVcs) + " input VCs, " + std::to_string(ports) + " ports, " + std::to_string(vcs) +
               " VCs");
  rng random(test_seed() + ports * 32 + vcs);
  const auto here = std::make_unique<switch_scene<RouterVcs, Shift>>(ports, vcs, random);
  for (unsigned cycle = 0; cycle < 150; ++cycle) {
    here->randomise(random);
    std::uint64_t may_request = ~std::uint64_t{0};
    here->under_test.allocate(may_request, here->occupied, here->able, here->held.data(), here->pointers);
    const auto leaving = here->departing();
    for (unsigned r = 0; r < RegionRouters; ++r) {
      const auto ready = here->occupied[r] & here->able[r];
      const auto expected = here->routers[r].allocate(ready, here->ending[r]);
      ASSERT_EQ(may_request >> r & 1, ready.any()) << "router " << r << ", cycle " << cycle;
      ASSERT_EQ(leaving[r].winners.word, expected.winners.word) << "router " << r << ", cycle " << cycle;
      ASSERT_EQ(leaving[r].sent.word, expected.sent.word) << "router " << r << ", cycle " << cycle;
      ASSERT_EQ(leaving[r].ended.word, expected.ended.word) << "router " << r << ", cycle " << cycle;
    }
    here->expect_pointers();
    if (testing::Test::HasFatalFailure()) return;
  }
}

TEST(unit_engine_sparse_switch, matches_a_reference_of_a_single_router) {
  for (unsigned ports = 1; ports <= 8; ++ports)
    for (unsigned vcs = 3; vcs <= 4; ++vcs) compare<32, 2>(ports, vcs);
  for (const unsigned ports : {2U, 5U, 16U}) compare<64, -1>(ports, 4);
  for (const unsigned vcs : {1U, 2U, 5U, 8U}) compare<64, -1>(8, vcs);
  compare<64, -1>(4, 16);
  for (const unsigned vcs : {5U, 9U, 16U}) compare<256, -1>(16, vcs);
}

}  // namespace
}  // namespace weft::engine
