// SPDX-License-Identifier: Apache-2.0
/// The rule by which VCs share a buffer.
#include "weft/router/buffer_sharing.h"

#include "support/random.h"
#include <algorithm>
#include <iostream>
#include <vector>

#include <gtest/gtest.h>

namespace weft {
namespace {

router_parameters shared(unsigned vcs, unsigned depth, unsigned reserved, unsigned limit = 0) {
  router_parameters p;
  p.vcs = vcs;
  p.depth = depth;
  p.buffer = {buffer_policy::Shared, reserved, limit};
  return p;
}

/// The VCs of one buffer, with the flits that each of them holds.
class buffer {
 public:
  explicit buffer(const router_parameters& p)
      : m_sharing(sharing_of(p)), m_room(empty_room(m_sharing)), m_flits(p.vcs), m_size(p.vcs * p.depth) {}

  bool has_room(unsigned vc) const { return weft::has_room(m_sharing, m_room, vc, m_flits[vc]); }
  void enter(unsigned vc) { enter_flit(m_sharing, m_room, vc, m_flits[vc]++); }
  void remove(unsigned vc, bool held = false) { remove_flit(m_sharing, m_room, vc, --m_flits[vc], held); }
  unsigned flits(unsigned vc) const { return m_flits[vc]; }
  unsigned size() const { return m_size; }
  const buffer_sharing& sharing() const { return m_sharing; }
  const shared_room& room() const { return m_room; }

  /// Enters flits of VC \p vc while there is room. Returns their number.
  unsigned fill(unsigned vc) {
    unsigned count = 0;
    for (; has_room(vc); ++count) enter(vc);
    return count;
  }

 private:
  buffer_sharing m_sharing;
  shared_room m_room;
  std::vector<unsigned> m_flits;
  unsigned m_size;
};

TEST(unit_router_buffer_sharing, private_buffers_have_depth_flits_for_each_vc) {
  router_parameters p;
  p.vcs = 3;
  p.depth = 5;
  buffer b(p);
  EXPECT_EQ(b.fill(0), 5U);
  EXPECT_EQ(b.fill(2), 5U);
  b.remove(2, true);
  EXPECT_FALSE(b.has_room(0));
  EXPECT_EQ(b.fill(2), 1U);
  EXPECT_EQ(b.fill(1), 5U);
}

TEST(unit_router_buffer_sharing, vc_leaves_the_others_their_reserved_flits) {
  buffer b(shared(4, 4, 2));
  EXPECT_EQ(b.fill(1), 10U);
  EXPECT_EQ(b.fill(0), 2U);
  EXPECT_EQ(b.fill(2), 2U);
  EXPECT_EQ(b.fill(3), 2U);
}

TEST(unit_router_buffer_sharing, vc_without_reserved_flits_may_fill_the_buffer) {
  buffer b(shared(4, 4, 0));
  EXPECT_EQ(b.fill(1), 16U);
  EXPECT_FALSE(b.has_room(0));
  b.remove(1);
  EXPECT_TRUE(b.has_room(0));
}

TEST(unit_router_buffer_sharing, limit_bounds_the_flits_of_each_vc) {
  buffer b(shared(4, 4, 1, 6));
  EXPECT_EQ(b.fill(0), 6U);
  EXPECT_EQ(b.fill(1), 6U);
  EXPECT_EQ(b.fill(2), 3U) << "its reserved flit and what is left of the pool";
  EXPECT_EQ(b.fill(3), 1U);
}

TEST(unit_router_buffer_sharing, vc_without_a_limit_may_use_all_but_the_reserved_flits_of_others) {
  EXPECT_EQ(sharing_of(shared(2, 4, 1)).limit, 7U);
  EXPECT_EQ(sharing_of(shared(2, 4, 0)).limit, 8U);
}

TEST(unit_router_buffer_sharing, vcs_with_depth_reserved_flits_share_none) {
  const buffer_sharing sharing = sharing_of(shared(2, 4, 4));
  EXPECT_FALSE(shares_buffer(shared(2, 4, 4)));
  EXPECT_EQ(sharing.limit, 4U);
  EXPECT_EQ(sharing.pool, 0U);
}

TEST(unit_router_buffer_sharing, empty_vc_keeps_a_slot_for_the_packet_that_holds_it) {
  buffer b(shared(2, 2, 0));
  b.enter(0);
  EXPECT_EQ(b.fill(1), 3U);
  b.remove(0, true);
  EXPECT_FALSE(b.has_room(1)) << "VC 0 keeps the slot";
  EXPECT_EQ(b.fill(0), 1U);
  b.remove(0, false);
  EXPECT_TRUE(b.has_room(1)) << "no packet holds VC 0";
}

TEST(unit_router_buffer_sharing, vc_with_reserved_flits_keeps_no_slot) {
  buffer b(shared(2, 2, 1));
  b.enter(0);
  EXPECT_EQ(b.fill(1), 3U);
  b.remove(0, true);
  EXPECT_EQ(b.room().kept, 0U);
  EXPECT_FALSE(b.has_room(1));
  EXPECT_TRUE(b.has_room(0));
}

/// Whatever enters and leaves, the slots add up: the reserved flits, those taken from the pool, and the free ones.
TEST(unit_router_buffer_sharing, slots_are_conserved) {
  std::cout << "WEFT_SEED=" << test_seed() << "\n";
  rng d(test_seed());
  for (unsigned repetition = 0; repetition < 200; ++repetition) {
    const unsigned vcs = d.between(1, 8), depth = d.between(1, 6), reserved = d.between(0, depth);
    router_parameters p = shared(vcs, depth, reserved);
    if (reserved + 1 < flits_within_reach(p) && d.chance(0.5))
      p.buffer.limit = d.between(reserved + 1, flits_within_reach(p) - 1);
    buffer b(p);
    for (unsigned step = 0; step < 300; ++step) {
      const unsigned vc = d.between(0, vcs - 1);
      if (d.chance(0.5) && b.has_room(vc))
        b.enter(vc);
      else if (b.flits(vc) != 0)
        b.remove(vc, d.chance(0.5));
      unsigned taken = b.room().left;
      for (unsigned v = 0; v < vcs; ++v) {
        const bool keeps = (b.room().kept >> v & 1) != 0;
        ASSERT_TRUE(!keeps || b.flits(v) == 0);
        ASSERT_TRUE(!keeps || b.has_room(v));
        ASSERT_LE(b.flits(v), b.sharing().limit);
        taken += std::max({b.flits(v), keeps ? 1U : 0U, reserved});
      }
      ASSERT_EQ(taken, b.size());
    }
  }
}

}  // namespace
}  // namespace weft
