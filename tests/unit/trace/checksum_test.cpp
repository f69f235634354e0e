// SPDX-License-Identifier: Apache-2.0
#include "weft/mpi/trace/checksum.h"

#include "support/random.h"
#include <cstddef>
#include <cstdint>
#include <string>

#include <gtest/gtest.h>
#include <zlib.h>

namespace weft {
namespace {

// Compares with the check value of the CRC-32 of IEEE 802.3, and with values of zlib for other lengths.
TEST(unit_trace_checksum, matches_known_values) {
  EXPECT_EQ(checksum("123456789", 9), 0xcbf43926u);
  EXPECT_EQ(checksum("", 0), 0u);
  EXPECT_EQ(checksum("a", 1), 0xe8b7be43u);
}

// Compares with zlib: all short lengths and some long ones, at every alignment and with any previous checksum.
TEST(unit_trace_checksum, matches_zlib) {
  const std::uint64_t seed = test_seed();
  SCOPED_TRACE("WEFT_SEED=" + std::to_string(seed));
  rng random(seed);
  std::string bytes(100'000, '\0');
  for (char& byte : bytes) byte = static_cast<char>(random.bits());
  const auto same = [&](std::size_t first, std::size_t count) {
    const auto before = static_cast<std::uint32_t>(random.bits());
    const auto* const at = reinterpret_cast<const Bytef*>(&bytes[first]);
    EXPECT_EQ(checksum(at, count, before), count == 0 ? before : crc32_z(before, at, count)) << first << " " << count;
  };
  for (std::size_t count = 0; count < 600; ++count)
    for (const std::size_t first : {0, 1, 7, 16}) same(first, count);
  for (int i = 0; i < 50; ++i) {
    const std::size_t first = random.between(0, 999);
    same(first, random.between(600, static_cast<std::uint32_t>(bytes.size() - first)));
  }
}

TEST(unit_trace_checksum, can_be_computed_in_two_parts) {
  const std::string text = "what is behind is added to what was before, wherever the two are cut";
  for (std::size_t cut = 0; cut <= text.size(); ++cut)
    EXPECT_EQ(checksum(text.data() + cut, text.size() - cut, checksum(text.data(), cut)),
              checksum(text.data(), text.size()));
}

}  // namespace
}  // namespace weft
