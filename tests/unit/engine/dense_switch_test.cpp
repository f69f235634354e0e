/// Switch allocation for 64 routers at once decides as that of a single router, lane by lane.
#include "weft/engine/router/dense_switch.h"

#include "support/random.h"
#include <array>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "weft/core/allocation.h"

namespace weft::engine {
namespace {

constexpr unsigned Routers = dense_switch::Routers, Vcs = dense_switch::Vcs;

/// One router as core sees it.
struct reference {
  switch_pointers pointers;
  lane_set<32> holding;               ///< input lanes with an output lane
  std::array<unsigned, 32> output{};  ///< which
  std::array<bool, 32> is_free{};     ///< output lanes that nobody holds
};

void compare(unsigned ports, unsigned vcs, vectors use) {
  SCOPED_TRACE(std::to_string(ports) + " ports, " + std::to_string(vcs) + " VCs");
  dice random(test_seed() + ports * 8 + vcs);
  dense_switch under_test(use);
  departures<32> leaving;
  std::vector<reference> routers(Routers);
  for (unsigned r = 0; r < Routers; ++r) {
    routers[r].is_free.fill(true);
    for (unsigned port = 0; port < ports; ++port) {
      const unsigned output = random.between(0, ports - 1), vc = random.between(0, vcs - 1),
                     input = random.between(0, ports - 1);
      routers[r].pointers.output_of_input[port] = static_cast<std::uint8_t>(output);
      routers[r].pointers.vc_of_input[port] = static_cast<std::uint8_t>(vc);
      routers[r].pointers.input_of_output[port] = static_cast<std::uint8_t>(input);
      under_test.set_pointers(r, port, {output, vc, input});
    }
  }
  const auto any_lane = [&] { return random.between(0, ports - 1) * Vcs + random.between(0, vcs - 1); };
  for (unsigned cycle = 0; cycle < 300; ++cycle) {
    const double busy = random.unit();
    dense_switch::sets occupied{}, able{}, ending{};
    for (unsigned r = 0; r < Routers; ++r) {
      reference& router = routers[r];
      for (unsigned port = 0; port < ports; ++port) {
        for (unsigned vc = 0; vc < vcs; ++vc) {
          const unsigned lane = port * Vcs + vc, output = any_lane();
          if (!router.holding.contains(lane) && router.is_free[output]) {
            under_test.hold(r, lane, output);
            router.holding.insert(lane);
            router.output[lane] = output;
            router.is_free[output] = false;
          }
          occupied[r].insert_if(random.chance(busy), lane);
          able[r].insert_if(router.holding.contains(lane) && random.chance(busy), lane);
          ending[r].insert_if(router.holding.contains(lane) && random.chance(0.3), lane);
        }
      }
    }
    under_test.allocate(occupied, able, ending, Routers, ports, leaving);
    for (unsigned r = 0; r < Routers; ++r) {
      reference& router = routers[r];
      std::array<vc_set, MaxPorts> ready{};
      for (unsigned port = 0; port < ports; ++port) ready[port] = (occupied[r] & able[r]).field(port * Vcs, 0xf);
      const switch_matching expected = allocate_switch(ports, ready, router.pointers, [&](unsigned port, unsigned vc) {
        return router.output[port * Vcs + vc] / Vcs;
      });
      lane_set<32> winners, sent, ended;
      for_each_member(expected.inputs, [&](unsigned port) {
        const unsigned lane = port * Vcs + expected.vc[port], output = router.output[lane];
        winners.insert(lane);
        sent.insert(output);
        if (!ending[r].contains(lane)) return;
        ended.insert(output);
        router.holding.erase(lane);
        router.is_free[output] = true;
      });
      ASSERT_EQ(leaving.winners[r].word[0], winners.word[0]) << "router " << r << ", cycle " << cycle;
      ASSERT_EQ(leaving.sent[r].word[0], sent.word[0]) << "router " << r << ", cycle " << cycle;
      ASSERT_EQ(leaving.ended_outputs[r].word[0], ended.word[0]) << "router " << r << ", cycle " << cycle;
      advance(router.pointers, expected, ports, vcs);
    }
  }
}

class unit_engine_dense_switch : public testing::TestWithParam<vectors> {};

TEST_P(unit_engine_dense_switch, decides_as_a_single_router) {
  if (GetParam() > best_vectors()) GTEST_SKIP() << "this machine has no such vectors";
  for (unsigned ports = 1; ports <= dense_switch::MaxPorts; ++ports)
    for (unsigned vcs = 3; vcs <= Vcs; ++vcs) compare(ports, vcs, GetParam());
}

/// Pointers that were set are what is read, and what a cycle made of them is where it goes on.
TEST(unit_engine_dense_switch_pointers, are_as_they_were_set) {
  dense_switch under_test(best_vectors());
  for (unsigned port = 0; port < dense_switch::MaxPorts; ++port) {
    for (unsigned output = 0; output <= dense_switch::MaxPorts; ++output) {
      for (unsigned vc = 0; vc <= Vcs; ++vc) {
        const unsigned router = (port + 3 * output + 5 * vc) % Routers;
        under_test.set_pointers(router, port, {output, vc, dense_switch::MaxPorts - output});
        const dense_switch::pointers p = under_test.pointers_of(router, port);
        EXPECT_EQ(p.output_of_input, output);
        EXPECT_EQ(p.vc_of_input, vc);
        EXPECT_EQ(p.input_of_output, dense_switch::MaxPorts - output);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(vectors, unit_engine_dense_switch,
                         testing::Values(vectors::OfFour, vectors::OfEight, vectors::OfSixteen));

}  // namespace
}  // namespace weft::engine
