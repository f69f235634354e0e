// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/schedule/files/drawing.h"

#include "unit/schedule/networks.h"
#include "unit/schedule/sent_straight.h"
#include <regex>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace weft::schedule {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::size_t count(const std::string& text, const std::string& what) {
  std::size_t found = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++found;
  return found;
}

/// Whether every tag is closed in the right order.
bool well_formed(const std::string& svg) {
  std::vector<std::string> open;
  const std::regex tag(R"(<(/?)([a-z]+)(?:\s[^<>]*?)?(/?)>)");
  for (std::sregex_iterator i(svg.begin(), svg.end(), tag), end; i != end; ++i) {
    if ((*i)[3] == "/") continue;
    if ((*i)[1] == "") {
      open.push_back((*i)[2]);
      continue;
    }
    if (open.empty() || open.back() != (*i)[2]) return false;
    open.pop_back();
  }
  return open.empty();
}

std::string drawing_of(const topology& t, operation what, bool with_network, const char* name = "example") {
  const step_network network(t);
  const collective requested = all_to_all(what, network.nodes());
  return to_svg(network, {name, requested, sent_straight({network, requested})}, with_network ? &t : nullptr);
}

TEST(unit_schedule_drawing, shows_every_transfer_in_chart_and_network_panels) {
  const std::string svg = drawing_of(mesh({3, 2}), operation::Scatter, true);
  EXPECT_TRUE(well_formed(svg));
  EXPECT_EQ(count(svg, ", by n"), 2U * 6 * 5);
  EXPECT_EQ(count(svg, "class=\"panel\""), count(svg, "href=\"#nodes\""));
  EXPECT_THAT(svg, HasSubstr("Below, the paths of each step."));
}

TEST(unit_schedule_drawing, omits_network_panels_without_network_or_when_large) {
  const std::string alone = drawing_of(ring(5), operation::Broadcast, false);
  EXPECT_TRUE(well_formed(alone));
  EXPECT_EQ(count(alone, ", by n"), 5U * 4);
  EXPECT_THAT(alone, Not(HasSubstr("class=\"panel\"")));
  EXPECT_THAT(alone, HasSubstr("are drawn where the network is given as a file"));
  const std::string large = drawing_of(mesh({9, 8}), operation::Broadcast, true);
  EXPECT_THAT(large, Not(HasSubstr("class=\"panel\"")));
  EXPECT_THAT(large, HasSubstr("for at most 64 nodes and 64 steps only"));
}

TEST(unit_schedule_drawing, escapes_names) {
  EXPECT_TRUE(well_formed(drawing_of(ring(3), operation::Broadcast, false, "<a & b>")));
}

}  // namespace
}  // namespace weft::schedule
