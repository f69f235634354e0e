/// Switch allocation for 64 routers at once decides as that of a single router, lane by lane.
#include "weft/engine/dense_switch.h"

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
  std::array<std::array<unsigned, Vcs>, MaxPorts> output{};  ///< that each input VC asks for
};

void compare(unsigned ports, unsigned vcs, bool avx2) {
  SCOPED_TRACE(std::to_string(ports) + " ports, " + std::to_string(vcs) + " VCs");
  dice random(test_seed() + ports * 8 + vcs);
  dense_switch under_test(avx2);
  std::vector<reference> routers(Routers);
  for (unsigned r = 0; r < Routers; ++r) {
    for (unsigned port = 0; port < ports; ++port) {
      const unsigned output = random.between(0, ports - 1), vc = random.between(0, vcs - 1),
                     input = random.between(0, ports - 1);
      routers[r].pointers.output_of_input[port] = static_cast<std::uint8_t>(output);
      routers[r].pointers.vc_of_input[port] = static_cast<std::uint8_t>(vc);
      routers[r].pointers.input_of_output[port] = static_cast<std::uint8_t>(input);
      under_test.set_pointers(r, port, {output, vc, input});
    }
  }
  for (unsigned cycle = 0; cycle < 300; ++cycle) {
    const double busy = random.unit();
    dense_switch::sets occupied{}, able{};
    for (unsigned r = 0; r < Routers; ++r) {
      reference& router = routers[r];
      for (unsigned port = 0; port < ports; ++port) {
        for (unsigned vc = 0; vc < vcs; ++vc) {
          const unsigned lane = port * Vcs + vc;
          if (cycle == 0 || random.chance(0.3)) {
            const unsigned next = random.between(0, ports - 1);
            under_test.want(r, lane, router.output[port][vc], next);
            router.output[port][vc] = next;
          }
          occupied[r].insert_if(random.chance(busy), lane);
          able[r].insert_if(random.chance(busy), lane);
        }
      }
    }
    const dense_switch::sets& winners = under_test.allocate(occupied, able, Routers, ports);
    for (unsigned r = 0; r < Routers; ++r) {
      reference& router = routers[r];
      std::array<vc_set, MaxPorts> ready{};
      for (unsigned port = 0; port < ports; ++port) ready[port] = (occupied[r] & able[r]).field(port * Vcs, 0xf);
      const switch_matching expected = allocate_switch(
          ports, ready, router.pointers, [&](unsigned port, unsigned vc) { return router.output[port][vc]; });
      lane_set<32> lanes;
      for_each_member(expected.inputs, [&](unsigned port) { lanes.insert(port * Vcs + expected.vc[port]); });
      ASSERT_EQ(winners[r].word[0], lanes.word[0]) << "router " << r << ", cycle " << cycle;
      advance(router.pointers, expected, ports, vcs);
    }
  }
}

void compare_all(bool avx2) {
  for (unsigned ports = 1; ports <= dense_switch::MaxPorts; ++ports)
    for (unsigned vcs = 3; vcs <= Vcs; ++vcs) compare(ports, vcs, avx2);
}

TEST(unit_engine_dense_switch, decides_as_a_single_router) { compare_all(false); }

TEST(unit_engine_dense_switch, decides_as_a_single_router_with_avx2) {
  if (!dense_switch::has_avx2()) GTEST_SKIP() << "this machine has no AVX2";
  compare_all(true);
}

}  // namespace
}  // namespace weft::engine
