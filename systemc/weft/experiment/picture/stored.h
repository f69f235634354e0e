// SPDX-License-Identifier: Apache-2.0
/// Results read back from their files: what pictures are drawn from.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "weft/experiment/configuration/keys.h"
#include "weft/experiment/report/result_difference.h"
#include "weft/experiment/study/store.h"

namespace weft::experiment {

/// A point of a sweep, or a run of its own: what it was asked, and the figures that it gave.
struct result_point {
  std::string name;                            ///< of the experiment; of runs of one name in JSON, of the file
  std::map<std::string, std::string> keys;     ///< "network.router.vcs" → "4"; of a table, the swept ones
  std::map<std::string, std::string> figures;  ///< columns of the CSV file; empty text: not measured
  std::string id{};                            ///< in the store that it is of

  /// The number in \p column, which may be a key, if there is one.
  std::optional<double> number(const std::string& column) const;
  /// The network carries what it was offered, as carries_load() says, so that its latency means something.
  bool settled() const;
  /// What keeps it from that, for people; empty where settled().
  std::string unsettled_text() const;
};

/// Points that were read together: the rows of a CSV file, the points of a store, or all JSON files.
struct stored_table {
  std::filesystem::path file;  ///< empty for the JSON files
  std::string label;           ///< name of the experiment, or of the file where others have the same
  std::vector<result_point> points;
};

/// What is read of results: the figures of their points, or also all else that they tell.
enum class reading : std::uint8_t { Figures, Whole };

struct stored_results {
  std::vector<stored_result> runs, collectives, replays;
  std::vector<stored_table> tables;          ///< one for each CSV file and store; with runs, the last is theirs
  std::vector<std::string> damaged;          ///< of a directory: files that end like results and are none, and why
  std::vector<std::filesystem::path> files;  ///< what was read, and what else is in the directories but pages

  /// Whole ones.
  std::size_t results() const { return runs.size() + collectives.size() + replays.size(); }
  bool empty() const { return results() == 0 && tables.empty(); }
};

/// Reads JSON files of `weft run`, `weft collective` and `weft replay`, CSV files and stores (*.sqlite) of
/// `weft sweep`. Of a directory: its *.json, *.sweep.csv and *.curve.csv, in the order of their names; without such
/// tables, which have the same points, its stores. For whole results tables are refused; of a directory its *.json are
/// read, or, without results in these, its stores. What of a directory is damaged is left out, and told in `damaged`;
/// other files, JSON of others and stores without a result are passed over.
/// Of points in stores only the figures are read: read_whole() has the rest.
/// \throws configuration_error at the file that is none of these
stored_results read_stored(const std::vector<std::filesystem::path>& files, reading what = reading::Figures);

/// Adds a run, a collective or a replay; whether it is one.
bool add_result(stored_result result, stored_results& found);

/// What \p use makes of the store \p file. \throws configuration_error if it is none, or damaged
void use_store(const std::filesystem::path& file, const std::function<void(point_store&)>& use);

/// What a directory without any lacks.
inline constexpr const char* NoResults =
    "has no results: expected NAME.json of `weft run`, `weft collective` or `weft replay`, NAME.sweep.csv or a store "
    "of `weft sweep`";

/// What draws more of collectives and replays than their network.
inline constexpr const char* SweepOthers =
    "pictures of collectives and replays are made of sweeps: `weft plot curve NAME.sweep.csv --x KEY --y makespan`";

/// Adds to each point the columns of a CSV file, those of the row with the same keys. The columns of the file that are
/// keys, such as network.router.vcs, say which; points without such a row get none.
/// \throws configuration_error at \p file: it has no keys, keys twice, a column that points have; or no point has a row
void join_table(stored_results& stored, const std::filesystem::path& file);

/// The keys of a configuration in JSON, "network.router.vcs" → "4".
std::map<std::string, std::string> flat_keys(const json& configuration);

/// The point that a result is, in the columns of its CSV file.
result_point point_of(const json& result);

/// Whether two texts are one value: "8" and "8.0", "[4, 4]" and "[4,4]".
bool same_value(const std::string& a, const std::string& b);

/// An order of values: numbers by their size, then texts.
bool value_before(const std::string& a, const std::string& b);

/// \throws configuration_error at \p result: it has no \p what, and what turns it on
[[noreturn]] void refuse_without(const stored_result& result, const std::string& what, const std::string& remedy);

/// \throws configuration_error: \p files are not as Weft writes them, as \p e says
[[noreturn]] void refuse_damaged(const std::string& files, const json::exception& e);

/// What \p read finds in \p result. \throws configuration_error if something is missing there, or of another kind
template <class Read>
auto read_from(const stored_result& result, Read read) {
  try {
    return read();
  } catch (const json::exception& e) {
    refuse_damaged(result.place(), e);
  }
}

}  // namespace weft::experiment
