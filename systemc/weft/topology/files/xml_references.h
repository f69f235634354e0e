// SPDX-License-Identifier: Apache-2.0
/// References such as `&amp;` and `&#38;` in XML. Boost's reader expands numeric and predefined references, but accepts
/// all others, and a bare `&` or `<`, as literal text.
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

/// Finds the first `&` of \p text that does not begin a reference to a character by a predefined name or by number; in
/// the value of an attribute also the first `<`, if it comes earlier. Nothing if \p text has no such fault.
std::optional<xml_fault> reference_fault(std::string_view text, bool is_attribute);

}  // namespace weft
