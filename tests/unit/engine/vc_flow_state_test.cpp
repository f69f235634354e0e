// SPDX-License-Identifier: Apache-2.0
/// vc_flow_state counts flits and credits of 64 routers at once as a count VC by VC does, with vectors of every size.
#include "weft/engine/router/vc_flow_state.h"

#include "support/random.h"
#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

namespace weft::engine {
namespace {

/// One VC number, as an input VC and as an output VC.
struct vc {
  unsigned flits = 0, credits = 0, most_credits = 0;  ///< most_credits 0: credits are not counted
  bool holding = false, waiting = false, new_head = false, next_head = false;
  bool free = true, changed = false;
  std::uint32_t left = 0;  ///< flits that it still has to send, as an input VC that holds an output VC
};

/// The events that both sides receive.
template <unsigned RouterVcs>
struct traffic {
  router_vc_sets<RouterVcs> flits{}, credits{};
  departures<RouterVcs> leaving{};
  router_vc_sets<RouterVcs> losers{}, granted{};
};

template <unsigned RouterVcs>
void compare(vectors use, unsigned depth, unsigned ejection_depth) {
  SCOPED_TRACE(std::to_string(RouterVcs) + " input VCs, depth " + std::to_string(depth));
  rng random(test_seed() + RouterVcs + depth);
  const auto flow = std::make_unique<vc_flow_state<RouterVcs>>(depth, ejection_depth, use);
  std::vector<std::array<vc, RouterVcs>> routers(RegionRouters);
  for (unsigned i = 0; i < RegionRouters; ++i) {
    for (unsigned l = 0; l < RouterVcs; ++l) {
      routers[i][l].most_credits = routers[i][l].credits = random.chance(0.8) ? depth : ejection_depth;
      flow->set_credits(i, l, routers[i][l].credits);
      flow->free[i].insert(l);
    }
  }
  const auto events = std::make_unique<traffic<RouterVcs>>();
  for (unsigned cycle = 0; cycle < 400; ++cycle) {
    const bool light_traffic = random.chance(0.4);
    flow->expects_much = random.chance(0.3);
    const double busy =
        light_traffic ? 2.0 / (RegionRouters * RouterVcs) : 0.5 * random.unit();  // few events, or many of them

    std::uint64_t reached = 0, credited = 0;
    for (unsigned i = 0; i < RegionRouters; ++i) {
      for (unsigned l = 0; l < RouterVcs; ++l) {
        vc& here = routers[i][l];
        here.waiting |= here.new_head;
        here.new_head = here.next_head;
        here.next_head = here.changed = false;
        if (here.flits < depth && random.chance(busy)) {
          events->flits[i].insert(l);
          here.new_head |= here.flits == 0 && !here.holding;
          ++here.flits;
        }
        if (here.credits < here.most_credits && random.chance(busy)) {
          events->credits[i].insert(l);
          here.changed = here.credits == 0 && !here.free;
          ++here.credits;
        }
      }
      reached |= std::uint64_t{events->flits[i].any()} << i;
      credited |= std::uint64_t{events->credits[i].any()} << i;
    }
    const auto expect_changed = [&](bool changed) {
      bool any = false;
      for (unsigned i = 0; i < RegionRouters; ++i) {
        for (unsigned l = 0; l < RouterVcs; ++l) {
          ASSERT_EQ(flow->changed[i].contains(l), routers[i][l].changed) << "router " << i << ", input VC " << l;
          any |= routers[i][l].changed;
          routers[i][l].changed = false;
        }
        flow->changed[i] = {};
      }
      ASSERT_EQ(changed, any);
    };
    const auto expect_senders_known = [&] {
      for (unsigned i = 0; i < RegionRouters; ++i)
        ASSERT_TRUE((flow->may_send >> i & 1) != 0 || !(flow->occupied[i] & flow->able[i]).any()) << "router " << i;
    };
    flow->arrive(events->flits.data(), reached);
    expect_senders_known();
    expect_changed(flow->return_credits(events->credits.data(), credited));

    // Any waiting input VC may get any free output VC of its router, for a packet of any length: all of them together,
    // or one by one.
    const bool one_by_one = light_traffic && random.chance(0.5);
    struct begun {
      unsigned router, vc;
      std::uint32_t flits;
    };
    std::vector<begun> long_packets;
    for (unsigned i = 0; i < RegionRouters; ++i) {
      for (unsigned l = 0; l < RouterVcs; ++l) {
        vc& in = routers[i][l];
        ASSERT_TRUE(!in.waiting || (flow->may_wait >> i & 1)) << "router " << i;
        if (!in.waiting) continue;
        const unsigned number = random.between(0, RouterVcs - 1);
        vc& out = routers[i][number];
        if (!out.free || random.chance(0.3)) {
          if (!one_by_one) events->losers[i].insert(l);
          continue;
        }
        if (!one_by_one) events->granted[i].insert(number);
        in.waiting = false;
        in.holding = true;
        in.left = random.chance(0.5) ? 1 : random.chance(0.9) ? random.between(2, 20) : random.between(21, 5000);
        if (in.left > 1) long_packets.push_back({i, l, in.left});
        out.free = false;
        out.changed = out.credits == 0 && out.most_credits != 0 && !one_by_one;
        if (!one_by_one) continue;
        flow->grant_outputs(i, l, number);
        ASSERT_EQ(flow->able[i].contains(l), out.credits != 0 || out.most_credits == 0);
      }
    }
    if (!one_by_one) expect_changed(flow->grant_outputs(events->losers, events->granted));
    expect_senders_known();
    for (const begun& p : long_packets) flow->begin_packet(p.router, p.vc, p.flits);

    // Any input VC with a flit may send it to any output VC with a credit. The tail goes to an output VC that is held,
    // if there is one.
    std::uint64_t senders = 0;
    for (unsigned i = 0; i < RegionRouters; ++i) {
      for (unsigned l = 0; l < RouterVcs; ++l) {
        vc& in = routers[i][l];
        const unsigned number = random.between(0, RouterVcs - 1);
        vc& out = routers[i][number];
        if (in.flits == 0 || !in.holding || (out.credits == 0 && out.most_credits != 0) || random.chance(1 - busy) ||
            events->leaving.sent[i].contains(number))
          continue;
        senders |= std::uint64_t{1} << i;
        events->leaving.winners[i].insert(l);
        events->leaving.sent[i].insert(number);
        --in.flits;
        if (out.most_credits != 0) --out.credits;
        if (--in.left == 0) {
          in.holding = false;
          in.next_head = in.flits != 0;
          if (!out.free && random.chance(0.9)) {
            events->leaving.ended_outputs[i].insert(number);
            out.free = true;
          }
        }
        out.changed = out.most_credits != 0 && out.credits == 0 && !out.free;
      }
    }
    expect_changed(flow->depart(events->leaving, senders));
    expect_senders_known();

    for (unsigned i = 0; i < RegionRouters; ++i) {
      for (unsigned l = 0; l < RouterVcs; ++l) {
        const vc& here = routers[i][l];
        ASSERT_EQ(flow->occupied[i].contains(l), here.flits != 0) << "router " << i << ", input VC " << l;
        ASSERT_EQ(flow->holding[i].contains(l), here.holding);
        ASSERT_EQ(flow->ending[i].contains(l), here.left == 1);
        if (here.holding) {
          ASSERT_EQ(flow->flits_left(i, l), here.left);
        }
        ASSERT_EQ(flow->waiting[i].contains(l), here.waiting);
        ASSERT_EQ(flow->new_heads[i].contains(l), here.new_head);
        ASSERT_EQ(flow->next_heads[i].contains(l), here.next_head);
        ASSERT_EQ(flow->free[i].contains(l), here.free);
        ASSERT_EQ(flow->credited[i].contains(l), here.credits != 0 || here.most_credits == 0);
        ASSERT_EQ(flow->drained[i].contains(l), here.most_credits != 0 && here.credits == here.most_credits);
        if (here.most_credits != 0) {
          ASSERT_EQ(flow->credits_of(i, l), here.credits);
        }
      }
      ASSERT_FALSE((events->flits[i] | events->credits[i] | events->losers[i] | events->granted[i]).any())
          << "not cleared";
      ASSERT_FALSE((events->leaving.winners[i] | events->leaving.sent[i] | events->leaving.ended_outputs[i]).any())
          << "not cleared";
    }
  }
}

class unit_engine_vc_flow_state : public testing::TestWithParam<vectors> {
 protected:
  void SetUp() override {
    if (GetParam() > best_vectors()) GTEST_SKIP() << "this machine has no such vectors";
  }
};

TEST_P(unit_engine_vc_flow_state, matches_a_reference_with_separate_vcs) {
  compare<32>(GetParam(), 8, 0);
  compare<32>(GetParam(), 1, 3);
  compare<32>(GetParam(), 170, 12);
  compare<64>(GetParam(), 4, 15);
  compare<256>(GetParam(), 9, 0);
}

template <unsigned RouterVcs>
void compare_lists(vectors use) {
  rng random(test_seed() + RouterVcs);
  const auto sets = std::make_unique<router_vc_sets<RouterVcs>>();
  for (const double share : {0.0, 0.01, 0.1, 0.5, 1.0}) {
    std::vector<std::uint16_t> expected;
    for (unsigned i = 0; i < RegionRouters; ++i) {
      (*sets)[i] = {};
      for (unsigned l = 0; l < RouterVcs; ++l) {
        if (!random.chance(share)) continue;
        (*sets)[i].insert(l);
        expected.push_back(static_cast<std::uint16_t>(i * RouterVcs + l));
      }
    }
    std::vector<std::uint16_t> list(RegionRouters * RouterVcs + SpareRoom);
    list.resize(list_vcs<RouterVcs>(*sets, list.data(), use));
    EXPECT_EQ(list, expected) << "share " << share;
  }
}

TEST_P(unit_engine_vc_flow_state, lists_the_members_of_each_set) {
  compare_lists<32>(GetParam());
  compare_lists<64>(GetParam());
  compare_lists<256>(GetParam());
}

INSTANTIATE_TEST_SUITE_P(vectors, unit_engine_vc_flow_state,
                         testing::Values(vectors::OfFour, vectors::OfEight, vectors::OfSixteen));

}  // namespace
}  // namespace weft::engine
