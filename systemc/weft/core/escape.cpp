// SPDX-License-Identifier: Apache-2.0
#include "weft/core/escape.h"

#include <algorithm>
#include <cctype>
#include <cstddef>

#include "weft/core/diagnostic.h"

namespace weft {

namespace {

constexpr const char* Replacement = "\xef\xbf\xbd";  // U+FFFD

/// Length in bytes of the UTF-8 character that begins at \p at; 0 if none does.
std::size_t length_of_character(const std::string& text, std::size_t at) {
  const auto byte = [&text](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  const unsigned first = byte(at);
  if (first < 0x80) return 1;
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(at + i) & 0xc0) != 0x80) return 0;
  const unsigned second = byte(at + 1);
  const bool too_long = (first == 0xe0 && second < 0xa0) || (first == 0xf0 && second < 0x90);
  const bool surrogate = first == 0xed && second >= 0xa0;
  return too_long || surrogate || (first == 0xf4 && second >= 0x90) ? 0 : length;
}

/// \p text with control characters escaped as by printable(), except those in \p kept.
std::string visible(const std::string& text, const std::string& kept = "") {
  constexpr const char* Digits = "0123456789abcdef";
  std::string shown;
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (std::iscntrl(code) == 0 || kept.find(c) != std::string::npos)
      shown += c;
    else
      shown += {'\\', 'x', Digits[code >> 4], Digits[code & 0xf]};
  }
  return shown;
}

/// Characters besides control characters that XML 1.0 excludes.
bool is_none_of_xml(const std::string& character) { return character == "\xef\xbf\xbe" || character == "\xef\xbf\xbf"; }

/// \p text escaped for XML; \p kept: control characters that stay as they are.
std::string xml(const std::string& text, const std::string& kept) {
  std::string safe;
  for (const char c : visible(valid_utf8(text), "\t\n\r")) {
    if (c == '&')
      safe += "&amp;";
    else if (c == '<')
      safe += "&lt;";
    else if (c == '>')
      safe += "&gt;";
    else if (c == '"')
      safe += "&quot;";
    else if (static_cast<unsigned char>(c) < ' ' && kept.find(c) == std::string::npos)
      safe += "&#" + std::to_string(static_cast<int>(c)) + ";";
    else
      safe += c;
  }
  for (std::size_t at = 0; (at = safe.find("\xef\xbf", at)) != std::string::npos; at += 3)
    if (is_none_of_xml(safe.substr(at, 3))) safe.replace(at, 3, Replacement);
  return safe;
}

/// Whether a spreadsheet could read \p text as a formula. It drops a leading tab or carriage return first.
bool begins_formula(const std::string& text) {
  return !text.empty() && std::string("=+-@\t\r\n").find(text.front()) != std::string::npos &&
         !parse_number<double>(text).has_value();
}

/// Whether \p text is such a formula, with any number of apostrophes before it.
bool is_guarded_formula(const std::string& text) {
  return begins_formula(text.substr(std::min(text.find_first_not_of('\''), text.size())));
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

}  // namespace

std::string valid_utf8(const std::string& text) {
  std::string valid;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = length_of_character(text, at);
    if (length == 0)
      valid += Replacement;
    else
      valid.append(text, at, length);
    at += std::max<std::size_t>(length, 1);
  }
  return valid;
}

std::string xml_text(const std::string& text) { return xml(text, "\t\n"); }

std::string xml_attribute(const std::string& text) { return xml(text, ""); }

std::string comment_text(const std::string& text) {
  std::string line = visible(valid_utf8(text));
  if (!line.empty() && line.back() == '\\') line += "x5c";
  return line;
}

std::string shell_word(const std::string& text) {
  const auto is_plain = [](unsigned char c) {
    return std::isalnum(c) != 0 || std::string("_-./=:,+%@").find(static_cast<char>(c)) != std::string::npos;
  };
  if (!text.empty() && std::all_of(text.begin(), text.end(), is_plain)) return text;
  const auto is_control = [](unsigned char c) { return std::iscntrl(c) != 0; };
  if (std::none_of(text.begin(), text.end(), is_control)) return "'" + replaced(text, "'", "'\\''") + "'";
  return "$'" + visible(replaced(replaced(text, "\\", "\\\\"), "'", "\\'")) + "'";
}

std::string csv_field(const std::string& text) {
  std::string field = visible(valid_utf8(text), "\t\n\r");
  if (is_guarded_formula(field)) field.insert(0, "'");
  if (field.find_first_of(",\"\r\n") == std::string::npos) return field;
  return "\"" + replaced(field, "\"", "\"\"") + "\"";
}

std::string plain_csv_field(const std::string& field) {
  return !field.empty() && field.front() == '\'' && is_guarded_formula(field) ? field.substr(1) : field;
}

std::string gnuplot_text(const std::string& text) {
  std::string safe = valid_utf8(text);
  for (char& c : safe)
    if (std::iscntrl(static_cast<unsigned char>(c)) != 0) c = ' ';
  return "'" + replaced(safe, "'", "''") + "'";
}

}  // namespace weft
