// SPDX-License-Identifier: Apache-2.0
/// Finds the nesting depth of XML elements without parsing the text.
#pragma once

#include <cstddef>
#include <string>

namespace weft {

/// Returns the number of the line of \p xml in which elements are first nested deeper than \p most, or 0 if there is
/// none. Malformed XML is scanned up to its first error, where Boost's parser stops as well. This check is necessary
/// because Boost's parser is recursive and has no limit of its own.
std::size_t line_nested_deeper(const std::string& xml, std::size_t most);

}  // namespace weft
