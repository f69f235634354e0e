// SPDX-License-Identifier: Apache-2.0
// The tables of statistics, and the output of such a table.
#include "unit/experiment/statistic_tables.h"
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "weft/report/run_statistics.h"
#include "weft/report/saturation_statistics.h"
#include "weft/report/statistic_views.h"
#include "weft/report/statistics_page.h"

namespace weft::experiment {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(unit_experiment_statistics, every_statistic_is_declared_completely_and_once) {
  expect_sound(run_statistics());
  expect_sound(saturation_statistics());
}

TEST(unit_experiment_statistics, load_uncertainty_depends_on_the_number_of_lagging_nodes) {
  EXPECT_DOUBLE_EQ(load_uncertainty({0.001, 0.0005, 64, 0}, 64).value(), 0.002);
  EXPECT_DOUBLE_EQ(load_uncertainty({0.001, 0.0005, 64, 4}, 4).value(), 0.008);
  // If the number of lagging nodes is unknown, one is assumed.
  EXPECT_DOUBLE_EQ(load_uncertainty({0.001, 0.0005, 64, 0}, 0).value(), 0.016);
  EXPECT_FALSE(load_uncertainty({std::nullopt, 0.0005, 64, 4}, 4).has_value());
  EXPECT_FALSE(load_uncertainty({0.001, 0.0005, 0, 0}, 1).has_value());
}

TEST(unit_experiment_statistics, load_uncertainty_uses_the_larger_half_width) {
  EXPECT_DOUBLE_EQ(load_uncertainty({0, 0.003, 64, 0}, 64).value(), 0.006);
  EXPECT_DOUBLE_EQ(load_uncertainty({0.001, 0.003, 64, 4}, 4).value(), 0.024);
  EXPECT_FALSE(load_uncertainty({0, std::nullopt, 64, 4}, 4).has_value());
}

TEST(unit_experiment_statistics, statistics_inherit_the_unit_of_their_section) {
  const auto& all = run_statistics().statistics();
  const auto found = std::find_if(all.begin(), all.end(), [](const auto& s) { return s.name == "latency.network"; });
  ASSERT_NE(found, all.end());
  EXPECT_EQ(found->unit, "cycles");
}

TEST(unit_experiment_statistics, page_and_json_list_every_statistic) {
  expect_listed(run_statistics(), "run");
  expect_listed(saturation_statistics(), "saturation");
}

/// A report of one number, and its table of statistics.
struct number_summary {
  int number = 0;
};

statistic_table<number_summary> number_table() {
  using optional_row = std::optional<row_text>;
  statistic_table<number_summary> t;
  t.add("number", "apples", "as it is", [](const number_summary& r) { return r.number; })
      .in_csv("number")
      .on_terminal(row_block::Network, "number", [](const number_summary& r) -> optional_row {
        if (r.number == 0) return std::nullopt;
        return row_text{grouped(static_cast<std::uint64_t>(r.number)), "apples"};
      });
  t.section("big", "pears", "of big numbers only", [](const number_summary& r) { return r.number > 9; });
  t.add("hidden", "", "not in the JSON file",
        [](const number_summary&) {
          return json::array({1, 2, 3});
        })
      .in_csv("hidden")
      .not_in_json();
  t.add("odd", "", "whether it is odd", [](const number_summary& r) {
     return r.number % 2 == 1;
   }).in_json_if([](const number_summary& r) { return r.number != 0; });
  t.add("big.parts", "", "two",
        [](const number_summary& r) {
          return json{{"half", r.number / 2.0}, {"none", nullptr}};
        })
      .in_csv({{"half", "/half"}, {"none", "/none"}, {"absent", "/absent"}})
      .on_terminal(row_block::Time, "half", [](const number_summary&) -> optional_row {
        return row_text{"half", "of it"};
      });
  t.add("big.deep.name", "", "a text", [](const number_summary&) { return "a,b"; }).in_csv("name");
  return t;
}

TEST(unit_experiment_statistics, json_has_sections_where_they_are_declared) {
  EXPECT_EQ(
      json_of(number_table(), number_summary{11}).dump(),
      R"({"number":11,"big":{"unit":"pears","parts":{"half":5.5,"none":null},"deep":{"name":"a,b"}},"odd":true})");
}

TEST(unit_experiment_statistics, json_omits_statistics_whose_condition_is_false) {
  EXPECT_EQ(json_of(number_table(), number_summary{7}).dump(), R"({"number":7,"odd":true})");
  EXPECT_EQ(json_of(number_table(), number_summary{0}).dump(), R"({"number":0})");
}

TEST(unit_experiment_statistics, csv_has_value_parts_and_empty_cells_for_missing_values) {
  EXPECT_EQ(csv_of(number_table(), number_summary{11}), "number,hidden,half,none,absent,name\n11,3,5.5,,,\"a,b\"\n");
  EXPECT_EQ(csv_of(number_table(), number_summary{4}), "number,hidden,half,none,absent,name\n4,3,2,,,\"a,b\"\n");
}

TEST(unit_experiment_statistics, table_rows_are_grouped_by_block) {
  EXPECT_EQ(rows_of(number_table(), number_summary{1234}, 8),
            "  half                  half  of it\n  number               1,234  apples\n");
  EXPECT_THAT(rows_of(number_table(), number_summary{0}, 8), Not(HasSubstr("number")));
}

TEST(unit_experiment_statistics, dotted_names_become_json_pointers) {
  EXPECT_EQ(pointer_to("latency.packet").to_string(), "/latency/packet");
  EXPECT_THAT(number_table().outline(), ElementsAre("number", "big", "hidden", "odd"));
}

}  // namespace
}  // namespace weft::experiment
