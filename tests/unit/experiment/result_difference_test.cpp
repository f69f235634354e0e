// SPDX-License-Identifier: Apache-2.0
#include "weft/report/result_difference.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>

namespace weft::experiment {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

json result(const std::string& configuration, const std::string& statistics) {
  return json::parse(R"({"weft": "1", "name": "x", "seed": 1, "configuration": )" + configuration + ", " + statistics +
                     "}");
}

const json Before = result(R"({"network": {"router": {"vcs": 4, "depth": 8}}})",
                           R"("outcome": "complete", "mean_routers": null,
                              "latency": {"unit": "cycles", "packet": {"count": 10, "mean": 40.0, "half_width": 3.0,
                                          "max": 50, "histogram": {"first": 1, "counts": [1, 2]}}},
                              "channels": [{"flits": 1}, {"flits": 2}])");
const json After = result(R"({"network": {"router": {"vcs": 4, "depth": 9}}, "nic": {"ports": 2}})",
                          R"("outcome": "saturated", "mean_routers": 2.5,
                             "latency": {"unit": "cycles", "packet": {"count": 12, "mean": 44.9, "half_width": 4.0,
                                         "max": 50, "histogram": {"first": 1, "counts": [2, 2]}}},
                             "channels": [{"flits": 1}, {"flits": 3}, {"flits": 4}])");

std::vector<std::string> names_of(const result_difference& d) {
  std::vector<std::string> names;
  for (const statistic_difference& s : d.statistics) names.push_back(s.name);
  return names;
}

TEST(unit_experiment_result_difference, equal_results_have_no_difference) {
  json renamed = Before;
  renamed["name"] = "y";
  renamed["weft"] = "2";
  EXPECT_FALSE(difference_of(Before, renamed).any());
}

TEST(unit_experiment_result_difference, includes_keys_that_only_one_result_has) {
  const result_difference d = difference_of(Before, After);
  ASSERT_EQ(d.keys.size(), 2u);
  EXPECT_EQ(d.keys[0].key, "network.router.depth");
  EXPECT_EQ(d.keys[0].a, 8);
  EXPECT_EQ(d.keys[0].b, 9);
  EXPECT_EQ(d.keys[1].key, "nic.ports");
  EXPECT_TRUE(d.keys[1].a.is_null());
}

TEST(unit_experiment_result_difference, lists_statistics_with_names_and_units) {
  const result_difference d = difference_of(Before, After);
  EXPECT_THAT(names_of(d),
              ElementsAre("outcome", "mean_routers", "latency.packet.count", "latency.packet.mean", "channels"));
  EXPECT_EQ(d.statistics[2].unit, "packets");
  EXPECT_EQ(d.statistics[3].unit, "cycles");
  EXPECT_EQ(d.statistics[1].change(), std::nullopt) << "one of them is null";
  EXPECT_EQ(d.statistics[4].elements, 2u);
  EXPECT_EQ(d.statistics[4].change(), std::nullopt);
}

TEST(unit_experiment_result_difference, is_beyond_noise_if_its_interval_excludes_zero) {
  const auto mean_of = [](const json& a, const json& b) { return difference_of(a, b).statistics[3]; };
  EXPECT_DOUBLE_EQ(mean_of(Before, After).change().value(), 4.9);
  EXPECT_DOUBLE_EQ(mean_of(Before, After).noise().value(), 5);  // root of 3² + 4²
  EXPECT_EQ(mean_of(Before, After).beyond_noise(), false);
  json farther = After;
  farther["latency"]["packet"]["mean"] = 45.1;
  EXPECT_EQ(mean_of(Before, farther).beyond_noise(), true);
  EXPECT_EQ(mean_of(farther, Before).beyond_noise(), true);
  farther["latency"]["packet"]["half_width"] = nullptr;
  EXPECT_EQ(mean_of(Before, farther).beyond_noise(), std::nullopt);
}

TEST(unit_experiment_result_difference, is_printed_as_table_and_json) {
  const stored_result a{"a.json", Before}, b{"b.json", After};
  const result_difference d = difference_of(Before, After);
  const std::string table = to_table(d, a, b);
  EXPECT_THAT(table, HasSubstr("  network.router.depth  8  9\n  nic.ports             -  2\n"));
  EXPECT_THAT(table, HasSubstr("  latency.packet.mean     40 ± 3   44.9 ± 4        +4.9  +12.2 %  within noise\n"));
  EXPECT_THAT(table, HasSubstr("  2 keys and 5 statistics differ: 0 beyond noise, 1 within, 4 without an interval\n"));
  const json j = to_json(d, a, b);
  EXPECT_EQ(j["statistics"][3]["half_width"], 5.0);
  EXPECT_EQ(j["statistics"][3]["beyond_noise"], false);
  EXPECT_EQ(j["statistics"][4]["elements_that_differ"], 2);
  json other = Before;
  other["weft"] = "2";
  EXPECT_THAT(to_table(difference_of(Before, other), a, {"c.json", other}),
              HasSubstr("A was made by weft 1, B by weft 2\n"));
}

TEST(unit_experiment_result_difference, long_texts_are_printed_below_the_table) {
  const std::string reason = "the source queue of node 5 grew over the whole window, and so did those of 12 others";
  json after = After;
  after["latency"]["packet"]["no_interval"] = reason;
  after["configuration"]["workload"]["pattern"] = reason;
  const std::string table = to_table(difference_of(Before, after), {"a.json", Before}, {"b.json", after});
  EXPECT_THAT(table, HasSubstr("\n\n  workload.pattern\n    A: -\n    B: " + reason + "\n"));
  EXPECT_THAT(table, HasSubstr("\n\n  latency.packet.no_interval\n    A: -\n    B: " + reason + "\n"));
  EXPECT_THAT(table, HasSubstr("  latency.packet.mean     40 ± 3   44.9 ± 4        +4.9  +12.2 %  within noise\n"));
  json only = Before;
  only["outcome"] = reason;
  EXPECT_THAT(to_table(difference_of(Before, only), {"a.json", Before}, {"b.json", only}),
              AllOf(HasSubstr("  outcome\n    A: "), Not(HasSubstr("change"))))
      << "nothing is left for the table";
}

}  // namespace
}  // namespace weft::experiment
