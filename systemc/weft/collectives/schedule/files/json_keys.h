// SPDX-License-Identifier: Apache-2.0
/// Detects unknown keys in a JSON document, which a reader must not ignore silently.
#pragma once

#include <string>
#include <vector>

namespace weft::schedule {

/// The allowed keys of the objects at a place.
struct object_keys {
  std::string path;  ///< "" for the document, "topology.channels[]" for each element of that list
  std::vector<std::string> names;
};

/// Checks that the objects of \p text, which parse_json() has accepted, have only the keys in \p known. Objects at
/// other places may have any keys.
/// \throws std::invalid_argument "line 3: links[0].latency: unknown key; expected …"
void check_keys(const std::string& text, const std::vector<object_keys>& known);

}  // namespace weft::schedule
