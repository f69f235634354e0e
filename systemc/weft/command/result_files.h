// SPDX-License-Identifier: Apache-2.0
/// Reads and writes the files of a command.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "weft/command/file_arguments.h"
#include "weft/configuration/configuration.h"
#include "weft/report/json_text.h"
#include "weft/report/output_file.h"
#include "weft/report/result_lock.h"
#include "weft/report/results.h"
#include "weft/simulation/event_log.h"

namespace weft::experiment {

/// Writes \p text to \p file, or to standard output for "-". \param option the option that named the file
/// \throws configuration_error at the option if the file cannot be opened, output_error if writing fails
void write_text(const char* option, const std::string& file, const std::string& text);

/// Reads the whole file \p file, or standard input for "-". \param option the option that named the file
/// \throws configuration_error at the option if the file cannot be read
std::string content_of(const std::string& option, const std::string& file);

/// Opens the result file of \p c with the suffix \p suffix. \throws configuration_error at the keys that determine its
/// name if it cannot be opened
std::unique_ptr<output_file> open_result(const configuration& c, const char* suffix);

/// Locks the result files of \p c. \throws configuration_error at the keys that determine their names if another
/// process holds the lock
std::unique_ptr<result_lock> lock_results(const configuration& c);

/// The result files of a run. They are opened before the run, and moved to their final names after it.
class result_files {
 public:
  /// \param inputs files that must not be overwritten
  /// \param json_file the file of `--json`, which replaces NAME.json and NAME.csv; "-" for standard output; empty
  /// without the option
  /// \throws configuration_error as open_result(), lock_results() and check_outputs()
  result_files(const configuration& c, const std::vector<file_argument>& inputs, const std::string& json_file = "");

  /// Whether write() prints the result on standard output, so that nothing else may be printed there.
  bool is_on_standard_output() const { return m_json_file == "-"; }
  event_log* log() { return m_log ? &*m_log : nullptr; }
  /// Returns \p hooks with another stop condition: the run ends if writing the event log has failed. write() reports
  /// the reason.
  run_hooks while_writable(run_hooks hooks) const;
  /// The name of the unfinished waveform file; empty if none is requested.
  std::filesystem::path vcd() const { return m_vcd ? m_vcd->temporary() : std::filesystem::path(); }

  /// Writes the results of a run. \return the names of the written files. \throws output_error
  std::vector<std::string> write(const run_summary& r);
  /// Writes the results of another experiment. to_json() and to_csv() must accept \p Summary.
  template <class Summary>
  std::vector<std::string> write(const Summary& r) {
    return write_all([&r] { return to_json(r); }, [&r] { return to_csv(r); });
  }

 private:
  /// Writes the requested files. The functions make the contents of the JSON and CSV files, and are called only if
  /// these are requested.
  std::vector<std::string> write_all(const std::function<json()>& make_json,
                                     const std::function<std::string()>& make_csv);

  std::unique_ptr<output_file> m_json, m_csv, m_events, m_answers, m_vcd, m_floor_plan, m_power;
  std::unique_ptr<result_lock> m_lock;
  std::optional<event_log> m_log;
  std::string m_json_file;  ///< of `--json`
  json m_configuration;     ///< with paths relative to that file
};

}  // namespace weft::experiment
