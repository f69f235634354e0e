// SPDX-License-Identifier: Apache-2.0
/// Errors in files that describe traffic.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace weft {

/// A file of the workload cannot be read or says something impossible. The text starts with the file and,
/// where there is one, the line, and says what was expected; of several errors each has a line of it. Impossible
/// parameters are std::invalid_argument.
class workload_error : public std::runtime_error {
 public:
  explicit workload_error(const std::string& text) : workload_error(std::vector<std::string>{text}) {}
  /// \param found at least one
  explicit workload_error(std::vector<std::string> found)
      : std::runtime_error(joined(found)), m_found(std::move(found)) {}

  /// One by one.
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
