// SPDX-License-Identifier: Apache-2.0
/// Address lookup finds the same region as a linear search.
#include "weft/tlm/address_map.h"

#include "support/random.h"
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

using weft::tlm2::address_map;
using weft::tlm2::last_of;
using weft::tlm2::mapped_range;

namespace {

constexpr std::uint64_t Top = ~std::uint64_t{0};

const mapped_range* found_by_search(const std::vector<mapped_range>& mapped_ranges, std::uint64_t address) {
  for (const mapped_range& r : mapped_ranges)
    if (address >= r.base && address <= last_of(r)) return &r;
  return nullptr;
}

/// Looks up the ends of all regions, the addresses next to them, and \p others.
void expect_mapped_ranges(const std::vector<mapped_range>& mapped_ranges, std::vector<std::uint64_t> others) {
  const address_map map(mapped_ranges, 1);
  for (const mapped_range& r : mapped_ranges)
    others.insert(others.end(), {r.base, r.base - 1, last_of(r), last_of(r) + 1});
  for (const std::uint64_t address : others) {
    const mapped_range* const found = map.find(address);
    const mapped_range* const expected = found_by_search(mapped_ranges, address);
    ASSERT_EQ(found != nullptr, expected != nullptr) << address;
    ASSERT_EQ(found != nullptr ? found->base : 0, expected != nullptr ? expected->base : 0) << address;
  }
}

/// Up to \p most regions between \p first and \p last, some of them adjacent.
std::vector<mapped_range> any_mapped_ranges(rng& random, unsigned most, std::uint64_t first, std::uint64_t last) {
  std::vector<std::uint64_t> ends{first, last};
  for (unsigned i = random.between(0, most); i > 0; --i) ends.push_back(first + random.bits() % (last - first));
  std::sort(ends.begin(), ends.end());
  ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
  std::vector<mapped_range> mapped_ranges;
  for (std::size_t i = 0; i + 1 < ends.size(); ++i)
    if (random.chance(0.7)) mapped_ranges.push_back({ends[i], ends[i + 1] - ends[i], 0});
  return mapped_ranges;
}

}  // namespace

TEST(tlm_address_map, finds_the_region_of_every_address) {
  rng random(test_seed());
  SCOPED_TRACE("WEFT_SEED=" + std::to_string(test_seed()));
  for (unsigned i = 0; i < 500; ++i) {
    // Clusters far from each other, like memories and devices.
    std::vector<mapped_range> mapped_ranges = any_mapped_ranges(random, 40, 0x100, 0x10000);
    const unsigned most = random.chance(0.5) ? 5 : 300;
    for (const mapped_range& r : any_mapped_ranges(random, most, 0x8000'0000, Top - random.between(0, 3)))
      mapped_ranges.push_back(r);
    std::vector<std::uint64_t> others{0, Top, Top / 2};
    for (unsigned k = 0; k < 50; ++k) others.push_back(random.bits() >> random.between(0, 63));
    expect_mapped_ranges(mapped_ranges, others);
  }
}

TEST(tlm_address_map, handles_extreme_sizes_and_counts_of_regions) {
  expect_mapped_ranges({}, {0, 1, Top});
  expect_mapped_ranges({{0, 1, 0}}, {0, 1, Top});
  expect_mapped_ranges({{Top, 1, 0}}, {0, Top});
  expect_mapped_ranges({{0, Top, 0}}, {0, Top / 2, Top});
  expect_mapped_ranges({{0, 1, 0}, {Top, 1, 0}}, {0, 1, Top / 2, Top});
  std::vector<mapped_range> many;
  for (std::uint64_t n = 0; n < 1024; ++n) many.push_back({n << 16, 1 << 16, 0});
  expect_mapped_ranges(many, {1U << 26, Top});
}
