// SPDX-License-Identifier: Apache-2.0
/// `weft export`: writes all points of a store to one CSV file.
#include <algorithm>
#include <iostream>
#include <memory>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "weft/command/command.h"
#include "weft/command/commands.h"
#include "weft/command/exit_status.h"
#include "weft/command/file_arguments.h"
#include "weft/command/result_files.h"
#include "weft/command/study_session.h"
#include "weft/configuration/keys.h"
#include "weft/configuration/traffic_sections.h"
#include "weft/core/printable.h"
#include "weft/study/store.h"
#include "weft/study/table.h"
#include "weft/yaml/document.h"

namespace weft::experiment {

namespace {

constexpr const char* ExportHelp = R"(Examples:
  weft export results/points.sqlite > points.csv
  weft export results/points.sqlite --csv points.csv

The CSV file has one row per point, in the order in which the points were stored. Its columns are `id`, `weft` (the
version), one column for each key that any point has, and one for each statistic.)";

struct export_options {
  std::string store;
  std::string csv = "-";
};

/// Parses \p text as YAML; undefined if it is not YAML.
YAML::Node node_of(const std::string& text) {
  yaml_errors errors("");
  return parse_yaml(text, errors).value_or(YAML::Node(YAML::NodeType::Undefined));
}

/// A YAML map as a JSON object; other values as text.
json settings_in(const YAML::Node& node) {
  if (!node.IsMap()) return node.IsScalar() ? node.Scalar() : flow_text(node);
  json settings = json::object();
  for (const auto& entry : node) settings[entry.first.Scalar()] = settings_in(entry.second);
  return settings;
}

/// The table cell of a value of key \p k, as YAML. Booleans are written as R and pandas expect, and a missing number is
/// an empty cell, so that a numeric column contains only numbers.
std::string cell_of(const key& k, const json& value) {
  using kind = value_type::kind;
  std::optional<bool> boolean;
  if (value.is_boolean()) boolean = value.get<bool>();
  if (value.is_string() && k.type.what == kind::Boolean) boolean = boolean_in(node_of(value.get<std::string>()));
  if (boolean) return *boolean ? "TRUE" : "FALSE";
  const bool number = k.type.what == kind::Integer || k.type.what == kind::Number;
  return number && value == "none" ? "" : yaml_text(value);
}

/// Adds all keys within \p path and their values to \p cells. For an infeasible point, \p value may be the text of a
/// setting, even for a whole section.
void add_cells(const std::vector<key>& table, const std::string& path, const json& value, csv_table::cells& cells) {
  const auto k = std::find_if(table.begin(), table.end(), [&path](const key& one) { return one.path == path; });
  if (k != table.end()) {
    cells.emplace_back(path, cell_of(*k, value));
    return;
  }
  const YAML::Node text = value.is_string() ? node_of(value.get<std::string>()) : YAML::Node();
  const json inner = text.IsMap() ? settings_in(text) : value;
  if (inner.is_object()) {
    for (const auto& [name, one] : inner.items()) add_cells(table, path.empty() ? name : path + "." + name, one, cells);
    return;
  }
  for (const section& s : sections_of(defaults_with(path)))
    if (s.path == path && !s.shorthand.empty()) add_cells(table, s.shorthand, value, cells);
}

/// The keys of a point and their values, from its configuration in JSON, \p text.
csv_table::cells key_cells(const std::vector<key>& table, const std::string& text) {
  csv_table::cells cells;
  add_cells(table, "", json::parse(text), cells);
  return cells;
}

/// A configuration with the traffics of all points, so that it has all of their keys.
configuration with_traffics_of(point_store& store) {
  configuration c;
  store.for_each([&c](const stored_point& p) {
    const json workload = json::parse(p.configuration).value("workload", json::object());
    if (!workload.is_object() || !workload.contains("traffics") || !workload["traffics"].is_object()) return;
    for (const auto& [name, traffic] : workload["traffics"].items()) add_traffic(c, name);
  });
  return c;
}

std::string table_of(point_store& store) {
  configuration c = with_traffics_of(store);
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
  if (!store.has_checksums())
    std::cerr << fmt::format(
        "weft: {} was written by an older version of Weft and has no checksums, so damage may go undetected; the next "
        "sweep with this store adds them\n",
        printable(options.store));
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
  command.add_option("STORE", options->store, "the store of weft sweep, an SQLite file")->type_name("FILE")->required();
  add_file_option(command, "--csv", options->csv, "the CSV file; default: standard output");
}

}  // namespace weft::experiment
