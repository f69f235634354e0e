// SPDX-License-Identifier: Apache-2.0
/// The fast choices of VC allocation are those of weft/core.
#include "weft/engine/decisions/vc_choice.h"

#include "support/random.h"
#include "support/vc_grants.h"
#include <array>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "weft/engine/base/lane_numbers.h"

namespace weft::engine {
namespace {

/// Lanes as the engine numbers them, where some may not exist, and as weft/core does.
struct numbering {
  unsigned ports, vcs, stride;

  numbering(unsigned p, unsigned v) : ports(p), vcs(v), stride(1U << bits_for(v)) {}

  unsigned lanes() const { return ports * vcs; }
  /// A lane of weft/core as one of the engine.
  unsigned lane(unsigned core) const { return core / vcs * stride + core % vcs; }
  /// Where a round robin from the engine's \p pointer on begins in weft/core: at the first lane from it on that exists.
  unsigned core_pointer(unsigned pointer) const {
    const unsigned port = pointer / stride, vc = pointer % stride;
    const unsigned core = port * vcs + (vc < vcs ? vc : vcs);
    return core < lanes() ? core : 0;
  }
};

template <unsigned Lanes>
void compare_favourites(const numbering& n, vc_set candidates) {
  for (unsigned port = 0; port < n.ports; ++port) {
    for (unsigned pointer = 0; pointer <= Lanes; ++pointer) {
      const unsigned expected = favourite_vc(candidates, port * n.vcs, n.core_pointer(pointer));
      ASSERT_EQ(favourite_lane<Lanes>(candidates, port * n.stride, pointer), port * n.stride + expected)
          << n.ports << " ports of " << n.vcs << " VCs, candidates " << candidates << " of port " << port
          << ", pointer " << pointer;
    }
  }
}

TEST(unit_engine_vc_choice, favourites_are_those_of_core) {
  for (unsigned ports = 1; ports <= 8; ++ports)
    for (unsigned vcs = 3; vcs <= 4; ++vcs)
      for (vc_set candidates = 1; candidates <= first_vcs(vcs); ++candidates)
        compare_favourites<32>({ports, vcs}, candidates);
  for (unsigned vcs = 1; vcs <= 8; ++vcs)
    for (vc_set candidates = 1; candidates <= first_vcs(vcs); ++candidates)
      compare_favourites<64>({8, vcs}, candidates);
  dice random(test_seed());
  for (unsigned k = 0; k < 2000; ++k) compare_favourites<256>({16, 16}, random.between(1, first_vcs(16)));
}

template <unsigned Lanes>
void compare_turns(const numbering& n) {
  for (unsigned pointer = 0; pointer <= Lanes; ++pointer) {
    const unsigned core_pointer = n.core_pointer(pointer);
    for (unsigned a = 0; a < n.lanes(); ++a)
      for (unsigned b = 0; b < n.lanes(); ++b)
        ASSERT_EQ(has_turn_before<Lanes>(n.lane(a) + 3 * Lanes, n.lane(b), pointer),
                  lane_turn(a, core_pointer, n.lanes()) < lane_turn(b, core_pointer, n.lanes()))
            << n.ports << " ports of " << n.vcs << " VCs, lanes " << a << " and " << b << ", pointer " << pointer;
  }
}

TEST(unit_engine_vc_choice, turns_are_those_of_core) {
  for (unsigned ports = 1; ports <= 8; ++ports)
    for (unsigned vcs = 3; vcs <= 4; ++vcs) compare_turns<32>({ports, vcs});
  for (const unsigned vcs : {1U, 2U, 3U, 5U, 8U}) compare_turns<64>({8, vcs});
  compare_turns<256>({16, 9});
}

/// Whole allocations of a router, cycle after cycle: the engine's pointers point behind what a lane held last.
template <unsigned Lanes>
void compare_allocations(unsigned ports, unsigned vcs) {
  const numbering n(ports, vcs);
  dice random(test_seed() + ports * 32 + vcs);
  vc_pointers pointers;
  std::array<unsigned, Lanes> output, holder;
  output.fill(Lanes - 1);
  holder.fill(Lanes - 1);
  for (unsigned cycle = 0; cycle < 300; ++cycle) {
    vc_requests requests;
    std::array<unsigned, Lanes> winner;
    winner.fill(Lanes);
    for (unsigned in = 0; in < n.lanes(); ++in) {
      const route asked{static_cast<std::uint8_t>(random.between(0, ports - 1)), random.between(0, first_vcs(vcs))};
      if (random.chance(0.4)) continue;
      ask(requests, in / vcs, in % vcs, asked);
      if (asked.vcs == 0) continue;
      const unsigned in_lane = n.lane(in), first = asked.port * n.stride;
      const unsigned out = favourite_lane<Lanes>(asked.vcs, first, output[in_lane] + 1);
      if (winner[out] == Lanes || !has_turn_before<Lanes>(winner[out], in_lane, holder[out] + 1)) winner[out] = in_lane;
    }
    const vc_matching expected = allocate_vcs(ports, vcs, requests, pointers.input, pointers.output);
    const std::vector<vc_grant> grants = grants_of(expected);
    std::size_t count = 0;
    for (const unsigned in : winner) count += in != Lanes;
    ASSERT_EQ(count, grants.size()) << "cycle " << cycle;
    for (const vc_grant& grant : grants) {
      const unsigned in = grant.in_port * n.stride + grant.in_vc, out = grant.out_port * n.stride + grant.out_vc;
      ASSERT_EQ(winner[out], in) << "cycle " << cycle << ", output lane " << out;
      output[in] = out;
      holder[out] = in;
    }
    advance(pointers.input, pointers.output, expected, ports, vcs);
  }
}

TEST(unit_engine_vc_choice, allocates_as_core_does) {
  for (unsigned ports = 1; ports <= 8; ++ports)
    for (unsigned vcs = 3; vcs <= 4; ++vcs) compare_allocations<32>(ports, vcs);
  for (const unsigned vcs : {1U, 2U, 3U, 5U, 8U}) compare_allocations<64>(8, vcs);
  for (const unsigned vcs : {5U, 9U, 16U}) compare_allocations<256>(16, vcs);
}

}  // namespace
}  // namespace weft::engine
