// SPDX-License-Identifier: Apache-2.0
#include "weft/experiment/command/sweep.h"

#include <csignal>
#include <stdexcept>

#include <gmock/gmock.h>
#include <unistd.h>

namespace weft::experiment {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

std::string error_of_axis(const std::string& axis) {
  try {
    parse_axis(axis);
  } catch (const configuration_error& e) {
    return e.what();
  }
  return "";
}

TEST(unit_experiment_sweep, an_axis_is_a_list_or_a_range) {
  const sweep_axis list = parse_axis("network.router.vcs=1,2,8");
  EXPECT_EQ(list.key, "network.router.vcs");
  EXPECT_THAT(list.values, ElementsAre("1", "2", "8"));
  EXPECT_THAT(parse_axis("a=transpose").values, ElementsAre("transpose"));
  // The last value belongs to the range, although 0.1 + 2 * 0.1 is a little more than 0.3.
  EXPECT_THAT(parse_axis("a=0.1:0.3:0.1").values, ElementsAre("0.1", "0.2", "0.3"));
  EXPECT_THAT(parse_axis("a=8:1:-4").values, ElementsAre("8", "4"));
}

TEST(unit_experiment_sweep, a_wrong_axis_is_refused) {
  EXPECT_THAT(error_of_axis("load"),
              HasSubstr("--over load: error: expected KEY=VALUE,VALUE,… or KEY=FIRST:LAST:STEP"));
  EXPECT_THAT(error_of_axis("=1,2"), HasSubstr("expected KEY="));
  EXPECT_THAT(error_of_axis("load="), HasSubstr("expected KEY="));
  EXPECT_THAT(error_of_axis("load=1:2:0"), HasSubstr("a range is first:last:step"));
  EXPECT_THAT(error_of_axis("load=2:1:0.1"), HasSubstr("a range is first:last:step"));
  EXPECT_THAT(error_of_axis("load=0:1:0.000001"), HasSubstr("at most 10000 values"));
}

TEST(unit_experiment_sweep, lists_are_values_too) {
  EXPECT_THAT(parse_axis("network.topology.shape=[4,4],[8, 8]").values, ElementsAre("[4,4]", "[8, 8]"));
  EXPECT_THAT(parse_axis("workload.length={kind: uniform, max: 4},5").values,
              ElementsAre("{kind: uniform, max: 4}", "5"));
}

TEST(unit_experiment_sweep, no_key_twice_and_none_of_the_output) {
  EXPECT_NO_THROW(check_axes({{"a", {"1"}}, {"b", {"1"}}}));
  EXPECT_THROW(check_axes({{"a", {"1"}}, {"a", {"2"}}}), configuration_error);
  EXPECT_THROW(check_axes({{"output.name", {"x"}}}), configuration_error);
}

TEST(unit_experiment_sweep, points_are_all_combinations_the_last_axis_fastest) {
  std::vector<std::string> places;
  for (const sweep_point& p : points_of({{"a", {"1", "2"}}, {"b", {"x", "y"}}})) places.push_back(settings_text(p));
  EXPECT_THAT(places, ElementsAre("a=1, b=x", "a=1, b=y", "a=2, b=x", "a=2, b=y"));
}

TEST(unit_experiment_sweep, every_point_runs_in_a_process_of_its_own_and_rows_keep_their_order) {
  const pid_t parent = getpid();
  std::size_t told = 0;
  const auto rows = run_points(
      7, 3,
      [&](std::size_t i) {
        usleep(static_cast<useconds_t>(1000 * (7 - i)));
        return sweep_row{static_cast<int>(i % 2), std::to_string(i) + (getpid() == parent ? " parent" : "")};
      },
      [&](std::size_t done) { EXPECT_EQ(done, ++told); }, [] { return false; });
  ASSERT_EQ(rows.size(), 7u);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(rows[i].csv, std::to_string(i));
    EXPECT_EQ(rows[i].status, static_cast<int>(i % 2));
  }
  EXPECT_EQ(told, 7u);
}

TEST(unit_experiment_sweep, a_point_that_dies_is_told_by_its_signal_and_stop_starts_no_more) {
  bool ended = false;  // asked to stop earlier, run_points() would end the point itself, if that is slow to start
  const auto rows = run_points(
      3, 1,
      [](std::size_t) -> sweep_row {
        raise(SIGKILL);
        return {};
      },
      [&](std::size_t) { ended = true; }, [&] { return ended; });
  EXPECT_EQ(rows[0].status, 128 + SIGKILL);
  EXPECT_THAT(rows[0].csv, IsEmpty());
  EXPECT_THAT(rows[1].csv, IsEmpty());
}

TEST(unit_experiment_sweep, a_point_that_throws_has_failed_and_the_others_run) {
  testing::internal::CaptureStderr();
  const auto rows = run_points(
      2, 2,
      [](std::size_t i) -> sweep_row {
        if (i == 0) throw std::runtime_error("no such thing");
        return {0, "row"};
      },
      [](std::size_t) {}, [] { return false; });
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "no such thing\n");
  EXPECT_EQ(rows[0].status, 1);
  EXPECT_THAT(rows[0].csv, IsEmpty());
  EXPECT_EQ(rows[1].status, 0);
  EXPECT_EQ(rows[1].csv, "row");
}

struct unit_experiment_sweep_result : testing::Test {
  const std::vector<sweep_axis> axes{{"load", {"0.1", "0.2"}}, {"network.router.vcs", {"1"}}};
  const std::vector<sweep_point> points = points_of(axes);
  const std::vector<sweep_row> rows{
      {0, "name,outcome,offered,accepted,latency_mean,latency_p99\nn,complete,0.1,0.1,33.333,50\n"},
      {0, "name,outcome,offered,accepted,latency_mean,latency_p99\nn,saturated,0.2,0.15,900,999\n"}};
};

TEST_F(unit_experiment_sweep_result, csv_has_a_row_a_point) {
  EXPECT_EQ(sweep_csv(axes, points, rows),
            "load,network.router.vcs,name,outcome,offered,accepted,latency_mean,latency_p99\n"
            "0.1,1,n,complete,0.1,0.1,33.333,50\n"
            "0.2,1,n,saturated,0.2,0.15,900,999\n");
}

TEST_F(unit_experiment_sweep_result, table_rounds_and_names_the_outcome) {
  const std::string table = sweep_table(axes, points, rows);
  EXPECT_THAT(table, HasSubstr("0.1000     0.1000      33.33         50  complete\n"));
  EXPECT_THAT(sweep_table(axes, points, {rows[0], {1, ""}}),
              HasSubstr("-          -          -          -  no result\n"));
}

TEST_F(unit_experiment_sweep_result, plot_leaves_out_the_latency_of_a_saturated_point) {
  const std::string script = sweep_plot("n", axes, points, rows, "x.svg");
  EXPECT_THAT(script, HasSubstr("set output 'x.svg'"));
  EXPECT_THAT(script, HasSubstr("0.1 33.333 0.1\n0.2 NaN 0.15\n"));
  EXPECT_THAT(script, HasSubstr("title 'vcs = 1'"));
  // A name is only a name, whatever is in it.
  EXPECT_THAT(sweep_plot("it's_a; system('x')", axes, points, rows, "o'x.svg"),
              AllOf(HasSubstr("title 'it''s_a; system(''x'')' noenhanced\n"), HasSubstr("set output 'o''x.svg'\n")));
}

TEST_F(unit_experiment_sweep_result, plot_without_latency_if_no_point_settled) {
  const std::string script = sweep_plot("n", axes, points, {rows[1], rows[1]}, "x.svg");
  EXPECT_THAT(script, AllOf(HasSubstr("layout 1,1"), HasSubstr("accepted"), Not(HasSubstr("latency"))));
  EXPECT_THAT(sweep_plot("n", axes, points, {{1, ""}, {1, ""}}, "x.svg"), IsEmpty());
}

TEST_F(unit_experiment_sweep_result, no_plot_over_words) {
  const std::vector<sweep_axis> words{{"workload.pattern", {"uniform", "transpose"}}};
  EXPECT_THAT(sweep_plot("n", words, points_of(words), rows, "x.svg"), IsEmpty());
}

}  // namespace
}  // namespace weft::experiment
