// SPDX-License-Identifier: Apache-2.0
#include "weft/command/comparison_file.h"

#include <iostream>

#include "weft/command/file_arguments.h"
#include "weft/command/result_files.h"
#include "weft/command/session.h"

namespace weft::experiment {

comparison_file::comparison_file(const input& in, const configuration& first)
    : m_csv(open_result(first, ".compare.csv")) {
  check_outputs({result_argument(m_csv->file())}, kept_inputs_of(in, first));
  m_lock = lock_results(first);
}

int comparison_file::write(const std::vector<std::string>& names, const std::vector<work_result>& rows, bool quiet,
                           const std::function<std::string(const std::vector<compared_run>&)>& table_of) {
  std::vector<compared_run> compared;
  const char* const why_nothing = signal_seen() != 0 ? "interrupted" : "failed";
  for (std::size_t i = 0; i < rows.size(); ++i) compared.push_back({names[i], rows[i].text, why_nothing});
  const std::string csv = comparison_csv(compared);
  if (!quiet) std::cout << table_of(compared) << "\n";
  if (!csv.empty()) {  // a table without rows would have no header either
    m_csv->write(csv);
    m_csv->commit();
    if (!quiet) std::cout << written_line(m_csv->file());
  }
  return end_of_points(rows, [&names](std::size_t i) { return names[i]; });
}

}  // namespace weft::experiment
