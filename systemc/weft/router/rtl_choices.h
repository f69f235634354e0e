// SPDX-License-Identifier: Apache-2.0
/// The choices of a router, except its allocators (allocator_kinds.h), and of ejection that exist in SystemC only.
#pragma once

#include <optional>

#include "weft/core/parameters.h"

namespace weft {

struct missing_choice {
  const char* key;     ///< its key
  const char* name;    ///< what the RTL lacks
  const char* remedy;  ///< the value that the RTL has
};

/// The first choice of \p router and of the ejection of \p nic that the RTL does not have.
std::optional<missing_choice> choice_without_rtl(const router_parameters& router, const nic_parameters& nic);

}  // namespace weft
