// SPDX-License-Identifier: Apache-2.0
/// Engines share no state: several engines, each in its own thread, have the events that each has alone.
#include "support/event_log.h"
#include "support/network_case.h"
#include "support/random.h"
#include <iostream>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "weft/engine/model.h"

using namespace weft;

namespace {

/// The events of \p c on a new engine.
std::string events_of(const network_case& c) {
  event_log log((c.payload_bits + 63) / 64, event_log::detail::Everything);
  stopping_source source(make_traffic(c), c.stop);
  const auto model = engine::make_model(c.graph, c.router, c.nic, c.payload_bits, source, log);
  model->run(c.stop + 500);
  return log.text();
}

TEST(system_threads, concurrent_engines_equal_sequential_ones) {
  constexpr unsigned Engines = 8;
  std::cout << "WEFT_SEED=" << test_seed() << "\n";
  std::vector<network_case> cases;
  std::vector<std::string> alone, together(Engines);
  for (std::uint64_t seed = test_seed(); cases.size() < Engines; ++seed) {
    const network_case c = random_case(seed);
    const std::string events = events_of(c);
    if (events.empty()) continue;  // no events: every node sends to itself only, or none has sent yet
    // Each network occurs twice, so that shared state would show.
    cases.insert(cases.end(), 2, c);
    alone.insert(alone.end(), 2, events);
  }
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < Engines; ++i)
    threads.emplace_back([&cases, &together, i] { together[i] = events_of(cases[i]); });
  for (std::thread& t : threads) t.join();
  for (unsigned i = 0; i < Engines; ++i) EXPECT_EQ(first_difference(alone[i], together[i]), "") << describe(cases[i]);
}

}  // namespace
