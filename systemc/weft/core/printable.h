// SPDX-License-Identifier: Apache-2.0
/// Makes users' names printable in messages and comments.
#pragma once

#include <cstddef>
#include <string>

#include "weft/core/quantity.h"

namespace weft {

/// \p text with control characters escaped (a line feed as `\x0a`), except those in \p kept.
inline std::string printable(const std::string& text, const std::string& kept = "") {
  constexpr const char* Digits = "0123456789abcdef";
  std::string shown;
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if ((code >= ' ' && code != 0x7f) || kept.find(c) != std::string::npos)
      shown += c;
    else
      shown += std::string("\\x") + Digits[code >> 4] + Digits[code & 15];
  }
  return shown;
}

/// Maximum bytes of a user's text that a message repeats.
inline constexpr std::size_t MostOfName = 100;

/// A name or value in a message: printable, and shortened to its beginning and its length if it exceeds MostOfName
/// bytes.
inline std::string abridged(const std::string& text) {
  if (text.size() <= MostOfName) return printable(text);
  std::size_t end = MostOfName;
  const auto is_inside_character = [&](std::size_t at) {
    return (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80;
  };
  while (end > MostOfName - 4 && is_inside_character(end)) --end;
  return printable(text.substr(0, end)) + "… (" + grouped(text.size()) + " bytes)";
}

/// The text as abridged() returns it, in single quotes.
inline std::string in_quotes(const std::string& text) { return "'" + abridged(text) + "'"; }

}  // namespace weft
