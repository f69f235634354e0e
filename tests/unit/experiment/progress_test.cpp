// SPDX-License-Identifier: Apache-2.0
#include "weft/report/progress.h"

#include <sstream>

#include <gtest/gtest.h>

#include "weft/report/text_columns.h"

namespace weft::experiment {
namespace {

TEST(unit_experiment_progress, a_line_is_shorter_than_the_terminal_width) {
  std::ostringstream out;
  status_line line(out, 20);
  line.show("measuring 30 %, 1:12 min left");
  EXPECT_EQ(out.str(), "\rmeasuring 30 %, 1:…");  // 19 characters: some terminals would wrap after the last column
}

TEST(unit_experiment_progress, overwrites_a_previous_line_with_blanks) {
  std::ostringstream out;
  {
    status_line line(out, 80);
    line.show("12345");
    line.show("é");
    line.show("678");
    line.clear();
    line.clear();
    line.show("9");
  }
  EXPECT_EQ(out.str(), "\r12345\ré    \r678\r   \r\r9\r \r");
}

TEST(unit_experiment_progress, shortening_keeps_utf8_characters_whole) {
  EXPECT_EQ(shortened("äöü", 3), "äöü");
  EXPECT_EQ(shortened("äöüß", 3), "äö…");
  EXPECT_EQ(first_letters("äöü", 2), "äö");
  EXPECT_EQ(first_letters("ab", 5), "ab");
}

}  // namespace
}  // namespace weft::experiment
