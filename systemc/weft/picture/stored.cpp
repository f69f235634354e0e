// SPDX-License-Identifier: Apache-2.0
#include "weft/picture/stored.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "weft/file/read_bytes.h"
#include "weft/report/csv_rows.h"
#include "weft/report/group_statistics.h"
#include "weft/report/other_statistics.h"
#include "weft/report/output_file.h"
#include "weft/report/run_statistics.h"
#include "weft/report/statistic_views.h"
#include "weft/simulation/run.h"
#include "weft/study/table.h"

namespace weft::experiment {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void reject_file(const std::string& place, const std::string& message) {
  throw configuration_error({{place, message}});
}

std::string text_of_file(const fs::path& file) {
  try {
    return read_bytes(file);
  } catch (const file_error& e) {
    reject_file(file.string(), e.what());
  }
}

// ---------------------------------------------------------------------------------------------------------------------
// CSV

std::set<std::string> columns_of_a_run() {
  std::set<std::string> names;
  for (const statistic<run_summary>& s : run_statistics().statistics())
    for (const csv_column& c : s.columns) names.insert(c.name);
  return names;
}

/// Names and values of the columns of a row.
using row_cells = std::map<std::string, std::string>;

struct csv_content {
  std::vector<std::string> columns;
  std::vector<row_cells> rows;
  std::vector<std::size_t> lines;  ///< number of the line of each row
};

csv_content read_rows(const fs::path& file) {
  std::vector<csv_row> rows;
  try {
    rows = rows_of_csv(text_of_file(file));
  } catch (const open_quote& q) {
    reject_file(fmt::format("{}:{}", file.string(), q.line), "a quoted field has no closing quote");
  }
  csv_content content;
  if (!rows.empty()) content.columns = rows[0].fields;
  for (std::size_t i = 1; i < rows.size(); ++i) {
    if (rows[i].fields.size() != content.columns.size())
      reject_file(
          fmt::format("{}:{}", file.string(), rows[i].line),
          fmt::format("expected {} fields, as in the header, got {}", content.columns.size(), rows[i].fields.size()));
    content.lines.push_back(rows[i].line);
    content.rows.emplace_back();
    for (std::size_t k = 0; k < content.columns.size(); ++k)
      content.rows.back()[content.columns[k]] = rows[i].fields[k];
  }
  return content;
}

bool is_key(const std::string& column) {
  static const std::set<std::string> metrics = columns_of_a_run();
  return column.find('.') != std::string::npos && metrics.count(column) == 0;
}

stored_table read_csv(const fs::path& file) {
  const csv_content content = read_rows(file);
  const auto has = [&](const char* column) {
    return std::count(content.columns.begin(), content.columns.end(), column) > 0;
  };
  // Without any result, a table has only the columns outcome and error.
  if (!has("outcome") || !(has("offered") || has("cycles") || has("makespan") || has("saturation_low") || has("error")))
    reject_file(file.string(),
                "expected a table of `weft sweep`, `weft curve` or `weft saturation`, with columns 'outcome' and "
                "'offered', 'cycles', 'makespan' or 'saturation_low'");
  stored_table table{file, {}, {}};
  for (const row_cells& row : content.rows) {
    result_point point;
    for (const auto& [name, value] : row) (is_key(name) ? point.keys : point.metrics)[name] = value;
    point.name = point.metrics["name"];
    table.points.push_back(std::move(point));
  }
  if (table.points.empty()) reject_file(file.string(), "the table has no rows");
  table.label = table.points.front().name;
  return table;
}

/// Whether \p row contains all the values in \p keys.
bool has_values(const row_cells& row, const row_cells& keys) {
  return std::all_of(keys.begin(), keys.end(), [&row](const auto& key) {
    const auto found = row.find(key.first);
    return found != row.end() && same_value(found->second, key.second);
  });
}

// ---------------------------------------------------------------------------------------------------------------------
// JSON

bool is_run(const json& content) { return content.contains("latency"); }

bool is_collective(const json& content) { return content.contains("collective") && content.contains("steps"); }

bool is_replay(const json& content) { return content.contains("makespan"); }

/// The CSV columns of \p result, whose statistics are in \p table.
std::map<std::string, std::string> metrics_of(const json& result, const statistic_declarations& table) {
  std::map<std::string, std::string> metrics;
  for (const statistic_declaration& s : table.statistics) {
    const json::json_pointer place = pointer_to(s.name);
    if (!result.contains(place)) continue;
    for (const csv_column& column : s.columns) {
      const json::json_pointer part(column.part);
      const json& value = result.at(place);
      const json cell = value.contains(part) ? value.at(part) : json();
      metrics[column.name] = cell.is_string() ? cell.get<std::string>() : csv_text_of(cell);
    }
  }
  for (const auto& [column, value] : group_cells(result)) metrics[column] = value;
  return metrics;
}

void add_keys(const std::string& path, const json& value, std::map<std::string, std::string>& keys) {
  if (!value.is_object()) {
    keys[path] = value.is_string() ? value.get<std::string>() : yaml_text(value);
    return;
  }
  for (const auto& [name, inner] : value.items()) add_keys(path.empty() ? name : path + "." + name, inner, keys);
}

bool ends_with(const std::string& text, const std::string& end) {
  return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

/// Whether \p a has smaller keys than \p b. Points are sorted, because a store has them in the order of completion.
bool point_before(const result_point& a, const result_point& b) {
  return std::lexicographical_compare(
      a.keys.begin(), a.keys.end(), b.keys.begin(), b.keys.end(), [](const auto& one, const auto& other) {
        return one.first == other.first ? value_before(one.second, other.second) : one.first < other.first;
      });
}

/// The points of a store that have a result, with all their keys; there may be none.
stored_table read_store(const fs::path& file) {
  stored_table table{file, file.stem().string(), {}};
  use_store(file, [&table](point_store& store) {
    store.for_each([&table](const stored_point& p) {
      if (p.result.csv.empty()) return;
      result_point point{"", flat_keys(json::parse(p.configuration)), columns_of(p.result), p.id};
      point.name = point.metrics["name"];
      table.points.push_back(std::move(point));
    });
  });
  std::stable_sort(table.points.begin(), table.points.end(), point_before);
  return table;
}

// ---------------------------------------------------------------------------------------------------------------------
// Directories

/// The files of a directory that are not hidden, sorted by name.
std::vector<fs::path> files_in(const fs::path& directory) {
  std::vector<fs::path> files;
  std::error_code error, none;
  for (auto i = fs::directory_iterator(directory, error); !error && i != fs::directory_iterator(); i.increment(error))
    if (i->is_regular_file(none) && i->path().filename().string().front() != '.') files.push_back(i->path());
  if (error) reject_file(directory.string(), error.message());
  std::sort(files.begin(), files.end());
  return files;
}

/// Adds \p result to \p found and, if it is a run, its point to \p runs, in the same order as `found.runs`. Returns
/// whether it is a result.
bool add_with_point(stored_result result, stored_results& found, std::vector<result_point>& runs) {
  if (is_run(result.content)) runs.push_back(read_from(result, [&result] { return point_of(result.content); }));
  return add_result(std::move(result), found);
}

/// Adds a result of a directory; ignores other JSON files.
void add_json_of_directory(const fs::path& file, stored_results& found, std::vector<result_point>& runs) {
  const std::string text = text_of_file(file);
  if (std::optional<json> content = result_in(text))
    add_with_point({file.string(), *std::move(content)}, found, runs);
  else if (!json::accept(text))
    reject_file(file.string(), "is not valid JSON; the file is damaged or incomplete");
}

void add_directory(const fs::path& directory, reading what, stored_results& found, std::vector<result_point>& runs) {
  const std::vector<fs::path> files = files_in(directory);
  const auto add_each = [&](const auto& add) {
    for (const fs::path& file : files) {
      try {
        add(file);
      } catch (const configuration_error& e) {
        found.damaged.emplace_back(e.what());
      }
    }
  };
  const std::size_t before = found.tables.size(), results_before = found.results();
  add_each([&found, &runs, what](const fs::path& file) {
    if (file.extension() != ".html") found.files.push_back(file);
    if (file.extension() == ".json") add_json_of_directory(file, found, runs);
    const std::string name = file.filename().string();
    if (what == reading::Metrics && (ends_with(name, ".sweep.csv") || ends_with(name, ".curve.csv")))
      found.tables.push_back(read_csv(file));
  });
  if (found.tables.size() > before) return;  // they contain the same points
  if (what == reading::Whole && found.results() > results_before) return;
  add_each([&found](const fs::path& file) {
    if (file.extension() != ".sqlite") return;
    if (stored_table table = read_store(file); !table.points.empty()) found.tables.push_back(std::move(table));
  });
}

/// Distinguishes runs with the same experiment name by file name, or by path if the file names are equal, too.
void name_runs(const std::vector<stored_result>& runs, std::vector<result_point>& points) {
  const auto stem_of = [](const stored_result& run) { return fs::path(run.file).stem().string(); };
  std::map<std::string, int> names, stems;
  for (const result_point& point : points) ++names[point.name];
  for (const stored_result& run : runs) ++stems[stem_of(run)];
  for (std::size_t i = 0; i < runs.size(); ++i)
    if (names[points[i].name] > 1) points[i].name = stems[stem_of(runs[i])] > 1 ? runs[i].file : stem_of(runs[i]);
}

/// Distinguishes tables of experiments with the same name by their file names.
void name_tables(std::vector<stored_table>& tables) {
  std::map<std::string, int> used;
  for (const stored_table& table : tables) ++used[table.label];
  for (stored_table& table : tables)
    if (used[table.label] > 1) table.label = table.file.stem().string();
}

}  // namespace

std::optional<double> result_point::number(const std::string& column) const {
  for (const auto* values : {&metrics, &keys}) {
    const auto found = values->find(column);
    if (found == values->end()) continue;
    const std::optional<double> value = parse_number<double>(found->second);
    return value && std::isfinite(*value) ? value : std::nullopt;
  }
  return std::nullopt;
}

bool result_point::settled() const {
  const auto text_of = [this](const char* column) {
    const auto found = metrics.find(column);
    return found == metrics.end() ? std::string() : found->second;
  };
  return carries_load(text_of("outcome"), boolean_of(text_of("stationary")));
}

std::string result_point::unsettled_text() const {
  if (settled()) return "";
  const std::string& how = metrics.at("outcome");
  return how == name_of(outcome::Complete) ? "not stationary" : how;
}

bool same_value(const std::string& a, const std::string& b) {
  const auto first = parse_number<double>(a), second = parse_number<double>(b);
  if (first && second) return *first == *second;
  const auto packed = [](std::string text) {
    text.erase(std::remove(text.begin(), text.end(), ' '), text.end());
    return text;
  };
  return packed(a) == packed(b);
}

bool value_before(const std::string& a, const std::string& b) {
  const auto first = parse_number<double>(a), second = parse_number<double>(b);
  if (first && second) return *first < *second;
  return first || second ? first.has_value() : a < b;
}

void join_table(stored_results& stored, const fs::path& file) {
  const csv_content content = read_rows(file);
  std::vector<row_cells> keys, metrics;
  for (std::size_t i = 0; i < content.rows.size(); ++i) {
    keys.emplace_back();
    metrics.emplace_back();
    for (const auto& [name, value] : content.rows[i]) (is_key(name) ? keys : metrics).back()[name] = value;
    if (keys.back().empty())
      reject_file(file.string(), "expected columns that are keys, such as network.router.vcs, to match the points");
    for (std::size_t k = 0; k < i; ++k)
      if (has_values(keys[k], keys[i]))
        reject_file(fmt::format("{}:{}", file.string(), content.lines[i]),
                    fmt::format("has the same keys as line {}; remove one of the lines", content.lines[k]));
  }
  std::size_t joined = 0;
  for (stored_table& table : stored.tables)
    for (result_point& point : table.points) {
      const auto row = std::find_if(keys.begin(), keys.end(), [&](const auto& k) { return has_values(point.keys, k); });
      if (row == keys.end()) continue;
      ++joined;
      for (const auto& [name, value] : metrics[static_cast<std::size_t>(row - keys.begin())])
        if (!point.metrics.emplace(name, value).second)
          reject_file(file.string(), fmt::format("column '{}' also exists in the results; rename it", name));
    }
  if (joined == 0) reject_file(file.string(), "matches no point of these results; check the values of its keys");
}

std::map<std::string, std::string> flat_keys(const json& configuration) {
  std::map<std::string, std::string> keys;
  add_keys("", configuration, keys);
  return keys;
}

result_point point_of(const json& result) {
  result_point point;
  if (is_run(result))
    point.metrics = metrics_of(result, run_declarations());
  else if (is_collective(result))
    point.metrics = metrics_of(result, collective_declarations());
  else
    point.metrics = metrics_of(result, replay_declarations());
  point.name = point.metrics["name"];
  point.keys = flat_keys(result.at("configuration"));
  return point;
}

bool add_result(stored_result result, stored_results& found) {
  auto* const list = is_run(result.content)             ? &found.runs
                     : is_collective(result.content)    ? &found.collectives
                     : is_replay(result.content)        ? &found.replays
                     : result.content.contains("front") ? &found.searches
                                                        : nullptr;
  if (list) list->push_back(std::move(result));
  return list;
}

void use_store(const fs::path& file, const std::function<void(point_store&)>& use) {
  try {
    point_store store(file, false);
    use(store);
  } catch (const output_error& e) {
    reject_file(file.string(), e.what());
  }
}

stored_results read_stored(const std::vector<fs::path>& files, reading what) {
  stored_results found;
  stored_table runs;
  for (const fs::path& file : files) {
    std::error_code error;
    if (fs::is_directory(file, error)) {
      add_directory(file, what, found, runs.points);
      continue;
    }
    found.files.push_back(file);
    if (file.extension() == ".sqlite") {
      found.tables.push_back(read_store(file));
      if (found.tables.back().points.empty()) reject_file(file.string(), "no point of the store has a result");
    } else if (file.extension() == ".csv") {
      if (what == reading::Whole)
        reject_file(file.string(),
                    "is a table of metrics, but this kind needs complete results; expected the store of the "
                    "sweep, points.sqlite, or NAME.json");
      found.tables.push_back(read_csv(file));
    } else if (!add_with_point(read_result(file), found, runs.points)) {
      reject_file(file.string(),
                  "expected a result in JSON, as `weft run`, `weft collective` or `weft replay` writes it");
    }
  }
  name_tables(found.tables);
  if (!found.runs.empty()) {
    name_runs(found.runs, runs.points);
    found.tables.push_back(std::move(runs));
  }
  return found;
}

void reject_damaged(const std::string& files, const json::exception& e) {
  const std::string what = e.what();  // "[json.exception.out_of_range.403] key 'nodes' not found"
  const std::size_t end = what.find("] ");
  reject_file(files, fmt::format("is not a valid result of `weft run` or `weft collective`: {}; run it again",
                                 end == std::string::npos ? what : what.substr(end + 2)));
}

void reject_without(const stored_result& result, const std::string& what, const std::string& remedy) {
  reject_file(result.place(), fmt::format("has no {}; {}", what, remedy));
}

}  // namespace weft::experiment
