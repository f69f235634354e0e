// SPDX-License-Identifier: Apache-2.0
/// Compares the arrival of each packet at the pin level and in the engine with independent references: BookSim2, a
/// reference simulator written from the specification, and golden files that it wrote.
#include "support/files.h"
#include "support/random.h"
#include "support/reference_router.h"
#include "support/subprocess.h"
#include "system/oracle_support.h"
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "weft/core/network_model.h"
#include "weft/core/network_observer.h"
#include "weft/engine/model.h"
#include "weft/pin/model.h"
#include "weft/topology/generators/grid.h"
#include "weft/workload/packet_list.h"

namespace weft {
namespace {

using oracle::answer_recorder;
using oracle::compare;
using oracle::level;
using oracle::Levels;
using oracle::name_of;
using oracle::text;

/// Sends \p packets over the mesh \p p for \p cycles cycles.
answer_recorder run(level which, const reference::parameters& p, std::vector<packet> packets, cycle_t cycles) {
  topology graph = make_grid({p.shape, {p.link_cycles, p.node_cycles, 1, p.vcs / p.classes}, p.order});
  for (channel& c : graph.channels) c.phits = p.link_phits;
  router_parameters router{p.vcs, p.depth, p.pipeline,
                           p.stores        ? flow_control::StoreAndForward
                           : p.cut_through ? flow_control::VirtualCutThrough
                                           : flow_control::Wormhole,
                           p.classes};
  router.lookahead_routing = p.lookahead;
  router.speculation = p.speculation;
  router.priority = p.priority;
  router.starvation_guard = p.starvation_guard;
  router.reallocation = p.after_tail_credit ? vc_reallocation::AfterTailCredit : vc_reallocation::AfterTail;
  router.busy_when_full = p.busy_when_full;
  router.prefer_empty = p.prefer_empty;
  router.hold_switch = p.hold_switch;
  router.buffer = {p.shared ? buffer_policy::Shared : buffer_policy::Private, p.reserved, p.limit};
  router.input_speedup = p.input_speedup;
  nic_parameters nic;
  nic.ejection_credits = p.ejection_credits;
  return oracle::run(which, graph, router, std::move(packets), cycles, nic);
}

std::string text(const flit_event& e) {
  return fmt::format("cycle {}, node {}, VC {}, packet {}, flit {}", e.cycle, e.node, e.vc, e.id, e.sequence);
}

/// Describes the first flit that is not in both lists, in order of cycle, node, VC.
std::string compare(const char* what, std::vector<flit_event> expected, std::vector<flit_event> found, cycle_t end) {
  const auto key = [](const flit_event& e) { return std::tie(e.cycle, e.node, e.vc, e.id, e.sequence); };
  for (auto* list : {&expected, &found}) {
    list->erase(std::remove_if(list->begin(), list->end(), [&](const auto& e) { return e.cycle >= end; }), list->end());
    std::sort(list->begin(), list->end(), [&](const auto& a, const auto& b) { return key(a) < key(b); });
  }
  for (std::size_t i = 0; i < std::max(expected.size(), found.size()); ++i) {
    if (i < expected.size() && i < found.size() && key(expected[i]) == key(found[i])) continue;
    return fmt::format("{} flit {} differs: expected {}; found {}", what, i,
                       i < expected.size() ? text(expected[i]) : "the end",
                       i < found.size() ? text(found[i]) : "the end");
  }
  return {};
}

// ---- BookSim2's answers
// -----------------------------------------------------------------------------------------

/// Compares with the recorded file \p name in the data folder `oracle`, for a \p side x \p side mesh.
void agrees_with_booksim(const std::string& name, std::uint32_t side, std::size_t least_packets) {
  const std::string list = shared_data("oracle/" + name + ".gen.gz"),
                    answer = shared_data("oracle/" + name + ".ret.gz");
  if (list.empty() || answer.empty()) GTEST_SKIP() << WEFT_SHARED_DATA << "/oracle/" << name << ".*.gz is absent";
  const std::vector<packet_answer> expected = parse_answers(answer, name + ".ret");
  ASSERT_GE(expected.size(), least_packets);
  const topology graph = make_grid({{side, side}, {1, 1, 1, 4}});
  EXPECT_EQ(oracle::compare_levels(graph, {}, parse_packet_list(list, name + ".gen", {side * side}), expected), "");
}

TEST(system_oracle, matches_booksim2_on_8x8_mesh_at_5_percent_load_1_flit) {
  agrees_with_booksim("mesh8_0.05_1", 8, 15000);
}
TEST(system_oracle, matches_booksim2_on_8x8_mesh_at_20_percent_load_1_flit) {
  agrees_with_booksim("mesh8_0.2_1", 8, 50000);
}
TEST(system_oracle, matches_booksim2_on_8x8_mesh_at_30_percent_load_5_flits) {
  agrees_with_booksim("mesh8_0.3_5", 8, 15000);
}
TEST(system_oracle, matches_booksim2_on_8x8_mesh_at_80_percent_load_5_flits) {
  agrees_with_booksim("mesh8_0.8_5", 8, 20000);
}
TEST(system_oracle, matches_booksim2_on_8x8_mesh_at_20_percent_load_uniform_lengths) {
  agrees_with_booksim("mesh8_0.2_U", 8, 2400);
}
TEST(system_oracle, matches_booksim2_on_8x8_mesh_at_90_percent_load_uniform_lengths) {
  agrees_with_booksim("mesh8_0.9_U", 8, 2100);
}
TEST(system_oracle, matches_booksim2_on_16x16_mesh_at_10_percent_load_5_flits) {
  agrees_with_booksim("mesh16_0.1_5", 16, 9900);
}

// ---- The reference simulator
// -----------------------------------------------------------------------------------

struct reference_case {
  reference::parameters network;
  std::vector<packet> packets;
  cycle_t cycles;
};

/// Packets of 1 to \p longest flits between random nodes at \p load flits per node and cycle.
std::vector<packet> random_packets(rng& d, std::uint32_t nodes, double load, std::uint32_t longest, cycle_t until) {
  std::vector<packet> packets;
  for (cycle_t t = 0; t < until; ++t)
    for (node_id n = 0; n < nodes; ++n)
      if (d.chance(load * 2 / (longest + 1)))
        packets.push_back({packets.size(), n, d.between(0, nodes - 1), d.between(1, longest), t});
  return packets;
}

/// Draws a pipeline and rules for output VCs.
void draw_choices(reference::parameters& p, rng& d) {
  p.lookahead = d.chance(0.5);
  p.speculation = d.one_of({speculation_kind::None, speculation_kind::Prioritized, speculation_kind::MaskedByGrants,
                            speculation_kind::MaskedByRequests});
  const unsigned shortest = p.lookahead ? 2 : 3;
  p.pipeline = d.between(shortest, shortest + 2);
  p.stores = p.cut_through && d.chance(0.5);
  p.classes = d.one_of({1u, 1u, 2u});
  p.vcs *= p.classes;
  if (d.chance(0.4))
    p.priority = d.one_of({priority_kind::Age, priority_kind::NetworkAge, priority_kind::LocalAge,
                           priority_kind::HopCount, priority_kind::QueueLength});
  if (p.classes > 1 && d.chance(0.4)) p.priority = priority_kind::MessageClass;
  const bool can_starve = p.priority == priority_kind::HopCount || p.priority == priority_kind::QueueLength ||
                          p.priority == priority_kind::MessageClass;
  if (can_starve && d.chance(0.5)) p.starvation_guard = d.between(1, 60);
  p.after_tail_credit = d.chance(0.3);
  p.busy_when_full = d.chance(0.3);
  p.prefer_empty = d.chance(0.3);
  p.hold_switch = d.chance(0.3);
  p.shared = !p.cut_through && d.chance(0.4);
  p.reserved = d.between(p.classes > 1 ? 1 : 0, std::min(p.depth, 2u));
  const unsigned within_reach = p.vcs * p.depth - (p.vcs - 1) * p.reserved;
  if (p.reserved + 1 < within_reach && d.chance(0.5)) p.limit = d.between(p.reserved + 1, within_reach - 1);
  p.input_speedup = d.between(1, MaxInputSpeedup);
  const auto ports = static_cast<unsigned>(2 * p.shape.size() + 1);
  if (p.vcs % p.input_speedup != 0 || ports * p.input_speedup > MaxSwitchInputs) p.input_speedup = 1;
  const unsigned least = p.cut_through ? p.depth : 1;  // room for a whole packet
  if (d.chance(0.5)) p.ejection_credits = p.shared ? p.depth : d.between(least, least + 8);
}

/// \param choices whether the router differs from the default in more than its parameters
reference_case random_reference_case(std::uint64_t seed, bool choices) {
  rng d(seed);
  reference_case c;
  const std::vector<std::uint32_t> shapes[] = {{2, 1}, {3, 1}, {2, 2}, {4, 2},    {3, 3},
                                               {4, 4}, {2, 5}, {5},    {2, 2, 3}, {2, 2, 2, 2}};
  c.network.shape = shapes[d.between(0, 9)];
  c.network.order.clear();
  for (unsigned i = 0; i < c.network.shape.size(); ++i)
    c.network.order.insert(c.network.order.begin() + d.between(0, i), i);
  c.network.vcs = d.between(1, 6);
  c.network.depth = d.between(1, 9);
  // Half of the cases use the router of the specification; the others vary its parameters, too.
  if (d.chance(0.5)) {
    c.network.pipeline = d.one_of({3u, 4u, 5u, 7u, 9u});
    c.network.link_cycles = d.between(1, 3);
    c.network.node_cycles = d.between(1, 3);
    c.network.cut_through = d.chance(0.4);
    if (d.chance(0.4)) c.network.link_phits = d.between(2, 9);
  }
  if (choices) draw_choices(c.network, d);
  const std::uint32_t longest = c.network.cut_through ? c.network.depth : d.one_of({1u, 2u, 5u, 12u});
  std::uint32_t nodes = 1;
  for (const std::uint32_t side : c.network.shape) nodes *= side;
  c.packets = random_packets(d, nodes, std::exp(std::log(0.02) * d.unit()), longest, d.between(100, 500));
  for (packet& p : c.packets) p.message_class = static_cast<std::uint8_t>(d.between(0, c.network.classes - 1));
  c.cycles = d.between(500, 900);
  return c;
}

std::string describe(const reference::parameters& p) {
  const std::string buffers =
      p.shared ? fmt::format("shared, {} reserved, limit {}", p.reserved, p.limit) : std::string("private");
  return fmt::format(
             "mesh [{}] order [{}], S {}{}, speculation {}, VCs {} in {} classes, depth {}, link {} of {} phits, node "
             "link {}, "
             "{}{}{}{}",
             fmt::join(p.shape, ", "), fmt::join(p.order, ", "), p.pipeline, p.lookahead ? " with lookahead" : "",
             static_cast<int>(p.speculation), p.vcs, p.classes, p.depth, p.link_cycles, p.link_phits, p.node_cycles,
             p.stores        ? "store and forward"
             : p.cut_through ? "cut-through"
                             : "wormhole",
             p.after_tail_credit ? ", after tail credit" : "", p.busy_when_full ? ", busy when full" : "",
             p.prefer_empty ? ", prefers empty VCs" : "") +
         fmt::format("{}, buffers {}, input speedup {}, ejection credits {}, priority {}, guard {}",
                     p.hold_switch ? ", holds the switch" : "", buffers, p.input_speedup, p.ejection_credits,
                     static_cast<int>(p.priority), p.starvation_guard);
}

/// The first difference between one of the levels and the reference, or `ok <flits delivered>`.
std::string against_reference(const reference_case& c) {
  const reference::outcome expected = reference::simulate(c.network, c.packets, c.cycles);
  for (const level which : Levels) {
    const answer_recorder found = run(which, c.network, c.packets, c.cycles);
    std::string difference = compare("injected", expected.injected, found.in, c.cycles);
    if (difference.empty()) difference = compare("ejected", expected.ejected, found.out, c.cycles);
    if (difference.empty()) difference = compare(expected.answers, found.answers);
    if (!difference.empty()) return fmt::format("{}: {}", name_of(which), difference);
  }
  return fmt::format("ok {}", expected.ejected.size());
}

class system_reference : public testing::TestWithParam<unsigned> {};

/// Half of the groups have routers with other pipelines and rules for output VCs.
TEST_P(system_reference, both_levels_move_every_flit_in_the_cycle_of_the_reference) {
  const std::uint64_t seed = test_seed() + 1000003 * GetParam();
  std::cout << "WEFT_SEED=" << test_seed() << "\n";
  std::uint64_t flits = 0;
  for (std::uint64_t i = 0; i < 100; ++i) {
    const reference_case c = random_reference_case(seed + i, GetParam() % 2 == 1);
    const std::string result = run_in_subprocess_or_throw([&c] { return against_reference(c); });
    ASSERT_EQ(result.substr(0, 3), "ok ")
        << "seed " << seed + i << ": " << describe(c.network) << ", " << c.packets.size() << " packets: " << result;
    flits += std::stoull(result.substr(3));
  }
  EXPECT_GE(flits, 20000u);
}

INSTANTIATE_TEST_SUITE_P(random, system_reference, testing::Range(0u, 8u));

// ---- Golden files
// --------------------------------------------------------------------------------

struct golden_case {
  const char* name;
  reference::parameters network;
  double load;
  std::uint32_t longest;
};

reference::parameters small_mesh(std::vector<std::uint32_t> shape, unsigned pipeline, unsigned vcs, unsigned depth) {
  reference::parameters p;
  p.shape = std::move(shape);
  p.pipeline = pipeline;
  p.vcs = vcs;
  p.depth = depth;
  return p;
}

const golden_case GoldenCases[] = {
    {"mesh3x3_s4_0.3", small_mesh({3, 3}, 4, 4, 8), 0.3, 5},
    {"mesh4x2_s4_1.0", small_mesh({4, 2}, 4, 2, 3), 1.0, 9},
    {"mesh3x3_s3_0.5", small_mesh({3, 3}, 3, 3, 4), 0.5, 4},
    {"mesh3x2_s7_0.4", small_mesh({3, 2}, 7, 2, 6), 0.4, 6},
};
constexpr cycle_t GoldenCycles = 400;

std::string contents(const std::filesystem::path& file) {
  std::ifstream in(file);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

/// Rewrites the golden files if WEFT_REGENERATE_GOLDEN is set. See golden/README.md.
void regenerate(const golden_case& g, const std::filesystem::path& stem) {
  rng d(1);
  std::uint32_t nodes = 1;
  for (const std::uint32_t side : g.network.shape) nodes *= side;
  const std::vector<packet> packets = random_packets(d, nodes, g.load, g.longest, GoldenCycles / 2);
  std::ofstream list(stem.string() + ".gen");
  for (const packet& p : packets)
    list << p.id << ' ' << p.created << ' ' << p.source << ' ' << p.destination << ' ' << p.flits << '\n';
  std::ofstream answers(stem.string() + ".ret");
  write_answers(answers, reference::simulate(g.network, packets, GoldenCycles).answers);
}

TEST(system_golden, every_packet_arrives_in_the_recorded_cycle) {
  std::size_t packets = 0;
  for (const golden_case& g : GoldenCases) {
    const std::filesystem::path stem = std::filesystem::path(WEFT_GOLDEN) / g.name;
    if (std::getenv("WEFT_REGENERATE_GOLDEN") != nullptr) regenerate(g, stem);
    const std::vector<packet_answer> expected = parse_answers(contents(stem.string() + ".ret"), g.name);
    std::uint32_t nodes = 1;
    for (const std::uint32_t side : g.network.shape) nodes *= side;
    const std::vector<packet> list = parse_packet_list(contents(stem.string() + ".gen"), g.name, {nodes});
    EXPECT_EQ(compare(expected, reference::simulate(g.network, list, GoldenCycles).answers), "") << g.name;
    for (const level which : Levels) {
      const std::string result = run_in_subprocess_or_throw(
          [&] { return compare(expected, run(which, g.network, list, GoldenCycles).answers); });
      EXPECT_EQ(result, "") << g.name << " at the level " << name_of(which);
    }
    packets += expected.size();
  }
  EXPECT_GE(packets, 500u);
}

}  // namespace
}  // namespace weft
