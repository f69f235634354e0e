// SPDX-License-Identifier: Apache-2.0
#include "weft/core/random.h"

#include "support.h"
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace weft {
namespace {

random_stream stream_of(std::uint64_t seed) { return {seed, 0, stream_purpose::Injection}; }

// The first outputs for seed 1234567, as published with ports of the reference implementation (Rosetta Code,
// "Splitmix64").
TEST(unit_core_random, splitmix64_gives_the_published_numbers) {
  const std::vector<std::uint64_t> published = {6457827717110365317u, 3203168211198807973u, 9817491932198370423u,
                                                4593380528125082431u, 16408922859458223821u};
  for (std::size_t i = 0; i < published.size(); ++i) EXPECT_EQ(splitmix64(1234567, i), published[i]);
}

// From the state 1, 2, 3, 4, the generator gives the numbers of the reference implementation, which tests of
// rand_xoshiro and other ports also contain.
TEST(unit_core_random, xoshiro256_gives_the_published_numbers) {
  const std::vector<std::uint64_t> published = {
      11520u,
      0u,
      1509978240u,
      1215971899390074240u,
      1216172134540287360u,
      607988272756665600u,
      16172922978634559625u,
      8476171486693032832u,
      10595114339597558777u,
      2904607092377533576u,
  };
  xoshiro256 generator({1, 2, 3, 4});
  for (const std::uint64_t number : published) EXPECT_EQ(generator.next(), number);
}

// Computed by an independent implementation in Python. Any change here changes every result of every user.
TEST(unit_core_random, streams_match_the_reference_implementation) {
  EXPECT_EQ(stream_key(1, 2, stream_purpose::Length), 9613205829653846581u);
  random_stream random(1, 2, stream_purpose::Length);
  EXPECT_EQ(random.next(), 13366554478650054786u);
  EXPECT_EQ(random.next(), 13542994463776686666u);
  EXPECT_EQ(random.next(), 275745209254121467u);
}

TEST(unit_core_random, streams_differ_by_seed_node_and_purpose) {
  const std::uint64_t key = stream_key(1, 1, stream_purpose::Injection);
  EXPECT_NE(key, stream_key(2, 1, stream_purpose::Injection));
  EXPECT_NE(key, stream_key(1, 2, stream_purpose::Injection));
  EXPECT_NE(key, stream_key(1, 1, stream_purpose::Destination));
}

TEST(unit_core_random, adjacent_streams_are_uncorrelated) {
  // Of 64 bits, 32 agree on average, with a variance of 16.
  constexpr int Pairs = 10000;
  double agreeing = 0;
  for (node_id node = 0; node < Pairs; ++node) {
    const std::uint64_t differing = random_stream(7, node, stream_purpose::Length).next() ^
                                    random_stream(7, node + 1, stream_purpose::Length).next();
    for (unsigned bit = 0; bit < 64; ++bit) agreeing += (differing >> bit & 1) == 0;
  }
  EXPECT_NEAR(agreeing / Pairs, 32, 5 * 4 / std::sqrt(Pairs));
}

TEST(unit_core_random, below_is_uniform) {
  for (const std::uint32_t n : {1u, 2u, 3u, 10u, 63u}) {
    constexpr int Draws = 100000;
    random_stream random = stream_of(n);
    std::vector<std::uint64_t> counted(n);
    for (int i = 0; i < Draws; ++i) ++counted.at(random.below(n));
    EXPECT_LT(chi_square(counted, std::vector<double>(n, double{Draws} / n)), chi_square_limit(n)) << "n = " << n;
  }
}

// With n = 3/4 of 2^32, a draw without rejection would give one of the three results twice as often as the others.
TEST(unit_core_random, below_is_unbiased_for_a_large_range) {
  constexpr int Draws = 30000;
  random_stream random = stream_of(1);
  std::vector<std::uint64_t> counted(3);
  for (int i = 0; i < Draws; ++i) ++counted.at(random.below(3u << 30) % 3);
  EXPECT_LT(chi_square(counted, {Draws / 3., Draws / 3., Draws / 3.}), chi_square_limit(3));
}

TEST(unit_core_random, chance_has_the_requested_probability) {
  constexpr int Draws = 100000;
  for (const double p : {0., 1e-4, 0.25, 0.5, 0.99, 1.}) {
    random_stream random = stream_of(3);
    int hits = 0;
    for (int i = 0; i < Draws; ++i) hits += random.chance(p);
    EXPECT_NEAR(hits, p * Draws, 5 * std::sqrt(p * (1 - p) * Draws)) << "p = " << p;
  }
}

TEST(unit_core_random, chance_0_and_1_consume_equally_many_numbers) {
  random_stream never = stream_of(4), always = stream_of(4);
  never.chance(0);
  always.chance(1);
  EXPECT_EQ(never.next(), always.next());
}

TEST(unit_core_random, geometric_has_the_right_probabilities) {
  constexpr int Draws = 200000;
  for (const double p : {0.01, 1. / 64, 0.05, 0.3, 0.5, 0.9}) {
    random_stream random = stream_of(5);
    const geometric_distribution geometric(p);
    std::vector<double> expected;  // n failures for each n with a sufficient count, then all larger n
    double rest = Draws;
    for (double count = p * Draws; count >= 20; count *= 1 - p) {
      expected.push_back(count);
      rest -= count;
    }
    expected.push_back(rest);
    std::vector<std::uint64_t> counted(expected.size());
    for (int i = 0; i < Draws; ++i) ++counted[std::min<std::uint64_t>(geometric(random), counted.size() - 1)];
    EXPECT_LT(chi_square(counted, expected), chi_square_limit(counted.size())) << "p = " << p;
  }
}

TEST(unit_core_random, geometric_has_the_right_mean_and_variance) {
  constexpr int Draws = 50000;
  for (const double p : {1e-9, 1e-6, 1e-3, 0.1, 0.5, 0.999}) {
    const double q = 1 - p;
    const double mean = q / p, variance = q / (p * p);
    random_stream random = stream_of(6);
    const geometric_distribution geometric(p);
    double sum = 0, squares = 0;
    for (int i = 0; i < Draws; ++i) {
      const auto n = static_cast<double>(geometric(random));
      sum += n;
      squares += (n - mean) * (n - mean);
    }
    EXPECT_NEAR(sum / Draws, mean, 5 * std::sqrt(variance / Draws)) << "p = " << p;
    // The excess kurtosis of a geometric variable is 6 + p^2 / q.
    const double deviation = variance * std::sqrt((8 + p * p / q) / Draws);
    EXPECT_NEAR(squares / Draws, variance, 5 * deviation) << "p = " << p;
  }
}

TEST(unit_core_random, geometric_has_the_right_tail_for_a_tiny_p) {
  constexpr int Draws = 50000;
  for (const double p : {1e-9, 1e-15}) {
    random_stream random = stream_of(7);
    const geometric_distribution geometric(p);
    for (const double means : {0.01, 1., 3.}) {
      const auto limit = static_cast<std::uint64_t>(means / p);
      int above = 0;
      for (int i = 0; i < Draws; ++i) above += geometric(random) >= limit;
      const double expected = std::exp(-means);
      EXPECT_NEAR(double{1} * above / Draws, expected, 5 * std::sqrt(expected * (1 - expected) / Draws)) << "p = " << p;
    }
  }
}

TEST(unit_core_random, geometric_with_probability_one_is_zero) {
  random_stream random = stream_of(8);
  const geometric_distribution geometric(1);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(geometric(random), 0u);
}

}  // namespace
}  // namespace weft
