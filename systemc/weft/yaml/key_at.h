// SPDX-License-Identifier: Apache-2.0
/// Finds the key at a place of a YAML text, for programs that show errors at keys.
#pragma once

#include <string>

namespace weft {

/// The path of the innermost key whose name or value begins at or before \p line and \p column, both counted from 1,
/// such as "network.router.vcs". Empty if the text is not YAML or if no key begins before the place.
std::string key_at(const std::string& text, int line, int column);

}  // namespace weft
