// SPDX-License-Identifier: Apache-2.0
/// What is wrong in a YAML file, each fault with the line and column where it stands.
///
/// A reader collects all faults and throws them together, so that a user mends a file in one go.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <yaml-cpp/yaml.h>

#include "weft/core/diagnostic.h"

namespace weft {

class yaml_faults {
 public:
  /// \param file its name in messages
  explicit yaml_faults(std::string file) : m_name(std::move(file)) {}

  /// From here on another file is read, \p file its name in messages.
  void read_file(std::string file);

  /// From here on a value without lines is read, such as one from the command line. \p place is its place in messages.
  void read_value(std::string place);

  void add(const YAML::Mark& at, const std::string& message);

  /// "path: expected …, got …", and \p hint, which begins with "; " or is empty.
  void wrong(const YAML::Mark& at, const std::string& path, const std::string& expected, const YAML::Node& got,
             const std::string& hint = {});

  /// "run.yaml:7:12", counted from 1.
  std::string place(const YAML::Mark& at) const;

  bool any() const { return !m_found.empty(); }
  /// All of them, but of very many only the first ones: a list may have a fault in each of a million elements.
  const std::vector<diagnostic>& found() const { return m_found; }

  /// \throws input_error with all faults, if there are any; of very many with the first ones, and how many more
  void throw_if_any() const;

 private:
  std::string m_name;
  bool m_has_lines = true;
  std::vector<diagnostic> m_found;
  std::size_t m_more = 0;  ///< beside them
};

}  // namespace weft
