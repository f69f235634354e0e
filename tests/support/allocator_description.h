// SPDX-License-Identifier: Apache-2.0
/// The parameters of an allocator as text, for failure messages.
#pragma once

#include <string>

#include "weft/core/router_choices.h"
#include "weft/router/allocator_kinds.h"

namespace weft {

inline std::string description(const allocator_parameters& p) {
  std::string text = entry_of(p.kind).name;
  if (selects_with_arbiters(p.kind)) text += std::string(" with ") + entry_of(p.arbiter).name;
  if (selects_with_arbiters(p.kind) && p.arbiter == arbiter_kind::Tree) text += " of " + std::to_string(p.groups);
  if (iterates(p.kind)) text += " with " + std::to_string(p.iterations) + " iterations";
  return text;
}

}  // namespace weft
