// SPDX-License-Identifier: Apache-2.0
#include "weft/topology/files/xml_references.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "weft/core/printable.h"

namespace weft {
namespace {

constexpr std::array<std::string_view, 5> Predefined = {"amp", "lt", "gt", "quot", "apos"};

bool is_in_xml_name(char c) {
  const bool is_letter =
      (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (static_cast<unsigned char>(c) & 0x80) != 0;
  return is_letter || (c >= '0' && c <= '9') || c == '_' || c == ':' || c == '.' || c == '-';
}

/// Whether \p number, the part of `&#38;` or `&#x26;` between `#` and `;`, is the code of a character that XML permits.
bool is_character(std::string_view number) {
  const bool is_hexadecimal = !number.empty() && number.front() == 'x';
  if (is_hexadecimal) number.remove_prefix(1);
  std::uint32_t code = 0;
  const auto [end, error] =
      std::from_chars(number.data(), number.data() + number.size(), code, is_hexadecimal ? 16 : 10);
  if (error != std::errc{} || end != number.data() + number.size()) return false;
  if (code < 0x20) return code == '\t' || code == '\n' || code == '\r';
  return (code < 0xd800 || code > 0xdfff) && code <= 0x10ffff && code != 0xfffe && code != 0xffff;
}

/// The error in the reference at the beginning of \p text; empty if the reference is valid.
std::string fault_of(std::string_view text) {
  const std::size_t end = text.find(';');
  const std::string_view name = end == std::string_view::npos ? std::string_view() : text.substr(1, end - 1);
  const bool is_number = !name.empty() && name.front() == '#';
  const std::string_view letters = name.substr(is_number ? 1 : 0);
  if (letters.empty() || !std::all_of(letters.begin(), letters.end(), is_in_xml_name))
    return "a bare '&'; write it as &amp;";
  const std::string shown = in_quotes(std::string(text.substr(0, end + 1)));
  if (is_number && !is_character(letters)) return fmt::format("{} is not an XML character", shown);
  if (is_number || std::find(Predefined.begin(), Predefined.end(), name) != Predefined.end()) return {};
  return fmt::format("the entity {} is not expanded, because entities of a DOCTYPE are not read; write its text",
                     shown);
}

}  // namespace

std::optional<xml_fault> reference_fault(std::string_view text, bool is_attribute) {
  const char* const marks = is_attribute ? "&<" : "&";
  for (std::size_t at = text.find_first_of(marks); at != std::string_view::npos;
       at = text.find_first_of(marks, at + 1)) {
    if (text[at] == '<') return xml_fault{at, "a '<' in the value of an attribute; write it as &lt;"};
    std::string what = fault_of(text.substr(at));
    if (!what.empty()) return xml_fault{at, std::move(what)};
  }
  return std::nullopt;
}

}  // namespace weft
