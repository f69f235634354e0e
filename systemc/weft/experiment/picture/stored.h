// SPDX-License-Identifier: Apache-2.0
/// Results read back from their files: what pictures are drawn from.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "weft/experiment/configuration/keys.h"
#include "weft/experiment/report/result_difference.h"

namespace weft::experiment {

/// A point of a sweep, or a run of its own: what it was asked, and the figures that it gave.
struct result_point {
  std::string name;                            ///< of the experiment; of runs of one name in JSON, of the file
  std::map<std::string, std::string> keys;     ///< "network.router.vcs" → "4"; of a table, the swept ones
  std::map<std::string, std::string> figures;  ///< columns of the CSV file; empty text: not measured

  /// The number in \p column, which may be a key, if there is one.
  std::optional<double> number(const std::string& column) const;
  /// It ended with every measured packet delivered: its latency means something.
  bool settled() const;
};

/// Points that were read together: the rows of a CSV file, the points of a store, or all JSON files.
struct stored_table {
  std::filesystem::path file;  ///< empty for the JSON files
  std::string label;           ///< name of the experiment, or of the file where others have the same
  std::vector<result_point> points;
};

struct stored_results {
  std::vector<stored_result> runs, collectives;
  std::vector<stored_table> tables;          ///< one for each CSV file and store; with runs, the last is theirs
  std::vector<std::string> damaged;          ///< of a directory: files that end like results and are none, and why
  std::vector<std::filesystem::path> files;  ///< what was read, and what else is in the directories but pages

  bool empty() const { return runs.empty() && collectives.empty() && tables.empty(); }
};

/// Reads JSON files of `weft run` and `weft collective`, CSV files and stores (*.sqlite) of `weft sweep`. Of a
/// directory: its *.json, *.sweep.csv and *.curve.csv, in the order of their names; without such tables, which have the
/// same points, its stores. What of these is damaged is left out, and told in `damaged`; other files, JSON of others
/// and stores without a result are passed over.
/// \throws configuration_error at the file that is none of these
stored_results read_stored(const std::vector<std::filesystem::path>& files);

/// What a directory without any lacks.
inline constexpr const char* NoResults =
    "has no results: expected NAME.json of `weft run`, NAME.sweep.csv or a store of `weft sweep`; of replays it shows "
    "sweeps";

/// Adds to each point the columns of a CSV file, those of the row with the same keys. The columns of the file that are
/// keys, such as network.router.vcs, say which; points without such a row get none.
/// \throws configuration_error at \p file: it has no keys, keys twice, a column that points have; or no point has a row
void join_table(stored_results& stored, const std::filesystem::path& file);

/// The keys of a configuration in JSON, "network.router.vcs" → "4".
std::map<std::string, std::string> flat_keys(const json& configuration);

/// The point that a run is, in the columns of the CSV file.
result_point point_of(const json& run);

/// \throws configuration_error at \p file: it has no \p what, and what turns it on
[[noreturn]] void refuse_without(const std::string& file, const std::string& what, const std::string& remedy);

/// \throws configuration_error: \p files are not as Weft writes them, as \p e says
[[noreturn]] void refuse_damaged(const std::string& files, const json::exception& e);

/// What \p read finds in \p result. \throws configuration_error if something is missing there, or of another kind
template <class Read>
auto read_from(const stored_result& result, Read read) {
  try {
    return read();
  } catch (const json::exception& e) {
    refuse_damaged(result.file, e);
  }
}

}  // namespace weft::experiment
