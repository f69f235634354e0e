// SPDX-License-Identifier: Apache-2.0
/// Errors in files that describe traffic.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace weft {

/// A workload file cannot be read or has invalid contents. The text begins with the file and, if known, the line, and
/// names what was expected; several errors have a line each. Invalid parameters are std::invalid_argument.
class workload_error : public std::runtime_error {
 public:
  explicit workload_error(const std::string& text) : workload_error(std::vector<std::string>{text}) {}
  /// \param found the messages, at least one
  explicit workload_error(std::vector<std::string> found)
      : std::runtime_error(joined(found)), m_found(std::move(found)) {}

  /// The individual messages.
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
