// SPDX-License-Identifier: Apache-2.0
/// Checks whether the program's memory is writable.
#pragma once

#include <cstddef>

namespace weft::recorder {

/// Whether all pages of \p count bytes from \p first on are writable. Queries the Linux kernel and does not change the
/// memory.
bool is_writable(const char* first, std::size_t count);

}  // namespace weft::recorder
