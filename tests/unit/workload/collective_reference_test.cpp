// SPDX-License-Identifier: Apache-2.0
/// Hops of collectives, compared with an independently computed reference file.
#include "collective_support.h"
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "weft/collectives/communication/collective_algorithms.h"
#include "weft/collectives/communication/collective_hops.h"

namespace weft {
namespace {

using algorithm = collective_algorithm;

/// One line of network_coding_hops.csv.
struct reference_row {
  std::string topology;
  std::uint32_t k = 0;
  std::string group;
  std::string algorithm;
  std::string reading;
  std::string step;
  std::uint64_t hops = 0;
};

std::vector<reference_row> read_reference() {
  std::ifstream file(std::filesystem::path(WEFT_SHARED_DATA) / "network_coding_hops.csv");
  std::vector<reference_row> rows;
  std::string line;
  std::getline(file, line);  // the header
  while (std::getline(file, line)) {
    std::istringstream fields(line);
    reference_row row;
    std::string k, n, hops;
    for (std::string* field : {&row.topology, &k, &n, &row.group, &row.algorithm, &row.reading, &row.step, &hops}) {
      std::getline(fields, *field, ',');
    }
    EXPECT_EQ(n, "2");
    row.k = static_cast<std::uint32_t>(std::stoul(k));
    row.hops = std::stoull(hops);
    rows.push_back(std::move(row));
  }
  return rows;
}

/// The parameters that the names in the file stand for.
collective_parameters parameters_of(const reference_row& row) {
  static const std::vector<std::pair<std::string, algorithm>> Baselines{
      {"all-at-once", algorithm::AllAtOnce},
      {"tree-rowhalving", algorithm::Tree},
      {"tree-interleaved", algorithm::InterleavedTree},
      {"tree-doubling", algorithm::DoublingTree},
      {"tree-rankrelative", algorithm::RankTree},
      {"neighbour-forwarding", algorithm::NeighbourForwarding},
      {"recursive-doubling-combined", algorithm::RecursiveDoubling}};
  collective_parameters p;
  for (const auto& [name, value] : Baselines) {
    if (row.algorithm == name) p.algorithm = value;
  }
  if (row.reading == "baseline" || row.reading == "messages") {
    if (row.step == "per-source") p.sources = {row.k / 2};
    return p;
  }
  p.algorithm = row.reading == "uncoded" ? algorithm::Hierarchy : algorithm::NetworkCoding;
  if (row.reading == "full-pullF") p.plain = plain_sender::Nearest;
  const std::size_t x = row.group.find('x');
  p.group = {static_cast<std::uint32_t>(std::stoul(row.group)),
             static_cast<std::uint32_t>(std::stoul(row.group.substr(x + 1)))};
  const std::string& a = row.algorithm;
  p.placement = a == "aao-mirror" ? intermediate_placement::Mirror : intermediate_placement::Centre;
  p.inner = a == "span"                              ? algorithm::NeighbourForwarding
            : a == "treeI"                           ? algorithm::InterleavedTree
            : a == "aao-centre" || a == "aao-mirror" ? algorithm::AllAtOnce
                                                     : algorithm::Tree;
  p.outer = a == "span" ? algorithm::AllAtOnce : p.inner;
  return p;
}

std::string name_of(const reference_row& row) {
  return row.topology + " " + std::to_string(row.k) + " " + row.group + " " + row.algorithm + " " + row.reading + " " +
         row.step;
}

TEST(unit_workload_collective_reference, closed_forms_equal_every_row_of_the_reference) {
  const std::vector<reference_row> rows = read_reference();
  if (rows.empty()) GTEST_SKIP() << WEFT_SHARED_DATA << "/network_coding_hops.csv is absent";
  EXPECT_EQ(rows.size(), 4455u);
  for (const reference_row& row : rows) {
    const collective_network network = grid_network({row.k, row.k}, row.topology == "torus");
    if (row.reading == "bound") {
      EXPECT_EQ(bounds_of({}, network).flit_hops, row.hops) << name_of(row);
    } else {
      EXPECT_EQ(hops_of(collective_hops(parameters_of(row), network), row.step), row.hops) << name_of(row);
    }
  }
}

TEST(unit_workload_collective_reference, counted_hops_match_the_reference_up_to_16_ary) {
  std::vector<reference_row> rows = read_reference();
  if (rows.empty()) GTEST_SKIP() << WEFT_SHARED_DATA << "/network_coding_hops.csv is absent";
  std::string made;  // the file lists the steps of a collective one after the other
  std::vector<collective_count> counts;
  std::size_t compared = 0;
  for (reference_row row : rows) {
    if (row.k > 16 || row.reading == "bound") continue;
    const collective_network network = grid_network({row.k, row.k}, row.topology == "torus");
    const std::string step = std::exchange(row.step, row.step == "per-source" ? "per-source" : "");
    if (name_of(row) != made) counts = count_hops(make_collective(parameters_of(row), network), network);
    made = name_of(row);
    EXPECT_EQ(hops_of(counts, step), row.hops) << made << step;
    ++compared;
  }
  EXPECT_EQ(compared, 3216u);
}

}  // namespace
}  // namespace weft
