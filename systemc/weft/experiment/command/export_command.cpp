// SPDX-License-Identifier: Apache-2.0
/// `weft export`: all points of a store as one CSV file.
#include <algorithm>
#include <memory>
#include <set>

#include "weft/experiment/command/command.h"
#include "weft/experiment/command/commands.h"
#include "weft/experiment/command/exit_status.h"
#include "weft/experiment/command/file_arguments.h"
#include "weft/experiment/command/result_files.h"
#include "weft/experiment/command/study_session.h"
#include "weft/experiment/configuration/keys.h"
#include "weft/experiment/study/store.h"
#include "weft/experiment/study/table.h"

namespace weft::experiment {

namespace {

constexpr const char* ExportHelp = R"(Examples:
  weft export results/points.sqlite > points.csv
  weft export results/points.sqlite --csv points.csv

A row a point, in the order in which they were stored: `id`, `weft` (the version), a column for each key that any point
has, and a column for each statistic.)";

struct export_options {
  std::string store;
  std::string csv = "-";
};

/// A value of \p k as in YAML, but as R and pandas expect truth values, and empty for no number, so that a column of
/// numbers has nothing else.
std::string cell_of(const key& k, const json& value) {
  if (value.is_boolean()) return value.get<bool>() ? "TRUE" : "FALSE";
  const bool number = k.type.what == value_type::kind::Integer || k.type.what == value_type::kind::Number;
  return number && value == "none" ? "" : yaml_text(value);
}

/// The keys of a point, each with its value.
csv_table::cells key_cells(const std::vector<key>& table, const std::string& text) {
  const json asked = json::parse(text);
  csv_table::cells cells;
  for (const key& k : table) {
    const json::json_pointer at = pointer_to(k.path);
    if (asked.contains(at)) cells.emplace_back(k.path, cell_of(k, asked.at(at)));
  }
  return cells;
}

std::string table_of(point_store& store) {
  configuration c;
  const std::vector<key> table = keys(c);
  std::vector<csv_table::cells> rows, results;
  std::set<std::string> occurring;
  store.for_each([&](const stored_point& p) {
    rows.push_back(key_cells(table, p.configuration));
    results.push_back(result_cells(p.result));
    for (const auto& [key_path, value] : rows.back()) occurring.insert(key_path);
    rows.back().emplace_back("id", p.id);
    rows.back().emplace_back("weft", p.weft);
  });
  std::vector<std::string> columns{"id", "weft"};
  for (const key& k : table)
    if (occurring.count(k.path) > 0) columns.push_back(k.path);
  csv_table csv(columns);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].insert(rows[i].end(), results[i].begin(), results[i].end());
    csv.add(rows[i]);
  }
  return csv.text();
}

int do_export(const export_options& options) {
  check_outputs({{"--csv", options.csv}}, {{"STORE", options.store}});
  point_store store = open_store("STORE", options.store, false);
  return with_whole_store("STORE", options.store, [&] {
    write_text("--csv", options.csv, table_of(store));
    return Done;
  });
}

}  // namespace

void add_export(command_set& commands) {
  const auto options = std::make_shared<export_options>();
  CLI::App& command = commands.add("export", "Writes the points of a store as a CSV file.", ExportHelp,
                                   [options] { return do_export(*options); });
  command.add_option("STORE", options->store, "the store of weft sweep, an SQLite file")->required();
  add_file_option(command, "--csv", options->csv, "where to; otherwise standard output");
}

}  // namespace weft::experiment
