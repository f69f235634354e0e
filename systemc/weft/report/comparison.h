// SPDX-License-Identifier: Apache-2.0
/// Compares several runs side by side. Each run is represented by its CSV row.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace weft::experiment {

/// One of the compared runs.
struct compared_run {
  std::string name;
  std::string csv;                    ///< header line and row; empty if there is no result
  std::string why_nothing{"failed"};  ///< reason why there is no result
};

/// The cells of a row, by column name.
class named_cells {
 public:
  /// \param csv header line and row
  explicit named_cells(const std::string& csv);

  const std::string& text(const std::string& column) const { return m_cells.at(column); }
  std::uint64_t number(const std::string& column) const { return std::stoull(text(column)); }

 private:
  std::map<std::string, std::string> m_cells;
};

/// The header line once, then the rows of all runs.
std::string comparison_csv(const std::vector<compared_run>& runs);

/// A table with the header \p head and a row for each run: its name, and the cells of \p cells_of if there is a result.
std::string comparison_table(const std::vector<std::string>& head, const std::vector<compared_run>& runs,
                             const std::function<std::vector<std::string>(const named_cells&)>& cells_of);

}  // namespace weft::experiment
