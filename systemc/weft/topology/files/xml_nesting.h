// SPDX-License-Identifier: Apache-2.0
/// How deep the elements of a text in XML are nested, found without reading them.
#pragma once

#include <cstddef>
#include <string>

namespace weft {

/// The line of \p xml, from 1, where elements are first nested deeper than \p most; 0 if they are not. A text that is
/// not XML is looked at up to its first fault, where Boost's reader stops, too: that one calls itself for each element
/// within another and has no limit.
std::size_t line_nested_deeper(const std::string& xml, std::size_t most);

}  // namespace weft
