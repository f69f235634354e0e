// SPDX-License-Identifier: Apache-2.0
/// Random draws for the property tests of the allocators.
#pragma once

#include <rapidcheck.h>

namespace weft {

inline unsigned below(unsigned n) { return *rc::gen::inRange(0U, n); }
inline bool coin() { return *rc::gen::arbitrary<bool>(); }

}  // namespace weft
