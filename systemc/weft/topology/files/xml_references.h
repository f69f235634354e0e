// SPDX-License-Identifier: Apache-2.0
/// References such as `&amp;` and `&#38;` in XML. Boost's reader expands those of XML itself and takes others, and a
/// bare `&` or `<`, as they stand.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace weft {

struct xml_fault {
  std::size_t at;  ///< where it begins
  std::string what;
};

/// The first `&` of \p text that is no reference to a character, by a name of XML itself or a number. In the value of
/// an attribute the first `<`, too, if that comes before.
std::optional<xml_fault> reference_fault(std::string_view text, bool is_attribute);

}  // namespace weft
