// SPDX-License-Identifier: Apache-2.0
/// Tables of points: CSV files and terminal output.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "weft/study/design.h"
#include "weft/study/point.h"

namespace weft::experiment {

/// A point and its result.
struct study_row {
  sweep_point point;
  point_result result;
};

/// The columns of a result by name; empty without a result.
std::map<std::string, std::string> columns_of(const point_result& r);

/// A CSV file of rows whose columns may differ: a column is empty if a row lacks it. Values are quoted as necessary.
class csv_table {
 public:
  using cells = std::vector<std::pair<std::string, std::string>>;  ///< columns and values

  /// \param columns columns at the beginning; others follow in the order in which they occur
  explicit csv_table(std::vector<std::string> columns = {}) : m_columns(std::move(columns)) {}
  void add(const cells& row);
  std::string text() const;

 private:
  std::vector<std::string> m_columns;
  std::vector<std::map<std::string, std::string>> m_rows;
};

/// The columns of \p r in order; for a point without a result, `outcome` only. `error` is the last.
csv_table::cells result_cells(const point_result& r);

/// A row for each point: the swept keys, then the columns of the result. \param name current name of the experiment
std::string study_csv(const std::vector<study_row>& rows, const std::string& name);

/// For the terminal: the swept keys, the main metrics, and the outcome of each point.
std::string study_table(const std::vector<study_row>& rows);

}  // namespace weft::experiment
