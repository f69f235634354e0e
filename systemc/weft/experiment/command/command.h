// SPDX-License-Identifier: Apache-2.0
/// How a command of `weft` is declared, and the options that several of them have.
///
/// Each command has a file of its own with its options, its help and what it does. To add one: its file, its line in
/// commands.h, its line in command_line.cpp.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "weft/experiment/configuration/configuration.h"
#include "weft/experiment/run/run.h"

namespace weft::experiment {

/// The commands, and the one that the arguments ask for.
class command_set {
 public:
  /// Both outlive it.
  command_set(CLI::App& app, const rtl_provider& rtl) : m_app(app), m_rtl(rtl) {}

  /// Declares a command. \p action gives the exit status; it may throw. \p help follows the options in `--help`.
  CLI::App& add(const char* name, const char* description, const char* help, std::function<int()> action);

  /// The action of the command that was parsed.
  int act() const { return m_chosen(); }

  const rtl_provider& rtl() const { return m_rtl; }

 private:
  CLI::App& m_app;
  const rtl_provider& m_rtl;
  std::function<int()> m_chosen;
};

/// A configuration file and what the command line changes in it.
struct input {
  std::string file;
  std::vector<std::string> sets;
  std::optional<std::string> seed;
  std::string directory;

  /// \param point settings of a sweep, which have the last word
  /// \throws configuration_error
  configuration load(const std::vector<setting>& point = {}) const;
  /// The same without checking how the values fit together.
  configuration load_unchecked(const std::vector<setting>& more) const;

 private:
  std::vector<setting> settings(const std::vector<setting>& more) const;
};

/// A check of an option: a number from \p least to \p most. CLI::Range lets NaN pass.
CLI::Validator number_between(double least, double most);

/// \throws configuration_error at \p place, such as "--root 7"
[[noreturn]] void fail(const std::string& place, const std::string& message);

/// Says on standard error if \p c is a result of another version of Weft: then figures may differ.
void tell_version(const configuration& c);

/// \throws configuration_error if \p c is a collective or a program, which `weft collective` and `weft replay` play
void require_flowing_traffic(const configuration& c);

/// Declares an option that names a file, FILE in the help. An empty name is refused.
CLI::Option* add_file_option(CLI::App& command, const char* names, std::string& file, const char* description);

// Options that several commands have. What they fill in outlives the parsing.
void add_input(CLI::App& command, input& in);
void add_seed(CLI::App& command, input& in);
void add_output(CLI::App& command, input& in);
void add_quiet(CLI::App& command, bool& quiet);

/// As many jobs as there are processors.
unsigned default_jobs();
/// \p what is done at a time: "points".
void add_jobs(CLI::App& command, unsigned& jobs, const char* what);

}  // namespace weft::experiment
