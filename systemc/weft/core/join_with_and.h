// SPDX-License-Identifier: Apache-2.0
/// Formats lists for sentences in messages.
#pragma once

#include <iterator>
#include <string>

#include <fmt/format.h>

namespace weft {

/// Joins the elements of \p things as in a sentence: "3", "3 and 4", "3, 4 and 5".
template <class Range>
std::string join_with_and(const Range& things) {
  std::string text;
  for (auto thing = things.begin(); thing != things.end(); ++thing) {
    if (thing != things.begin()) text += std::next(thing) == things.end() ? " and " : ", ";
    text += fmt::format("{}", *thing);
  }
  return text;
}

}  // namespace weft
