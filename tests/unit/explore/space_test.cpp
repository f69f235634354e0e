// SPDX-License-Identifier: Apache-2.0
/// The designs of a search.
#include "weft/explore/space.h"

#include <set>

#include <gmock/gmock.h>

namespace weft::experiment {
namespace {

sweep_design small_design() {
  sweep_design d;
  d.over = {{"network.router.vcs", {"1", "2", "4"}, "test"}, {"network.router.depth", {"2:8:2"}, "test"}};
  d.linked = {{"network.flit.payload_bits", {"32", "64"}, "test"}, {"workload.length.flits", {"8", "4"}, "test"}};
  return d;
}

TEST(unit_space, has_the_points_of_a_sweep) {
  const design_space space(small_design());
  EXPECT_EQ(space.size(), 24);
  EXPECT_EQ(space.sizes(), (std::vector<std::size_t>{3, 4, 2}));
  std::set<std::string> found, expected;
  for (std::size_t v = 0; v < 3; ++v)
    for (std::size_t d = 0; d < 4; ++d)
      for (std::size_t row = 0; row < 2; ++row) found.insert(settings_text(space.point({v, d, row})));
  for (const sweep_point& point : points_of(small_design(), 1)) expected.insert(settings_text(point));
  EXPECT_EQ(found, expected);
  EXPECT_EQ(found.size(), 24u);
}

TEST(unit_space, has_a_repeated_value_once) {
  sweep_design d = small_design();
  d.over.front().values = {"1", "2", "1"};
  EXPECT_EQ(design_space(d).sizes(), (std::vector<std::size_t>{2, 4, 2}));
}

TEST(unit_space, finds_designs_in_any_spelling) {
  const design_space space(small_design());
  sweep_point point = space.point({1, 2, 1});
  const std::string text = settings_text(point);
  point[1].value = "6.0";
  EXPECT_EQ(settings_text(space.find(point)), text);
  point.back().value = "8";  // the flits of the other row
  EXPECT_THROW(space.find(point), configuration_error);
}

TEST(unit_space, draws_all_designs) {
  const design_space space(small_design());
  std::set<design_choice> drawn;
  for (std::uint64_t i = 0; i < 400; ++i) drawn.insert(space.drawn(7, i));
  EXPECT_EQ(drawn.size(), 24u);
  EXPECT_EQ(space.drawn(7, 3), space.drawn(7, 3));
}

TEST(unit_space, may_have_more_designs_than_a_sweep_has_points) {
  sweep_design d;
  for (const char* const key : {"network.router.vcs", "network.router.depth", "workload.length.flits"})
    d.over.push_back({key, {"1:1000:1"}, "test"});
  EXPECT_EQ(design_space(d).size(), 1e9);
}

TEST(unit_space, rejects_samples_and_keys_that_cannot_be_swept) {
  sweep_design samples = small_design();
  samples.sample = {{"workload.injection.load", {"0.1:0.3"}, "a.yaml:3:4"}};
  EXPECT_THROW(design_space{samples}, configuration_error);
  sweep_design twice = small_design();
  twice.over.push_back(twice.over.front());
  EXPECT_THROW(design_space{twice}, configuration_error);
  sweep_design lengths = small_design();
  lengths.linked.back().values.pop_back();
  EXPECT_THROW(design_space{lengths}, configuration_error);
  sweep_design of_explore = small_design();
  of_explore.over.front().key = "explore.budget";
  EXPECT_THROW(design_space{of_explore}, configuration_error);
}

}  // namespace
}  // namespace weft::experiment
