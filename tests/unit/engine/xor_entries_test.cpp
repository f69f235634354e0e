// SPDX-License-Identifier: Apache-2.0
/// Entries that are found by a hash give the same look-ups and comparisons as a linear search, which is the method of
/// pin::decoder_entries.
#include "weft/engine/nic/xor_entries.h"

#include "support/random.h"
#include <vector>

#include <gtest/gtest.h>

#include "weft/core/xor_entries.h"

namespace weft::engine {
namespace {

constexpr unsigned Names = 6, Depth = 4, WordsPerFlit = 2;

/// Entries in a row; searches start at the lowest.
struct searched_entries {
  enum class kind { Free, Known, Waiting };
  struct entry {
    searched_entries::kind kind = searched_entries::kind::Free;
    bool fresh = false;
    xor_code what;
  };
  std::vector<entry> all;

  template <typename Condition>
  unsigned lowest(Condition condition) const {
    for (unsigned e = 0; e < all.size(); ++e)
      if (condition(all[e])) return e;
    return none();
  }
  unsigned none() const { return xor_entries::none(); }
  unsigned lowest_free() const {
    return lowest([](const entry& e) { return e.kind == kind::Free; });
  }
  unsigned lowest_fresh() const {
    return lowest([](const entry& e) { return e.fresh; });
  }
  unsigned known(std::uint32_t name) const {
    return lowest([name](const entry& e) { return e.kind == kind::Known && e.what.first.name == name; });
  }
  unsigned lowest_waiting_for(std::uint32_t name) const {
    return lowest([name](const entry& e) {
      return e.kind == kind::Waiting && (e.what.first.name == name || e.what.second.name == name);
    });
  }
  bool is_waiting(unsigned e) const { return all[e].kind == kind::Waiting; }
  xor_datum first(unsigned e) const { return all[e].what.first; }
  xor_datum second(unsigned e) const { return all[e].what.second; }
};

xor_datum any_datum(rng& random, std::uint32_t name) {
  return {name, random.between(0, WordsPerFlit * (Depth + 1)), static_cast<std::uint8_t>(random.between(0, 3)),
          data_type::Other};
}

/// The header of a plain packet, or of a coded one with two data.
header any_header(rng& random) {
  header head;
  const std::uint32_t first = random.between(0, Names - 1), second = (first + random.between(1, Names - 1)) % Names;
  head.first = datum_bits(any_datum(random, first));
  if (random.chance(0.6)) {
    head.role = xor_role::Coded;
    head.relay = random.chance(0.2);
    head.second = datum_bits(any_datum(random, second));
  }
  head.flits = random.between(1, Depth + 1);
  return head;
}

/// Both kinds of entries, with the same changes applied to both.
struct entries_scene {
  explicit entries_scene(unsigned count) : hashed(count) { searched.all.resize(count); }

  void occupy(unsigned where, const xor_code& code, bool fresh) {
    const bool waiting = code.role == xor_role::Coded;
    xor_entry content;
    content.what.what.code = code;
    content.waiting = waiting;
    hashed.occupy(where, content, fresh);
    searched.all[where] = {waiting ? searched_entries::kind::Waiting : searched_entries::kind::Known, fresh, code};
  }
  void release(unsigned where) {
    hashed.release(where);
    searched.all[where] = {};
  }
  void use(unsigned where) {
    hashed.use(where);
    if (--searched.all[where].what.first.uses == 0) searched.all[where] = {};
  }
  void mark_compared(unsigned where) {
    hashed.mark_compared(where);
    searched.all[where].fresh = false;
  }

  xor_searches<xor_entries> hashed;
  xor_searches<searched_entries> searched;
};

void compare_look_ups(const entries_scene& both, const header& head) {
  const xor_look_up a = both.hashed.look_up_packet(head, Depth, WordsPerFlit);
  const xor_look_up b = both.searched.look_up_packet(head, Depth, WordsPerFlit);
  ASSERT_EQ(a.action, b.action);
  ASSERT_EQ(a.room, b.room);
  ASSERT_EQ(a.overflow, b.overflow);
  ASSERT_EQ(a.first_known, b.first_known);
  ASSERT_EQ(a.first, b.first);
  ASSERT_EQ(a.second, b.second);
  ASSERT_EQ(a.free, b.free);
}

void compare_comparisons(const entries_scene& both) {
  const xor_comparison a = both.hashed.compare_fresh(), b = both.searched.compare_fresh();
  ASSERT_EQ(a.any, b.any);
  ASSERT_EQ(a.match, b.match);
  ASSERT_EQ(a.redundant, b.redundant);
  ASSERT_EQ(a.fresh, b.fresh);
  ASSERT_EQ(a.waiting, b.waiting);
  ASSERT_EQ(a.known, b.known);
  ASSERT_EQ(a.other, b.other);
}

TEST(unit_engine_xor_entries, hash_lookup_matches_linear_search) {
  rng random(test_seed());
  unsigned matches = 0, redundant = 0, decoded = 0;
  for (const unsigned count : {1U, 2U, 5U, 70U}) {
    entries_scene both(count);
    for (unsigned step = 0; step < 4000; ++step) {
      const header head = any_header(random);
      compare_look_ups(both, head);
      compare_comparisons(both);
      if (testing::Test::HasFatalFailure()) return;
      const xor_look_up found = both.searched.look_up_packet(head, Depth, WordsPerFlit);
      decoded += found.action == xor_action::Decode;
      const xor_comparison c = both.searched.compare_fresh();
      matches += c.match;
      redundant += c.redundant;

      const xor_code code = code_of(head);
      const bool is_new = code.role == xor_role::Coded ||
                          (code.first.uses != 0 && both.searched.known(code.first.name) == both.searched.none());
      if (found.free != both.searched.none() && is_new) both.occupy(found.free, code, random.chance(0.7));
      if (c.any && random.chance(0.5)) both.mark_compared(c.fresh);
      const unsigned any = random.between(0, count - 1);
      if (both.searched.all[any].kind == searched_entries::kind::Free || random.chance(count > 5 ? 0.1 : 0.5)) continue;
      both.searched.is_waiting(any) ? both.release(any) : both.use(any);
    }
  }
  EXPECT_GT(matches, 100U);
  EXPECT_GT(redundant, 100U);
  EXPECT_GT(decoded, 100U);
}

/// The name of each relation of a new entry to the others.
TEST(unit_engine_xor_entries, new_entry_is_compared_with_all_other_entries) {
  const auto code = [](xor_role role, std::uint32_t first, std::uint32_t second) {
    xor_code c;
    c.role = role;
    c.first = {first, 1, 2, data_type::Other};
    c.second = {second, 1, 2, data_type::Other};
    return c;
  };
  entries_scene both(4);
  EXPECT_FALSE(both.hashed.compare_fresh().any);
  both.occupy(0, code(xor_role::Coded, 1, 2), false);
  both.occupy(1, code(xor_role::Plain, 3, 0), true);
  xor_comparison c = both.hashed.compare_fresh();
  EXPECT_TRUE(c.any && !c.match && !c.redundant) << "nothing waits for datum 3";
  both.mark_compared(1);
  both.occupy(2, code(xor_role::Plain, 2, 0), true);
  c = both.hashed.compare_fresh();
  EXPECT_TRUE(c.match && !c.redundant);
  EXPECT_EQ(c.waiting, 0U);
  EXPECT_EQ(c.known, 2U);
  both.occupy(3, code(xor_role::Plain, 1, 0), false);
  c = both.hashed.compare_fresh();
  EXPECT_TRUE(c.match && c.redundant);
  EXPECT_EQ(c.other, 3U);
}

}  // namespace
}  // namespace weft::engine
