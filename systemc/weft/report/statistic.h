// SPDX-License-Identifier: Apache-2.0
/// Declarations of statistics. A statistic is declared once, with everything that the result files, the terminal and
/// the user guide show.
/// The tables of statistics are in run_statistics.cpp, saturation_statistics.cpp,
/// collectives/report/collective_statistics.cpp and mpi/report/replay_statistics.cpp. The JSON and CSV files, the rows
/// on the terminal (statistic_views.h) and the page of the user guide (statistics_page.h) are generated from them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "weft/configuration/keys.h"

namespace weft::experiment {

/// A column of the CSV file: a statistic, or a part of it.
struct csv_column {
  std::string name;
  std::string part;  ///< JSON pointer into the value: "/mean"; empty: the value itself
};

/// The parts of the terminal table, from top to bottom.
enum class row_block : std::uint8_t { Time, Traffic, Network };

/// The text after the label of a terminal row.
struct row_text {
  std::string value;
  std::string remark;  ///< unit and remarks
};

/// The properties of a statistic that do not depend on its value.
struct statistic_declaration {
  std::string name;  ///< path in the JSON file: "throughput.accepted"
  std::string unit;  ///< "cycles"; empty for a statistic that is not a quantity
  std::string description;
  bool in_json = true;
  std::vector<csv_column> columns;
  std::string label;  ///< label of its terminal row; empty: no row
  row_block block = row_block::Time;
  bool is_distribution = false;  ///< whether its row is in a separate table: mean, percentiles, extremes
};

/// A group of statistics: an object in the JSON file.
struct section_declaration {
  std::string name;
  std::string unit;  ///< common unit of its statistics, stored as a separate JSON key; or empty
  std::string description;
};

/// A table of statistics without the functions that compute them.
struct statistic_declarations {
  std::vector<std::string> outline;  ///< names of sections, and of statistics without section, as in the JSON file
  std::vector<section_declaration> sections;
  std::vector<statistic_declaration> statistics;
};

/// A statistic that is computed from a \p Summary, the data available after a run.
template <class Summary>
struct statistic : statistic_declaration {
  std::function<json(const Summary&)> value;  ///< null if there is only a terminal row
  std::function<bool(const Summary&)> written;
  std::function<std::optional<row_text>(const Summary&)> row;

  /// Adds a CSV column. The column of a list contains its length.
  statistic& in_csv(const std::string& column) { return in_csv({csv_column{column, ""}}); }
  statistic& in_csv(std::vector<csv_column> list) {
    columns = std::move(list);
    return *this;
  }

  /// Adds a row of the terminal table; the row is omitted if \p text returns nothing.
  statistic& on_terminal(row_block where, const std::string& text_label,
                         std::function<std::optional<row_text>(const Summary&)> text) {
    block = where;
    label = text_label;
    row = std::move(text);
    return *this;
  }

  /// Adds a row of the terminal's table of distributions.
  statistic& on_terminal_as_distribution(const std::string& text_label) {
    label = text_label;
    is_distribution = true;
    return *this;
  }

  statistic& not_in_json() {
    in_json = false;
    return *this;
  }

  /// Restricts the statistic to JSON files for which \p condition holds.
  statistic& in_json_if(std::function<bool(const Summary&)> condition) {
    written = std::move(condition);
    return *this;
  }
};

/// A group of statistics of a \p Summary.
template <class Summary>
struct statistic_section : section_declaration {
  std::function<bool(const Summary&)> written;  ///< null: in every JSON file
};

/// All statistics of a \p Summary. CSV columns are in the order of declaration: declare new statistics at the end, so
/// that existing columns keep their positions. In the JSON file, a section is at the position of its declaration among
/// the statistics without section.
template <class Summary>
class statistic_table {
 public:
  void section(const std::string& name, const std::string& unit, const std::string& description,
               std::function<bool(const Summary&)> written = nullptr) {
    m_sections.push_back({{name, unit, description}, std::move(written)});
    m_outline.push_back(name);
  }

  /// \p name begins with the name of a section and a dot, or contains no dot. If \p unit is empty and the section has
  /// been declared, the unit of the section applies.
  statistic<Summary>& add(const std::string& name, const std::string& unit, const std::string& description,
                          std::function<json(const Summary&)> value) {
    statistic<Summary> s;
    s.name = name;
    s.unit = unit;
    s.description = description;
    s.value = std::move(value);
    const std::size_t dot = name.find('.');
    if (dot == std::string::npos) m_outline.push_back(name);
    if (const statistic_section<Summary>* const around = find_section(name.substr(0, dot)); around && unit.empty())
      s.unit = around->unit;
    m_statistics.push_back(std::move(s));
    return m_statistics.back();
  }

  const std::vector<statistic<Summary>>& statistics() const { return m_statistics; }

  /// Names of sections, and of statistics without section, in the order of the JSON file.
  const std::vector<std::string>& outline() const { return m_outline; }

  statistic_declarations declarations() const {
    return {m_outline, {m_sections.begin(), m_sections.end()}, {m_statistics.begin(), m_statistics.end()}};
  }

  /// nullptr if there is no section of this name.
  const statistic_section<Summary>* find_section(const std::string& name) const {
    for (const auto& s : m_sections)
      if (s.name == name) return &s;
    return nullptr;
  }

  /// The section of a statistic; nullptr if it has none.
  const statistic_section<Summary>* section_of(const statistic_declaration& s) const {
    const std::size_t dot = s.name.find('.');
    return dot == std::string::npos ? nullptr : find_section(s.name.substr(0, dot));
  }

 private:
  std::vector<statistic_section<Summary>> m_sections;
  std::vector<statistic<Summary>> m_statistics;
  std::vector<std::string> m_outline;
};

}  // namespace weft::experiment
