// SPDX-License-Identifier: Apache-2.0
#include "weft/study/table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "weft/core/diagnostic.h"
#include "weft/core/escape.h"
#include "weft/core/printable.h"
#include "weft/report/csv_rows.h"
#include "weft/report/format.h"
#include "weft/report/text_columns.h"

namespace weft::experiment {

namespace {

/// The last \p parts parts of \p name.
std::string last_parts(const std::string& name, unsigned parts) {
  std::size_t begin = name.size() + 1;
  for (unsigned i = 0; i < parts && begin != 0; ++i) begin = begin < 2 ? 0 : name.rfind('.', begin - 2) + 1;
  return name.substr(begin);
}

/// A column of the terminal table.
struct shown_column {
  const char* title;
  const char* column;
  int digits;
  const char* half_width;  ///< column with the half width of its 95 % interval, or null
};

constexpr std::array<shown_column, 4> OfTraffic = {{{"offered", "offered", 4, nullptr},
                                                    {"accepted", "accepted", 4, nullptr},
                                                    {"latency", "latency_mean", 2, "latency_half_width"},
                                                    {"p99", "latency_p99", 0, nullptr}}};
constexpr std::array<shown_column, 4> OfCollectives = {{{"cycles", "cycles", 0, nullptr},
                                                        {"at least", "cycles_bound", 0, nullptr},
                                                        {"messages", "messages", 0, nullptr},
                                                        {"hops", "hops", 0, nullptr}}};

constexpr std::array<shown_column, 4> OfReplays = {{{"makespan", "makespan", 0, nullptr},
                                                    {"computing", "path_computing", 0, nullptr},
                                                    {"network", "path_network", 0, nullptr},
                                                    {"flit hops", "flit_hops", 0, nullptr}}};

/// The columns that the terminal shows, according to the kind of \p results: traffic, collectives or replays.
const std::array<shown_column, 4>& shown_of(const std::vector<std::map<std::string, std::string>>& results) {
  const auto any_has = [&results](const char* column) {
    return std::any_of(results.begin(), results.end(), [column](const auto& found) { return found.count(column) > 0; });
  };
  return any_has("cycles_bound") ? OfCollectives : any_has("makespan") ? OfReplays : OfTraffic;
}

std::string shown_value(const std::map<std::string, std::string>& found, const shown_column& what) {
  const auto number_in = [&found](const char* column) -> std::optional<double> {
    const auto at = found.find(column);
    return at == found.end() ? std::nullopt : parse_number<double>(at->second);
  };
  const std::optional<double> value = number_in(what.column);
  if (!value) return "-";
  return plus_minus(*value, what.half_width ? number_in(what.half_width) : std::nullopt, what.digits);
}

/// \p text right-aligned in \p width columns.
std::string right(const std::string& text, std::size_t width) {
  const std::size_t columns = letters_of(text);
  return std::string(width > columns ? width - columns : 0, ' ') + text;
}

}  // namespace

std::map<std::string, std::string> columns_of(const point_result& r) {
  std::map<std::string, std::string> found;
  for (auto& [name, value] : result_cells(r)) found[name] = value;
  return found;
}

void csv_table::add(const cells& row) {
  m_rows.emplace_back();
  for (const auto& [column, value] : row) {
    if (std::find(m_columns.begin(), m_columns.end(), column) == m_columns.end()) m_columns.push_back(column);
    m_rows.back()[column] = value;
  }
}

std::string csv_table::text() const {
  std::vector<std::string> header;
  for (const std::string& column : m_columns) header.push_back(csv_field(column));
  std::string text = fmt::format("{}\n", fmt::join(header, ","));
  for (const auto& row : m_rows) {
    std::vector<std::string> line;
    for (const std::string& column : m_columns) {
      const auto at = row.find(column);
      line.push_back(at == row.end() ? "" : csv_field(at->second));
    }
    text += fmt::format("{}\n", fmt::join(line, ","));
  }
  return text;
}

csv_table::cells result_cells(const point_result& r) {
  csv_table::cells cells;
  if (r.csv.empty()) {
    cells.emplace_back("outcome", r.outcome);
  } else {
    const std::vector<csv_row> rows = rows_of_csv(r.csv);
    const std::vector<std::string>&names = rows.at(0).fields, &values = rows.at(1).fields;
    for (std::size_t i = 0; i < names.size() && i < values.size(); ++i) cells.emplace_back(names[i], values[i]);
  }
  cells.emplace_back("error", r.error);
  return cells;
}

std::string study_csv(const std::vector<study_row>& rows, const std::string& name) {
  std::vector<std::string> columns;
  if (!rows.empty())
    for (const setting& s : rows.front().point) columns.push_back(s.key);
  // The columns of a result keep their order, even if the first points have no result.
  const auto with_result = [](const study_row& row) { return !row.result.csv.empty(); };
  if (const auto row = std::find_if(rows.begin(), rows.end(), with_result); row != rows.end())
    for (const auto& [column, value] : result_cells(row->result)) columns.push_back(column);
  csv_table table(columns);
  for (const study_row& row : rows) {
    csv_table::cells cells;
    for (const setting& s : row.point) cells.emplace_back(s.key, s.value);
    for (const auto& cell : result_cells(row.result)) cells.push_back(cell);
    cells.emplace_back("name", name);  // replaces the name in a stored result, which may differ
    table.add(cells);
  }
  return table.text();
}

std::vector<std::string> column_titles(const std::vector<std::string>& names) {
  std::vector<std::string> titles;
  for (const std::string& name : names) {
    const auto most = static_cast<unsigned>(1 + std::count(name.begin(), name.end(), '.'));
    unsigned parts = 1;
    const auto shares = [&](const std::string& other) {
      return other != name && last_parts(other, parts) == last_parts(name, parts);
    };
    while (parts < most && std::any_of(names.begin(), names.end(), shares)) ++parts;
    titles.push_back(last_parts(name, parts));
  }
  return titles;
}

std::string cells_table(const std::vector<csv_table::cells>& rows) {
  if (rows.empty()) return "";
  std::vector<std::string> columns;
  for (const auto& [column, value] : rows.front()) columns.push_back(column);
  std::string text;
  for (const std::string& title : column_titles(columns))
    if (title != "error") text += fmt::format("  {:>16}", title);
  for (const csv_table::cells& row : rows) {
    text += "\n";
    for (const auto& [column, value] : row) {
      if (column == "error") continue;
      const bool is_key = column.find('.') != std::string::npos;
      const std::optional<double> number = is_key ? std::nullopt : parse_number<double>(value);
      const std::string shown = !number ? printable(value) : fmt::format("{:.6g}", *number);
      text += fmt::format("  {:>16}", shown.empty() ? "-" : shown);
    }
  }
  return text + "\n";
}

std::string study_table(const std::vector<study_row>& rows) {
  if (rows.empty()) return "";
  std::vector<std::map<std::string, std::string>> results;
  for (const study_row& row : rows) results.push_back(columns_of(row.result));
  std::string table;
  std::vector<std::string> keys;
  for (const setting& s : rows.front().point) keys.push_back(s.key);
  const std::vector<std::string> titles = column_titles(keys);
  std::vector<std::size_t> widths;
  for (std::size_t i = 0; i < titles.size(); ++i) {
    widths.push_back(std::max<std::size_t>(8, titles[i].size()));
    for (const study_row& row : rows) widths.back() = std::max(widths.back(), printable(row.point[i].value).size());
    table += fmt::format("  {:>{}}", titles[i], widths.back());
  }
  const auto& shown = shown_of(results);
  const auto width = [](const shown_column& what) { return what.half_width ? std::size_t{17} : std::size_t{9}; };
  for (const shown_column& what : shown) table += "  " + right(what.title, width(what));
  table += "  outcome\n";
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const study_row& row = rows[r];
    for (std::size_t i = 0; i < widths.size(); ++i)
      table += fmt::format("  {:>{}}", printable(row.point[i].value), widths[i]);
    for (const shown_column& what : shown) table += "  " + right(shown_value(results[r], what), width(what));
    table += fmt::format("  {}\n", row.result.outcome);
  }
  return table;
}

}  // namespace weft::experiment
