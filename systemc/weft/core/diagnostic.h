// SPDX-License-Identifier: Apache-2.0
/// What all readers of users' files share: what they report when something is wrong, and how they read a number.
#pragma once

#include <charconv>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "weft/core/printable.h"

namespace weft {

/// Something wrong in what a user wrote.
struct diagnostic {
  std::string place;  ///< "star.yaml:7:12", "--set network.router.vcs=8", or where lines are not known, "star.graphml"
  std::string message;                 ///< what is wrong, and what would do
  std::vector<std::string> details{};  ///< lines that follow it, such as the channels of a cycle
};

/// A line `place: error: message` for each, with control characters written out: names of files and of users may have
/// line feeds.
inline std::string one_line_each(const std::vector<diagnostic>& found) {
  std::string text;
  for (const diagnostic& d : found) {
    text += (text.empty() ? "" : "\n") + printable(d.place) + ": error: " + printable(d.message);
    for (const std::string& line : d.details) text += "\n" + printable(line);
  }
  return text;
}

/// All that is wrong in what a user wrote. what() has a line `place: error: message` for each.
class input_error : public std::invalid_argument {
 public:
  explicit input_error(std::vector<diagnostic> found)
      : std::invalid_argument(one_line_each(found)), m_found(std::move(found)) {}
  const std::vector<diagnostic>& found() const { return m_found; }

 private:
  std::vector<diagnostic> m_found;
};

/// The number that \p text is, all of it, if it is one.
template <class T>
std::optional<T> parse_number(const std::string& text) {
  T value{};
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end) return std::nullopt;
  return value;
}

}  // namespace weft
