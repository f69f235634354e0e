// SPDX-License-Identifier: Apache-2.0
/// Whether the program's memory may be written.
#pragma once

#include <cstddef>

namespace weft::recorder {

/// Of all pages of \p count bytes from \p first on. Linux itself is asked, and nothing there changes.
bool is_writable(const char* first, std::size_t count);

}  // namespace weft::recorder
