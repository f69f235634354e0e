// SPDX-License-Identifier: Apache-2.0
/// Errors in users' files, in the form that all file readers share, and a function that parses numbers.
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

/// An error in a user's input.
struct diagnostic {
  std::string place;    ///< "star.yaml:7:12", "--set network.router.vcs=8", or "star.graphml" where the line is unknown
  std::string message;  ///< what is wrong, and what is expected
  std::vector<std::string> details{};  ///< lines that follow the message, such as the channels of a cycle
};

/// Returns one line `place: error: message` for each diagnostic. Control characters are escaped, because file names and
/// users' names may contain line feeds.
inline std::string one_line_each(const std::vector<diagnostic>& found) {
  std::string text;
  for (const diagnostic& d : found) {
    text += (text.empty() ? "" : "\n") + printable(d.place) + ": error: " + printable(d.message);
    for (const std::string& line : d.details) text += "\n" + printable(line);
  }
  return text;
}

/// An exception with all errors in a user's input. what() has one line `place: error: message` for each.
class input_error : public std::invalid_argument {
 public:
  explicit input_error(std::vector<diagnostic> found)
      : std::invalid_argument(one_line_each(found)), m_found(std::move(found)) {}
  const std::vector<diagnostic>& found() const { return m_found; }

 private:
  std::vector<diagnostic> m_found;
};

/// Parses \p text, all of it, as a number. Returns nothing if \p text is not a number.
template <class T>
std::optional<T> parse_number(const std::string& text) {
  T value{};
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end) return std::nullopt;
  return value;
}

}  // namespace weft
