// SPDX-License-Identifier: Apache-2.0
/// How deep the parts of a user's file may stand in one another.
///
/// Readers of nested text call themselves, and so do those that walk what was read: without a limit, a file of many
/// brackets ends the process when its stack is full.
#pragma once

#include <stdexcept>
#include <string>

namespace weft {

/// Lists, maps, elements, subgraphs and included files within one another, at most. The deepest file that Weft writes
/// has 9.
inline constexpr unsigned MostNested = 100;

/// A callback for the parser of nlohmann::json: the parser does without a stack, but copying, comparing and writing
/// what it made do not. \throws std::invalid_argument at the first value that is nested too deep
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
