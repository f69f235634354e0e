// SPDX-License-Identifier: Apache-2.0
#include "weft/workload/pattern.h"

#include "support.h"
#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "weft/workload/error.h"
#include "weft/workload/text_table.h"

namespace weft {
namespace {

using shape_t = std::vector<std::uint32_t>;

const char* const BitPatterns[] = {"bit_reversal", "bit_rotation", "shuffle"};

pattern_parameters of(const std::string& name) {
  pattern_parameters p;
  p.kind = &find_pattern(name);
  return p;
}

pattern_parameters hotspots(std::vector<node_id> nodes, double share) {
  pattern_parameters p = of("hotspot");
  p.hotspots = std::move(nodes);
  p.hotspot_share = share;
  return p;
}

pattern_parameters permutation(const std::filesystem::path& file) {
  pattern_parameters p = of("permutation");
  p.file = file;
  return p;
}

random_stream destination_stream() { return {1, 0, stream_purpose::Destination}; }

/// The destinations of all nodes in a fixed pattern.
std::vector<node_id> map_on(const pattern_parameters& parameters, std::uint32_t nodes, const node_placement& grid) {
  const traffic_pattern pattern(parameters, nodes, grid);
  random_stream random = destination_stream();
  std::vector<node_id> destinations;
  for (node_id s = 0; s < nodes; ++s) destinations.push_back(pattern.destination(s, random));
  return destinations;
}

std::vector<node_id> map(const pattern_parameters& parameters, std::uint32_t nodes, const shape_t& shape = {}) {
  return map_on(parameters, nodes, shape);
}

std::vector<node_id> map(const std::string& name, std::uint32_t nodes, const shape_t& shape = {}) {
  return map(of(name), nodes, shape);
}

/// The number of packets from \p source to each node among \p draws.
std::vector<std::uint64_t> counts(const pattern_parameters& parameters, std::uint32_t nodes, node_id source,
                                  int draws) {
  const traffic_pattern pattern(parameters, nodes, {});
  random_stream random = destination_stream();
  std::vector<std::uint64_t> counted(nodes);
  for (int i = 0; i < draws; ++i) ++counted.at(pattern.destination(source, random));
  return counted;
}

bool is_permutation(std::vector<node_id> destinations) {
  std::sort(destinations.begin(), destinations.end());
  for (node_id n = 0; n < destinations.size(); ++n) {
    if (destinations[n] != n) return false;
  }
  return true;
}

TEST(unit_workload_pattern, uniform_reaches_all_other_nodes_equally) {
  const auto counted = counts(of("uniform"), 16, 5, 150000);
  EXPECT_EQ(counted[5], 0u);
  std::vector<std::uint64_t> others = counted;
  others.erase(others.begin() + 5);
  EXPECT_LT(chi_square(others, std::vector<double>(15, 10000)), chi_square_limit(15));
}

TEST(unit_workload_pattern, uniform_includes_the_source_on_request) {
  pattern_parameters parameters = of("uniform");
  parameters.to_self = true;
  EXPECT_LT(chi_square(counts(parameters, 16, 5, 160000), std::vector<double>(16, 10000)), chi_square_limit(16));
}

TEST(unit_workload_pattern, a_node_without_a_destination_is_silent) {
  pattern_parameters parameters = of("uniform");
  EXPECT_FALSE(traffic_pattern(parameters, 1, {}).active(0));
  EXPECT_TRUE(traffic_pattern(parameters, 2, {}).active(0));
  parameters.to_self = true;
  EXPECT_TRUE(traffic_pattern(parameters, 1, {}).active(0));
}

TEST(unit_workload_pattern, transpose_swaps_coordinates) {
  EXPECT_EQ(map("transpose", 9, {3, 3}), (std::vector<node_id>{0, 3, 6, 1, 4, 7, 2, 5, 8}));
}

TEST(unit_workload_pattern, transpose_swaps_bit_halves_without_a_square_grid) {
  const auto bits = map("transpose", 16);
  EXPECT_EQ(bits[0b0001], 0b0100u);
  EXPECT_EQ(bits[0b0110], 0b1001u);
  EXPECT_EQ(map("transpose", 16, {8, 2}), bits);
  EXPECT_EQ(map("transpose", 16, {4, 4}), bits);  // if both definitions apply, they agree
}

TEST(unit_workload_pattern, bit_patterns_follow_their_formulas) {
  EXPECT_EQ(map("bit_reversal", 8), (std::vector<node_id>{0, 4, 2, 6, 1, 5, 3, 7}));
  EXPECT_EQ(map("bit_complement", 8), (std::vector<node_id>{7, 6, 5, 4, 3, 2, 1, 0}));
  EXPECT_EQ(map("bit_complement", 6, {3, 2}), (std::vector<node_id>{5, 4, 3, 2, 1, 0})) << "the opposite corner";
  EXPECT_EQ(map("bit_rotation", 8), (std::vector<node_id>{0, 4, 1, 5, 2, 6, 3, 7}));
  EXPECT_EQ(map("shuffle", 8), (std::vector<node_id>{0, 2, 4, 6, 1, 3, 5, 7}));
}

TEST(unit_workload_pattern, tornado_goes_nearly_half_way_round) {
  EXPECT_EQ(map("tornado", 5, {5}), (std::vector<node_id>{2, 3, 4, 0, 1}));
  EXPECT_EQ(map("tornado", 8, {8}), (std::vector<node_id>{3, 4, 5, 6, 7, 0, 1, 2}));
  const auto grid = map("tornado", 64, {8, 8});
  EXPECT_EQ(grid[0], 3u + 8 * 3);
  EXPECT_EQ(grid[6 + 8 * 7], 1u + 8 * 2);
}

TEST(unit_workload_pattern, neighbor_moves_one_hop_in_every_dimension) {
  EXPECT_EQ(map("neighbour", 6, {3, 2}), (std::vector<node_id>{4, 5, 3, 1, 2, 0}));
}

TEST(unit_workload_pattern, grid_patterns_use_router_coordinates_if_routers_have_several_nodes) {
  const shape_t square{4, 4};
  for (const char* const name : {"tornado", "neighbour", "transpose"}) {
    const auto routers = map(name, 16, square), nodes = map_on(of(name), 64, {square, 4});
    for (node_id n = 0; n < 64; ++n) EXPECT_EQ(nodes[n], routers[n / 4] * 4 + n % 4) << name << " of node " << n;
  }
}

TEST(unit_workload_pattern, grid_patterns_use_coordinates_not_node_numbers) {
  // A row of three places: the first has nodes 4 and 0, the second 5 and 1, the third 3 and 2.
  const node_placement row{{3}, 2, {4, 0, 5, 1, 3, 2}};
  EXPECT_EQ(map_on(of("neighbour"), 6, row), (std::vector<node_id>{1, 2, 0, 4, 5, 3}));
  const node_placement square{{2, 2}, 1, {3, 1, 0, 2}};
  EXPECT_EQ(map_on(of("transpose"), 4, square), (std::vector<node_id>{1, 0, 2, 3}));
  EXPECT_THROW(map_on(of("tornado"), 7, row), std::invalid_argument);
}

TEST(unit_workload_pattern, fixed_patterns_are_permutations_for_all_sizes) {
  for (unsigned bits = 0; bits <= 16; ++bits) {
    const std::uint32_t nodes = 1u << bits;
    for (const char* const kind : BitPatterns) EXPECT_TRUE(is_permutation(map(kind, nodes))) << nodes << " nodes";
    if (bits % 2 == 0) {
      EXPECT_TRUE(is_permutation(map("transpose", nodes))) << nodes << " nodes";
    }
  }
  for (std::uint32_t x = 1; x <= 9; ++x) {
    EXPECT_TRUE(is_permutation(map("transpose", x * x, {x, x}))) << x;
    for (std::uint32_t y = 1; y <= 9; ++y) {
      for (std::uint32_t z = 1; z <= 3; ++z) {
        for (const char* const kind : {"tornado", "neighbour"}) {
          EXPECT_TRUE(is_permutation(map(kind, x * y * z, {x, y, z}))) << x << " " << y << " " << z;
        }
      }
    }
  }
}

RC_GTEST_PROP(unit_workload_pattern, shuffle_undoes_bit_rotation, ()) {
  const std::uint32_t nodes = 1u << *rc::gen::inRange(0, 13);
  const auto rotation = map("bit_rotation", nodes);
  const auto shuffle = map("shuffle", nodes);
  const node_id node = *rc::gen::inRange<node_id>(0, nodes);
  RC_ASSERT(shuffle[rotation[node]] == node);
}

RC_GTEST_PROP(unit_workload_pattern, symmetric_patterns_are_their_own_inverse, ()) {
  const std::uint32_t nodes = 1u << 2 * *rc::gen::inRange(0, 7);
  const auto kind = *rc::gen::element<std::string>("bit_reversal", "bit_complement", "transpose");
  const auto destination = map(kind, nodes);
  const node_id node = *rc::gen::inRange<node_id>(0, nodes);
  RC_ASSERT(destination[destination[node]] == node);
}

TEST(unit_workload_pattern, hotspots_get_their_share_and_the_rest_is_uniform) {
  constexpr int Draws = 200000;
  const auto counted = counts(hotspots({9, 2}, 0.3), 16, 5, Draws);
  std::vector<double> expected(16, Draws * 0.7 / 15);
  expected[2] += Draws * 0.15;
  expected[9] += Draws * 0.15;
  EXPECT_EQ(counted[5], 0u);
  expected[5] = 1;  // this class must stay empty; 1 adds 1 to the sum
  EXPECT_LT(chi_square(counted, expected), chi_square_limit(16));
}

TEST(unit_workload_pattern, a_hotspot_sends_its_share_to_the_other_hotspots) {
  constexpr int Draws = 100000;
  const auto counted = counts(hotspots({2, 9}, 0.5), 16, 9, Draws);
  EXPECT_EQ(counted[9], 0u);
  EXPECT_NEAR(static_cast<double>(counted[2]), Draws * (0.5 + 0.5 / 15), 5 * std::sqrt(Draws / 4.));
}

TEST(unit_workload_pattern, the_only_hotspot_sends_uniformly) {
  auto counted = counts(hotspots({3}, 0.5), 8, 3, 70000);
  EXPECT_EQ(counted[3], 0u);
  counted.erase(counted.begin() + 3);
  EXPECT_LT(chi_square(counted, std::vector<double>(7, 10000)), chi_square_limit(7));
}

TEST(unit_workload_pattern, the_only_hotspot_is_silent_when_all_packets_go_there) {
  pattern_parameters parameters = hotspots({3}, 1);
  EXPECT_FALSE(traffic_pattern(parameters, 8, {}).active(3));
  EXPECT_TRUE(traffic_pattern(parameters, 8, {}).active(4));
  parameters.to_self = true;
  EXPECT_TRUE(traffic_pattern(parameters, 8, {}).active(3));
  EXPECT_EQ(counts(parameters, 8, 3, 100)[3], 100u);
}

TEST(unit_workload_pattern, permutation_follows_its_file) {
  const temporary_file file("# who calls whom\n2 0\n0 1   # first\n\n1\t2\r\n");
  EXPECT_EQ(map(permutation(file.path()), 3), (std::vector<node_id>{1, 2, 0}));
  const temporary_file marked(
      "\xef\xbb\xbf"
      "0 1\n1 0\n");
  EXPECT_EQ(map(permutation(marked.path()), 2), (std::vector<node_id>{1, 0})) << "a byte order mark is skipped";
}

TEST(unit_workload_pattern, several_sources_may_share_a_destination) {
  const temporary_file file("0 2\n1 2\n2 2\n");
  EXPECT_EQ(map(permutation(file.path()), 3), (std::vector<node_id>{2, 2, 2}));
}

TEST(unit_workload_pattern, errors_in_a_permutation_name_file_and_line) {
  const auto expect = [](const std::string& content, const std::string& message) {
    const temporary_file file(content);
    expect_error<workload_error>([&] { map(permutation(file.path()), 3); }, file.name() + message);
  };
  expect("0 1\n1 3\n", ":2: expected a node in 0…2, found 3");
  expect("0 1\n\n0 2\n", ":3: source 0 already has the destination 1");
  expect("0 1\n2 0\n", ":2: the file ends without a destination for source 1; expected a line for each of the 3 nodes");
  expect("0 1 2\n", ":1: expected 2 columns 'source destination', found 3 or more");
  expect("0\n", ":1: expected 2 columns 'source destination', found 1");
  expect("0 x\n", ":1: column 2 (destination): expected a whole number 0…2^64-1, found 'x'");
  expect_error<workload_error>([] { map(permutation("/nowhere/p.txt"), 3); },
                               "/nowhere/p.txt: cannot be opened: No such file or directory");
  expect_error<workload_error>([] { map(permutation("/"), 3); }, "/: is a directory");
  expect_error<std::invalid_argument>(
      [] { map(of("permutation"), 3); },
      "pattern permutation: needs a file with a line `source destination` for each node");
}

TEST(unit_workload_pattern, error_for_unsuitable_network_suggests_a_remedy) {
  for (const std::string name : BitPatterns) {
    expect_error<std::invalid_argument>(
        [&] {
          map(name, 12, {4, 3});
        },
        "pattern " + name +
            ": needs a number of nodes that is a power of two, but this network has 12; choose one with 8 or 16 nodes, "
            "or another pattern, such as uniform");
  }
  for (const std::uint32_t nodes : {8u, 12u}) {
    expect_error<std::invalid_argument>(
        [&] { map("transpose", nodes, {nodes}); },
        "pattern transpose: needs a square grid of two dimensions or 4, 16, 64, … nodes, but this network "
        "of " +
            std::to_string(nodes) + " nodes has neither; choose another pattern, such as uniform");
  }
  for (const shape_t& shape : {shape_t{}, shape_t{4, 4}, shape_t{65536, 65536}, shape_t{0, 8}}) {
    expect_error<std::invalid_argument>(
        [&] { map("tornado", 8, shape); },
        "pattern tornado: needs a grid, such as a mesh, torus or ring, in which every router has the same number of "
        "nodes, but this network of 8 nodes is no such grid; choose another pattern, such as uniform");
  }
  EXPECT_THROW(map("neighbour", 8), std::invalid_argument);
  expect_error<std::invalid_argument>([] { map("uniform", 0); }, "traffic pattern: the network has no nodes");
}

TEST(unit_workload_pattern, impossible_hotspots_are_errors) {
  const auto expect = [](const pattern_parameters& parameters, const std::string& message) {
    expect_error<std::invalid_argument>([&] { traffic_pattern(parameters, 8, {}); }, "pattern hotspot: " + message);
  };
  expect(hotspots({}, 0.5), "needs at least one node in hotspots");
  expect(hotspots({1, 8}, 0.5), "node 8 does not exist; expected 0…7");
  expect(hotspots({1, 2, 1}, 0.5), "node 1 is listed twice; list it once");
  expect(hotspots({1}, 1.5), "hotspot_share must be 0…1, not 1.5");
  expect(hotspots({1}, std::nan("")), "hotspot_share must be 0…1, not nan");
}

/// In every network that a pattern accepts, all active nodes send only to nodes that exist.
TEST(unit_workload_pattern, every_pattern_sends_only_to_existing_nodes) {
  const shape_t shapes[] = {{}, {1}, {2}, {5}, {4, 4}, {8, 2}, {3, 2, 2}};
  for (const pattern_kind& kind : pattern_kinds()) {
    unsigned networks = 0;
    for (const shape_t& shape : shapes) {
      std::uint32_t nodes = shape.empty() ? 16 : 1;
      for (const std::uint32_t side : shape) nodes *= side;
      std::string lines;
      for (node_id n = 0; n < nodes; ++n) lines += std::to_string(n) + (kind.name == "matrix" ? " 0 1\n" : " 0\n");
      const temporary_file file(lines);
      pattern_parameters p = of(kind.name);
      p.hotspots = {0};
      p.file = file.path();
      try {
        const traffic_pattern pattern(p, nodes, shape);
        random_stream random = destination_stream();
        for (node_id n = 0; n < nodes; ++n)
          EXPECT_TRUE(!pattern.active(n) || pattern.destination(n, random) < nodes) << kind.name;
        ++networks;
      } catch (const std::invalid_argument& e) {
        EXPECT_EQ(std::string(e.what()).rfind("pattern " + kind.name + ": needs ", 0), 0u) << e.what();
      }
    }
    EXPECT_GE(networks, 3u) << kind.name;
  }
}

TEST(unit_workload_pattern, page_lists_every_pattern) {
  const std::string page = read_file(WEFT_SOURCE_DIR "/docs/03_reference/traffic.md");
  for (const pattern_kind& kind : pattern_kinds()) {
    const std::string row =
        "| `" + kind.name + "` | " + kind.formula + " | " + kind.needs + (kind.needs.empty() ? "|\n" : " |\n");
    EXPECT_NE(page.find(row), std::string::npos) << row;
  }
}

}  // namespace
}  // namespace weft
