// SPDX-License-Identifier: Apache-2.0
/// Compares every router and NIC that this build has compiled for networks, at its largest size, with the pin level.
/// soak.cmake configures a build with more of them.
#include "lockstep/network_event_trace.h"
#include "support/network_case.h"
#include "support/random.h"
#include "support/subprocess.h"
#include <algorithm>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "weft/cosim/router_sizes.h"
#include "weft/cosim/rtl_nics.h"
#include "weft/cosim/rtl_routers.h"
#include "weft/pin/nic/nic_interface.h"
#include "weft/pin/router/router_interface.h"

namespace weft::lockstep {
namespace {

/// The space-separated words of \p text.
std::vector<std::string> words_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

class lockstep_compiled : public testing::TestWithParam<std::string> {
 protected:
  /// A network of \p shape with \p vcs VCs of \p depth flits.
  network_case network(std::vector<std::uint32_t> shape, unsigned vcs, unsigned depth) {
    const network_kind kind = {"", [&](network_case& c) {
                                 grid_parameters p = grid(shape);
                                 p.options.vcs = c.router.vcs = vcs;
                                 c.router.depth = depth;
                                 c.graph = make_grid(p);
                               }};
    return case_of(kind, m_random, {0.1, 0.3, 0.9}, 1000);
  }

  /// \param rtl returns routers and NICs for it
  template <class Rtl>
  void expect_same(const network_case& c, Rtl rtl) {
    const std::string expected = run_in_subprocess([&] { return record_event_trace(c, nullptr); });
    ASSERT_GT(std::count(expected.begin(), expected.end(), '\n'), 500) << expected;
    ASSERT_EQ(first_difference(expected, run_in_subprocess([&] { return rtl(); })), "")
        << "\nWEFT_SEED=" << test_seed() << ": " << describe(c);
  }

 private:
  rng m_random{test_seed()};
};

/// The parameters are names of models: s4, s7_cut_through, …
class lockstep_compiled_router : public lockstep_compiled {};

TEST_P(lockstep_compiled_router, has_the_same_events_in_rtl_and_systemc) {
  using largest = tb::router_sizes;
  const bool cut_through = GetParam().find("cut_through") != std::string::npos;
  for (const bool all_of_it : {true, false}) {
    std::vector<std::uint32_t> shape = {3, 3};
    if (all_of_it && largest::Ports >= 7) shape = {3, 2, 2};
    network_case c = network(shape, all_of_it ? largest::Vcs : 2, all_of_it ? largest::Depth : 8);
    c.payload_bits = all_of_it ? 32 * largest::Words : 32;
    c.router.pipeline = static_cast<unsigned>(GetParam()[1] - '0');
    c.router.flow = cut_through ? flow_control::VirtualCutThrough : flow_control::Wormhole;
    expect_same(c, [&] {
      return record_event_trace(c, tb::make_rtl_routers(c.graph, c.payload_bits, c.router, c.nic, {0, 2, 5}));
    });
    expect_same(
        c, [&] { return record_event_trace(c, tb::make_rtl_routers(c.graph, c.payload_bits, c.router, c.nic, {})); });
  }
}
INSTANTIATE_TEST_SUITE_P(all, lockstep_compiled_router, testing::ValuesIn(words_of(WEFT_COMPILED_ROUTERS)),
                         [](const auto& router) { return router.param; });

/// The parameters are names of models: 4x8, 2x4, …
class lockstep_compiled_nic : public lockstep_compiled {};

TEST_P(lockstep_compiled_nic, has_the_same_events_in_rtl_and_systemc) {
  const std::size_t x = GetParam().find('x');
  const auto vcs = static_cast<unsigned>(std::stoul(GetParam())),
             depth = static_cast<unsigned>(std::stoul(GetParam().substr(x + 1)));
  for (const unsigned ejection : {0U, 5U})
    for (const bool compressed : {false, true})
      for (const unsigned classes : {1U, 2U}) {
        if (vcs % classes != 0 || (compressed && ejection == 0)) continue;
        network_case c = network({3, 3}, vcs / classes, depth);
        c.router.vcs = vcs;
        c.router.classes = classes;
        c.nic.ejection_depth = ejection;
        if (compressed) {
          c.nic.compression.selection.mode = selection_mode::Always;
          c.workload.payload.kind = payload_kind::SmallIntegers;
        }
        expect_same(c, [&] {
          return record_event_trace(c, nullptr, tb::make_rtl_nics(c.graph, c.payload_bits, c.router, c.nic, {}));
        });
      }
}
INSTANTIATE_TEST_SUITE_P(all, lockstep_compiled_nic, testing::ValuesIn(words_of(WEFT_COMPILED_NICS)),
                         [](const auto& nic) { return nic.param; });

}  // namespace
}  // namespace weft::lockstep
