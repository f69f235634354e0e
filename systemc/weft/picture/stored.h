// SPDX-License-Identifier: Apache-2.0
/// Reads stored results from their files, as the input of pictures.
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
  std::string name;                            ///< name of the experiment; of the file if several have that name
  std::map<std::string, std::string> keys;     ///< "network.router.vcs" → "4"; for a table, only the swept keys
  std::map<std::string, std::string> metrics;  ///< columns of the CSV file; empty text: not measured
  std::string id{};                            ///< identifier in its store

  /// The number in the column or key \p column; nothing if there is none.
  std::optional<double> number(const std::string& column) const;
  /// Whether the network carries the offered load, according to carries_load(), so that its latency is meaningful.
  bool settled() const;
  /// The reason why the network does not carry the load, for display; empty if settled().
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
  std::vector<stored_result> searches;  ///< of `weft explore`, in directories
  std::vector<stored_table> tables;     ///< one for each CSV file and store; runs are in the last table
  std::vector<std::string> damaged;     ///< error messages of damaged result files in directories
  /// All files that were read, and the other files of the directories except HTML pages.
  std::vector<std::filesystem::path> files;

  /// Number of complete results.
  std::size_t results() const { return runs.size() + collectives.size() + replays.size(); }
  bool empty() const { return results() == 0 && tables.empty(); }
};

/// Reads results: JSON files of `weft run`, `weft collective` and `weft replay`, and CSV files and stores (*.sqlite) of
/// `weft sweep`. From stores, it reads only the metrics of the points; read_whole() reads the rest.
/// In a directory, it reads *.json, *.sweep.csv and *.curve.csv in the order of their names. If there are no such CSV
/// files, it also reads the stores, which have the same points. It lists damaged files of a directory in `damaged`, and
/// ignores other files and stores without results.
/// For complete results (reading::Whole), it rejects CSV files. In a directory, it then reads the *.json, or the stores
/// if no JSON file contains a result.
/// \throws configuration_error at a file that contains no result
stored_results read_stored(const std::vector<std::filesystem::path>& files, reading what = reading::Metrics);

/// Adds \p result to the runs, collectives or replays of \p found. Returns false if it is none of these.
bool add_result(stored_result result, stored_results& found);

/// Opens the store \p file and calls \p use with it. \throws configuration_error if the file is not a store, or is
/// damaged
void use_store(const std::filesystem::path& file, const std::function<void(point_store&)>& use);

/// The message for a directory without results.
inline constexpr const char* NoResults =
    "has no results: expected NAME.json of `weft run`, `weft collective` or `weft replay`, NAME.sweep.csv or a store "
    "of `weft sweep`";

/// The remedy if collectives or replays are given to a kind of picture that draws only runs.
inline constexpr const char* SweepOthers =
    "to plot collectives and replays, run a sweep and use `weft plot curve NAME.sweep.csv --x KEY --y makespan`";

/// Adds the columns of a CSV file to the points whose keys match a row. Columns that are keys, such as
/// network.router.vcs, identify the point; points without a matching row get no values.
/// \throws configuration_error at \p file if it has no keys, duplicate keys, or a column that points already have, or
/// if no point matches a row
void join_table(stored_results& stored, const std::filesystem::path& file);

/// The keys of a configuration in JSON and their values, as in "network.router.vcs" → "4".
std::map<std::string, std::string> flat_keys(const json& configuration);

/// The point of a result: its keys, and the columns of its CSV file.
result_point point_of(const json& result);

/// Whether two texts denote the same value, as "8" and "8.0", or "[4, 4]" and "[4,4]".
bool same_value(const std::string& a, const std::string& b);

/// Whether \p a comes before \p b in the order of values: numbers by size, then texts.
bool value_before(const std::string& a, const std::string& b);

/// Reports that \p result has no \p what, with a remedy. \throws configuration_error at \p result
[[noreturn]] void reject_without(const stored_result& result, const std::string& what, const std::string& remedy);

/// Reports that \p files do not contain results of Weft; \p e is the reason. \throws configuration_error
[[noreturn]] void reject_damaged(const std::string& files, const json::exception& e);

/// Calls \p read, which reads values of \p result, and returns what it returns. \throws configuration_error if a value
/// is missing in \p result or has the wrong type
template <class Read>
auto read_from(const stored_result& result, Read read) {
  try {
    return read();
  } catch (const json::exception& e) {
    reject_damaged(result.place(), e);
  }
}

}  // namespace weft::experiment
