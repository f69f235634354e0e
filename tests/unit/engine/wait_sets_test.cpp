// SPDX-License-Identifier: Apache-2.0
/// Finding the flits that have waited, of 64 routers at once, does what looking at every lane does, whatever the
/// vectors.
#include "weft/engine/router/wait_sets.h"

#include "support/random.h"
#include <algorithm>
#include <array>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace weft::engine {
namespace {

/// One input lane.
struct sending_lane {
  bool holding = false, sent = false, poor = false, to_node = false;
  bool occupied = false, able = false, ending = false;
  cycle_t last = 0;        ///< cycle of the flit that was granted it last
  unsigned gaps = 0;       ///< since the head
  std::uint32_t lost = 0;  ///< since it was told
  bool lost_now = false;   ///< since `last`
};

struct telling {
  unsigned router, lane;
  bool head;
  std::uint32_t lost;
  bool operator==(const telling& o) const {
    return router == o.router && lane == o.lane && head == o.head && lost == o.lost;
  }
};

/// Packets come, wait and leave at random.
template <unsigned Lanes>
class wait_sets_bench {
 public:
  wait_sets_bench(vectors use, unsigned catches_up, bool every_head)
      : m_random(test_seed() + Lanes + catches_up),
        m_catches_up(catches_up),
        m_every_head(every_head),
        m_sets(std::make_unique<wait_sets<Lanes>>(every_head, catches_up, use)),
        m_flow(std::make_unique<lane_flow<Lanes>>(8, 0, use)),
        m_told(std::make_unique<told_lanes<Lanes>>()) {}

  void cycle() {
    if (m_random.chance(0.02)) pause();
    const bool is_quiet = m_random.chance(0.3);
    m_flow->expects_much = m_random.chance(0.3);
    draw(is_quiet ? 0.02 : 0.5);
    std::vector<telling> expected = note_by_hand();
    const std::uint64_t routers = m_sets->note_grants(*m_flow, m_winners, m_now, *m_told);
    std::vector<telling> got = listed(routers);
    ASSERT_EQ(got.size(), expected.size()) << "cycle " << m_now;
    for (std::size_t k = 0; k < got.size(); ++k) {
      EXPECT_TRUE(got[k] == expected[k]) << "cycle " << m_now << ", router " << got[k].router << " lane " << got[k].lane
                                         << " lost " << got[k].lost << ", expected router " << expected[k].router
                                         << " lane " << expected[k].lane << " lost " << expected[k].lost;
    }
    allocate_vcs();
    ++m_now;
  }

  unsigned tellings = 0, not_told = 0, overflows = 0;

 private:
  /// Cycles go by that nobody is told of: lanes that hold a VC have nothing to send.
  void pause() {
    for (auto& router : m_lanes)
      for (sending_lane& l : router)
        if (l.holding && l.sent) l.gaps = 1000;
    m_now += m_random.between(1, 9);
  }

  void draw(double busy) {
    m_flow->may_send = 0;
    m_winners = {};
    for (unsigned i = 0; i < RegionRouters; ++i) {
      for (unsigned n = 0; n < Lanes; ++n) {
        sending_lane& l = m_lanes[i][n];
        l.occupied = l.holding && (!l.sent || m_random.chance(busy));
        l.able = l.holding && m_random.chance(busy);
        m_flow->occupied[i].erase(n);
        m_flow->occupied[i].insert_if(l.occupied, n);
        m_flow->able[i].erase(n);
        m_flow->able[i].insert_if(l.able, n);
        m_flow->ending[i].erase(n);
        m_flow->ending[i].insert_if(l.ending, n);
        if (!l.occupied || !l.able) continue;
        m_flow->may_send |= std::uint64_t{1} << i;
        if (m_random.chance(0.6)) m_winners[i].insert(n);
      }
    }
  }

  std::vector<telling> note_by_hand() {
    std::vector<telling> result;
    for (unsigned i = 0; i < RegionRouters; ++i)
      for (unsigned n = 0; n < Lanes; ++n)
        if (m_lanes[i][n].holding) note_by_hand(i, n, result);
    return result;
  }
  void note_by_hand(unsigned i, unsigned n, std::vector<telling>& result) {
    sending_lane& l = m_lanes[i][n];
    if (!m_winners[i].contains(n)) {
      if (l.occupied && l.able) {
        ++l.lost;
        l.lost_now = true;
      }
      l.gaps += l.sent;
      return;
    }
    const bool after_gap = l.last + 1 != m_now;
    bool must = !l.sent && (!l.ending || l.lost_now || l.poor || m_every_head);
    if (l.sent && l.to_node) must = l.ending && l.gaps > 0;
    if (l.sent && !l.to_node) must = after_gap && l.gaps > m_catches_up;
    must |= l.sent && l.ending && l.lost >= told_lanes<Lanes>::MostLost;
    if (must) result.push_back({i, n, !l.sent, l.lost});
    must ? ++tellings : ++not_told;
    m_was_to_node[i].erase(n);
    m_was_to_node[i].insert_if(l.to_node, n);
    if (must || l.ending) l.lost = 0;
    l.lost_now = false;
    l.last = m_now;
    if (!l.sent) {
      l.gaps = 0;
      if (!l.ending && m_random.chance(0.3)) l.to_node = true;
    }
    l.sent = true;
    if (l.ending) {
      l = sending_lane();
    } else {
      l.ending = m_random.chance(0.3);
    }
  }

  /// What `m_told` says, with what has overflowed, which its user keeps.
  std::vector<telling> listed(std::uint64_t routers) {
    std::vector<telling> result;
    bool heads = false, going_on = false, tails = false;
    for_each_of(routers, [&](unsigned i) {
      for_each_lane(m_told->heads[i] | m_told->going_on[i] | m_told->tails[i], [&](unsigned n) {
        const bool head = m_told->heads[i].contains(n), tail = m_told->tails[i].contains(n);
        EXPECT_EQ(head + m_told->going_on[i].contains(n) + tail, 1);
        if (!head) {
          EXPECT_EQ(tail, m_was_to_node[i].contains(n));
        }
        (head ? heads : tail ? tails : going_on) = true;
        result.push_back({i, n, head, m_told->lost_by(i, n) + kept(i, n)});
        if (!head) return;
        EXPECT_EQ(m_sets->take_poor(i, n), m_poor[i].contains(n));
        m_poor[i].erase(n);
        m_sets->note_last_router_if(m_lanes[i][n].to_node, i, n);
      });
      for_each_lane(m_told->overflow[i], [&](unsigned n) {
        m_kept[i][n] = kept(i, n) + told_lanes<Lanes>::MostLost;
        ++overflows;
      });
    });
    if (routers != 0) {
      EXPECT_EQ(m_told->any_heads, heads);
      EXPECT_EQ(m_told->any_going_on, going_on);
      EXPECT_EQ(m_told->any_tails, tails);
    }
    return result;
  }

  std::uint32_t kept(unsigned i, unsigned n) const { return m_told->spilled[i].contains(n) ? m_kept[i][n] : 0; }

  /// Lanes without a packet get VCs for new ones, most of them with a credit.
  void allocate_vcs() {
    std::uint64_t asked = 0;
    for (unsigned i = 0; i < RegionRouters; ++i) {
      m_flow->able[i] = {};
      for (unsigned n = 0; n < Lanes; ++n) {
        sending_lane& l = m_lanes[i][n];
        const bool left_now = m_winners[i].contains(n) && !l.holding;
        m_flow->holding[i].erase(n);
        m_flow->holding[i].insert_if(l.holding || left_now, n);  // a tail that is sent in this cycle
        m_flow->able[i].insert_if(l.able && l.holding, n);
        if (l.holding || left_now || !m_random.chance(0.1)) continue;
        l.holding = true;
        l.ending = m_random.chance(0.4);
        l.poor = m_random.chance(0.2);
        m_flow->holding[i].insert(n);
        m_flow->able[i].insert_if(!l.poor, n);
        asked |= std::uint64_t{1} << i;
      }
    }
    // A head that is not sent has its credit, or had none from the beginning.
    for (unsigned i = 0; i < RegionRouters; ++i)
      for (unsigned n = 0; n < Lanes; ++n)
        if (m_lanes[i][n].holding && !m_lanes[i][n].sent && !m_lanes[i][n].poor) m_flow->able[i].insert(n);
    lane_sets<Lanes> none{};
    const bool any = m_sets->note_vcs(*m_flow, asked, none);
    bool expected = false;
    for_each_of(asked, [&](unsigned i) {
      for (unsigned n = 0; n < Lanes; ++n) {
        const sending_lane& l = m_lanes[i][n];
        const bool is_new = l.holding && !l.sent && l.poor && !m_poor[i].contains(n);
        EXPECT_EQ(none[i].contains(n), is_new) << "cycle " << m_now << ", router " << i << " lane " << n;
        expected |= is_new;
        if (is_new) m_poor[i].insert(n);
      }
    });
    EXPECT_EQ(any, expected);
  }

  dice m_random;
  const unsigned m_catches_up;
  const bool m_every_head;
  cycle_t m_now = 5;
  std::unique_ptr<wait_sets<Lanes>> m_sets;
  std::unique_ptr<lane_flow<Lanes>> m_flow;
  std::unique_ptr<told_lanes<Lanes>> m_told;
  lane_sets<Lanes> m_winners{}, m_poor{}, m_was_to_node{};
  std::array<std::array<sending_lane, Lanes>, RegionRouters> m_lanes{};
  std::array<std::array<std::uint32_t, Lanes>, RegionRouters> m_kept{};
};

template <unsigned Lanes>
void try_all() {
  for (const vectors use : {vectors::OfFour, vectors::OfEight, vectors::OfSixteen}) {
    if (use > best_vectors()) continue;
    for (const unsigned catches_up : {1u, 2u}) {
      SCOPED_TRACE(std::to_string(Lanes) + " lanes, catches up " + std::to_string(catches_up));
      const auto b = std::make_unique<wait_sets_bench<Lanes>>(use, catches_up, catches_up == 1);
      for (unsigned n = 0; n < 48 + 1600 / Lanes && !testing::Test::HasFailure(); ++n) b->cycle();
      if (testing::Test::HasFailure()) return;
      EXPECT_GT(b->tellings, 1000u);
      EXPECT_GT(b->not_told, 1000u);
      EXPECT_GT(b->overflows, 0u);
    }
  }
}

TEST(unit_engine_wait_sets, find_what_looking_at_every_lane_finds) {
  SCOPED_TRACE("WEFT_SEED=" + std::to_string(test_seed()));
  try_all<32>();
  try_all<64>();
  try_all<256>();
}

}  // namespace
}  // namespace weft::engine
