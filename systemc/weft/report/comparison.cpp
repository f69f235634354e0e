// SPDX-License-Identifier: Apache-2.0
#include "weft/report/comparison.h"

#include "weft/report/csv_rows.h"
#include "weft/report/text_columns.h"

namespace weft::experiment {

named_cells::named_cells(const std::string& csv) {
  const std::vector<csv_row> lines = rows_of_csv(csv);
  for (std::size_t i = 0; i < lines.at(0).fields.size(); ++i) m_cells[lines[0].fields[i]] = lines.at(1).fields.at(i);
}

std::string comparison_csv(const std::vector<compared_run>& runs) {
  std::string text;
  for (const compared_run& run : runs)
    if (!run.csv.empty()) text += text.empty() ? run.csv : run.csv.substr(run.csv.find('\n') + 1);
  return text;
}

std::string comparison_table(const std::vector<std::string>& head, const std::vector<compared_run>& runs,
                             const std::function<std::vector<std::string>(const named_cells&)>& cells_of) {
  text_columns table(1);
  table.row(head);
  for (const compared_run& run : runs) {
    std::vector<std::string> row{run.name};
    const std::vector<std::string> cells =
        run.csv.empty() ? std::vector<std::string>{run.why_nothing} : cells_of(named_cells(run.csv));
    row.insert(row.end(), cells.begin(), cells.end());
    table.row(row);
  }
  return table.text();
}

}  // namespace weft::experiment
