// SPDX-License-Identifier: Apache-2.0
/// The maximum nesting depth in users' files.
///
/// Readers of nested text, and functions that walk the result, are recursive. Without a limit, a file with many
/// brackets would overflow the stack.
#pragma once

#include <stdexcept>
#include <string>

namespace weft {

/// Maximum depth of nested lists, maps, elements, subgraphs and included files. Files that Weft writes are nested 9
/// deep at most.
inline constexpr unsigned MostNested = 100;

/// A callback for the parser of nlohmann::json. The parser itself is not recursive, but copying, comparing and writing
/// the parsed value are.
/// \throws std::invalid_argument at the first value that is nested too deep
struct json_nesting_limit {
  template <class Event, class Json>
  bool operator()(int depth, Event /*event*/, const Json& /*parsed*/) const {
    if (depth > static_cast<int>(MostNested))
      throw std::invalid_argument("values are nested more than " + std::to_string(MostNested) +
                                  " deep; nest them less");
    return true;
  }
};

}  // namespace weft
