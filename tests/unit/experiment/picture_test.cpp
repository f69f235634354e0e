// SPDX-License-Identifier: Apache-2.0
#include "weft/picture/picture.h"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "weft/picture/chart.h"
#include "weft/picture/network_map.h"
#include "weft/picture/packets.h"
#include "weft/picture/page_text.h"
#include "weft/simulation/estimation.h"
#include "weft/topology/kinds.h"

namespace weft::experiment {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

result_point point(const std::map<std::string, std::string>& keys, const char* offered, const char* latency,
                   const char* outcome = "complete") {
  return {"x",
          keys,
          {{"name", "x"},
           {"outcome", outcome},
           {"offered", offered},
           {"latency_mean", latency},
           {"latency_half_width", "0.5"}}};
}

constexpr const char* PointLoad = "workload.injection.load";
constexpr const char* PointVcs = "network.router.vcs";
const curve_columns LatencyCurve{"offered", "latency_mean", "latency_half_width", true};

stored_results with_points(std::vector<result_point> points) {
  stored_results stored;
  stored.tables.push_back({"x.sweep.csv", "x", std::move(points)});
  return stored;
}

TEST(unit_experiment_picture, points_differing_only_in_load_form_a_sorted_series) {
  const std::vector<series> list = series_of(with_points({point({{PointLoad, "0.2"}, {PointVcs, "1"}}, "0.21", "30"),
                                                          point({{PointLoad, "0.2"}, {PointVcs, "4"}}, "0.21", "25"),
                                                          point({{PointLoad, "0.1"}, {PointVcs, "1"}}, "0.11", "20")}),
                                             LatencyCurve);
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list[0].label, "vcs = 1");
  EXPECT_EQ(list[1].label, "vcs = 4");
  ASSERT_EQ(list[0].samples.size(), 2u);
  EXPECT_EQ(list[0].samples[0].x, 0.11);
  EXPECT_EQ(list[0].samples[1].y, 30);
  EXPECT_EQ(list[0].samples[1].half_width, 0.5);
}

TEST(unit_experiment_picture, seeds_form_one_sample_with_a_confidence_interval) {
  std::vector<result_point> points;
  for (const char* latency : {"20", "22", "27"})
    points.push_back(point({{PointLoad, "0.1"}, {"simulation.seed", latency}}, "0.1", latency));
  const std::vector<series> list = series_of(with_points(points), LatencyCurve);
  ASSERT_EQ(list.size(), 1u);
  EXPECT_EQ(list[0].label, "");
  ASSERT_EQ(list[0].samples.size(), 1u);
  EXPECT_DOUBLE_EQ(list[0].samples[0].y, 23);
  // s = sqrt(13); t of 2 degrees of freedom = 4.3027
  EXPECT_NEAR(list[0].samples[0].half_width.value(), 4.3027 * std::sqrt(13.0 / 3), 0.01);
}

TEST(unit_experiment_picture, labeled_points_average_their_seeds) {
  std::vector<result_point> points;
  for (const char* const vcs : {"1", "4"})
    for (const char* latency : {"20", "22", "27"})
      points.push_back(point({{PointVcs, vcs}, {"simulation.seed", latency}}, "0.1", latency));
  const auto tables = samples_of(with_points(points), LatencyCurve);
  ASSERT_EQ(tables.size(), 1u);
  ASSERT_EQ(tables[0].size(), 2u);
  EXPECT_EQ(tables[0][0].label, "vcs = 1");
  EXPECT_EQ(tables[0][1].label, "vcs = 4");
  EXPECT_DOUBLE_EQ(tables[0][1].at.y, 23);
}

TEST(unit_experiment_picture, a_saturated_point_has_no_latency) {
  const stored_results stored =
      with_points({point({{PointLoad, "0.1"}}, "0.1", "20"), point({{PointLoad, "0.9"}}, "0.9", "900", "saturated"),
                   point({{PointLoad, "0.8"}}, "0.8", "")});
  ASSERT_EQ(series_of(stored, LatencyCurve).size(), 1u);
  EXPECT_EQ(series_of(stored, LatencyCurve)[0].samples.size(), 1u);
  EXPECT_EQ(series_of(stored, {"offered", "latency_mean", "", false})[0].samples.size(), 2u);
}

TEST(unit_experiment_picture, a_nonstationary_point_has_no_latency) {
  std::vector<result_point> points{point({{PointLoad, "0.1"}}, "0.1", "20"), point({{PointLoad, "0.2"}}, "0.2", "70")};
  points[0].metrics["stationary"] = "true";
  points[1].metrics["stationary"] = "false";
  EXPECT_EQ(points[0].unsettled_text(), "");
  EXPECT_EQ(points[1].unsettled_text(), "not stationary");
  EXPECT_EQ(series_of(with_points(points), LatencyCurve).at(0).samples.size(), 1u);
}

TEST(unit_experiment_picture, seeds_with_identical_results_give_no_interval) {
  std::vector<result_point> points;
  for (const char* seed : {"1", "2", "3"})
    points.push_back(point({{PointLoad, "0.1"}, {"simulation.seed", seed}}, "0.1", "20"));
  EXPECT_FALSE(series_of(with_points(points), LatencyCurve).at(0).samples.at(0).half_width.has_value());
}

TEST(unit_experiment_picture, labels_are_short_and_distinguish_points) {
  const auto labels = [](std::vector<std::map<std::string, std::string>> keys, std::vector<const char*> names) {
    stored_table table;
    for (std::size_t i = 0; i < keys.size(); ++i) table.points.push_back({names[i], keys[i], {}});
    return point_labels({table});
  };
  EXPECT_THAT(labels({{{"network.topology.kind", "mesh"}, {PointVcs, "2"}},
                      {{"network.topology.kind", "torus"}, {PointVcs, "2"}}},
                     {"a", "b"}),
              ElementsAre("topology = mesh", "topology = torus"));
  EXPECT_THAT(
      labels({{{"nic.window", "1"}, {"other.window", "2"}}, {{"nic.window", "2"}, {"other.window", "1"}}}, {"a", "a"}),
      ElementsAre("nic.window = 1, other.window = 2", "nic.window = 2, other.window = 1"));
  EXPECT_THAT(labels({{{"a.p", "1"}, {"a.q", "1"}, {"a.r", "1"}, {"a.s", "1"}}, {}}, {"first", "second"}),
              ElementsAre("first", "second"));
  EXPECT_THAT(labels({{{PointVcs, "2"}}}, {"only"}), ElementsAre(""));
  EXPECT_THAT(labels({{{PointVcs, "2"}}, {{PointVcs, "2"}}, {{PointVcs, "4"}}}, {"a", "b", "c"}),
              ElementsAre("a", "b", "c"));
  // If a label has no space for all keys, it shows those that distinguish the points.
  std::vector<std::map<std::string, std::string>> many(3);
  for (int i = 0; i < 3; ++i) {
    for (char key = 'a'; key < 'p'; ++key) many[i][std::string("nic.the_key_") + key] = i == 2 ? "2" : "1";
    many[i][PointVcs] = std::to_string(i);
  }
  EXPECT_THAT(labels(many, {"x", "x", "x"}), ElementsAre("vcs = 0", "vcs = 1", "vcs = 2"));
}

TEST(unit_experiment_picture, sweep_plot_has_one_legend_for_latency_and_accepted_load) {
  std::vector<result_point> points = {point({{PointLoad, "0.1"}, {PointVcs, "1"}}, "0.1", "900", "saturated"),
                                      point({{PointLoad, "0.1"}, {PointVcs, "4"}}, "0.1", "20")};
  for (result_point& p : points) p.metrics["accepted"] = "0.1";
  const stored_table table{"x.sweep.csv", "x", points};
  const std::optional<picture> both = sweep_picture(table, PointLoad);
  ASSERT_TRUE(both);
  const std::string svg = draw(*both, picture_format::Svg);
  for (const char* words : {"mean packet latency, cycles", "accepted load, flits/node/cycle"})
    EXPECT_THAT(svg, HasSubstr(words));
  for (const char* label : {">vcs = 1</text>", ">vcs = 4</text>"}) {
    ASSERT_THAT(svg, HasSubstr(label));
    EXPECT_EQ(svg.find(label), svg.rfind(label)) << label;
  }
  EXPECT_THAT(sweep_picture(table, PointVcs)->script, HasSubstr("network.router.vcs"));
  EXPECT_FALSE(sweep_picture(table, "workload.pattern"));
}

TEST(unit_experiment_picture, twenty_series_have_distinct_styles) {
  std::set<std::string> lines, markers_of_a_colour;
  for (std::size_t i = 0; i < 20; ++i) {
    lines.insert(line_style(i));
    markers_of_a_colour.insert(series_colour(i) + marker_style(i));
  }
  EXPECT_EQ(lines.size(), 20u);
  EXPECT_EQ(markers_of_a_colour.size(), 20u);
}

TEST(unit_experiment_picture, pareto_front_holds_the_undominated_points) {
  const std::vector<mark> points = {{1, 9, "a"}, {2, 5, "b"}, {3, 6, "c"}, {4, 2, "d"}, {4, 3, "e"}};
  const auto names = [&](bool larger_x, bool larger_y) {
    std::string all;
    for (const mark& m : front_of(points, larger_x, larger_y)) all += m.label;
    return all;
  };
  EXPECT_EQ(names(false, false), "abd");
  EXPECT_EQ(names(false, true), "a");
  EXPECT_EQ(names(true, false), "d");
  EXPECT_EQ(names(true, true), "ace");
}

/// The stored result of a run with 4 routers in a row.
stored_result row_of_four() {
  json channels = json::array();
  for (int r = 0; r < 4; ++r) {
    if (r < 3)
      channels.push_back(
          {{"router", r}, {"port", "+x"}, {"to", {{"node", 0}}}, {"flits", r}, {"utilisation", 0.1 * r}});
    if (r > 0)
      channels.push_back({{"router", r}, {"port", "-x"}, {"to", {{"node", 0}}}, {"flits", r}, {"utilisation", 0.2}});
    channels.push_back({{"router", r}, {"port", "local"}, {"to", {{"node", 0}}}, {"flits", r}, {"utilisation", 0.6}});
  }
  return {
      "dir/row.json",
      {{"configuration", {{"network", {{"topology", {{"kind", "mesh"}, {"shape", {4}}}}}}}}, {"channels", channels}}};
}

TEST(unit_experiment_picture, opposite_channels_lie_side_by_side_with_own_statistics) {
  const stored_result run = row_of_four();
  const network_map map = map_of(run);
  ASSERT_EQ(map.channels.size(), 6u);
  for (const mapped_channel& m : map.channels) {
    const channel& c = map.graph.channels[m.channel];
    EXPECT_EQ(map.rows[m.row]["router"], c.from.router);
    EXPECT_EQ(map.rows[m.row]["port"], c.from.router < c.to.router ? "+x" : "-x");
    // The channel lies to the right of the line between the routers, in its direction: y points downwards.
    EXPECT_EQ(m.course.front().x < m.course.back().x, c.from.router < c.to.router);
    EXPECT_EQ(m.course.front().y > map.drawing.routers.routers[0].y, c.from.router < c.to.router);
  }
  const std::vector<double> routers = router_utilisation(map);
  EXPECT_NEAR(routers[0], 0.3, 1e-12);  // +x 0, local 0.6
  EXPECT_NEAR(routers[3], 0.4, 1e-12);  // -x 0.2, local 0.6
}

TEST(unit_experiment_picture, every_channel_of_every_topology_is_drawn_once) {
  for (const topology_kind* kind : topology_kinds()) {
    if (kind->name == std::string("file")) continue;
    const configuration c =
        parse_configuration(fmt::format("network: {{topology: {{kind: {}}}}}", kind->name), "k.yaml");
    const network_map map = map_of({"k.json", {{"configuration", to_json(c)}}});
    std::set<std::uint32_t> drawn;
    for (const mapped_channel& m : map.channels) {
      drawn.insert(m.channel);
      const channel& drawn_channel = map.graph.channels[m.channel];
      const drawing_point from = map.drawing.routers.routers[drawn_channel.from.router],
                          to = map.drawing.routers.routers[drawn_channel.to.router];
      EXPECT_LE(length(m.course.front() - from), length(m.course.front() - to)) << kind->name;
    }
    EXPECT_EQ(drawn.size(), map.graph.channels.size()) << kind->name;
    EXPECT_EQ(map.channels.size(), map.graph.channels.size()) << kind->name;
  }
}

TEST(unit_experiment_picture, rejects_a_run_of_another_network) {
  stored_result run = row_of_four();
  run.content["channels"].erase(run.content["channels"].begin());
  EXPECT_THROW(map_of(run), configuration_error);
}

TEST(unit_experiment_picture, lists_the_slowest_packets_of_an_event_log_first) {
  const auto file = std::filesystem::path(testing::TempDir()) / "picture_test.events";
  std::ofstream(file) << "cycle kind node vc packet sequence\n"
                         "0 inject 0 1 7 0\n1 inject 0 1 7 1\n1 inject 2 0 9 0\n17 eject 1 0 7 0\n18 eject 1 0 7 1\n"
                         "20 inject 3 0 8 0\n30 eject 0 2 8 0\n";
  const logged_packets packets = read_packets(file, 5);
  EXPECT_EQ(packets.all, 2u);  // packet 9 is still in flight
  ASSERT_EQ(packets.slowest.size(), 2u);
  const logged_packet& p = packets.slowest[0];
  EXPECT_EQ(p.id, 7u);
  EXPECT_THAT((std::vector<std::uint64_t>{p.source, p.destination, p.vc, p.flits, p.head_in, p.tail_in, p.head_out,
                                          p.tail_out}),
              ElementsAre(0, 1, 1, 2, 0, 1, 17, 18));
  EXPECT_EQ(read_packets(file, 1).slowest.size(), 1u);
  EXPECT_EQ(read_packets(file, 1).all, 2u);
  std::ofstream(file) << "\xef\xbb\xbf"
                         "cycle kind node vc packet sequence\n0 inject 0 1 7 0\n9 eject 1 0 7 0\n";
  EXPECT_EQ(read_packets(file, 1).all, 1u) << "a byte order mark is skipped";
  std::filesystem::remove(file);
}

TEST(unit_experiment_picture, escapes_text_for_html_and_scripts) {
  EXPECT_EQ(html("a<b> & \"c\""), "a&lt;b&gt; &amp; &quot;c&quot;");
  EXPECT_EQ(script_json(json({{"n", "</script><!--"}})), "{\"n\":\"\\u003c/script>\\u003c!--\"}");
}

TEST(unit_experiment_picture, every_kind_rejects_missing_results) {
  for (const picture_kind& kind : picture_kinds())
    EXPECT_THROW(kind.make({}, {"offered", "accepted", false, false, false, "", {}}), configuration_error) << kind.name;
}

}  // namespace
}  // namespace weft::experiment
