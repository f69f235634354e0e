// SPDX-License-Identifier: Apache-2.0
#include "weft/simulation/deadlock.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "weft/core/network_model.h"
#include "weft/topology/generators/grid.h"

namespace weft::experiment {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

// A 2x2 mesh: router 0 (0,0), 1 (1,0), 2 (0,1), 3 (1,1); ports +x 0, -x 1, +y 2, -y 3, local 4.
topology square() {
  grid_parameters p;
  p.shape = {2, 2};
  return make_grid(p);
}

constexpr auto Credit = blocked_packet::reason::Credit;
constexpr auto OutputVc = blocked_packet::reason::OutputVc;
constexpr auto Room = blocked_packet::reason::Room;

/// Four packets in a ring: each fills a link and waits for the next.
std::vector<blocked_packet> ring() {
  return {
      {0, 2, 0, 10, Credit, 0, 0b1},  // arrived at router 0 from +y, requests +x
      {1, 1, 0, 11, Credit, 2, 0b1},  // arrived at router 1 from -x, requests +y
      {3, 3, 0, 12, Credit, 1, 0b1},  // arrived at router 3 from -y, requests -x
      {2, 0, 0, 13, Credit, 3, 0b1},  // arrived at router 2 from +x, requests -y
  };
}

TEST(unit_experiment_deadlock, packet_without_credit_waits_for_the_first_packet_of_the_buffer) {
  EXPECT_THAT(wait_for_graph(square(), ring()),
              ElementsAre(ElementsAre(1), ElementsAre(2), ElementsAre(3), ElementsAre(0)));
}

TEST(unit_experiment_deadlock, packet_without_vc_waits_for_all_packets_that_hold_one) {
  std::vector<blocked_packet> blocked = ring();
  blocked.push_back({0, 4, 1, 14, OutputVc, 0, 0b11});  // from the node of router 0, requests VC 0 or 1 of +x
  blocked.push_back({1, 1, 1, 15, Credit, 2, 0b10});    // holds the buffer of VC 1 there
  EXPECT_THAT(wait_for_graph(square(), blocked)[4], UnorderedElementsAre(0, 1, 5));
}

TEST(unit_experiment_deadlock, packet_without_room_waits_for_the_vcs_that_take_it) {
  std::vector<blocked_packet> blocked = {
      {0, 2, 0, 10, Room, 0, 0b001},   // arrived at router 0 from +y, holds VC 0 of +x
      {1, 1, 1, 11, Credit, 2, 0b1},   // at the front of VC 1 there
      {0, 4, 2, 12, Credit, 0, 0b100}  // from the node of router 0, holds VC 2 of +x
  };
  blocked[0].pool_vcs = 0b010;
  blocked[0].kept_vcs = 0b100;
  EXPECT_THAT(wait_for_graph(square(), blocked)[0], ElementsAre(1, 2));
  EXPECT_THAT(describe_deadlock(square(), {blocked[0]}),
              ElementsAre("router 0 (0,0) +y, VC 0: packet 10 waits for room in the shared buffer of +x, VC 0"));
  EXPECT_THAT(find_stuck(square(), blocked), IsEmpty()) << "packet 11 waits for a VC without a packet";
}

/// Without flits of their own, VCs wait for each other's: a ring may pass through several VCs.
TEST(unit_experiment_deadlock, finds_a_ring_through_shared_buffers) {
  std::vector<blocked_packet> blocked = ring();
  for (blocked_packet& b : blocked) b.why = Room;
  for (blocked_packet& b : blocked) b.pool_vcs = 0b10;
  EXPECT_THAT(find_stuck(square(), blocked), IsEmpty()) << "VC 1 of each buffer can move";
  for (blocked_packet& b : blocked) b.vc = 1;
  EXPECT_THAT(find_stuck(square(), blocked), UnorderedElementsAre(0, 1, 2, 3));
  EXPECT_THAT(find_ring(wait_for_graph(square(), blocked)), ElementsAre(0, 1, 2, 3));
}

TEST(unit_experiment_deadlock, packets_at_ejection_or_unconnected_ports_wait_for_none) {
  EXPECT_THAT(wait_for_graph(square(), {{0, 4, 0, 1, OutputVc, 4, 0b1}, {0, 4, 1, 2, Credit, 0, 0b1}}),
              ElementsAre(IsEmpty(), IsEmpty()));
}

TEST(unit_experiment_deadlock, finds_a_ring_if_one_exists) {
  EXPECT_THAT(find_ring({}), IsEmpty());
  EXPECT_THAT(find_ring({{1, 2}, {2}, {}}), IsEmpty());
  EXPECT_THAT(find_ring({{1}, {2}, {3}, {1}}), ElementsAre(1, 2, 3));
  EXPECT_THAT(find_ring({{1}, {}, {3, 1}, {2}}), ElementsAre(2, 3));
}

TEST(unit_experiment_deadlock, packets_that_wait_only_for_each_other_are_stuck) {
  EXPECT_THAT(find_stuck(square(), ring()), ElementsAre(0, 1, 2, 3));
  std::vector<blocked_packet> blocked = ring();
  blocked.push_back({0, 4, 1, 14, OutputVc, 0, 0b1});  // waits for a packet of the ring
  blocked.push_back({0, 4, 2, 15, OutputVc, 4, 0b1});  // requests the port of its node, which no other packet requests
  EXPECT_THAT(find_stuck(square(), blocked), ElementsAre(0, 1, 2, 3, 4));
  blocked[4].output_vcs = 0b11;  // VC 1 would be sufficient, and no blocked packet holds it
  EXPECT_THAT(find_stuck(square(), blocked), ElementsAre(0, 1, 2, 3));
  blocked = ring();
  blocked.pop_back();  // now the fourth packet moves
  EXPECT_THAT(find_stuck(square(), blocked), IsEmpty());
  EXPECT_THAT(find_stuck(square(), {}), IsEmpty());
}

TEST(unit_experiment_deadlock, names_routers_vcs_and_packets_of_the_ring) {
  EXPECT_THAT(describe_deadlock(square(), ring()),
              ElementsAre("router 0 (0,0) +y, VC 0: packet 10 waits for a credit of +x, VC 0",
                          "router 1 (1,0) -x, VC 0: packet 11 waits for a credit of +y, VC 0",
                          "router 3 (1,1) -y, VC 0: packet 12 waits for a credit of -x, VC 0",
                          "router 2 (0,1) +x, VC 0: packet 13 waits for a credit of -y, VC 0",
                          "… which packet 10 holds up: a ring of 4"));
}

TEST(unit_experiment_deadlock, names_all_waiting_packets_without_a_ring) {
  EXPECT_THAT(describe_deadlock(square(), {{0, 4, 1, 14, OutputVc, 0, 0b1010}}),
              ElementsAre("router 0 (0,0) local, VC 1: packet 14 waits for an output VC of +x, VC 1, 3"));
}

}  // namespace
}  // namespace weft::experiment
