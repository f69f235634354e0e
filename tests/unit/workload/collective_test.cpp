// SPDX-License-Identifier: Apache-2.0
/// The algorithms of collective communication: every receiver receives or decodes all its data, for any
/// parameters.
#include "collective_support.h"
#include "support.h"
#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "weft/collectives/communication/collective_algorithms.h"
#include "weft/collectives/communication/collective_bounds.h"
#include "weft/collectives/communication/collective_check.h"
#include "weft/collectives/communication/collective_hops.h"

namespace weft {
namespace {

using algorithm = collective_algorithm;
using operation = collective_operation;

std::vector<std::string> defects(const collective& c) {
  const collective_findings found = check_collective(c);
  return found.none() ? std::vector<std::string>{} : std::vector<std::string>{to_text(found, c)};
}

RC_GTEST_PROP(unit_workload_collective, every_receiver_gets_all_its_data, ()) {
  const collective_case drawn = random_case();
  RC_LOG(described(drawn));
  const collective c = make_collective(drawn.parameters, drawn.network);
  RC_ASSERT(defects(c) == std::vector<std::string>{});
}

/// Algorithms that send data and XORs of them individually need one packet for each datum and receiver.
bool sends_packets(algorithm a) {
  return a != algorithm::RecursiveDoubling && a != algorithm::Combining && a < algorithm::Butterfly;
}

RC_GTEST_PROP(unit_workload_collective, broadcast_has_one_message_per_datum_and_receiver, ()) {
  const collective_case drawn = random_case(operation::Broadcast);
  const collective_parameters& p = drawn.parameters;
  if (!p.receivers.empty() || !sends_packets(p.algorithm)) return;
  RC_LOG(described(drawn));
  const collective c = make_collective(p, drawn.network);
  RC_ASSERT(c.messages.size() == c.data.size() * (drawn.network.nodes - 1));
}

RC_GTEST_PROP(unit_workload_collective, closed_forms_match_counted_messages_and_hops, ()) {
  const collective_case drawn = random_case(operation::Broadcast);
  if (!has_closed_form(drawn.parameters, drawn.network)) return;
  RC_LOG(described(drawn));
  const auto counted = count_hops(make_collective(drawn.parameters, drawn.network), drawn.network);
  RC_ASSERT(collective_hops(drawn.parameters, drawn.network) == counted);
}

/// The total is the same as if every group had as many data as the first, but one group has none and another two more.
TEST(unit_workload_collective, closed_forms_hold_for_groups_with_unequal_data_counts) {
  collective_parameters p;
  p.algorithm = algorithm::Hierarchy;
  p.outer = algorithm::RankTree;
  p.placement = intermediate_placement::Corner;
  p.group = {2, 1, 2};
  p.sources = {12, 4, 2, 3, 9, 5, 6, 8};
  const collective_network mesh = grid_network({3, 2, 4});
  EXPECT_EQ(collective_hops(p, mesh), count_hops(make_collective(p, mesh), mesh));
}

/// The sum over all messages of hops times flits.
std::uint64_t flit_hops(const collective& c, const collective_network& network) {
  std::uint64_t hops = 0;
  for (message_id m = 0; m < c.messages.size(); ++m) {
    hops += std::uint64_t{c.flits(m)} * network.distance(c.messages[m].source, c.messages[m].destination);
  }
  return hops;
}

RC_GTEST_PROP(unit_workload_collective, no_algorithm_is_below_the_lower_bounds, ()) {
  const collective_case drawn = random_case();
  RC_LOG(described(drawn));
  const collective c = make_collective(drawn.parameters, drawn.network);
  const schedule::step_network channels(topology_of(drawn.network));
  const collective_floors floors = collective_bounds(drawn.parameters, drawn.network, channels);
  std::vector<std::uint64_t> sent(drawn.network.nodes, 0), received(drawn.network.nodes, 0);
  for (message_id m = 0; m < c.messages.size(); ++m) {
    sent[c.messages[m].source] += c.flits(m);
    received[c.messages[m].destination] += c.flits(m);
  }
  RC_ASSERT(flit_hops(c, drawn.network) >= floors.flit_hops);
  RC_ASSERT(*std::max_element(sent.begin(), sent.end()) >= floors.injection);
  RC_ASSERT(*std::max_element(received.begin(), received.end()) >= floors.ejection);
}

TEST(unit_workload_collective, coding_inside_groups_is_decodable_for_every_placement) {
  for (std::size_t placement = 0; placement < IntermediatePlacementNames.size(); ++placement) {
    for (const auto& sides : std::vector<std::vector<std::uint32_t>>{{8, 8}, {7, 5}}) {
      for (const algorithm inner : {algorithm::AllAtOnce, algorithm::InterleavedTree}) {
        collective_parameters p;
        p.algorithm = algorithm::NetworkCoding;
        p.group = {4, 5};
        p.subgroups = {{3, 2}, {2, 1}};
        p.placement = static_cast<intermediate_placement>(placement);
        p.inner = p.outer = inner;
        const collective_network mesh = grid_network(sides);
        const collective c = make_collective(p, mesh);
        EXPECT_EQ(defects(c), std::vector<std::string>{});
        EXPECT_EQ(collective_hops(p, mesh), count_hops(c, mesh));
      }
    }
  }
}

/// Number of messages in the longest chain of dependencies.
std::uint32_t depth(const collective& c) {
  std::vector<std::uint32_t> depths;
  for (message_id m = 0; m < c.messages.size(); ++m) {
    depths.push_back(1);
    for (const message_id* d = c.dependencies_begin(m); d != c.dependencies_end(m); ++d) {
      depths[m] = std::max(depths[m], depths[*d] + 1);
    }
  }
  return *std::max_element(depths.begin(), depths.end());
}

TEST(unit_workload_collective, trees_have_the_expected_depth) {
  struct {
    algorithm of;
    std::uint32_t mesh, torus;
  } const cases[] = {{algorithm::AllAtOnce, 1, 1},       {algorithm::Tree, 6, 6},
                     {algorithm::InterleavedTree, 6, 6}, {algorithm::DoublingTree, 6, 6},
                     {algorithm::RankTree, 6, 6},        {algorithm::NeighbourForwarding, 14, 8},
                     {algorithm::Ring, 63, 63}};
  for (const auto& each : cases) {
    collective_parameters p;
    p.algorithm = each.of;
    p.sources = {0};
    EXPECT_EQ(depth(make_collective(p, grid_network({8, 8}))), each.mesh);
    EXPECT_EQ(depth(make_collective(p, grid_network({8, 8}, true))), each.torus);
  }
}

TEST(unit_workload_collective, reduction_tree_supports_32768_senders) {
  collective_parameters p;
  p.operation = operation::Reduce;
  p.algorithm = algorithm::Tree;
  p.receivers = {0};
  const collective_network mesh = grid_network({256, 128});
  const collective c = make_collective(p, mesh);
  EXPECT_EQ(c.messages.size(), 32767u);
  EXPECT_EQ(total(count_hops(c, mesh)).hops, 1024u + 256 * 448);  // h(256) + 256 h(128)
}

TEST(unit_workload_collective, rejects_too_many_messages_or_operands) {
  collective_parameters p;
  p.operation = operation::Gather;
  p.algorithm = algorithm::Ring;
  p.receivers = {0};
  expect_error<std::invalid_argument>(
      [&] {
        make_collective(p, grid_network({128, 128}));
      },
      "ring: more than 16777216 messages, or more than 67108864 data in messages; use fewer sources, fewer packets or "
      "a smaller "
      "network");
}

// ---- Invalid collectives ----

/// Node 0 sends datum 0 to node 1, which forwards it to node 2.
collective relay() {
  collective c;
  c.name = "by hand";
  c.nodes = 3;
  c.steps = {"first", "second"};
  c.data = {{0, 1}, {1, 1}};
  c.add(0, 1, 0, payload_form::Datum, {0}, {});
  c.add(1, 2, 1, payload_form::Datum, {0}, {0});
  c.goals = {{2, false, {0}}};
  return c;
}

TEST(unit_workload_collective_check, accepts_a_relay) { EXPECT_EQ(to_text(check_collective(relay()), relay()), ""); }

TEST(unit_workload_collective_check, describes_each_violation) {
  struct {
    void (*spoil)(collective& c);
    const char* text;
  } const cases[] = {
      {[](collective& c) { c.dependencies.clear(), c.messages[1].first_dependency = 0; },
       "node 1 sends message 1 made of data 0, but after all messages that it waits for, it lacks 0\n"},
      {[](collective& c) { c.messages[1].destination = 3; },
       "message 1 goes from node 1 to node 3, expected two different nodes of 0…2\n"},
      {[](collective& c) { c.messages[1].destination = 1; },
       "message 1 goes from node 1 to node 1, expected two different nodes of 0…2\n"},
      {[](collective& c) { c.messages[0].destination = 2; },
       "message 1 of node 1 waits for message 0, which goes to node 2\n"},
      {[](collective& c) { c.messages[0].step = 1, c.messages[1].step = 0; },
       "message 1 of step first waits for message 0 of step second\n"},
      {[](collective& c) { c.messages[0].step = 2; }, "message 0 belongs to step 2, expected a step below 2\n"},
      {[](collective& c) { c.messages[0].form = payload_form::Xor; },
       "message 0 has 1 operands, which does not fit its form\n"},
      {[](collective& c) { c.operands[0] = 2; }, "message 0 names datum 2, expected one of 0…1\n"},
      {[](collective& c) { c.dependencies[0] = 2; }, "message 1 waits for message 2, which does not exist\n"},
      {[](collective& c) { c.goals[0].node = 3; }, "a goal belongs to node 3, expected 0…2\n"},
      {[](collective& c) { c.goals.push_back(c.goals[0]); }, "node 2 has two goals, expected one\n"},
      {[](collective& c) {
         c.goals[0].data = {0, 1};
       },
       "node 2 lacks datum 1 of node 1\n"},
  };
  for (const auto& each : cases) {
    collective c = relay();
    each.spoil(c);
    const std::string text = to_text(check_collective(c), c);
    EXPECT_EQ(text.substr(0, std::string(each.text).size()), each.text);
  }
}

TEST(unit_workload_collective_check, detects_messages_that_wait_for_each_other) {
  collective c = relay();
  c.add(2, 1, 1, payload_form::Datum, {0}, {1});
  c.dependencies[0] = 2;  // message 1 of node 1 waits for the reply to it
  EXPECT_EQ(to_text(check_collective(c), c),
            "2 messages wait for each other or for messages that do, such as message 1\n");
}

// ---- Invalid combinations of parameters ----

TEST(unit_workload_collective, error_for_invalid_parameters_states_what_is_expected) {
  struct {
    void (*spoil)(collective_parameters& p);
    const char* text;
  } const cases[] = {
      {[](collective_parameters& p) { p.sources = {8}; }, "sources: node 8 is not in the network, expected 0…7"},
      {[](collective_parameters& p) {
         p.receivers = {1, 1};
       },
       "receivers: node 1 is given twice, expected every node once"},
      {[](collective_parameters& p) {
         p.lengths = {1, 2};
       },
       "lengths: 2 numbers, expected one, or one for each of the 8 sources"},
      {[](collective_parameters& p) { p.lengths = {0}; }, "lengths: 0 flits, expected at least 1"},
      {[](collective_parameters& p) { p.packets = 0; }, "packets: 0 packets per source, expected at least 1"},
      {[](collective_parameters& p) {
         p.group = {2, 2};
       },
       "all_at_once: this algorithm has no groups; leave them out"},
      {[](collective_parameters& p) { p.algorithm = algorithm::NetworkCoding; },
       "network_coding: expected either `group`, the shape of a group, or `groups`, the nodes of each group"},
      {[](collective_parameters& p) { p.algorithm = algorithm::Hierarchy, p.group = {2}; },
       "group: 2 has 1 sides, expected 2 for a grid"},
      {[](collective_parameters& p) {
         p.algorithm = algorithm::Hierarchy, p.group = {2, 3};
       },
       "group: the side 3 of 2x3 is out of range, expected 1…2"},
      {[](collective_parameters& p) {
         p.algorithm = algorithm::Hierarchy, p.group = {2, 2}, p.inner = algorithm::Parity;
       },
       "hierarchy: parity does not broadcast inside or between groups; expected all_at_once, ring or one of the trees"},
      {[](collective_parameters& p) {
         p.algorithm = algorithm::Hierarchy, p.groups = {{0, 1}, {2, 3}, {4, 5, 6}};
       },
       "groups: node 7 is in no group, expected every node in one group"},
      {[](collective_parameters& p) {
         p.algorithm = algorithm::NetworkCoding, p.group = {2, 2}, p.receivers = {1, 2};
       },
       "network_coding: 2 receivers, expected all 8 nodes; leave `receivers` out or take one of the trees"},
      {[](collective_parameters& p) {
         p.algorithm = algorithm::Hierarchy, p.group = {2, 2}, p.subgroups = {{1, 2}};
       },
       "hierarchy: only network_coding supports groups inside groups; leave `subgroups` out"},
      {[](collective_parameters& p) { p.operation = operation::Gather; }, "gather: 8 receivers, expected one"},
      {[](collective_parameters& p) { p.operation = operation::Scatter, p.algorithm = algorithm::Parity; },
       "parity does not support scatter; use combining, all_at_once, ring or one of the trees"},
      {[](collective_parameters& p) { p.algorithm = algorithm::Butterfly; },
       "butterfly: 8 sources, 8 receivers, 0 relays; expected 2 sources, 2 receivers and 1 or 2 relays, the ends of "
       "the shared path"},
      {[](collective_parameters& p) {
         p.algorithm = algorithm::Butterfly, p.sources = {0, 1}, p.receivers = {2, 3}, p.relays = {3};
       },
       "butterfly: node 3 has two roles, expected different sources, receivers and relays"},
      {[](collective_parameters& p) { p.packets = 1u << 20; },
       "all_at_once: 8388608 data for 8 nodes need about 67108864 messages, expected at most 16777216; use fewer "
       "sources, fewer packets or a smaller network, or only count hops, which needs no messages"},
  };
  for (const auto& each : cases) {
    collective_parameters p;
    each.spoil(p);
    expect_error<std::invalid_argument>([&] { make_collective(p, grid_network({4, 2})); }, each.text);
  }
}

TEST(unit_workload_collective, recursive_doubling_requires_powers_of_two) {
  collective_parameters p;
  p.algorithm = algorithm::RecursiveDoubling;
  expect_error<std::invalid_argument>(
      [&] {
        make_collective(p, grid_network({4, 3}));
      },
      "recursive_doubling: 3 nodes in a row, expected a power of two");
}

TEST(unit_workload_collective, rejects_inconsistent_networks) {
  collective_network network = grid_network({4, 2});
  network.nodes = 9;
  expect_error<std::invalid_argument>([&] { make_collective({}, network); },
                                      "network: a grid of 4x2 has 8 nodes, expected 9");
  network.shape.clear();
  expect_error<std::invalid_argument>([&] { make_collective({}, network); },
                                      "network: 0 distances, expected 81 for 9 nodes that form no grid");
}

}  // namespace
}  // namespace weft
