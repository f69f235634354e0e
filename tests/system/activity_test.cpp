// SPDX-License-Identifier: Apache-2.0
/// network_model::activity() against counts by hand and against invariants. The equality of levels is tested with all
/// other states (state_of() of support/network_case.h).
#include "support/event_log.h"
#include "support/network_case.h"
#include "support/random.h"
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "weft/engine/model.h"
#include "weft/topology/generators/grid.h"

namespace weft {
namespace {

/// Packets of two flits from node 0 to node 1, one every 50 cycles, with given payload words.
class two_words final : public packet_source {
 public:
  cycle_t next_creation(node_id node) const override { return node == 0 && m_sent < 3 ? 10 + 50 * m_sent : Never; }
  packet pop(node_id) override {
    packet p;
    p.id = m_sent;
    p.created = 10 + 50 * m_sent++;
    p.source = 0;
    p.destination = 1;
    p.flits = 2;
    return p;
  }
  void payload(const packet& p, std::uint32_t sequence, unsigned, std::uint64_t* words) const override {
    words[0] = Words[p.id][sequence];
  }
  static constexpr std::uint64_t Words[3][2] = {{0xff, 0xf0}, {0xf0, 0xf1}, {0, 0}};

 private:
  std::uint64_t m_sent = 0;
};

TEST(system_activity, of_three_packets_is_as_counted_by_hand) {
  grid_parameters line{{2}};
  line.options.vcs = 1;
  const topology graph = make_grid(line);
  router_parameters router;
  router.vcs = 1;
  two_words source;
  event_log log(1, event_log::detail::Nodes);
  const auto model = engine::make_model(graph, router, {}, 64, source, log);
  model->run(300);
  // Payload: 0 → ff → f0 → f0 → f1 → 0 → 0.
  const std::uint64_t payload = 8 + 4 + 0 + 1 + 5 + 0;
  // The header of a head has destination 1, source 0, length 2 flits and 4 words, and `head`: 4 bits. A tail has
  // `tail`: 1 bit. So the first head toggles 4 wires, each tail 4 + 1, and each further head 1 + 4.
  const std::uint64_t header = 4 + 5 + 5 + 5 + 5 + 5;
  unsigned channels = 0;
  for (const channel_activity& a : model->activity()) {
    if (a.flits == 0) continue;
    ++channels;
    EXPECT_EQ(a, (channel_activity{6, 3, payload, header}));
  }
  EXPECT_EQ(channels, 3U);  // from the NIC, between the routers, to the node
}

/// Checks invariants of the activity of \p model. \return the first one that does not hold; empty if all hold
std::string broken_invariant(const network_case& c, const network_model& model) {
  const std::vector<channel_activity> all = model.activity();
  const std::vector<channel_count> counts = model.channel_counts();
  std::size_t ports = counts.size();
  for (const node_attachment& node : c.graph.nodes) ports += node.ports.size();
  if (all.size() != ports) return fmt::format("{} channels, expected {}", all.size(), ports);
  for (std::size_t i = 0; i < counts.size(); ++i)
    if (all[i].flits != counts[i].flits)
      return fmt::format("channel {}: {} flits, channel_counts() has {}", i, all[i].flits, counts[i].flits);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const channel_activity& a = all[i];
    if (a.packets > a.flits) return fmt::format("channel {}: more packets than flits", i);
    if (a.payload_toggles > a.flits * c.payload_bits) return fmt::format("channel {}: too many toggles", i);
    if (a.packets > 1 && a.header_toggles == 0) return fmt::format("channel {}: headers never toggle", i);
  }
  return "";
}

TEST(system_activity, keeps_invariants_of_random_networks) {
  std::cout << "seed: WEFT_SEED=" << test_seed() << " repeats this run" << std::endl;
  rng random(test_seed());
  for (unsigned i = 0; i < 30; ++i) {
    const network_case c = random_case(random.bits());
    stopping_source source(make_traffic(c), c.stop);
    event_log log((c.payload_bits + 63) / 64, event_log::detail::Nodes);
    const auto model = engine::make_model(c.graph, c.router, c.nic, c.payload_bits, source, log);
    for (const cycle_t step : {100, 33, 700}) {
      model->run(step);
      ASSERT_EQ(broken_invariant(c, *model), "")
          << "WEFT_SEED=" << test_seed() << ", case " << i << ": " << describe(c);
    }
  }
}

TEST(system_activity, is_empty_unless_requested) {
  two_words source;
  grid_parameters line{{2}};
  const topology graph = make_grid(line);
  event_log log(1, event_log::detail::Network);
  const auto model = engine::make_model(graph, {}, {}, 64, source, log);
  model->run(100);
  EXPECT_TRUE(model->activity().empty());
}

}  // namespace
}  // namespace weft
