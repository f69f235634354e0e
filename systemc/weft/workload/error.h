// SPDX-License-Identifier: Apache-2.0
/// The exception for errors in files that describe traffic.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace weft {

/// Thrown if a workload file cannot be read or has invalid contents. what() has one line for each error. A line begins
/// with the name of the file and, if known, the line number, and states what was expected. Invalid parameters throw
/// std::invalid_argument instead.
class workload_error : public std::runtime_error {
 public:
  explicit workload_error(const std::string& text) : workload_error(std::vector<std::string>{text}) {}
  /// \param found the messages, at least one
  explicit workload_error(std::vector<std::string> found)
      : std::runtime_error(joined(found)), m_found(std::move(found)) {}

  /// The individual messages, of one line each.
  const std::vector<std::string>& found() const { return m_found; }

 private:
  static std::string joined(const std::vector<std::string>& found) {
    std::string text = found.front();
    for (std::size_t i = 1; i < found.size(); ++i) text += "\n" + found[i];
    return text;
  }

  std::vector<std::string> m_found;
};

}  // namespace weft
