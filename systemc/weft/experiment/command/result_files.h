// SPDX-License-Identifier: Apache-2.0
/// The files that a command writes, and reads.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "weft/experiment/command/file_arguments.h"
#include "weft/experiment/configuration/configuration.h"
#include "weft/experiment/report/collective_results.h"
#include "weft/experiment/report/output_file.h"
#include "weft/experiment/report/replay_results.h"
#include "weft/experiment/report/result_lock.h"
#include "weft/experiment/report/results.h"
#include "weft/experiment/run/event_log.h"

namespace weft::experiment {

/// JSON as it stands in a file, a line for each value, or for each list of numbers and texts. Names of files need not
/// be UTF-8, JSON must be: other bytes are replaced.
std::string to_text(const json& j);

/// \p text to \p file, or to standard output for "-". \p option named it.
/// \throws configuration_error at the option if the file cannot be opened, output_error if writing fails
void write_text(const char* option, const std::string& file, const std::string& text);

/// All of \p file, which \p option named, or of standard input for "-".
/// \throws configuration_error at the option if it cannot be read
std::string content_of(const std::string& option, const std::string& file);

/// The result file of \p c with \p suffix. \throws configuration_error at the keys that say where it should be
std::unique_ptr<output_file> open_result(const configuration& c, const char* suffix);

/// Keeps others from the result files of \p c. \throws configuration_error as open_result() if another process has them
std::unique_ptr<result_lock> lock_results(const configuration& c);

/// The files of a run, opened before it, in place after it.
class result_files {
 public:
  /// \param inputs files that none of them may overwrite
  /// \throws configuration_error as open_result(), lock_results() and check_outputs()
  result_files(const configuration& c, const std::vector<file_argument>& inputs);

  event_log* log() { return m_log ? &*m_log : nullptr; }
  /// \p hooks of a run that also ends when its event log cannot be written; write() says why.
  run_hooks while_writable(run_hooks hooks) const;
  std::filesystem::path vcd() const { return m_vcd ? m_vcd->temporary() : std::filesystem::path(); }

  /// \return names of the files written. \throws output_error
  std::vector<std::string> write(const report& r);
  std::vector<std::string> write(const collective_report& r);
  std::vector<std::string> write(const program_report& r);

 private:
  template <class Report>
  std::vector<std::string> write_all(const Report& r);

  std::unique_ptr<output_file> m_json, m_csv, m_events, m_answers, m_vcd;
  std::unique_ptr<result_lock> m_lock;
  std::optional<event_log> m_log;
};

}  // namespace weft::experiment
