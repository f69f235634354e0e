// SPDX-License-Identifier: Apache-2.0
/// Reads stored results from their files, as input of pictures.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "weft/configuration/keys.h"
#include "weft/report/result_difference.h"
#include "weft/study/store.h"

namespace weft::experiment {

/// A point of a sweep, or a single run: its configuration and its metrics.
struct result_point {
  std::string name;                            ///< of the experiment; of the file, for JSON runs with the same name
  std::map<std::string, std::string> keys;     ///< "network.router.vcs" → "4"; for a table, only the swept keys
  std::map<std::string, std::string> metrics;  ///< columns of the CSV file; empty text: not measured
  std::string id{};                            ///< id in its store

  /// The number in \p column, which may also be a key, if there is one.
  std::optional<double> number(const std::string& column) const;
  /// Whether the network carries the offered load, according to carries_load(), so that its latency is meaningful.
  bool settled() const;
  /// The reason if it does not, for display; empty if settled().
  std::string unsettled_text() const;
};

/// Points that were read together: the rows of a CSV file, the points of a store, or all JSON files.
struct stored_table {
  std::filesystem::path file;  ///< empty for the JSON files
  std::string label;           ///< name of the experiment, or of the file if others have the same name
  std::vector<result_point> points;
};

/// The data to read: the metrics of the points, or the complete results.
enum class reading : std::uint8_t { Metrics, Whole };

struct stored_results {
  std::vector<stored_result> runs, collectives, replays;
  std::vector<stored_table> tables;          ///< one for each CSV file and store; runs are in the last table
  std::vector<std::string> damaged;          ///< files of a directory with the name of a result, and their errors
  std::vector<std::filesystem::path> files;  ///< files read, and other files of the directories except pages

  /// Number of complete results.
  std::size_t results() const { return runs.size() + collectives.size() + replays.size(); }
  bool empty() const { return results() == 0 && tables.empty(); }
};

/// Reads JSON files of `weft run`, `weft collective` and `weft replay`, and CSV files and stores (*.sqlite) of `weft
/// sweep`. From a directory, reads *.json, *.sweep.csv and *.curve.csv in the order of their names, or, without such
/// tables, its stores, which have the same points. For complete results, tables are rejected; from a directory, *.json
/// are read, or its stores if there are no results in these. Damaged files of a directory are skipped and listed in
/// `damaged`; other files, other JSON files, and stores without results are ignored.
/// From stores, only the metrics of the points are read; read_whole() reads the rest.
/// \throws configuration_error at a file that is none of these
stored_results read_stored(const std::vector<std::filesystem::path>& files, reading what = reading::Metrics);

/// Adds a run, a collective or a replay; returns whether it is one.
bool add_result(stored_result result, stored_results& found);

/// Calls \p use with the store \p file. \throws configuration_error if it is not a store, or is damaged
void use_store(const std::filesystem::path& file, const std::function<void(point_store&)>& use);

/// Message for a directory without results.
inline constexpr const char* NoResults =
    "has no results: expected NAME.json of `weft run`, `weft collective` or `weft replay`, NAME.sweep.csv or a store "
    "of `weft sweep`";

/// Remedy for kinds that need collectives or replays.
inline constexpr const char* SweepOthers =
    "to plot collectives and replays, use a sweep: `weft plot curve NAME.sweep.csv --x KEY --y makespan`";

/// Adds the columns of a CSV file to the points whose keys match a row. Columns that are keys, such as
/// network.router.vcs, identify the point; points without a matching row get no values.
/// \throws configuration_error at \p file if it has no keys, duplicate keys, or a column that points already have, or
/// if no point matches a row
void join_table(stored_results& stored, const std::filesystem::path& file);

/// The keys of a configuration in JSON, "network.router.vcs" → "4".
std::map<std::string, std::string> flat_keys(const json& configuration);

/// The point of a result, with the columns of its CSV file.
result_point point_of(const json& result);

/// Whether two texts are the same value: "8" and "8.0", "[4, 4]" and "[4,4]".
bool same_value(const std::string& a, const std::string& b);

/// Order of values: numbers by size, then texts.
bool value_before(const std::string& a, const std::string& b);

/// \throws configuration_error at \p result: it has no \p what; includes the remedy
[[noreturn]] void reject_without(const stored_result& result, const std::string& what, const std::string& remedy);

/// \throws configuration_error: \p files are not in Weft's format, with the reason in \p e
[[noreturn]] void reject_damaged(const std::string& files, const json::exception& e);

/// The result of \p read for \p result. \throws configuration_error if a value is missing there or has the wrong type
template <class Read>
auto read_from(const stored_result& result, Read read) {
  try {
    return read();
  } catch (const json::exception& e) {
    reject_damaged(result.place(), e);
  }
}

}  // namespace weft::experiment
