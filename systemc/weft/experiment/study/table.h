// SPDX-License-Identifier: Apache-2.0
/// Tables of points: CSV files, and what is shown on the terminal.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "weft/experiment/study/design.h"
#include "weft/experiment/study/point.h"

namespace weft::experiment {

/// A point and what came of it.
struct study_row {
  sweep_point point;
  point_result result;
};

/// The columns of a result by name; empty without a result.
std::map<std::string, std::string> columns_of(const point_result& r);

/// A CSV file of rows whose columns may differ: a column is empty where a row has none. Values are quoted where they
/// must be.
class csv_table {
 public:
  using cells = std::vector<std::pair<std::string, std::string>>;  ///< columns and values

  /// \param columns that stand first; others follow in the order in which they occur
  explicit csv_table(std::vector<std::string> columns = {}) : m_columns(std::move(columns)) {}
  void add(const cells& row);
  std::string text() const;

 private:
  std::vector<std::string> m_columns;
  std::vector<std::map<std::string, std::string>> m_rows;
};

/// The columns of \p r in their order, those of a result without one: `outcome` alone; `error` is the last.
csv_table::cells result_cells(const point_result& r);

/// A row a point: the keys that are swept, then the columns of the result. \p name is that of the experiment now.
std::string study_csv(const std::vector<study_row>& rows, const std::string& name);

/// For the terminal: what is swept, the main figures, and how each point ended.
std::string study_table(const std::vector<study_row>& rows);

}  // namespace weft::experiment
