// SPDX-License-Identifier: Apache-2.0
/// The fast functions of VC allocation make the choices of weft/router.
#include "weft/engine/decisions/vc_choice.h"

#include "support/default_allocators.h"
#include "support/random.h"
#include "support/vc_grants.h"
#include <array>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "weft/engine/base/vc_numbering.h"

namespace weft::engine {
namespace {

/// VC numbers of the engine, some of which may not exist, and of weft/router.
struct numbering {
  unsigned ports, vcs, stride;

  numbering(unsigned p, unsigned v) : ports(p), vcs(v), stride(1U << bits_for(v)) {}

  unsigned vc_count() const { return ports * vcs; }
  /// The engine's number of a VC of weft/router.
  unsigned vc_index(unsigned core) const { return core / vcs * stride + core % vcs; }
  /// The pointer of weft/router for the engine's \p pointer: the first VC from it on that exists.
  unsigned core_pointer(unsigned pointer) const {
    const unsigned port = pointer / stride, vc = pointer % stride;
    const unsigned core = port * vcs + (vc < vcs ? vc : vcs);
    return core < vc_count() ? core : 0;
  }
};

template <unsigned RouterVcs>
void compare_preferred(const numbering& n, vc_set candidates) {
  default_vc_allocator allocator(n.ports, n.vcs);
  for (unsigned pointer = 0; pointer <= RouterVcs; ++pointer) {
    allocator.of_input(0) = static_cast<std::uint16_t>(n.core_pointer(pointer));
    for (unsigned port = 0; port < n.ports; ++port) {
      const unsigned expected =
          preferred_output(allocator.design(), allocator.state(), 0, 0, port, candidates, equal_priorities());
      ASSERT_EQ(preferred_vc(candidates, port * n.vcs, n.core_pointer(pointer)), expected)
          << n.ports << " ports of " << n.vcs << " VCs, candidates " << candidates << " of port " << port
          << ", pointer " << pointer;
      ASSERT_EQ(preferred_vc_index<RouterVcs>(candidates, port * n.stride, pointer), port * n.stride + expected)
          << n.ports << " ports of " << n.vcs << " VCs, candidates " << candidates << " of port " << port
          << ", pointer " << pointer;
    }
  }
}

TEST(unit_engine_vc_choice, preferred_vcs_match_core) {
  for (unsigned ports = 1; ports <= 8; ++ports)
    for (unsigned vcs = 3; vcs <= 4; ++vcs)
      for (vc_set candidates = 1; candidates <= first_vcs(vcs); ++candidates)
        compare_preferred<32>({ports, vcs}, candidates);
  for (unsigned vcs = 1; vcs <= 8; ++vcs)
    for (vc_set candidates = 1; candidates <= first_vcs(vcs); ++candidates) compare_preferred<64>({8, vcs}, candidates);
  rng random(test_seed());
  for (unsigned k = 0; k < 2000; ++k) compare_preferred<256>({16, 16}, random.between(1, first_vcs(16)));
}

template <unsigned RouterVcs>
void compare_distances(const numbering& n) {
  for (unsigned pointer = 0; pointer <= RouterVcs; ++pointer) {
    const unsigned core_pointer = n.core_pointer(pointer);
    for (unsigned a = 0; a < n.vc_count(); ++a)
      for (unsigned b = 0; b < n.vc_count(); ++b)
        ASSERT_EQ(
            precedes<RouterVcs>(n.vc_index(a) + 3 * RouterVcs, n.vc_index(b), pointer),
            round_robin_distance(a, core_pointer, n.vc_count()) < round_robin_distance(b, core_pointer, n.vc_count()))
            << n.ports << " ports of " << n.vcs << " VCs, input VCs " << a << " and " << b << ", pointer " << pointer;
  }
}

TEST(unit_engine_vc_choice, round_robin_distances_match_core) {
  for (unsigned ports = 1; ports <= 8; ++ports)
    for (unsigned vcs = 3; vcs <= 4; ++vcs) compare_distances<32>({ports, vcs});
  for (const unsigned vcs : {1U, 2U, 3U, 5U, 8U}) compare_distances<64>({8, vcs});
  compare_distances<256>({16, 9});
}

/// Whole allocations of a router over many cycles: the engine's pointers point past the VC that was held last.
template <unsigned RouterVcs>
void compare_allocations(unsigned ports, unsigned vcs) {
  const numbering n(ports, vcs);
  rng random(test_seed() + ports * 32 + vcs);
  default_vc_allocator allocator(ports, vcs);
  std::array<unsigned, RouterVcs> output, holder;
  output.fill(RouterVcs - 1);
  holder.fill(RouterVcs - 1);
  for (unsigned cycle = 0; cycle < 300; ++cycle) {
    vc_requests requests;
    std::array<unsigned, RouterVcs> winner;
    winner.fill(RouterVcs);
    for (unsigned in = 0; in < n.vc_count(); ++in) {
      const route requested{static_cast<std::uint8_t>(random.between(0, ports - 1)), random.between(0, first_vcs(vcs))};
      if (random.chance(0.4)) continue;
      add_request(requests, in / vcs, in % vcs, requested);
      if (requested.vcs == 0) continue;
      const unsigned in_index = n.vc_index(in), first = requested.port * n.stride;
      const unsigned out = preferred_vc_index<RouterVcs>(requested.vcs, first, output[in_index] + 1);
      if (winner[out] == RouterVcs || !precedes<RouterVcs>(winner[out], in_index, holder[out] + 1))
        winner[out] = in_index;
    }
    const vc_grants expected = allocator.allocate(requests);
    const std::vector<granted_vc> grants = list_of(expected);
    std::size_t count = 0;
    for (const unsigned in : winner) count += in != RouterVcs;
    ASSERT_EQ(count, grants.size()) << "cycle " << cycle;
    for (const granted_vc& grant : grants) {
      const unsigned in = grant.in_port * n.stride + grant.in_vc, out = grant.out_port * n.stride + grant.out_vc;
      ASSERT_EQ(winner[out], in) << "cycle " << cycle << ", output VC " << out;
      output[in] = out;
      holder[out] = in;
    }
    allocator.advance(expected);
  }
}

TEST(unit_engine_vc_choice, allocation_matches_core) {
  for (unsigned ports = 1; ports <= 8; ++ports)
    for (unsigned vcs = 3; vcs <= 4; ++vcs) compare_allocations<32>(ports, vcs);
  for (const unsigned vcs : {1U, 2U, 3U, 5U, 8U}) compare_allocations<64>(8, vcs);
  for (const unsigned vcs : {5U, 9U, 16U}) compare_allocations<256>(16, vcs);
}

}  // namespace
}  // namespace weft::engine
