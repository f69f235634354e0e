// SPDX-License-Identifier: Apache-2.0
/// Reads configurations of BookSim2: statements `name = value;`, with comments that begin with `//`.
#pragma once

#include <string>
#include <vector>

#include "weft/import/imported_settings.h"

namespace weft::experiment {

/// The statements of \p text. \param file its name in messages \throws input_error with all syntax errors
std::vector<imported_setting> read_booksim_file(const std::string& text, const std::string& file);

/// Whether a line of \p text begins with `name =` and ends with a semicolon.
bool has_booksim_statement(const std::string& text);

/// An override as on BookSim2's command line, such as "num_vcs=8". \throws input_error
imported_setting read_booksim_argument(const std::string& text);

/// A value with arguments: `islip(2)` has the name "islip" and the argument "2". Commas in brackets or braces do not
/// separate arguments.
struct booksim_call {
  std::string name;
  std::string inside;  ///< what is in the brackets
  std::vector<std::string> arguments;
};
booksim_call parse_booksim_call(const std::string& value);

/// The elements of a list in braces: `{1,{2,3}}` has the elements "1" and "{2,3}". Any other value is its only element.
std::vector<std::string> parse_booksim_list(const std::string& value);

}  // namespace weft::experiment
