// SPDX-License-Identifier: Apache-2.0
/// Counting flits and credits of 64 routers at once does what counting them lane by lane does, whatever the vectors.
#include "weft/engine/router/lane_flow.h"

#include "support/random.h"
#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

namespace weft::engine {
namespace {

/// One lane, as an input and as an output.
struct lane {
  unsigned flits = 0, credits = 0, most_credits = 0;  ///< most_credits 0: does not count
  bool holding = false, waiting = false, fresh = false, behind = false;
  bool free = true, changed = false;
  std::uint32_t left = 0;  ///< flits that it has still to send, as an input that holds an output
};

/// What both sides are told.
template <unsigned Lanes>
struct traffic {
  lane_sets<Lanes> flits{}, credits{};
  departures<Lanes> leaving{};
  lane_sets<Lanes> lost{}, taken{};
};

template <unsigned Lanes>
void compare(vectors use, unsigned depth, unsigned ejection_depth) {
  SCOPED_TRACE(std::to_string(Lanes) + " lanes, depth " + std::to_string(depth));
  dice random(test_seed() + Lanes + depth);
  const auto flow = std::make_unique<lane_flow<Lanes>>(depth, ejection_depth, use);
  std::vector<std::array<lane, Lanes>> routers(RegionRouters);
  for (unsigned i = 0; i < RegionRouters; ++i) {
    for (unsigned l = 0; l < Lanes; ++l) {
      routers[i][l].most_credits = routers[i][l].credits = random.chance(0.8) ? depth : ejection_depth;
      flow->set_credits(i, l, routers[i][l].credits);
      flow->free[i].insert(l);
    }
  }
  const auto told = std::make_unique<traffic<Lanes>>();
  for (unsigned cycle = 0; cycle < 400; ++cycle) {
    const bool is_quiet = random.chance(0.4);
    flow->expects_much = random.chance(0.3);
    const double busy = is_quiet ? 2.0 / (RegionRouters * Lanes) : 0.5 * random.unit();  // one by one, and many

    std::uint64_t reached = 0, credited = 0;
    for (unsigned i = 0; i < RegionRouters; ++i) {
      for (unsigned l = 0; l < Lanes; ++l) {
        lane& here = routers[i][l];
        here.waiting |= here.fresh;
        here.fresh = here.behind;
        here.behind = here.changed = false;
        if (here.flits < depth && random.chance(busy)) {
          told->flits[i].insert(l);
          here.fresh |= here.flits == 0 && !here.holding;
          ++here.flits;
        }
        if (here.credits < here.most_credits && random.chance(busy)) {
          told->credits[i].insert(l);
          here.changed = here.credits == 0 && !here.free;
          ++here.credits;
        }
      }
      reached |= std::uint64_t{told->flits[i].any()} << i;
      credited |= std::uint64_t{told->credits[i].any()} << i;
    }
    const auto expect_changed = [&](bool changed) {
      bool any = false;
      for (unsigned i = 0; i < RegionRouters; ++i) {
        for (unsigned l = 0; l < Lanes; ++l) {
          ASSERT_EQ(flow->changed[i].contains(l), routers[i][l].changed) << "router " << i << ", lane " << l;
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
    flow->arrive(told->flits.data(), reached);
    expect_senders_known();
    expect_changed(flow->give_back(told->credits.data(), credited));

    // Any lane that waits may get any output lane of its router that is free, for a packet of any length: all of them
    // together, or one by one.
    const bool one_by_one = is_quiet && random.chance(0.5);
    struct begun {
      unsigned router, lane;
      std::uint32_t flits;
    };
    std::vector<begun> long_packets;
    for (unsigned i = 0; i < RegionRouters; ++i) {
      for (unsigned l = 0; l < Lanes; ++l) {
        lane& in = routers[i][l];
        ASSERT_TRUE(!in.waiting || (flow->may_wait >> i & 1)) << "router " << i;
        if (!in.waiting) continue;
        const unsigned number = random.between(0, Lanes - 1);
        lane& out = routers[i][number];
        if (!out.free || random.chance(0.3)) {
          if (!one_by_one) told->lost[i].insert(l);
          continue;
        }
        if (!one_by_one) told->taken[i].insert(number);
        in.waiting = false;
        in.holding = true;
        in.left = random.chance(0.5) ? 1 : random.chance(0.9) ? random.between(2, 20) : random.between(21, 5000);
        if (in.left > 1) long_packets.push_back({i, l, in.left});
        out.free = false;
        out.changed = out.credits == 0 && out.most_credits != 0 && !one_by_one;
        if (!one_by_one) continue;
        flow->hand_out(i, l, number);
        ASSERT_EQ(flow->able[i].contains(l), out.credits != 0 || out.most_credits == 0);
      }
    }
    if (!one_by_one) expect_changed(flow->hand_out(told->lost, told->taken));
    expect_senders_known();
    for (const begun& p : long_packets) flow->begin_packet(p.router, p.lane, p.flits);

    // Any lane with a flit may send it to any output lane with a credit. The tail goes to one that is held, if there
    // is any.
    std::uint64_t senders = 0;
    for (unsigned i = 0; i < RegionRouters; ++i) {
      for (unsigned l = 0; l < Lanes; ++l) {
        lane& in = routers[i][l];
        const unsigned number = random.between(0, Lanes - 1);
        lane& out = routers[i][number];
        if (in.flits == 0 || !in.holding || (out.credits == 0 && out.most_credits != 0) || random.chance(1 - busy) ||
            told->leaving.sent[i].contains(number))
          continue;
        senders |= std::uint64_t{1} << i;
        told->leaving.winners[i].insert(l);
        told->leaving.sent[i].insert(number);
        --in.flits;
        if (out.most_credits != 0) --out.credits;
        if (--in.left == 0) {
          in.holding = false;
          in.behind = in.flits != 0;
          if (!out.free && random.chance(0.9)) {
            told->leaving.ended_outputs[i].insert(number);
            out.free = true;
          }
        }
        out.changed = out.most_credits != 0 && out.credits == 0 && !out.free;
      }
    }
    expect_changed(flow->depart(told->leaving, senders));
    expect_senders_known();

    for (unsigned i = 0; i < RegionRouters; ++i) {
      for (unsigned l = 0; l < Lanes; ++l) {
        const lane& here = routers[i][l];
        ASSERT_EQ(flow->occupied[i].contains(l), here.flits != 0) << "router " << i << ", lane " << l;
        ASSERT_EQ(flow->holding[i].contains(l), here.holding);
        ASSERT_EQ(flow->ending[i].contains(l), here.left == 1);
        if (here.holding) {
          ASSERT_EQ(flow->flits_left(i, l), here.left);
        }
        ASSERT_EQ(flow->waiting[i].contains(l), here.waiting);
        ASSERT_EQ(flow->fresh[i].contains(l), here.fresh);
        ASSERT_EQ(flow->behind[i].contains(l), here.behind);
        ASSERT_EQ(flow->free[i].contains(l), here.free);
        ASSERT_EQ(flow->credited[i].contains(l), here.credits != 0 || here.most_credits == 0);
        ASSERT_EQ(flow->settled[i].contains(l), here.most_credits != 0 && here.credits == here.most_credits);
        if (here.most_credits != 0) {
          ASSERT_EQ(flow->credits_of(i, l), here.credits);
        }
      }
      ASSERT_FALSE((told->flits[i] | told->credits[i] | told->lost[i] | told->taken[i]).any()) << "not cleared";
      ASSERT_FALSE((told->leaving.winners[i] | told->leaving.sent[i] | told->leaving.ended_outputs[i]).any())
          << "not cleared";
    }
  }
}

class unit_engine_lane_flow : public testing::TestWithParam<vectors> {
 protected:
  void SetUp() override {
    if (GetParam() > best_vectors()) GTEST_SKIP() << "this machine has no such vectors";
  }
};

TEST_P(unit_engine_lane_flow, counts_as_lane_by_lane) {
  compare<32>(GetParam(), 8, 0);
  compare<32>(GetParam(), 1, 3);
  compare<32>(GetParam(), 170, 12);
  compare<64>(GetParam(), 4, 15);
  compare<256>(GetParam(), 9, 0);
}

template <unsigned Lanes>
void compare_lists(vectors use) {
  dice random(test_seed() + Lanes);
  const auto sets = std::make_unique<lane_sets<Lanes>>();
  for (const double share : {0.0, 0.01, 0.1, 0.5, 1.0}) {
    std::vector<std::uint16_t> expected;
    for (unsigned i = 0; i < RegionRouters; ++i) {
      (*sets)[i] = {};
      for (unsigned l = 0; l < Lanes; ++l) {
        if (!random.chance(share)) continue;
        (*sets)[i].insert(l);
        expected.push_back(static_cast<std::uint16_t>(i * Lanes + l));
      }
    }
    std::vector<std::uint16_t> list(RegionRouters * Lanes + SpareRoom);
    list.resize(list_lanes<Lanes>(*sets, list.data(), use));
    EXPECT_EQ(list, expected) << "share " << share;
  }
}

TEST_P(unit_engine_lane_flow, lists_members) {
  compare_lists<32>(GetParam());
  compare_lists<64>(GetParam());
  compare_lists<256>(GetParam());
}

INSTANTIATE_TEST_SUITE_P(vectors, unit_engine_lane_flow,
                         testing::Values(vectors::OfFour, vectors::OfEight, vectors::OfSixteen));

}  // namespace
}  // namespace weft::engine
