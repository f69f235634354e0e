// SPDX-License-Identifier: Apache-2.0
#include "weft/core/warning.h"

#include "support/warnings.h"
#include <algorithm>
#include <string>

#include <gtest/gtest.h>

namespace weft {
namespace {

TEST(unit_core_warning, is_given_once) {
  caught_warnings caught;
  for (int i = 0; i < 3; ++i) warn({"a.txt:1", "the column 'x' is not read"});
  warn({"a.txt:2", "the column 'x' is not read"});
  EXPECT_EQ(caught.text(),
            "a.txt:1: warning: the column 'x' is not read\na.txt:2: warning: the column 'x' is not read\n");
}

TEST(unit_core_diagnostic, escapes_control_characters) {
  const input_error e({{"a\nb.yaml:1", "there is no router 'c\n\x1b'"}, {"d.yaml", "a cycle", {"r\n1", "r2"}}});
  EXPECT_STREQ(e.what(),
               "a\\x0ab.yaml:1: error: there is no router 'c\\x0a\\x1b'\nd.yaml: error: a cycle\nr\\x0a1\nr2");
}

TEST(unit_core_warning, escapes_control_characters) {
  const warning_handler before = set_warning_handler({});
  set_warning_handler(before);  // restores the default handler and clears the record of warnings
  testing::internal::CaptureStderr();
  warn({"a\nb.txt:1", "the column 'c\nweft: error: none\x1b' is not read"});
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "a\\x0ab.txt:1: warning: the column 'c\\x0aweft: error: none\\x1b' is not read\n");
}

TEST(unit_core_warning, is_dropped_without_a_handler) {
  const warning_handler before = set_warning_handler({});
  warn({"a.txt", "lost"});
  set_warning_handler(before);
}

TEST(unit_core_warning, summarizes_one_kind_with_count_and_first_location) {
  caught_warnings caught;
  omissions left_out;
  left_out.add("b is not read", "f:3");
  left_out.add("a is not read", "f:4");
  left_out.add("b is not read", "f:9");
  left_out.warn_all("see the page");
  EXPECT_EQ(caught.text(),
            "f:3: warning: b is not read (2 times, first here); see the page\nf:4: warning: a is not read; see the "
            "page\n");
}

TEST(unit_core_warning, limits_the_number_of_kinds) {
  caught_warnings caught;
  omissions left_out;
  for (int i = 0; i < 1000; ++i) left_out.add("kind " + std::to_string(i), "f");
  left_out.warn_all();
  EXPECT_NE(caught.text().find("f: warning: items of further kinds are not read (960 times, first here)\n"),
            std::string::npos);
  EXPECT_EQ(std::count(caught.text().begin(), caught.text().end(), '\n'), 41);
}

}  // namespace
}  // namespace weft
