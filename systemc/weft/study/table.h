// SPDX-License-Identifier: Apache-2.0
/// Makes tables of points, as CSV and for the terminal.
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

/// The columns of a result and their values, by name.
std::map<std::string, std::string> columns_of(const point_result& r);

/// Titles of columns in a table for the terminal: of each name, the fewest last parts in which it differs from all
/// other names. Parts are divided by dots, so `network.router.vcs` usually has the title `vcs`.
std::vector<std::string> column_titles(const std::vector<std::string>& names);

/// A CSV table whose rows may have different columns. If a row lacks a column, the cell is empty. Values are quoted if
/// necessary.
class csv_table {
 public:
  using cells = std::vector<std::pair<std::string, std::string>>;  ///< names and values of columns

  /// \param columns the first columns; others follow in the order in which they first occur
  explicit csv_table(std::vector<std::string> columns = {}) : m_columns(std::move(columns)) {}
  void add(const cells& row);
  std::string text() const;

 private:
  std::vector<std::string> m_columns;
  std::vector<std::map<std::string, std::string>> m_rows;
};

/// A table of \p rows for the terminal. It has no column `error`, because errors are printed on standard error.
std::string cells_table(const std::vector<csv_table::cells>& rows);

/// The columns of \p r in order; `error` is the last. A point without a result has only `outcome` and `error`.
csv_table::cells result_cells(const point_result& r);

/// A CSV table with a row for each point: its swept keys, then the columns of its result. \param name name of the
/// experiment, which replaces the names in stored results
std::string study_csv(const std::vector<study_row>& rows, const std::string& name);

/// A table for the terminal with the swept keys, the main metrics and the outcome of each point.
std::string study_table(const std::vector<study_row>& rows);

}  // namespace weft::experiment
