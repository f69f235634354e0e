// SPDX-License-Identifier: Apache-2.0
#include "weft/report/json_text.h"

#include <cstddef>

namespace weft::experiment {

namespace {

/// The position after the quoted text that begins at \p at.
std::size_t end_of_string(const std::string& text, std::size_t at) {
  for (++at; text[at] != '"'; ++at) at += text[at] == '\\';
  return at + 1;
}

/// The position of the end of the list that begins at \p at; npos if it contains lists or maps.
std::size_t end_of_flat_list(const std::string& text, std::size_t at) {
  while (++at < text.size() && text[at] != '[' && text[at] != '{' && text[at] != ']')
    if (text[at] == '"') at = end_of_string(text, at) - 1;
  return at < text.size() && text[at] == ']' ? at : std::string::npos;
}

/// Puts each list of numbers and texts in \p text on one line. \p text is JSON with a line for each value.
std::string with_lists_in_lines(const std::string& text) {
  std::string made;
  std::size_t end = 0;  // end of the current list
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] == '"') {
      const std::size_t behind = end_of_string(text, i);
      made.append(text, i, behind - i);
      i = behind;
      continue;
    }
    if (text[i] == '[')
      if (const std::size_t found = end_of_flat_list(text, i); found != std::string::npos) end = found;
    if (i < end && (text[i] == '\n' || text[i] == ' ')) {
      if (text[i] == '\n' && made.back() == ',') made += ' ';
    } else {
      made += text[i];
    }
    ++i;
  }
  return made;
}

}  // namespace

std::string to_text(const json& j) {
  return with_lists_in_lines(j.dump(2, ' ', false, json::error_handler_t::replace)) + "\n";
}

}  // namespace weft::experiment
