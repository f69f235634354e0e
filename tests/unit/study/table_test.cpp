// SPDX-License-Identifier: Apache-2.0
#include "weft/study/table.h"

#include <gmock/gmock.h>

namespace weft::experiment {
namespace {

using ::testing::HasSubstr;

study_row row(const std::string& load, const std::string& vcs, const point_result& result) {
  return {{{"load", load, ""}, {"network.router.vcs", vcs, ""}}, result};
}

struct unit_study_table : testing::Test {
  const std::string columns = "name,outcome,offered,accepted,latency_mean,latency_half_width,latency_p99\n";
  const point_result settled{"complete", "", columns + "\"n, m\",complete,0.1,0.1,33.333,0.5,50\n", "{}"};
  const point_result saturated{"saturated", "", columns + "n,saturated,0.2,0.15,900,,999\n", "{}"};
  const point_result infeasible{"infeasible", "vcs: expected less, got 17", "", ""};
  const std::vector<study_row> rows{row("0.1", "17", infeasible), row("0.1", "1", settled), row("0.2", "1", saturated)};
};

TEST_F(unit_study_table, csv_has_one_column_per_key_and_statistic) {
  EXPECT_EQ(study_csv(rows, "now"),
            "load,network.router.vcs,name,outcome,offered,accepted,latency_mean,latency_half_width,latency_p99,error\n"
            "0.1,17,now,infeasible,,,,,,\"vcs: expected less, got 17\"\n"
            "0.1,1,now,complete,0.1,0.1,33.333,0.5,50,\n"
            "0.2,1,now,saturated,0.2,0.15,900,,999,\n");
}

TEST_F(unit_study_table, csv_has_the_columns_of_all_results) {
  const point_result other{"complete", "", "name,outcome,hops\nn,complete,7\n", "{}"};
  const std::string text = study_csv({row("1", "1", settled), row("2", "1", other)}, "n");
  EXPECT_THAT(text, HasSubstr("latency_p99,error,hops\n"));
  EXPECT_THAT(text, HasSubstr("\n2,1,n,complete,,,,,,,7\n"));
}

TEST_F(unit_study_table, values_with_commas_and_quotes_are_quoted) {
  csv_table table({"a"});
  table.add({{"a", "[1, 2]"}, {"b", "say \"so\""}});
  EXPECT_EQ(table.text(), "a,b\n\"[1, 2]\",\"say \"\"so\"\"\"\n");
}

TEST_F(unit_study_table, terminal_table_shows_rounded_values_with_intervals) {
  const std::string table = study_table(rows);
  EXPECT_THAT(table, HasSubstr("0.1000     0.1000       33.33 ± 0.50         50  complete\n"));
  EXPECT_THAT(table, HasSubstr("0.2000     0.1500             900.00        999  saturated\n"));
  EXPECT_THAT(table, HasSubstr("        -          -                  -          -  infeasible\n"));
}

TEST_F(unit_study_table, collectives_have_their_own_columns) {
  const point_result played{"complete", "", "outcome,cycles,cycles_bound,messages,hops\ncomplete,120,64,63,300\n",
                            "{}"};
  EXPECT_THAT(study_table({row("1", "1", played)}),
              HasSubstr("      120         64         63        300  complete\n"));
}

TEST(unit_study_column_titles, are_the_last_parts_in_which_names_differ) {
  EXPECT_EQ(column_titles({"network.router.vcs", "network.router.depth", "outcome"}),
            (std::vector<std::string>{"vcs", "depth", "outcome"}));
  EXPECT_EQ(column_titles({"network.router.vc_allocator.kind", "network.router.switch_allocator.kind", "a.b.arbiter"}),
            (std::vector<std::string>{"vc_allocator.kind", "switch_allocator.kind", "arbiter"}));
  EXPECT_EQ(column_titles({"kind", "b.kind", "a.b.kind"}), (std::vector<std::string>{"kind", "b.kind", "a.b.kind"}));
  EXPECT_TRUE(column_titles({}).empty());
}

}  // namespace
}  // namespace weft::experiment
