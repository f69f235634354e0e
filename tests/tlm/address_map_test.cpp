// SPDX-License-Identifier: Apache-2.0
/// The region of an address is the one that a look at all of them finds.
#include "weft/tlm/address_map.h"

#include "support/random.h"
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

using weft::tlm2::address_map;
using weft::tlm2::last_of;
using weft::tlm2::region;

namespace {

constexpr std::uint64_t Top = ~std::uint64_t{0};

const region* found_by_looking(const std::vector<region>& regions, std::uint64_t address) {
  for (const region& r : regions)
    if (address >= r.base && address <= last_of(r)) return &r;
  return nullptr;
}

/// Asks for the ends of all regions, for what lies beside them, and for \p others.
void expect_regions(const std::vector<region>& regions, std::vector<std::uint64_t> others) {
  const address_map map(regions, 1);
  for (const region& r : regions) others.insert(others.end(), {r.base, r.base - 1, last_of(r), last_of(r) + 1});
  for (const std::uint64_t address : others) {
    const region* const found = map.find(address);
    const region* const expected = found_by_looking(regions, address);
    ASSERT_EQ(found != nullptr, expected != nullptr) << address;
    ASSERT_EQ(found != nullptr ? found->base : 0, expected != nullptr ? expected->base : 0) << address;
  }
}

/// Up to \p most regions between \p first and \p last, some of them side by side.
std::vector<region> any_regions(dice& random, unsigned most, std::uint64_t first, std::uint64_t last) {
  std::vector<std::uint64_t> ends{first, last};
  for (unsigned i = random.between(0, most); i > 0; --i) ends.push_back(first + random.bits() % (last - first));
  std::sort(ends.begin(), ends.end());
  ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
  std::vector<region> regions;
  for (std::size_t i = 0; i + 1 < ends.size(); ++i)
    if (random.chance(0.7)) regions.push_back({ends[i], ends[i + 1] - ends[i], 0});
  return regions;
}

}  // namespace

TEST(tlm_address_map, finds_the_region_of_every_address) {
  dice random(test_seed());
  SCOPED_TRACE("WEFT_SEED=" + std::to_string(test_seed()));
  for (unsigned i = 0; i < 500; ++i) {
    // Clusters far from each other, as memories and devices are.
    std::vector<region> regions = any_regions(random, 40, 0x100, 0x10000);
    const unsigned most = random.chance(0.5) ? 5 : 300;
    for (const region& r : any_regions(random, most, 0x8000'0000, Top - random.between(0, 3))) regions.push_back(r);
    std::vector<std::uint64_t> others{0, Top, Top / 2};
    for (unsigned k = 0; k < 50; ++k) others.push_back(random.bits() >> random.between(0, 63));
    expect_regions(regions, others);
  }
}

TEST(tlm_address_map, takes_the_least_and_the_most) {
  expect_regions({}, {0, 1, Top});
  expect_regions({{0, 1, 0}}, {0, 1, Top});
  expect_regions({{Top, 1, 0}}, {0, Top});
  expect_regions({{0, Top, 0}}, {0, Top / 2, Top});
  expect_regions({{0, 1, 0}, {Top, 1, 0}}, {0, 1, Top / 2, Top});
  std::vector<region> many;
  for (std::uint64_t n = 0; n < 1024; ++n) many.push_back({n << 16, 1 << 16, 0});
  expect_regions(many, {1U << 26, Top});
}
