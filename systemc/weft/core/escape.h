// SPDX-License-Identifier: Apache-2.0
/// Escaping of user-chosen names for each file format. Every writer of such a file uses these functions.
///
/// All functions that escape text, except shell_word(), replace bytes that are not valid UTF-8 by U+FFFD, as in JSON.
/// Control characters that a format cannot represent are written as in `\x1b`, or as blanks for gnuplot. There is no
/// function for JSON because the JSON library escapes strings.
#pragma once

#include <string>

namespace weft {

/// Replaces each byte of \p text that is not part of a valid UTF-8 character by U+FFFD.
std::string valid_utf8(const std::string& text);

/// Escapes the content of an element in XML, GraphML, SVG or HTML.
std::string xml_text(const std::string& text);

/// Escapes an attribute in double quotes in the same formats. Line feeds and tabs become character references.
std::string xml_attribute(const std::string& text);

/// Escapes text at the end of a line comment in SystemVerilog or a shell: one line that does not end in a backslash.
/// The caller writes other text before it, because a comment that begins with a user's text could be a directive.
std::string comment_text(const std::string& text);

/// Quotes one word for a shell (bash).
std::string shell_word(const std::string& text);

/// Escapes a field of CSV (RFC 4180). Text that begins with = + - @ or a control character, and is not a number, gets a
/// leading apostrophe, because a spreadsheet could read it as a formula. plain_csv_field() removes the apostrophe.
std::string csv_field(const std::string& text);

/// The inverse of csv_field(): returns the original text of \p field, from which a CSV reader has removed the quotes.
std::string plain_csv_field(const std::string& field);

/// Quotes a text for gnuplot so that it is shown literally: in single quotes, in which gnuplot does not execute
/// backquotes, and with blanks instead of control characters.
std::string gnuplot_text(const std::string& text);

}  // namespace weft
