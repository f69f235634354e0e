// SPDX-License-Identifier: Apache-2.0
/// Keys of a JSON document that its reader does not know: what a key means cannot be passed over.
#pragma once

#include <string>
#include <vector>

namespace weft::schedule {

/// The keys that objects at a place may have.
struct object_keys {
  std::string path;  ///< "" for the document, "topology.channels[]" for each element of that list
  std::vector<std::string> names;
};

/// Checks that the objects of \p text, which parse_json() has accepted, have no other keys than \p known says. Objects
/// at other places may have any.
/// \throws std::invalid_argument "line 3: links[0].latency: unknown key; expected …"
void check_keys(const std::string& text, const std::vector<object_keys>& known);

}  // namespace weft::schedule
