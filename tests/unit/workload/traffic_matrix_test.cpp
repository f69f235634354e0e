// SPDX-License-Identifier: Apache-2.0
/// Files with traffic matrices: their formats, the destinations that are drawn from them, and the errors in them.
#include "weft/workload/traffic_matrix.h"

#include "support.h"
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "weft/workload/error.h"
#include "weft/workload/pattern.h"

namespace weft {
namespace {

random_stream destinations_of_node(node_id node) { return {7, node, stream_purpose::Destination}; }

traffic_matrix matrix_of(const std::string& text, std::uint32_t nodes) {
  const temporary_file file(text);
  return read_traffic_matrix(file.path(), nodes);
}

/// The first destinations of all nodes that send.
std::vector<node_id> destinations(const traffic_matrix& matrix, std::uint32_t nodes) {
  std::vector<node_id> drawn;
  for (node_id source = 0; source < nodes; ++source) {
    random_stream random = destinations_of_node(source);
    for (int i = 0; i < 100 && matrix.row_sum(source) > 0; ++i) drawn.push_back(matrix.destination(source, random));
  }
  return drawn;
}

void expect_matrix_error(const std::string& text, const std::string& message, std::uint32_t nodes = 4) {
  const temporary_file file(text);
  expect_error<workload_error>([&] { read_traffic_matrix(file.path(), nodes); }, file.name() + message);
}

TEST(unit_workload_traffic_matrix, destinations_have_the_shares_of_their_rates) {
  constexpr int Draws = 200000;
  const std::vector<double> rates = {0, 0.05, 3, 0.25, 1, 1e-3, 0.7};
  const traffic_matrix matrix = matrix_of("6 0 9\n0 1 0.05\n0 2 3\n0 3 0.25\n0 4 1\n0 5 1e-3\n0 6 .7\n", 7);
  double sum = 0;
  for (const double rate : rates) sum += rate;
  EXPECT_DOUBLE_EQ(matrix.row_sum(0), sum);
  std::vector<std::uint64_t> counted(rates.size());
  random_stream random = destinations_of_node(0);
  for (int i = 0; i < Draws; ++i) ++counted[matrix.destination(0, random)];
  EXPECT_EQ(counted[0], 0u);
  std::vector<double> expected;
  for (const double rate : rates) expected.push_back(rate / sum * Draws);
  counted.erase(counted.begin());
  expected.erase(expected.begin());
  EXPECT_LT(chi_square(counted, expected), chi_square_limit(expected.size()));
}

TEST(unit_workload_traffic_matrix, rows_of_many_equal_rates_are_uniform) {
  constexpr std::uint32_t Nodes = 50;
  std::string text;
  for (node_id d = 0; d < Nodes; ++d) text += fmt::format("3 {} 0.1\n", d);
  const traffic_matrix matrix = matrix_of(text, Nodes);
  std::vector<std::uint64_t> counted(Nodes);
  random_stream random = destinations_of_node(3);
  for (int i = 0; i < 100000; ++i) ++counted[matrix.destination(3, random)];
  EXPECT_LT(chi_square(counted, std::vector<double>(Nodes, 100000. / Nodes)), chi_square_limit(Nodes));
}

TEST(unit_workload_traffic_matrix, shares_of_a_row_add_up_to_1_in_the_order_of_destinations) {
  const traffic_matrix matrix = matrix_of("1 3 2\n1 0 6\n2 2 1\n", 4);
  std::vector<std::pair<node_id, double>> shares;
  matrix.for_each_share(1, [&](node_id destination, double share) { shares.emplace_back(destination, share); });
  EXPECT_EQ(shares, (std::vector<std::pair<node_id, double>>{{0, 0.75}, {3, 0.25}}));
  EXPECT_EQ(matrix.row_sum(0), 0);
  EXPECT_EQ(matrix.row_sum(2), 1) << "a node may send to itself";
  EXPECT_DOUBLE_EQ(matrix.mean_row_sum(), 9. / 4);
}

/// Equal rows must have a mean without rounding errors, so that the nodes have the same load as in uniform traffic.
TEST(unit_workload_traffic_matrix, the_mean_of_equal_rows_is_exact) {
  for (const std::uint32_t nodes : {2u, 3u, 7u, 49u, 100u}) {
    std::string text;
    for (node_id s = 0; s < nodes; ++s)
      for (node_id d = 0; d < nodes; ++d)
        if (s != d) text += fmt::format("{} {} 0.1\n", s, d);
    const traffic_matrix matrix = matrix_of(text, nodes);
    for (node_id s = 0; s < nodes; ++s) EXPECT_EQ(matrix.row_sum(s), matrix.mean_row_sum()) << nodes;
  }
}

TEST(unit_workload_traffic_matrix, both_formats_give_the_same_matrix) {
  const traffic_matrix list =
      matrix_of("# pairs\n2 0 0.5\n0 1 0.25\n0 2 .125  # a comment\n\n\t1 0 3e-1\r\n1 2 0\n", 3);
  for (const char* const rows : {"0,0.25,0.125\n0.3,0,0\n0.5,0,0\n",
                                 "\xef\xbb\xbf# rows\r\n 0 , 0.25, 0.125 \r\n\r\n3e-1,0,0 # second\r\n0.5,\t0,-0"}) {
    EXPECT_EQ(destinations(matrix_of(rows, 3), 3), destinations(list, 3)) << rows;
    for (node_id n = 0; n < 3; ++n) EXPECT_EQ(matrix_of(rows, 3).row_sum(n), list.row_sum(n));
  }
}

TEST(unit_workload_traffic_matrix, a_permutation_has_the_destinations_of_the_pattern_permutation) {
  const temporary_file rates("3 1 4\n0 2 1\n2 2 0.5\n1 0 7\n"), map("0 2\n1 0\n2 2\n3 1\n");
  pattern_parameters matrix, permutation;
  matrix.kind = &find_pattern("matrix");
  matrix.file = rates.path();
  permutation.kind = &find_pattern("permutation");
  permutation.file = map.path();
  const traffic_pattern by_rates(matrix, 4, {}), by_map(permutation, 4, {});
  for (node_id n = 0; n < 4; ++n) {
    random_stream random = destinations_of_node(n), unused = destinations_of_node(n);
    EXPECT_EQ(by_rates.destination(n, random), by_map.destination(n, unused));
  }
}

TEST(unit_workload_traffic_matrix, errors_in_a_list_name_line_and_column) {
  expect_matrix_error("0 1 1\n0 1 -0.5\n",
                      ":2: column 3 (rate): expected a rate, 0 or a number from 1e-18 to 1e18, found '-0.5'");
  for (const std::string rate : {"nan", "inf", "-inf", "1e999", "2e18", "1e-19", "5e-324", "5%", "0.1x", "+1", "0x1"})
    expect_matrix_error("0 1 " + rate + "\n",
                        ":1: column 3 (rate): expected a rate, 0 or a number from 1e-18 to 1e18, found '" + rate + "'");
  expect_matrix_error("0 1 1\n4 1 1\n", ":2: column 1 (source): expected a node from 0 to 3, found '4'");
  expect_matrix_error("0 1 1\n\n1 99 1\n", ":3: column 2 (destination): expected a node from 0 to 3, found '99'");
  expect_matrix_error("0 -1 1\n",
                      ":1: column 2 (destination): expected a node from 0 to 3, found '-1'; begin comments with #");
  expect_matrix_error("from to rate\n0 1 1\n",
                      ":1: column 1 (source): expected a node from 0 to 3, found 'from'; begin comments with #");
  expect_matrix_error("0 1 1\n0 1\n", ":2: expected 3 columns 'source destination rate', found 2");
  expect_matrix_error(
      "0 1 1 1\n",
      ":1: expected 3 columns 'source destination rate', found 4; a row of a matrix has commas between its rates");
  const temporary_file twice("0 1 1\n2 3 0\n0 1 2\n2 3 0\n");
  expect_error<workload_error>(
      [&] { read_traffic_matrix(twice.path(), 4); },
      fmt::format(
          "{0}:3: source 0 already has a rate to destination 1, in line 1; give each pair one rate\n{0}:4: source "
          "2 already has a rate to destination 3, in line 2; give each pair one rate",
          twice.name()));
}

TEST(unit_workload_traffic_matrix, errors_in_rows_name_line_and_column) {
  const std::string good = "0,1,1,1\n";
  expect_matrix_error(good + "1,-1,1,1\n" + good + good,
                      ":2: column 2: expected a rate, 0 or a number from 1e-18 to 1e18, found '-1'");
  expect_matrix_error(good + good + "1,1,nan,1\n" + good,
                      ":3: column 3: expected a rate, 0 or a number from 1e-18 to 1e18, found 'nan'");
  expect_matrix_error(good + "1,1,,1\n" + good + good,
                      ":2: column 3: expected a rate, 0 or a number from 1e-18 to 1e18, found nothing");
  expect_matrix_error("n0,n1,n2,n3\n" + good,
                      ":1: column 1: expected a rate, 0 or a number from 1e-18 to 1e18, found 'n0'; remove "
                      "lines with names, or begin them with #");
  expect_matrix_error("0,1,2,3,\n",
                      ":1: expected 4 rates, one for each destination, found 5; remove names of rows, and "
                      "commas at the ends of lines");
  expect_matrix_error("0,1,2\n",
                      ":1: expected 4 rates, one for each destination, found 3; a list of 'source destination "
                      "rate' has blanks instead of commas");
  expect_matrix_error(good + "0,1\n" + good + good, ":2: expected 4 rates, one for each destination, found 2");
  expect_matrix_error(good + good + good, ":3: the file ends after 3 rows; expected 4 rows, one for each source");
  expect_matrix_error(good + good + good + good + good, ":5: expected 4 rows, one for each source, found more");
}

TEST(unit_workload_traffic_matrix, errors_of_whole_files_name_the_file) {
  for (const char* const text : {"", "# nothing\n", "0 1 0\n", "0,0,0,0\n0,0,0,0\n0,0,0,0\n0,0,0,0\n"})
    expect_matrix_error(text, ": the matrix has no rate above 0; expected at least one");
  expect_matrix_error(
      "a b c\nd e f\n",
      ": the file has no valid row; expected lines 'source destination rate', or 4 rows of 4 rates with "
      "commas between them; line 1: column 1 (source): expected a node from 0 to 3, found 'a'; begin "
      "comments with #");
  expect_error<workload_error>([] { read_traffic_matrix("/nowhere/m.txt", 4); },
                               "/nowhere/m.txt: cannot be opened: No such file or directory");
  pattern_parameters parameters;
  parameters.kind = &find_pattern("matrix");
  expect_error<std::invalid_argument>(
      [&] { traffic_pattern(parameters, 4, {}); },
      "pattern matrix: needs a file with lines `source destination rate`, or with 4 rows of 4 rates");
}

/// A list needs memory for its pairs, not for all pairs of nodes: 16,384² rates of 8 bytes would be 2 GB.
TEST(unit_workload_traffic_matrix, a_list_may_have_16384_nodes) {
  constexpr std::uint32_t Nodes = 16384;
  std::string text;
  for (node_id n = 0; n < Nodes; ++n) text += fmt::format("{} {} {}\n{} 0 1\n", n, n ^ 1, 1 + n % 5, n);
  const std::size_t repeated = text.find("1 0 1\n");  // node 1 has node 0 twice
  text.replace(repeated, 6, "1 2 1\n");
  const traffic_matrix matrix = matrix_of(text, Nodes);
  random_stream random = destinations_of_node(0);
  for (node_id n = 2; n < Nodes; ++n) {
    const node_id to = matrix.destination(n, random);
    EXPECT_TRUE(to == 0 || to == (n ^ 1));
  }
}

}  // namespace
}  // namespace weft
