// SPDX-License-Identifier: Apache-2.0
/// The switch allocation for 64 routers at once makes the same decisions as allocate_switch() of weft/router for each
/// router, and moves its pointers the same way.
#include "weft/engine/decisions/dense_switch.h"

#include "support/random.h"
#include "unit/engine/switch_reference.h"
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace weft::engine {
namespace {

constexpr unsigned Routers = dense_switch::Routers, Vcs = dense_switch::Vcs;
using reference = switch_reference<32>;

void expect_pointers(const dense_switch& under_test, std::vector<reference>& routers) {
  for (unsigned r = 0; r < Routers; ++r) {
    reference& router = routers[r];
    for (unsigned port = 0; port < router.ports; ++port) {
      const dense_switch::pointers p = under_test.pointers_of(r, port);
      ASSERT_EQ(wrapped(p.output_of_input, router.ports), router.allocator.output_of_input(port)) << r << ", " << port;
      ASSERT_EQ(wrapped(p.vc_of_input, router.vcs), router.allocator.vc_of_input(port)) << r << ", " << port;
      ASSERT_EQ(wrapped(p.input_of_output, router.ports), router.allocator.input_of_output(port)) << r << ", " << port;
    }
  }
}

void compare(unsigned ports, unsigned vcs, vectors use) {
  SCOPED_TRACE(std::to_string(ports) + " ports, " + std::to_string(vcs) + " VCs");
  rng random(test_seed() + ports * 8 + vcs);
  dense_switch under_test(use);
  departures<32> leaving;
  std::vector<reference> routers(Routers, reference(ports, vcs, Vcs));
  for (unsigned r = 0; r < Routers; ++r) {
    routers[r].randomise_pointers(random);
    default_switch_allocator& a = routers[r].allocator;
    for (unsigned port = 0; port < ports; ++port)
      under_test.set_pointers(r, port, {a.output_of_input(port), a.vc_of_input(port), a.input_of_output(port)});
  }
  for (unsigned cycle = 0; cycle < 300; ++cycle) {
    const double busy = random.unit();
    dense_switch::sets occupied{}, able{}, ending{};
    for (unsigned r = 0; r < Routers; ++r) {
      reference& router = routers[r];
      for (unsigned port = 0; port < ports; ++port) {
        for (unsigned vc = 0; vc < vcs; ++vc) {
          const unsigned vc_index = port * Vcs + vc, output = router.any_vc(random);
          if (router.hold(vc_index, output)) under_test.hold(r, vc_index, output);
          occupied[r].insert_if(random.chance(busy), vc_index);
          able[r].insert_if(router.holding.contains(vc_index) && random.chance(busy), vc_index);
          ending[r].insert_if(router.holding.contains(vc_index) && random.chance(0.3), vc_index);
        }
      }
    }
    under_test.allocate(occupied, able, ending, Routers, ports, leaving);
    for (unsigned r = 0; r < Routers; ++r) {
      const reference::departing expected = routers[r].allocate(occupied[r] & able[r], ending[r]);
      ASSERT_EQ(leaving.winners[r].word, expected.winners.word) << "router " << r << ", cycle " << cycle;
      ASSERT_EQ(leaving.sent[r].word, expected.sent.word) << "router " << r << ", cycle " << cycle;
      ASSERT_EQ(leaving.ended_outputs[r].word, expected.ended.word) << "router " << r << ", cycle " << cycle;
    }
    expect_pointers(under_test, routers);
    if (testing::Test::HasFatalFailure()) return;
  }
}

class unit_engine_dense_switch : public testing::TestWithParam<vectors> {};

TEST_P(unit_engine_dense_switch, matches_a_reference_of_a_single_router) {
  if (GetParam() > best_vectors()) GTEST_SKIP() << "this machine has no such vectors";
  for (unsigned ports = 1; ports <= dense_switch::MaxPorts; ++ports)
    for (unsigned vcs = 3; vcs <= Vcs; ++vcs) compare(ports, vcs, GetParam());
}

TEST(unit_engine_dense_switch_pointers, keep_the_values_that_are_set) {
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
