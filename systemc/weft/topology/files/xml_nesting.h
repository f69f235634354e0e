// SPDX-License-Identifier: Apache-2.0
/// Nesting depth of XML elements, measured without parsing.
#pragma once

#include <cstddef>
#include <string>

namespace weft {

/// The line of \p xml, from 1, where elements are first nested deeper than \p most; 0 if they never are. Malformed XML
/// is scanned up to its first error, where Boost's parser stops as well. The limit is necessary because that parser
/// recurses into nested elements without one.
std::size_t line_nested_deeper(const std::string& xml, std::size_t most);

}  // namespace weft
