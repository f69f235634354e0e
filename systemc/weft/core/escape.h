// SPDX-License-Identifier: Apache-2.0
/// Names that users chose, as the formats of files take them. Every writer of such a file escapes by these functions.
///
/// In all of them bytes that are not UTF-8 become U+FFFD, as in JSON. Control characters that a format cannot hold are
/// written out, as `\x1b`. What is not named here has functions of its own: JSON is escaped by its library.
#pragma once

#include <string>

namespace weft {

/// \p text with each byte that belongs to no character of UTF-8 replaced by U+FFFD.
std::string valid_utf8(const std::string& text);

/// As content of an element of XML, GraphML, SVG or HTML.
std::string xml_text(const std::string& text);

/// As an attribute in double quotes of the same. Line feeds and tabs are kept by references.
std::string xml_attribute(const std::string& text);

/// As the end of a comment that ends with its line, in SystemVerilog or a shell: in one line that does not end in a
/// backslash. A comment that begins with it could be a directive, so something else stands before.
std::string comment_text(const std::string& text);

/// As one word of a shell (bash).
std::string shell_word(const std::string& text);

/// As a field of CSV (RFC 4180). A text that a spreadsheet would take for a formula, which begins with = + - @ or a
/// control character and is no number, gets an apostrophe before it. plain_csv_field() takes that away.
std::string csv_field(const std::string& text);

/// The text whose csv_field(), without quotes, is \p field.
std::string plain_csv_field(const std::string& field);

/// As a text in quotes of gnuplot, which shows it as it is: single quotes, in which gnuplot runs no backquotes, and
/// blanks for control characters.
std::string gnuplot_text(const std::string& text);

}  // namespace weft
