// SPDX-License-Identifier: Apache-2.0
/// Detects unknown keys in a JSON document, so that a reader does not ignore them silently.
#pragma once

#include <string>
#include <vector>

namespace weft::schedule {

/// The keys that the objects at one place of a document may have.
struct object_keys {
  std::string path;  ///< the place: "" for the document, "topology.channels[]" for each element of this list
  std::vector<std::string> names;
};

/// Checks that the objects of \p text at the places in \p known have only the keys listed there. Objects at other
/// places may have any keys. \p text must be valid for parse_json().
/// \throws std::invalid_argument such as "line 3: links[0].latency: unknown key; expected one of …"
void check_keys(const std::string& text, const std::vector<object_keys>& known);

}  // namespace weft::schedule
