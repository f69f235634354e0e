// SPDX-License-Identifier: Apache-2.0
#include "weft/study/design.h"

#include <set>

#include <gmock/gmock.h>

namespace weft::experiment {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;
using ::testing::StartsWith;

constexpr const char* Vcs = "network.router.vcs";
constexpr const char* Depth = "network.router.depth";
constexpr const char* Load = "workload.injection.load";

std::vector<std::string> texts(const sweep_design& design, std::uint64_t seed = 1) {
  std::vector<std::string> all;
  for (const sweep_point& p : points_of(design, seed)) all.push_back(settings_text(p));
  return all;
}

std::string error_of(const sweep_design& design, std::uint64_t seed = 1) {
  try {
    points_of(design, seed);
  } catch (const configuration_error& e) {
    return e.what();
  }
  return "";
}

std::string error_of_axis(const std::string& text) {
  try {
    parse_axis("--over", text);
  } catch (const configuration_error& e) {
    return e.what();
  }
  return "";
}

sweep_design over(const std::vector<sweep_axis>& axes) {
  sweep_design design;
  design.over = axes;
  return design;
}

TEST(unit_study_design, axis_is_parsed_as_a_key_and_a_list_of_values) {
  const sweep_axis list = parse_axis("--over", "network.router.vcs=1,2,8");
  EXPECT_EQ(list.key, Vcs);
  EXPECT_THAT(list.values, ElementsAre("1", "2", "8"));
  EXPECT_THAT(parse_axis("--over", "network.topology.shape=[4,4],[8, 8]").values, ElementsAre("[4,4]", "[8, 8]"));
  EXPECT_THAT(parse_axis("--over", "workload.length={kind: uniform, max: 4},5").values,
              ElementsAre("{kind: uniform, max: 4}", "5"));
}

TEST(unit_study_design, rejects_a_malformed_axis) {
  EXPECT_EQ(error_of_axis("load"), "--over load: error: expected KEY=VALUE,VALUE,… or KEY=FIRST:LAST:STEP");
  EXPECT_THAT(error_of_axis("=1,2"), HasSubstr("expected KEY="));
  EXPECT_THAT(error_of_axis("load="), HasSubstr("expected KEY="));
}

TEST(unit_study_design, ranges_expand_among_other_values) {
  // The last value belongs to the range although 0.1 + 2 * 0.1 is slightly more than 0.3.
  EXPECT_THAT(texts(over({{Load, {"0.1:0.3:0.1"}, ""}})),
              ElementsAre("workload.injection.load=0.1", "workload.injection.load=0.2", "workload.injection.load=0.3"));
  EXPECT_THAT(texts(over({{Vcs, {"1", "8:1:-4"}, ""}})),
              ElementsAre("network.router.vcs=1", "network.router.vcs=8", "network.router.vcs=4"));
  for (const char* const wrong : {"1:2:0", "2:1:0.1", "0:1:0.000001"})
    EXPECT_THAT(
        error_of(over({{Load, {wrong}, "--over"}})),
        HasSubstr("--over workload.injection.load: error: expected a range first:last:step with at most 10000"));
  EXPECT_EQ(error_of(over({{Vcs, {"1:4"}, "--over"}})),
            "--over network.router.vcs: error: expected a range first:last:step, got 1:4; write 1:4:STEP");
}

TEST(unit_study_design, the_last_axis_of_a_product_varies_fastest) {
  EXPECT_THAT(
      texts(over({{Vcs, {"1", "2"}, ""}, {Depth, {"4", "8"}, ""}})),
      ElementsAre("network.router.vcs=1, network.router.depth=4", "network.router.vcs=1, network.router.depth=8",
                  "network.router.vcs=2, network.router.depth=4", "network.router.vcs=2, network.router.depth=8"));
}

TEST(unit_study_design, linked_lists_advance_together) {
  sweep_design design = over({{Load, {"0.1", "0.2"}, ""}});
  design.linked = {{Vcs, {"1", "2"}, "--linked"}, {Depth, {"8", "4"}, "--linked"}};
  EXPECT_THAT(texts(design), ElementsAre("workload.injection.load=0.1, network.router.vcs=1, network.router.depth=8",
                                         "workload.injection.load=0.1, network.router.vcs=2, network.router.depth=4",
                                         "workload.injection.load=0.2, network.router.vcs=1, network.router.depth=8",
                                         "workload.injection.load=0.2, network.router.vcs=2, network.router.depth=4"));
  design.linked[1].values.pop_back();
  EXPECT_EQ(error_of(design),
            "--linked network.router.depth: error: linked lists must have equal lengths; expected 2 values, as in the "
            "list of network.router.vcs, got 1");
}

TEST(unit_study_design, replicates_have_consecutive_seeds) {
  sweep_design design;
  design.replicates = 3;
  EXPECT_THAT(texts(design, 7), ElementsAre("simulation.seed=7", "simulation.seed=8", "simulation.seed=9"));
  EXPECT_THAT(keys_of(design), ElementsAre("simulation.seed"));
  design.over = {{"simulation.seed", {"1"}, "--over"}};
  EXPECT_THAT(error_of(design), HasSubstr("is already swept by the replicates"));
}

TEST(unit_study_design, a_latin_hypercube_uses_each_part_of_each_axis_once) {
  sweep_design design;
  design.samples = 50;
  design.sample = {{Load, {"0:1.0"}, ""}, {Vcs, {"1:10"}, ""}, {"workload.pattern", {"uniform", "transpose"}, ""}};
  std::set<int> parts;
  std::vector<int> vcs(11), patterns(2);
  for (const sweep_point& p : points_of(design, 1)) {
    parts.insert(static_cast<int>(std::stod(p[0].value) * 50));
    ++vcs.at(std::stoul(p[1].value));
    ++patterns[p[2].value == "uniform"];
  }
  EXPECT_THAT(parts, SizeIs(50));
  EXPECT_THAT(vcs, ElementsAre(0, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5));
  EXPECT_THAT(patterns, ElementsAre(25, 25));
}

TEST(unit_study_design, samples_of_integer_keys_are_integers) {
  sweep_design design;
  design.samples = 20;
  design.sample = {{Load, {"0:1"}, ""}, {"workload.injection", {"0:1"}, ""}, {"simulation.seed", {"1:100000000"}, ""}};
  for (const sweep_point& p : points_of(design, 1)) {
    for (const std::size_t load : {0, 1}) EXPECT_THAT(p[load].value, StartsWith("0.")) << p[load].key;
    EXPECT_EQ(p[2].value.find_first_not_of("0123456789"), std::string::npos) << p[2].value;
  }
  EXPECT_THAT(texts(over({{"simulation.seed", {"10000000000:20000000000:10000000000"}, ""}})),
              ElementsAre("simulation.seed=10000000000", "simulation.seed=20000000000"));
}

TEST(unit_study_design, samples_depend_only_on_the_sampling_seed) {
  sweep_design design;
  design.sample = {{Load, {"0.1:0.5"}, ""}};
  for (const sampling_kind kind : {sampling_kind::LatinHypercube, sampling_kind::Random}) {
    design.sampling = kind;
    design.sampling_seed = 1;
    const auto first = texts(design, 1);
    EXPECT_THAT(first, SizeIs(100));
    EXPECT_EQ(texts(design, 2), first);
    for (const sweep_point& p : points_of(design, 1)) {
      EXPECT_GE(std::stod(p[0].value), 0.1);
      EXPECT_LT(std::stod(p[0].value), 0.5);
    }
    design.sampling_seed = 2;
    EXPECT_NE(texts(design, 1), first);
  }
}

TEST(unit_study_design, rejects_unknown_repeated_and_unsweepable_keys) {
  EXPECT_EQ(error_of(over({{"network.router.vc", {"1"}, "--over"}})),
            "--over network.router.vc: error: unknown key 'vc' in network.router; did you mean 'vcs'?");
  EXPECT_EQ(error_of(over({{Vcs, {"1"}, "--over"}, {Vcs, {"2"}, "--over"}})),
            "--over network.router.vcs: error: is swept twice; name it once");
  EXPECT_EQ(error_of(over({{"output.name", {"x"}, "--over"}})),
            "--over output.name: error: cannot be swept, because all points have the same output; use --set");
  EXPECT_THAT(error_of(over({{"sweep.samples", {"1"}, "--over"}})), HasSubstr("cannot be swept"));
}

TEST(unit_study_design, rejects_more_than_a_million_points) {
  sweep_design design = over({{Load, {"0:1:0.001"}, "--over"}});
  design.replicates = 1000;
  EXPECT_THAT(error_of(design), HasSubstr("expected at most 1000000 points in all, got 1001000"));
}

TEST(unit_study_design, the_last_axis_given_for_a_key_wins) {
  sweep_design design = over({{Vcs, {"1"}, ""}, {Load, {"0.1"}, ""}});
  override_axes(design, over({{Vcs, {"2", "4"}, ""}}));
  EXPECT_THAT(texts(design), ElementsAre("workload.injection.load=0.1, network.router.vcs=2",
                                         "workload.injection.load=0.1, network.router.vcs=4"));
  sweep_design both = over({{Vcs, {"2"}, ""}});
  both.linked = {{Vcs, {"4"}, "--linked"}};
  override_axes(design, both);
  EXPECT_THAT(error_of(design), HasSubstr("--linked network.router.vcs: error: is swept twice"));
}

TEST(unit_study_design, rejects_replicates_beyond_the_last_seed) {
  sweep_design design = over({});
  design.replicates = 2;
  EXPECT_THAT(error_of(design, ~std::uint64_t{0}),
              HasSubstr("too few seeds from 18446744073709551615 on for 2 replicates"));
}

TEST(unit_study_design, is_read_from_the_sweep_section) {
  const configuration c = parse_configuration(R"(
sweep:
  over:
    network.router.vcs: [1, 2:4:2]
    workload.injection.load: 0.1:0.2:0.1
    network.topology.shape: [[4, 4], [8, 8]]
  linked: {network.router.depth: [4, 8]}
  sample: {workload.length.flits: 1:4}
  samples: 2
  sampling: random
  sampling_seed: 3
  replicates: 2
)",
                                              "run.yaml");
  EXPECT_THAT(points_of(c.sweep, 1), SizeIs(3 * 2 * 2 * 2 * 2 * 2));
  EXPECT_EQ(c.sweep.sampling, sampling_kind::Random);
  EXPECT_EQ(settings_text(points_of(c.sweep, 1).back())
                .rfind("network.router.vcs=4, workload.injection.load=0.2, "
                       "network.topology.shape=[8, 8], network.router.depth=8",
                       0),
            0u);
}

TEST(unit_study_design, error_in_the_sweep_section_gives_its_place) {
  const auto error_of_text = [](const std::string& text) -> std::string {
    try {
      parse_configuration(text, "run.yaml");
    } catch (const configuration_error& e) {
      return e.what();
    }
    return "";
  };
  EXPECT_EQ(error_of_text("sweep: {over: [1]}"),
            "run.yaml:1:15: error: sweep.over: expected a map from keys to lists or ranges, got a list");
  EXPECT_THAT(
      error_of_text("sweep: {over: {network.router.vcs: {}}}"),
      HasSubstr(
          "sweep.over.network.router.vcs: expected a list of values or a range first:last:step, got an empty map"));
  EXPECT_THAT(error_of_text("sweep: {over: {a: [1], a: [2]}}"), HasSubstr("a is given twice"));
  EXPECT_THAT(error_of_text("sweep: {ovr: {}}"), HasSubstr("unknown key 'ovr' in sweep; did you mean 'over'?"));
}

}  // namespace
}  // namespace weft::experiment
