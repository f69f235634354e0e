// SPDX-License-Identifier: Apache-2.0
#include "weft/trace/checksum.h"

#include <string>

#include <gtest/gtest.h>

namespace weft {
namespace {

// The check value of CRC-32 of IEEE 802.3, and zlib's of other lengths.
TEST(trace_checksum, known_values) {
  EXPECT_EQ(checksum("123456789", 9), 0xcbf43926u);
  EXPECT_EQ(checksum("", 0), 0u);
  EXPECT_EQ(checksum("a", 1), 0xe8b7be43u);
}

TEST(trace_checksum, goes_on_where_it_ended) {
  const std::string text = "what is behind is added to what was before, wherever the two are cut";
  for (std::size_t cut = 0; cut <= text.size(); ++cut)
    EXPECT_EQ(checksum(text.data() + cut, text.size() - cut, checksum(text.data(), cut)),
              checksum(text.data(), text.size()));
}

}  // namespace
}  // namespace weft
