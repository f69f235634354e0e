// SPDX-License-Identifier: Apache-2.0
/// Flits of the last window, compared with a count over all cycles in which a flit came.
#include "weft/engine/nic/received_counter.h"

#include "support/random.h"
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace weft::engine {
namespace {

constexpr std::size_t Channels = 3;

struct counted_window {
  cycle_t window;
  unsigned buckets;
};

void compare(counted_window shape, rng& random) {
  SCOPED_TRACE("window of " + std::to_string(shape.window) + ", " + std::to_string(shape.buckets) + " buckets");
  const cycle_t length = shape.window / shape.buckets;
  received_counter under_test(Channels, shape.window, shape.buckets);
  std::vector<std::vector<cycle_t>> came(Channels);
  std::uint64_t seen = 0;
  cycle_t now = 0;
  for (unsigned i = 0; i < 3000; ++i) {
    under_test.move_to(now);
    if (random.chance(0.7)) {  // one channel receives hardly any flits
      const std::size_t channel = random.chance(0.01) ? 2 : random.between(0, 1);
      under_test.add(channel);
      came[channel].push_back(now);
    }
    const cycle_t end = now / length * length, begin = end - std::min(end, shape.window);
    for (std::size_t c = 0; c < Channels; ++c) {
      const auto flits =
          std::count_if(came[c].begin(), came[c].end(), [=](cycle_t cycle) { return cycle >= begin && cycle < end; });
      ASSERT_EQ(under_test.received(c), static_cast<std::uint32_t>(flits)) << "channel " << c << ", cycle " << now;
      seen += static_cast<std::uint64_t>(flits);
    }
    now += random.chance(0.02) ? random.between(0, 3 * static_cast<std::uint32_t>(shape.window)) : random.between(0, 2);
  }
  EXPECT_GT(seen, 0U);
}

TEST(unit_engine_received_counter, counts_the_flits_of_the_last_window) {
  rng random(test_seed());
  SCOPED_TRACE("WEFT_SEED=" + std::to_string(test_seed()));
  for (const counted_window shape : {counted_window{1, 1}, {7, 1}, {60, 1}, {60, 2}, {60, 5}, {60, 60}, {1000, 10}})
    compare(shape, random);
}

}  // namespace
}  // namespace weft::engine
