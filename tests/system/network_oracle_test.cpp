// SPDX-License-Identifier: Apache-2.0
/// Networks of BookSim2 that are no meshes: packets arrive in its cycles, or with its mean latency where it draws VCs
/// at random.
#include "system/oracle_support.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "weft/topology/generators/dragonfly.h"
#include "weft/topology/generators/express_mesh.h"
#include "weft/topology/generators/flattened_butterfly.h"
#include "weft/topology/generators/grid.h"
#include "weft/topology/generators/k_ary_n_fly.h"
#include "weft/workload/packet_list.h"

namespace weft {
namespace {

/// The packets and answers of a list of the data folder `oracle_kinds`.
struct oracle_list {
  std::vector<packet> packets;
  std::vector<packet_answer> answers;
};

/// Reads list \p name with \p nodes nodes; empty if it is absent.
oracle_list read_list(const std::string& name, std::uint32_t nodes) {
  const std::string stem = "oracle_kinds/" + name;
  const std::string list = shared_data(stem + ".gen.gz"), answer = shared_data(stem + ".ret.gz");
  if (list.empty() || answer.empty()) return {};
  return {parse_packet_list(list, stem, {nodes}), parse_answers(answer, stem)};
}

/// BookSim2's number of node \p n of a network of 4x4 routers with 2x2 nodes each: it numbers the nodes of the whole
/// network row by row.
node_id booksim_node(node_id n) {
  const std::uint32_t router = n / 4, within = n % 4;
  return 8 * (2 * (router / 4) + within / 2) + 2 * (router % 4) + within % 2;
}

/// The network \p t of 4x4 routers with 4 nodes and \p links other ports each, with the numbers of BookSim2, which its
/// arbiters depend on. The ports of nodes come first.
topology with_booksim_numbers(topology t, unsigned links) {
  constexpr unsigned Nodes = 4;
  const auto moved = [links](unsigned port) { return port < links ? port + Nodes : port - links; };
  for (channel& c : t.channels) {
    c.from.port = moved(c.from.port);
    c.to.port = moved(c.to.port);
  }
  std::vector<node_attachment> nodes(t.nodes.size());
  for (node_id n = 0; n < nodes.size(); ++n) {
    for (port_ref& port : t.nodes[n].ports) port.port = moved(port.port);
    nodes[booksim_node(n)] = t.nodes[n];
  }
  t.nodes = nodes;
  for (router_id r = 0; r < t.routers.size(); ++r) {
    std::vector<route> by_destination(nodes.size());
    for (node_id n = 0; n < nodes.size(); ++n) {
      const route to = t.routing[r].answer({0, 0, n});
      by_destination[booksim_node(n)] = {moved(to.port), to.vcs};
    }
    t.routing[r] = table_rule(by_destination);
    std::rotate(t.routers[r].port_names.begin(), t.routers[r].port_names.begin() + links,
                t.routers[r].port_names.end());
  }
  return t;
}

/// The flattened butterfly of BookSim2. Its input ports are in the order of the routers that send to them. A link is as
/// long as the distance of its routers, with two cycles for each router.
topology booksim_flattened_butterfly() {
  constexpr std::uint32_t Nodes = 4, Links = 6;
  flattened_butterfly_parameters p;
  p.shape = {4, 4};
  p.nodes = Nodes;
  topology t = with_booksim_numbers(make_flattened_butterfly(p), Links);
  std::vector<std::vector<router_id>> senders(t.routers.size());
  for (channel& c : t.channels) {
    senders[c.to.router].push_back(c.from.router);
    const auto distance = [](std::uint32_t a, std::uint32_t b) { return a > b ? a - b : b - a; };
    c.cycles = 2 * (distance(c.from.router % 4, c.to.router % 4) + distance(c.from.router / 4, c.to.router / 4));
  }
  for (auto& list : senders) std::sort(list.begin(), list.end());
  for (channel& c : t.channels) {
    const auto& list = senders[c.to.router];
    const auto at = std::lower_bound(list.begin(), list.end(), c.from.router) - list.begin();
    c.to.port = Nodes + static_cast<std::uint32_t>(at);
  }
  return t;
}

/// Compares every packet of the lists \p kind of both loads, on a network of 64 nodes.
void expect_every_packet(const topology& graph, const std::string& kind, std::size_t at_least) {
  for (const char* seed : {".5", ".6"}) {
    const oracle_list list = read_list(kind + seed, 64);
    if (list.packets.empty())
      GTEST_SKIP() << WEFT_SHARED_DATA << "/oracle_kinds/" << kind << seed << ".*.gz are absent";
    ASSERT_GE(list.answers.size(), at_least);
    EXPECT_EQ(oracle::compare_levels(graph, {}, list.packets, list.answers), "") << kind << seed;
  }
}

TEST(system_network_oracle, every_packet_of_a_flattened_butterfly_arrives_in_the_cycle_of_booksim2) {
  expect_every_packet(booksim_flattened_butterfly(), "flatfly", 5000);
}

/// A hop takes two cycles, because a router has two columns and rows of nodes, and an express channel twice as many.
TEST(system_network_oracle, every_packet_of_an_express_mesh_arrives_in_the_cycle_of_booksim2) {
  express_mesh_parameters p;
  p.shape = {4, 4};
  p.nodes = 4;
  p.options.link_cycles = 2;
  p.express_cycles = 4;
  expect_every_packet(with_booksim_numbers(make_express_mesh(p), 4), "cmesh_express", 3000);
}

TEST(system_network_oracle, every_packet_of_a_concentrated_mesh_arrives_in_the_cycle_of_booksim2) {
  grid_parameters p;
  p.shape = {4, 4};
  p.nodes = 4;
  p.options.link_cycles = 2;
  expect_every_packet(with_booksim_numbers(make_grid(p), 4), "cmesh", 3000);
}

TEST(system_network_oracle, every_packet_of_a_butterfly_arrives_in_the_cycle_of_booksim2) {
  k_ary_n_fly_parameters p;
  p.arity = 4;
  p.stages = 3;
  expect_every_packet(make_k_ary_n_fly(p), "fly", 3000);
}

/// The means over the packets of both lists that were created before \p end.
struct mean_latency {
  double expected = 0, found = 0;
  std::size_t packets = 0;
};

mean_latency compare_means(const oracle_list& list, const oracle::answer_recorder& run, cycle_t end) {
  std::unordered_map<packet_id, cycle_t> created, arrival;
  for (const packet& p : list.packets) created[p.id] = p.created;
  for (const packet_answer& a : run.answers) arrival[a.id] = a.tail_delivered;
  mean_latency mean;
  for (const packet_answer& a : list.answers) {
    if (created[a.id] >= end) continue;
    EXPECT_NE(arrival[a.id], 0U) << "packet " << a.id << " was not delivered";
    mean.expected += static_cast<double>(a.tail_delivered - created[a.id]);
    mean.found += static_cast<double>(arrival[a.id] - created[a.id]);
    ++mean.packets;
  }
  mean.expected /= static_cast<double>(mean.packets);
  mean.found /= static_cast<double>(mean.packets);
  return mean;
}

/// The dragonfly with the VCs of BookSim2: VC 0 up to the link between groups, and VC 1 from there on.
topology booksim_dragonfly() {
  dragonfly_parameters p;
  p.options.link_cycles = 10;
  p.global_cycles = 100;
  p.arrangement = dragonfly_arrangement::Consecutive;
  topology t = make_dragonfly(p);
  const std::uint32_t first_global = p.group_routers - 1, first_local = first_global + p.global_links;
  for (route_rule& rule : t.routing) {
    table_rule table;
    for (const unsigned in : {first_local, first_global}) {
      std::vector<route> row(t.nodes.size());
      for (node_id n = 0; n < row.size(); ++n) {
        row[n] = rule.answer({in, 0, n});
        const bool is_behind = in == first_global || row[n].port >= first_global;
        if (row[n].port < first_local) row[n].vcs = is_behind ? 0b10 : 0b01;
      }
      table.add_row(row);
    }
    for (unsigned port = first_global; port < first_local; ++port)
      for (unsigned vc = 0; vc < MaxVcs; ++vc) table.use_row(port, vc, 1);
    rule = table;
  }
  return t;
}

/// BookSim2 injects each packet on a random VC, so the cycles of single packets cannot be compared. The list of the
/// higher load is not used: it is far beyond saturation, and contains only the packets that BookSim2 delivered early.
TEST(system_network_oracle, packets_of_a_dragonfly_have_the_mean_latency_of_booksim2) {
  const oracle_list list = read_list("dragonfly.5", 72);
  if (list.packets.empty()) GTEST_SKIP() << WEFT_SHARED_DATA << "/oracle_kinds/dragonfly.5.*.gz are absent";
  const auto run = oracle::run(oracle::level::Engine, booksim_dragonfly(), {}, list.packets, 9000);
  const mean_latency mean = compare_means(list, run, 250);
  EXPECT_GE(mean.packets, 1500U);
  EXPECT_NEAR(mean.found / mean.expected, 1, 0.01) << mean.found << " of " << mean.expected;
}

}  // namespace
}  // namespace weft
