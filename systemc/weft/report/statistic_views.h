// SPDX-License-Identifier: Apache-2.0
/// Writes the statistics of a table as JSON, as CSV and as rows on the terminal.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "weft/core/escape.h"
#include "weft/report/format.h"
#include "weft/report/statistic.h"

namespace weft::experiment {

/// \p value as a cell of the CSV file: empty if it could not be measured, and the length of a list.
inline std::string csv_text_of(const json& value) {
  if (value.is_null()) return "";
  if (value.is_string()) return csv_field(value.get<std::string>());
  if (value.is_number_float()) return fmt::format("{}", value.get<double>());
  return value.is_array() ? std::to_string(value.size()) : compact_text(value);
}

/// The JSON file.
template <class Summary>
json json_of(const statistic_table<Summary>& table, const Summary& r) {
  const auto holds = [&r](const std::function<bool(const Summary&)>& condition) { return !condition || condition(r); };
  json root = json::object();
  for (const std::string& name : table.outline()) {
    const statistic_section<Summary>* const section = table.find_section(name);
    if (section && !holds(section->written)) continue;
    root[name] = section ? json::object() : json();
    if (section && !section->unit.empty()) root[name]["unit"] = section->unit;
  }
  for (const statistic<Summary>& s : table.statistics()) {
    const statistic_section<Summary>* const section = table.section_of(s);
    if (section && !holds(section->written)) continue;
    if (s.in_json && holds(s.written))
      root[pointer_to(s.name)] = s.value(r);
    else if (!section)
      root.erase(s.name);
  }
  return root;
}

/// The CSV file: a header line and one row. \param more further columns, which depend on the configuration
template <class Summary>
std::string csv_of(const statistic_table<Summary>& table, const Summary& r,
                   const std::vector<std::pair<std::string, std::string>>& more = {}) {
  std::vector<std::string> names, values;
  for (const statistic<Summary>& s : table.statistics()) {
    if (s.columns.empty()) continue;
    const json value = s.value(r);
    for (const csv_column& column : s.columns) {
      const json::json_pointer part(column.part);
      names.push_back(column.name);
      values.push_back(value.contains(part) ? csv_text_of(value.at(part)) : "");
    }
  }
  for (const auto& [name, value] : more) {
    names.push_back(name);
    values.push_back(value);
  }
  return fmt::format("{}\n{}\n", fmt::join(names, ","), fmt::join(values, ","));
}

/// The terminal rows, with values right-aligned in \p width columns.
template <class Summary>
std::string rows_of(const statistic_table<Summary>& table, const Summary& r, int width) {
  std::string text;
  for (const row_block block : {row_block::Time, row_block::Traffic, row_block::Network})
    for (const statistic<Summary>& s : table.statistics()) {
      if (!s.row || s.block != block) continue;
      if (const std::optional<row_text> row = s.row(r))
        text += fmt::format("  {:<18}{:>{}}  {}\n", s.label, row->value, width, row->remark);
    }
  return text;
}

}  // namespace weft::experiment
