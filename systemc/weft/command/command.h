// SPDX-License-Identifier: Apache-2.0
/// Declares the commands of `weft`, and options that several commands share. Each command has its own file with its
/// options, help and implementation. A new command needs such a file, a line in commands.h, and a line in
/// command_line.cpp.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>

#include "weft/configuration/configuration.h"
#include "weft/simulation/run.h"

namespace weft::experiment {

/// The commands of `weft`, and the command that the arguments select.
class command_set {
 public:
  /// \p app and \p rtl must outlive this object.
  command_set(CLI::App& app, const rtl_provider& rtl) : m_app(app), m_rtl(rtl) {}

  /// Declares a command. \p action executes it, returns the exit status, and may throw. \p help follows the options in
  /// `--help`.
  CLI::App& add(const char* name, const char* description, const char* help, std::function<int()> action);

  /// Declares a command that is not part of this build. Whatever its arguments are, it throws \p error as a
  /// configuration_error.
  void add_left_out(const char* name, const diagnostic& error);

  /// Runs the action of the selected command.
  int act() const { return m_chosen(); }

  const rtl_provider& rtl() const { return m_rtl; }
  const CLI::App& app() const { return m_app; }

  /// The values that a shell offers for an option or argument, if its type does not list them. \p values is called when
  /// all commands are declared.
  void set_values(const CLI::Option& option, std::function<std::vector<std::string>()> values) {
    m_values[&option] = std::move(values);
  }
  std::vector<std::string> values_of(const CLI::Option& option) const {
    const auto at = m_values.find(&option);
    return at == m_values.end() ? std::vector<std::string>() : at->second();
  }

 private:
  CLI::App& m_app;
  std::map<const CLI::Option*, std::function<std::vector<std::string>()>> m_values;
  const rtl_provider& m_rtl;
  std::function<int()> m_chosen;
};

/// A configuration file and the changes on the command line.
struct input {
  std::string file;  ///< "-" for standard input; paths in it are relative to the working directory
  std::vector<std::string> sets;
  std::optional<std::string> seed;
  std::string directory;

  /// Loads and checks the configuration. \param point settings of a sweep point, which override all others
  /// \throws configuration_error
  configuration load(const std::vector<setting>& point = {}) const;
  /// Loads the configuration with the settings \p more, but does not check whether its values are valid together.
  configuration load_unchecked(const std::vector<setting>& more) const;
  /// Checks that the configuration is not read from standard input, which other processes do not have. \p why is the
  /// reason in the message. \throws configuration_error
  void require_file(const std::string& why) const;

 private:
  bool is_standard_input() const { return file == "-"; }
  std::vector<setting> settings(const std::vector<setting>& more) const;
};

/// A check of an option whose value is a number from \p least to \p most. CLI::Range would accept NaN.
CLI::Validator number_between(double least, double most);

/// Reports an error at \p place, such as "--root 7". \throws configuration_error
[[noreturn]] void fail(const std::string& place, const std::string& message);

/// Prints a warning on standard error if \p c comes from a result of another version of Weft, which may give other
/// results.
void warn_other_version(const configuration& c);

/// Declares an option for a file name, which the help calls FILE. The option rejects an empty name.
CLI::Option* add_file_option(CLI::App& command, const char* names, std::string& file, const char* description);

// Options that several commands share. Parsing the arguments sets the variables, which must outlive it.
void add_input(CLI::App& command, input& in);
void add_seed(CLI::App& command, input& in);
void add_output(CLI::App& command, input& in);
void add_quiet(CLI::App& command, bool& quiet);
/// Declares `--json` of a command that writes NAME.json and NAME.csv otherwise.
CLI::Option* add_result_json(CLI::App& command, std::string& file);

/// The number of processors.
unsigned default_jobs();
/// Declares `--jobs`. \param what plural noun for the pieces of work, such as "points"
void add_jobs(CLI::App& command, unsigned& jobs, const char* what);

}  // namespace weft::experiment
