// SPDX-License-Identifier: Apache-2.0
/// Finds invalid references in XML. Valid references are characters by number (`&#38;`) and the predefined names
/// (`&amp;`). Boost's reader expands these, but accepts all others, and a bare `&` or `<`, as literal text.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace weft {

struct xml_fault {
  std::size_t at;  ///< position in the text
  std::string what;
};

/// Finds the first `&` in \p text that does not begin a valid reference. In the value of an attribute it also finds a
/// `<`, if that comes first. Returns nothing if \p text has no such fault.
std::optional<xml_fault> reference_fault(std::string_view text, bool is_attribute);

}  // namespace weft
