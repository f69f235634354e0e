// SPDX-License-Identifier: Apache-2.0
/// How a statistic is declared: once, with all that the result files, the terminal and the user guide say of it.
///
/// The tables of all statistics are in run_statistics.cpp, collective_statistics.cpp, replay_statistics.cpp and
/// saturation_statistics.cpp. The JSON and CSV files and the rows on the terminal (statistic_views.h) and the page of
/// the user guide (statistics_page.h) are views of them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "weft/experiment/configuration/keys.h"

namespace weft::experiment {

/// A column of the CSV file: the value of a statistic, or a part of it.
struct csv_column {
  std::string name;
  std::string part;  ///< JSON pointer into the value: "/mean"; empty: the value itself
};

/// The parts of the table on the terminal, from top to bottom.
enum class row_block : std::uint8_t { Time, Traffic, Network };

/// What follows the label of a row on the terminal.
struct row_text {
  std::string value;
  std::string remark;  ///< unit and more
};

/// What is said of a statistic, whatever its value.
struct statistic_declaration {
  std::string name;  ///< path in the JSON file: "throughput.accepted"
  std::string unit;  ///< "cycles"; empty for what is no quantity
  std::string description;
  bool in_json = true;
  std::vector<csv_column> columns;
  std::string label;  ///< of its row on the terminal; empty: it has none
  row_block block = row_block::Time;
  bool is_distribution = false;  ///< its row stands in a table of its own: mean, percentiles, extremes
};

/// A group of statistics: an object in the JSON file.
struct section_declaration {
  std::string name;
  std::string unit;  ///< of all its statistics, and a key of its own in the JSON file; or empty
  std::string description;
};

/// A statistic of a \p Report, which is what is known once a run has ended.
template <class Report>
struct statistic : statistic_declaration {
  std::function<json(const Report&)> value;  ///< null for what has only a row
  std::function<bool(const Report&)> written;
  std::function<std::optional<row_text>(const Report&)> row;

  /// In a column of the CSV file; lists are told by their length.
  statistic& in_csv(const std::string& column) { return in_csv({csv_column{column, ""}}); }
  statistic& in_csv(std::vector<csv_column> list) {
    columns = std::move(list);
    return *this;
  }

  /// In a row of the terminal's table; \p text gives nothing where there is nothing to say.
  statistic& on_terminal(row_block where, const std::string& text_label,
                         std::function<std::optional<row_text>(const Report&)> text) {
    block = where;
    label = text_label;
    row = std::move(text);
    return *this;
  }

  /// In the terminal's table of distributions.
  statistic& on_terminal_as_distribution(const std::string& text_label) {
    label = text_label;
    is_distribution = true;
    return *this;
  }

  statistic& not_in_json() {
    in_json = false;
    return *this;
  }

  /// In the JSON file only of reports for which \p condition holds.
  statistic& in_json_if(std::function<bool(const Report&)> condition) {
    written = std::move(condition);
    return *this;
  }
};

/// A group of statistics of a \p Report.
template <class Report>
struct statistic_section : section_declaration {
  std::function<bool(const Report&)> written;  ///< null: in every JSON file
};

/// All statistics of a \p Report. Columns of the CSV file stand in the order in which their statistics are declared: a
/// new one goes behind the others, so that those of old files keep their numbers. In the JSON file a section stands
/// where it is declared, among the statistics that are in none.
template <class Report>
class statistic_table {
 public:
  void section(const std::string& name, const std::string& unit, const std::string& description,
               std::function<bool(const Report&)> written = nullptr) {
    m_sections.push_back({{name, unit, description}, std::move(written)});
    m_outline.push_back(name);
  }

  /// \p name begins with that of a section and a dot, or has no dot. An empty \p unit is that of its section, if the
  /// section has been declared.
  statistic<Report>& add(const std::string& name, const std::string& unit, const std::string& description,
                         std::function<json(const Report&)> value) {
    statistic<Report> s;
    s.name = name;
    s.unit = unit;
    s.description = description;
    s.value = std::move(value);
    const std::size_t dot = name.find('.');
    if (dot == std::string::npos) m_outline.push_back(name);
    if (const statistic_section<Report>* const around = find_section(name.substr(0, dot)); around && unit.empty())
      s.unit = around->unit;
    m_statistics.push_back(std::move(s));
    return m_statistics.back();
  }

  const std::vector<statistic<Report>>& statistics() const { return m_statistics; }

  /// Names of sections, and of statistics without one, in the order of the JSON file.
  const std::vector<std::string>& outline() const { return m_outline; }

  /// nullptr if there is none of this name.
  const statistic_section<Report>* find_section(const std::string& name) const {
    for (const auto& s : m_sections)
      if (s.name == name) return &s;
    return nullptr;
  }

  /// The section of a statistic; nullptr if it has none.
  const statistic_section<Report>* section_of(const statistic_declaration& s) const {
    const std::size_t dot = s.name.find('.');
    return dot == std::string::npos ? nullptr : find_section(s.name.substr(0, dot));
  }

 private:
  std::vector<statistic_section<Report>> m_sections;
  std::vector<statistic<Report>> m_statistics;
  std::vector<std::string> m_outline;
};

}  // namespace weft::experiment
