// SPDX-License-Identifier: Apache-2.0
#include "weft/study/study.h"

#include "support/temporary_directory.h"
#include <string>

#include <gtest/gtest.h>

namespace weft::experiment {
namespace {

/// Recording a point that cannot run takes time, too: thousands of them must not delay the end after a stop request.
TEST(unit_study, no_points_are_loaded_after_a_stop_request) {
  const temporary_directory directory;
  point_store store(directory / "points.sqlite", true);
  bool stop = false;
  int loaded = 0;
  const rtl_provider rtl;
  study_context context{[&](const sweep_point&) -> configuration {
                          ++loaded;
                          throw configuration_error(std::vector<diagnostic>{{"network.router.vcs", "too many"}});
                        },
                        rtl};
  context.hooks.stop = [&] { return stop; };
  study s(context, store);
  s.add({});
  EXPECT_EQ(s.rows().back().result.outcome, "infeasible");
  stop = true;
  s.add({});
  EXPECT_EQ(s.rows().back().result.outcome, "");
  s.run();
  EXPECT_EQ(loaded, 1);
  EXPECT_EQ(s.rows().size(), 2U);
  EXPECT_EQ(s.done(), 1U);
}

}  // namespace
}  // namespace weft::experiment
