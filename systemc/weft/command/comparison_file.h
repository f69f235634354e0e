// SPDX-License-Identifier: Apache-2.0
/// Writes the results of `--compare`.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "weft/command/command.h"
#include "weft/report/comparison.h"
#include "weft/report/output_file.h"
#include "weft/report/result_lock.h"
#include "weft/study/workers.h"

namespace weft::experiment {

/// The file NAME.compare.csv, which is locked until this object is destroyed.
class comparison_file {
 public:
  /// Opens and locks the file. \param first the first configuration to compare, loaded from \p in
  /// \throws configuration_error, output_error
  comparison_file(const input& in, const configuration& first);

  /// Writes \p rows to the file unless all are empty. Unless \p quiet, prints the table that \p table_of makes of the
  /// rows. \return the exit status
  int write(const std::vector<std::string>& names, const std::vector<work_result>& rows, bool quiet,
            const std::function<std::string(const std::vector<compared_run>&)>& table_of);

 private:
  std::unique_ptr<output_file> m_csv;
  std::unique_ptr<result_lock> m_lock;
};

}  // namespace weft::experiment
