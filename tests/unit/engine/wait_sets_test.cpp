// SPDX-License-Identifier: Apache-2.0
/// wait_sets finds the flits that have waited, of 64 routers at once, as a scan of every VC does, with vectors of every
/// size.
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

/// One input VC.
struct sending_vc {
  bool holding = false, sent = false, uncredited = false, to_node = false;
  bool occupied = false, able = false, ending = false;
  cycle_t last = 0;               ///< cycle in which its last flit was granted the switch
  unsigned gaps = 0;              ///< since the head
  std::uint32_t lost_cycles = 0;  ///< since the last report
  bool lost_this_cycle = false;   ///< since `last`
};

struct waits_report {
  unsigned router, vc_index;
  bool head;
  std::uint32_t lost_cycles;
  bool operator==(const waits_report& o) const {
    return router == o.router && vc_index == o.vc_index && head == o.head && lost_cycles == o.lost_cycles;
  }
};

/// A testbench in which packets come, wait and leave at random.
template <unsigned RouterVcs>
class wait_sets_bench {
 public:
  wait_sets_bench(vectors use, unsigned catches_up, bool every_head)
      : m_random(test_seed() + RouterVcs + catches_up),
        m_catches_up(catches_up),
        m_every_head(every_head),
        m_sets(std::make_unique<wait_sets<RouterVcs>>(every_head, catches_up, use)),
        m_flow(std::make_unique<vc_flow_state<RouterVcs>>(8, 0, use)),
        m_reported(std::make_unique<reported_vcs<RouterVcs>>()) {}

  void cycle() {
    if (m_random.chance(0.02)) pause();
    const bool light_traffic = m_random.chance(0.3);
    m_flow->expects_much = m_random.chance(0.3);
    draw(light_traffic ? 0.02 : 0.5);
    std::vector<waits_report> expected = note_by_hand();
    const std::uint64_t routers = m_sets->note_grants(*m_flow, m_winners, m_now, *m_reported);
    std::vector<waits_report> got = listed(routers);
    ASSERT_EQ(got.size(), expected.size()) << "cycle " << m_now;
    for (std::size_t k = 0; k < got.size(); ++k) {
      EXPECT_TRUE(got[k] == expected[k]) << "cycle " << m_now << ", router " << got[k].router << " input VC "
                                         << got[k].vc_index << " lost " << got[k].lost_cycles << ", expected router "
                                         << expected[k].router << " input VC " << expected[k].vc_index << " lost "
                                         << expected[k].lost_cycles;
    }
    allocate_vcs();
    ++m_now;
  }

  unsigned reports = 0, not_reported = 0, overflows = 0;

 private:
  /// Some cycles pass without a notification: VCs that hold an output VC have nothing to send.
  void pause() {
    for (auto& router : m_vcs)
      for (sending_vc& l : router)
        if (l.holding && l.sent) l.gaps = 1000;
    m_now += m_random.between(1, 9);
  }

  void draw(double busy) {
    m_flow->may_send = 0;
    m_winners = {};
    for (unsigned i = 0; i < RegionRouters; ++i) {
      for (unsigned n = 0; n < RouterVcs; ++n) {
        sending_vc& l = m_vcs[i][n];
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

  std::vector<waits_report> note_by_hand() {
    std::vector<waits_report> result;
    for (unsigned i = 0; i < RegionRouters; ++i)
      for (unsigned n = 0; n < RouterVcs; ++n)
        if (m_vcs[i][n].holding) note_by_hand(i, n, result);
    return result;
  }
  void note_by_hand(unsigned i, unsigned n, std::vector<waits_report>& result) {
    sending_vc& l = m_vcs[i][n];
    if (!m_winners[i].contains(n)) {
      if (l.occupied && l.able) {
        ++l.lost_cycles;
        l.lost_this_cycle = true;
      }
      l.gaps += l.sent;
      return;
    }
    const bool after_gap = l.last + 1 != m_now;
    bool must = !l.sent && (!l.ending || l.lost_this_cycle || l.uncredited || m_every_head);
    if (l.sent && l.to_node) must = l.ending && l.gaps > 0;
    if (l.sent && !l.to_node) must = after_gap && l.gaps > m_catches_up;
    must |= l.sent && l.ending && l.lost_cycles >= reported_vcs<RouterVcs>::MostLost;
    if (must) result.push_back({i, n, !l.sent, l.lost_cycles});
    must ? ++reports : ++not_reported;
    m_was_to_node[i].erase(n);
    m_was_to_node[i].insert_if(l.to_node, n);
    if (must || l.ending) l.lost_cycles = 0;
    l.lost_this_cycle = false;
    l.last = m_now;
    if (!l.sent) {
      l.gaps = 0;
      if (!l.ending && m_random.chance(0.3)) l.to_node = true;
    }
    l.sent = true;
    if (l.ending) {
      l = sending_vc();
    } else {
      l.ending = m_random.chance(0.3);
    }
  }

  /// The contents of `m_reported`, plus the lost cycles that overflowed, which its user stores.
  std::vector<waits_report> listed(std::uint64_t routers) {
    std::vector<waits_report> result;
    bool heads = false, forwarded = false, tails = false;
    for_each_of(routers, [&](unsigned i) {
      for_each_vc(m_reported->heads[i] | m_reported->forwarded[i] | m_reported->tails[i], [&](unsigned n) {
        const bool head = m_reported->heads[i].contains(n), tail = m_reported->tails[i].contains(n);
        EXPECT_EQ(head + m_reported->forwarded[i].contains(n) + tail, 1);
        if (!head) {
          EXPECT_EQ(tail, m_was_to_node[i].contains(n));
        }
        (head ? heads : tail ? tails : forwarded) = true;
        result.push_back({i, n, head, m_reported->lost_cycles_of(i, n) + kept(i, n)});
        if (!head) return;
        EXPECT_EQ(m_sets->clear_uncredited(i, n), m_uncredited[i].contains(n));
        m_uncredited[i].erase(n);
        m_sets->note_last_router_if(m_vcs[i][n].to_node, i, n);
      });
      for_each_vc(m_reported->overflow[i], [&](unsigned n) {
        m_kept[i][n] = kept(i, n) + reported_vcs<RouterVcs>::MostLost;
        ++overflows;
      });
    });
    if (routers != 0) {
      EXPECT_EQ(m_reported->any_heads, heads);
      EXPECT_EQ(m_reported->any_forwarded, forwarded);
      EXPECT_EQ(m_reported->any_tails, tails);
    }
    return result;
  }

  std::uint32_t kept(unsigned i, unsigned n) const { return m_reported->spilled[i].contains(n) ? m_kept[i][n] : 0; }

  /// VCs without a packet get output VCs for new packets, most of them with a credit.
  void allocate_vcs() {
    std::uint64_t requesting = 0;
    for (unsigned i = 0; i < RegionRouters; ++i) {
      m_flow->able[i] = {};
      for (unsigned n = 0; n < RouterVcs; ++n) {
        sending_vc& l = m_vcs[i][n];
        const bool left_now = m_winners[i].contains(n) && !l.holding;
        m_flow->holding[i].erase(n);
        m_flow->holding[i].insert_if(l.holding || left_now, n);  // a tail that is sent in this cycle
        m_flow->able[i].insert_if(l.able && l.holding, n);
        if (l.holding || left_now || !m_random.chance(0.1)) continue;
        l.holding = true;
        l.ending = m_random.chance(0.4);
        l.uncredited = m_random.chance(0.2);
        m_flow->holding[i].insert(n);
        m_flow->able[i].insert_if(!l.uncredited, n);
        requesting |= std::uint64_t{1} << i;
      }
    }
    // A head that has not been sent has its credit, or had none from the beginning.
    for (unsigned i = 0; i < RegionRouters; ++i)
      for (unsigned n = 0; n < RouterVcs; ++n)
        if (m_vcs[i][n].holding && !m_vcs[i][n].sent && !m_vcs[i][n].uncredited) m_flow->able[i].insert(n);
    router_vc_sets<RouterVcs> none{};
    const bool any = m_sets->note_vcs(*m_flow, requesting, none);
    bool expected = false;
    for_each_of(requesting, [&](unsigned i) {
      for (unsigned n = 0; n < RouterVcs; ++n) {
        const sending_vc& l = m_vcs[i][n];
        const bool is_new = l.holding && !l.sent && l.uncredited && !m_uncredited[i].contains(n);
        EXPECT_EQ(none[i].contains(n), is_new) << "cycle " << m_now << ", router " << i << " input VC " << n;
        expected |= is_new;
        if (is_new) m_uncredited[i].insert(n);
      }
    });
    EXPECT_EQ(any, expected);
  }

  rng m_random;
  const unsigned m_catches_up;
  const bool m_every_head;
  cycle_t m_now = 5;
  std::unique_ptr<wait_sets<RouterVcs>> m_sets;
  std::unique_ptr<vc_flow_state<RouterVcs>> m_flow;
  std::unique_ptr<reported_vcs<RouterVcs>> m_reported;
  router_vc_sets<RouterVcs> m_winners{}, m_uncredited{}, m_was_to_node{};
  std::array<std::array<sending_vc, RouterVcs>, RegionRouters> m_vcs{};
  std::array<std::array<std::uint32_t, RouterVcs>, RegionRouters> m_kept{};
};

template <unsigned RouterVcs>
void try_all() {
  for (const vectors use : {vectors::OfFour, vectors::OfEight, vectors::OfSixteen}) {
    if (use > best_vectors()) continue;
    for (const unsigned catches_up : {1u, 2u}) {
      SCOPED_TRACE(std::to_string(RouterVcs) + " input VCs, catches up " + std::to_string(catches_up));
      const auto b = std::make_unique<wait_sets_bench<RouterVcs>>(use, catches_up, catches_up == 1);
      for (unsigned n = 0; n < 48 + 1600 / RouterVcs && !testing::Test::HasFailure(); ++n) b->cycle();
      if (testing::Test::HasFailure()) return;
      EXPECT_GT(b->reports, 1000u);
      EXPECT_GT(b->not_reported, 1000u);
      EXPECT_GT(b->overflows, 0u);
    }
  }
}

TEST(unit_engine_wait_sets, match_a_scan_of_every_vc) {
  SCOPED_TRACE("WEFT_SEED=" + std::to_string(test_seed()));
  try_all<32>();
  try_all<64>();
  try_all<256>();
}

}  // namespace
}  // namespace weft::engine
