// SPDX-License-Identifier: Apache-2.0
// The tuner, compared with an exhaustive search of all tables.
#include "weft/core/fpc_tuning.h"

#include "unit/core/codec_cases.h"
#include <algorithm>
#include <limits>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "weft/core/coded_packet.h"

namespace weft {
namespace {

/// Calls \p f(table) for all tables with runs of \p least to 32 zeros. \return the number of tables
template <typename F>
unsigned for_all_tables(unsigned least, F f) {
  unsigned tables = 0;
  std::array<unsigned, 6> r{};
  const auto choose = [&](const auto& self, unsigned i, unsigned below) -> void {
    if (i == 6) {
      fpc_table table;
      for (unsigned j = 0; j < 6; ++j) table.runs[j] = static_cast<std::uint8_t>(r[j]);
      ++tables;
      f(table);
      return;
    }
    for (r[i] = least + 5 - i; r[i] < below; ++r[i]) self(self, i + 1, r[i]);
  };
  choose(choose, 0, 33);
  return tables;
}

/// Among the tables with the fewest bits, the one whose longest run is shortest, then the second longest, and so on.
fpc_table best_of_all(const zeros_histogram& words, unsigned least, unsigned expected_tables) {
  fpc_table best;
  std::uint64_t fewest = std::numeric_limits<std::uint64_t>::max();
  const unsigned tables = for_all_tables(least, [&](const fpc_table& table) {
    const std::uint64_t bits = fpc_bits(words, table);
    if (bits < fewest || (bits == fewest && table.runs < best.runs)) best = table;
    fewest = std::min(fewest, bits);
  });
  EXPECT_EQ(tables, expected_tables);
  return best;
}

zeros_histogram any_histogram() {
  zeros_histogram words{};
  for (auto& count : words) count = *rc::gen::inRange(0, 3) == 0 ? 0 : *any_bits() >> *rc::gen::inRange(32U, 64U);
  return words;
}

TEST(unit_core_fpc_tuning, counts_leading_zeros) {
  EXPECT_EQ(leading_zeros(0), 32u);
  EXPECT_EQ(leading_zeros(1), 31u);
  EXPECT_EQ(leading_zeros(0x80000000), 0u);
}

RC_GTEST_PROP(unit_core_fpc_tuning, bit_count_matches_the_encoder, ()) {
  const std::vector<std::uint32_t> message = *any_message(1, 50);
  codec_parameters p;
  p.table = *any_table();
  zeros_histogram words{};
  for (const std::uint32_t word : message) ++words[leading_zeros(word)];
  RC_ASSERT(fpc_bits(words, p.table) == encode(message, codec::Fpc, 4, p).bits);
}

// The histograms contain words with 21 to 32 leading zeros. Runs below 21 save fewer bits in each word, so the
// comparison covers only 924 tables.
RC_GTEST_PROP(unit_core_fpc_tuning, best_table_is_optimal_for_words_with_long_runs, ()) {
  zeros_histogram words = any_histogram();
  for (unsigned zeros = 0; zeros < 21; ++zeros) words[zeros] = 0;
  const fpc_table best = best_fpc_table(words);
  RC_ASSERT(best.valid());
  RC_ASSERT(fpc_bits(words, best) == fpc_bits(words, best_of_all(words, 21, 924)));
}

// The search covers all 906,192 tables.
TEST(unit_core_fpc_tuning, best_table_matches_exhaustive_search) {
  std::vector<zeros_histogram> histograms(3);
  histograms[0].fill(1);
  histograms[1][25] = 7;  // few values: many tables are equally good
  for (unsigned zeros = 0; zeros <= 32; ++zeros) histograms[2][zeros] = zeros * 7919 % 101 * (zeros % 5);
  for (const zeros_histogram& words : histograms) EXPECT_EQ(best_fpc_table(words), best_of_all(words, 1, 906192));
}

RC_GTEST_PROP(unit_core_fpc_tuning, table_one_never_takes_fewer_bits_than_the_tuned_table, ()) {
  const zeros_histogram words = any_histogram();
  RC_ASSERT(fpc_bits(words, best_fpc_table(words)) <= fpc_bits(words, fpc_table{}));
}

TEST(unit_core_fpc_tuning, empty_histogram_gives_a_valid_table) { EXPECT_TRUE(best_fpc_table({}).valid()); }

}  // namespace
}  // namespace weft
