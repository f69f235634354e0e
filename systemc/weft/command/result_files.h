// SPDX-License-Identifier: Apache-2.0
/// Reading and writing of a command's files.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "weft/command/file_arguments.h"
#include "weft/configuration/configuration.h"
#include "weft/report/output_file.h"
#include "weft/report/result_lock.h"
#include "weft/report/results.h"
#include "weft/simulation/event_log.h"

namespace weft::experiment {

/// Formats JSON for a file: a line for each value, and for each list of numbers and texts. Bytes that are not UTF-8, as
/// in file names, are replaced, because JSON requires UTF-8.
std::string to_text(const json& j);

/// Writes \p text to \p file, or to standard output for "-". \param option the option that named the file
/// \throws configuration_error at the option if the file cannot be opened, output_error if writing fails
void write_text(const char* option, const std::string& file, const std::string& text);

/// Reads all of \p file, or standard input for "-". \param option the option that named the file
/// \throws configuration_error at the option if it cannot be read
std::string content_of(const std::string& option, const std::string& file);

/// Opens the result file of \p c with \p suffix. \throws configuration_error at the keys that determine its name
std::unique_ptr<output_file> open_result(const configuration& c, const char* suffix);

/// Locks the result files of \p c. \throws configuration_error as open_result() if another process holds the lock
std::unique_ptr<result_lock> lock_results(const configuration& c);

/// The result files of a run: opened before the run, and moved into place after it.
class result_files {
 public:
  /// \param inputs files that must not be overwritten
  /// \throws configuration_error as open_result(), lock_results() and check_outputs()
  result_files(const configuration& c, const std::vector<file_argument>& inputs);

  event_log* log() { return m_log ? &*m_log : nullptr; }
  /// \p hooks with a stop condition added: a failed event log. write() reports the reason.
  run_hooks while_writable(run_hooks hooks) const;
  std::filesystem::path vcd() const { return m_vcd ? m_vcd->temporary() : std::filesystem::path(); }

  /// \return the names of the files written. \throws output_error
  std::vector<std::string> write(const run_summary& r);
  /// The same for other experiments, whose \p Summary has to_json() and to_csv().
  template <class Summary>
  std::vector<std::string> write(const Summary& r) {
    return write_all([&r] { return to_json(r); }, [&r] { return to_csv(r); });
  }

 private:
  /// The functions make the contents of the files that are requested.
  std::vector<std::string> write_all(const std::function<json()>& make_json,
                                     const std::function<std::string()>& make_csv);

  std::unique_ptr<output_file> m_json, m_csv, m_events, m_answers, m_vcd;
  std::unique_ptr<result_lock> m_lock;
  std::optional<event_log> m_log;
};

}  // namespace weft::experiment
