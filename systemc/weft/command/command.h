// SPDX-License-Identifier: Apache-2.0
/// Declaration of a command of `weft`, and options that several commands share.
/// Each command has its own file with its options, help and implementation. A new command needs this file, a line in
/// commands.h, and a line in command_line.cpp.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "weft/configuration/configuration.h"
#include "weft/simulation/run.h"

namespace weft::experiment {

/// All commands, and the one that the arguments select.
class command_set {
 public:
  /// Both arguments must outlive it.
  command_set(CLI::App& app, const rtl_provider& rtl) : m_app(app), m_rtl(rtl) {}

  /// Declares a command. \p action returns the exit status and may throw. \p help follows the options in `--help`.
  CLI::App& add(const char* name, const char* description, const char* help, std::function<int()> action);

  /// Declares a command that this build lacks. Whatever its arguments are, it throws \p error as a configuration_error.
  void add_left_out(const char* name, const diagnostic& error);

  /// Runs the action of the selected command.
  int act() const { return m_chosen(); }

  const rtl_provider& rtl() const { return m_rtl; }

 private:
  CLI::App& m_app;
  const rtl_provider& m_rtl;
  std::function<int()> m_chosen;
};

/// A configuration file and the changes on the command line.
struct input {
  std::string file;
  std::vector<std::string> sets;
  std::optional<std::string> seed;
  std::string directory;

  /// \param point settings of a sweep point, which override all others
  /// \throws configuration_error
  configuration load(const std::vector<setting>& point = {}) const;
  /// The same without checking whether the values fit together.
  configuration load_unchecked(const std::vector<setting>& more) const;

 private:
  std::vector<setting> settings(const std::vector<setting>& more) const;
};

/// An option check for a number from \p least to \p most. CLI::Range would accept NaN.
CLI::Validator number_between(double least, double most);

/// \throws configuration_error at \p place, such as "--root 7"
[[noreturn]] void fail(const std::string& place, const std::string& message);

/// Prints a warning on standard error if \p c is a result of another version of Weft, whose results may differ.
void warn_other_version(const configuration& c);

/// \throws configuration_error if \p c is a collective or a program, for which `weft collective` and `weft replay`
/// exist
void require_flowing_traffic(const configuration& c);

/// Declares an option for a file name, FILE in the help. Rejects an empty name.
CLI::Option* add_file_option(CLI::App& command, const char* names, std::string& file, const char* description);

// Options that several commands share. The variables that they fill in must outlive the parsing.
void add_input(CLI::App& command, input& in);
void add_seed(CLI::App& command, input& in);
void add_output(CLI::App& command, input& in);
void add_quiet(CLI::App& command, bool& quiet);

/// The number of processors.
unsigned default_jobs();
/// \param what the unit of work: "points"
void add_jobs(CLI::App& command, unsigned& jobs, const char* what);

}  // namespace weft::experiment
