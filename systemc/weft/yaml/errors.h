// SPDX-License-Identifier: Apache-2.0
/// Collects the errors in a YAML file, each with its line and column. A reader throws all errors together, so that a
/// user can fix the whole file in one pass.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <yaml-cpp/yaml.h>

#include "weft/core/diagnostic.h"

namespace weft {

class yaml_errors {
 public:
  /// \param file file name in messages
  explicit yaml_errors(std::string file) : m_name(std::move(file)) {}

  /// Switches to another file, \p file in messages.
  void read_file(std::string file);

  /// Switches to a value without lines, such as one from the command line. \p place is its place in messages.
  void read_value(std::string place);

  void add(const YAML::Mark& at, const std::string& message);

  /// Adds the error "path: expected …, got …", followed by \p hint, which is empty or begins with "; ".
  void wrong(const YAML::Mark& at, const std::string& path, const std::string& expected, const YAML::Node& got,
             const std::string& hint = {});

  /// "run.yaml:7:12", counted from 1.
  std::string place(const YAML::Mark& at) const;

  bool any() const { return !m_found.empty(); }
  /// All errors. If there are very many, only the first ones, because each element of a list of a million may be wrong.
  const std::vector<diagnostic>& found() const { return m_found; }

  /// \throws input_error with all errors, if there are any; if there are very many, with the first ones and the number
  /// of the others
  void throw_if_any() const;

 private:
  std::string m_name;
  bool m_has_lines = true;
  std::vector<diagnostic> m_found;
  std::size_t m_more = 0;  ///< number of errors not in m_found
};

}  // namespace weft
