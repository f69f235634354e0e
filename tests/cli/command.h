// SPDX-License-Identifier: Apache-2.0
/// Runs the `weft` command in a temporary directory.
#pragma once

#include "support/temporary_directory.h"
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <sys/types.h>

namespace weft::cli {

struct command_result {
  int status = -1;  ///< exit status; 128 + signal for a process that a signal killed
  std::string out;
  std::string err;
};

/// A test with an empty directory in which it runs `weft`.
class command_test : public testing::Test {
 protected:
  /// Calls \p meanwhile with the id of the process and of its group while it runs.
  command_result weft(const std::vector<std::string>& arguments, const std::function<void(pid_t)>& meanwhile = {});

  /// Whether \p command was left out of the build. Tests of such a command are skipped.
  bool lacks(const std::string& command);

  void write(const std::string& file, const std::string& text);
  std::string read(const std::string& file);
  /// Waits until there are files in \p directory, or the command \p process has ended.
  void await_files(pid_t process, const std::string& directory);
  /// Waits until the command \p process has \p text on its standard error, or has ended.
  void await_err(pid_t process, const std::string& text);
  /// Waits until \p process has opened \p file of the test's directory, or has ended.
  void await_open(pid_t process, const std::string& file);
  /// Waits until \p process has begun to handle \p signal, or has ended.
  static void await_handled(pid_t process, int signal);
  /// Names of all files in \p directory, hidden ones, too; sorted. Empty when it is missing.
  std::vector<std::string> files_in(const std::string& directory);

  temporary_directory m_directory;

 private:
  temporary_directory m_streams;
};

/// The first line of \p text.
std::string first_line(const std::string& text);

}  // namespace weft::cli
