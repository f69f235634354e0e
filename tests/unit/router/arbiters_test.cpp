// SPDX-License-Identifier: Apache-2.0
/// Arbiters of all kinds, and the random generator of the random arbiter.
#include "support/random.h"
#include "unit/router/reference_arbiters.h"
#include <cmath>
#include <cstdint>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "weft/core/types.h"
#include "weft/router/allocator_kinds.h"
#include "weft/router/arbiter.h"

namespace weft {
namespace {

/// Equal arbiters whose words follow each other in an array.
struct arbiter_bank {
  arbiter_kind kind;
  unsigned groups, contenders, first_word, words;

  unsigned at(unsigned arbiter) const { return first_word + arbiter * words; }
  unsigned rank(const std::vector<std::uint16_t>& state, unsigned arbiter, unsigned contender) const {
    return rank_of(kind, groups, contenders, state, at(arbiter), contender);
  }
  void reset(std::vector<std::uint16_t>& state, unsigned arbiter) const {
    reset_arbiter(kind, contenders, words, state, at(arbiter), arbiter);
  }
  void grant(std::vector<std::uint16_t>& state, unsigned arbiter, unsigned winner) const {
    note_grant(kind, groups, contenders, state, at(arbiter), winner);
  }
};

arbiter_bank make_bank(arbiter_kind kind, unsigned groups, unsigned contenders, unsigned first_word) {
  return {kind, groups, contenders, first_word, arbiter_words(kind, groups, contenders)};
}

/// The requester with the smallest rank. Expects that no two contenders have the same rank.
unsigned winner_of(const arbiter_bank& bank, const std::vector<std::uint16_t>& state, unsigned arbiter,
                   const std::vector<bool>& requests) {
  std::set<unsigned> ranks;
  unsigned winner = 0, least = 0;
  bool found = false;
  for (unsigned contender = 0; contender < bank.contenders; ++contender) {
    const unsigned rank = bank.rank(state, arbiter, contender);
    EXPECT_TRUE(ranks.insert(rank).second) << "rank of contender " << contender;
    if (!requests[contender] || (found && rank > least)) continue;
    winner = contender;
    least = rank;
    found = true;
  }
  return winner;
}

/// Compares a bank of arbiters with the slow implementation, with random requests and with a grant after most of them.
void expect_equal_winners(arbiter_kind kind, unsigned groups, unsigned contenders, rng& random) {
  SCOPED_TRACE(std::string(entry_of(kind).name) + ", " + std::to_string(contenders) + " contenders, " +
               std::to_string(groups) + " groups");
  constexpr unsigned Arbiters = 3, First = 2, Behind = 2;
  const arbiter_bank bank = make_bank(kind, groups, contenders, First);
  std::vector<std::uint16_t> state(First + Arbiters * bank.words + Behind, 0xd00d);
  std::vector<std::unique_ptr<reference::arbiter>> expected;
  for (unsigned arbiter = 0; arbiter < Arbiters; ++arbiter) {
    bank.reset(state, arbiter);
    expected.push_back(reference::make_arbiter(kind, contenders, groups, arbiter));
  }
  for (unsigned cycle = 0; cycle < 60; ++cycle) {
    const unsigned arbiter = random.between(0, Arbiters - 1);
    const double dense = random.unit();
    std::vector<bool> requests(contenders, false);
    for (unsigned contender = 0; contender < contenders; ++contender) requests[contender] = random.chance(dense);
    requests[random.between(0, contenders - 1)] = true;
    const unsigned winner = winner_of(bank, state, arbiter, requests);
    ASSERT_EQ(winner, expected[arbiter]->select(requests)) << "cycle " << cycle;
    if (random.chance(0.8)) {
      bank.grant(state, arbiter, winner);
      expected[arbiter]->grant(winner);
    }
    std::vector<unsigned> words{0xd00d, 0xd00d};
    for (const auto& e : expected)
      for (const unsigned word : e->words()) words.push_back(word);
    words.insert(words.end(), Behind, 0xd00d);
    ASSERT_EQ(std::vector<unsigned>(state.begin(), state.end()), words) << "cycle " << cycle;
  }
}

TEST(unit_router_arbiters, winners_and_state_match_a_slow_implementation) {
  SCOPED_TRACE("WEFT_SEED=" + std::to_string(test_seed()));
  rng random(test_seed());
  for (const arbiter_entry& entry : arbiter_entries()) {
    for (unsigned contenders = 1; contenders <= 20; ++contenders)
      for (const unsigned groups : {2U, 3U, 4U, 7U, MaxGroups})
        expect_equal_winners(entry.kind, groups, contenders, random);
    expect_equal_winners(entry.kind, 5, 256, random);
    if (HasFailure()) return;
  }
}

TEST(unit_router_arbiters, matrix_arbiter_grants_the_least_recently_granted_requester) {
  rng random(test_seed());
  const arbiter_bank bank = make_bank(arbiter_kind::Matrix, 0, 6, 0);
  std::vector<std::uint16_t> state(bank.words);
  bank.reset(state, 0);
  std::vector<int> granted = {-1, -2, -3, -4, -5, -6};  // cycle of the last grant; after reset the last one is first
  for (int cycle = 0; cycle < 300; ++cycle) {
    std::vector<bool> requests(6);
    for (unsigned contender = 0; contender < 6; ++contender) requests[contender] = random.chance(0.4);
    requests[random.between(0, 5)] = true;
    const unsigned winner = winner_of(bank, state, 0, requests);
    for (unsigned contender = 0; contender < 6; ++contender)
      ASSERT_TRUE(!requests[contender] || granted[winner] <= granted[contender]) << "cycle " << cycle;
    bank.grant(state, 0, winner);
    granted[winner] = cycle;
  }
}

TEST(unit_router_arbiters, random_words_return_after_65535_steps_and_are_never_zero) {
  std::vector<bool> seen(65536, false);
  std::uint16_t word = 1;
  for (unsigned step = 0; step < 65535; ++step) {
    ASSERT_NE(word, 0U) << "step " << step;
    ASSERT_FALSE(seen[word]) << "step " << step;
    seen[word] = true;
    word = next_random_word(word);
  }
  EXPECT_EQ(word, 1U);
}

TEST(unit_router_arbiters, random_arbiters_begin_with_different_words) {
  std::set<unsigned> words;
  for (unsigned arbiter = 0; arbiter < MaxPorts * MaxVcs; ++arbiter) {
    const unsigned word = random_arbiter::initial_word(arbiter);
    EXPECT_GT(word, 0U);
    EXPECT_LE(word, 0xffffU);
    EXPECT_TRUE(words.insert(word).second) << "arbiter " << arbiter;
  }
}

// The counts of all words are fixed numbers, so this test does not depend on chance. The bound is one that counts of
// independent choices exceed with a probability below 10^-9.
TEST(unit_router_arbiters, random_arbiter_grants_every_requester_equally_often) {
  rng random(42);
  for (const unsigned requesters : {2U, 3U, 4U, 5U, 7U, 8U, 12U, 16U, 25U, 32U}) {
    for (unsigned scene = 0; scene < 3; ++scene) {
      std::set<unsigned> numbers;  // the requesters among 256 contenders; at first the lowest ones
      while (numbers.size() < requesters)
        numbers.insert(scene == 0 ? static_cast<unsigned>(numbers.size()) : random.between(0, 255));
      std::vector<unsigned> wins(256, 0);
      for (unsigned word = 1; word <= 0xffff; ++word) {
        unsigned winner = *numbers.begin();
        for (const unsigned number : numbers)
          if (random_rank(word, number) < random_rank(word, winner)) winner = number;
        ++wins[winner];
      }
      const double mean = 65535.0 / requesters, deviation = std::sqrt(mean * (1 - 1.0 / requesters));
      for (const unsigned number : numbers)
        EXPECT_NEAR(wins[number], mean, 7 * deviation) << "contender " << number << " of " << requesters;
    }
  }
}

}  // namespace
}  // namespace weft
