// SPDX-License-Identifier: Apache-2.0
/// What holds for every table of statistics.
#pragma once

#include <algorithm>
#include <set>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "weft/report/statistic.h"
#include "weft/report/statistics_page.h"

namespace weft::experiment {

/// Expects complete declarations with unique names, columns and labels.
template <class Summary>
void expect_sound(const statistic_table<Summary>& table) {
  std::set<std::string> names, columns, labels;
  for (const statistic<Summary>& s : table.statistics()) {
    EXPECT_TRUE(names.insert(s.name).second) << s.name << " is declared twice";
    EXPECT_NE(s.description, "") << s.name;
    EXPECT_EQ(s.name.find('.') != std::string::npos, table.section_of(s) != nullptr) << s.name << " lacks a section";
    EXPECT_TRUE(s.in_json || !s.columns.empty() || !s.label.empty()) << s.name << " is not shown in any report";
    EXPECT_EQ(s.value == nullptr, !s.in_json && s.columns.empty()) << s.name;
    EXPECT_EQ(s.row != nullptr || s.is_distribution, !s.label.empty()) << s.name;
    for (const csv_column& c : s.columns)
      EXPECT_TRUE(columns.insert(c.name).second) << c.name << " is the name of two columns";
    if (s.label.empty()) continue;
    EXPECT_TRUE(labels.insert(s.label).second) << s.label << " is the label of two rows";
  }
  for (const std::string& name : table.outline()) {
    const auto* const section = table.find_section(name);
    EXPECT_TRUE(section == nullptr || !section->description.empty()) << name;
  }
}

/// Expects all statistics of \p table on the page of the user guide, and the same statistics in the JSON list \p name.
template <class Summary>
void expect_listed(const statistic_table<Summary>& table, const char* name) {
  const std::string page = statistics_page();
  const json list = statistics_json().at(name);
  for (const statistic<Summary>& s : table.statistics()) {
    EXPECT_THAT(page, testing::HasSubstr(s.description));
    EXPECT_THAT(page, testing::HasSubstr(s.in_json ? "| `" + s.name + "` |" : "|  |"));
    for (const csv_column& c : s.columns) EXPECT_THAT(page, testing::HasSubstr("`" + c.name + "`"));
    EXPECT_TRUE(std::any_of(list.begin(), list.end(), [&s](const json& j) { return j["name"] == s.name; })) << s.name;
  }
  EXPECT_EQ(list.size(), table.statistics().size());
}

}  // namespace weft::experiment
