// SPDX-License-Identifier: Apache-2.0
/// What urgent packets wait for in the source queue, in random networks whose NICs have one port. The equality tests
/// cover NICs with more ports. WEFT_SEED repeats a run.
#include "support/network_case.h"
#include "support/random.h"
#include "support/urgent_checker.h"
#include <iostream>
#include <memory>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "weft/engine/model.h"
#include "weft/topology/routing/routing_tables.h"
#include "weft/workload/packet_list.h"

using namespace weft;

namespace {

constexpr unsigned UrgentCases = 100;

TEST(system_urgent, packets_overtake_queued_ordinary_ones) {
  std::cout << "WEFT_SEED=" << test_seed() << "\n";
  std::uint64_t overtakings = 0;
  unsigned cases = 0;
  for (unsigned i = 0; cases < UrgentCases; ++i) {
    network_case c = random_case(test_seed() + i);
    if (c.graph.nodes.front().ports.size() > 1 || !c.workload.traffics.empty()) continue;
    ++cases;
    c.urgent = true;
    c.nic.queues = source_queues::Shared;
    stopping_source source(make_traffic(c), c.stop);
    urgent_checker checker;
    engine::make_model(c.graph, c.router, c.nic, c.payload_bits, source, checker)->run(c.stop + 500);
    ASSERT_EQ(checker.broken(), "") << "WEFT_SEED=" << test_seed() << ", case " << test_seed() + i << ": "
                                    << describe(c);
    overtakings += checker.overtakings();
  }
  EXPECT_GT(overtakings, 10u * UrgentCases);
}

/// Rejects urgent packets, and packets that others follow.
TEST(system_urgent, packets_are_rejected_at_nodes_with_send_sequences) {
  network_case c;
  route_by_source(c.graph, c.router.vcs);
  c.graph.nodes[0].path_ids.send_sequence = {{0, 0}};
  packet p{1, 0, 1};
  multiplied_source followed(std::make_unique<packet_list_source>(std::vector{p}, c.nodes(), payload_parameters(), 1),
                             true);
  p.urgent = true;
  packet_list_source urgent({p}, c.nodes(), {}, 1);
  for (packet_source* const source : {static_cast<packet_source*>(&urgent), static_cast<packet_source*>(&followed)}) {
    urgent_checker checker;
    const auto model = engine::make_model(c.graph, c.router, c.nic, c.payload_bits, *source, checker);
    EXPECT_THROW(model->run(1), std::invalid_argument);
  }
}

}  // namespace
