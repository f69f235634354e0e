// SPDX-License-Identifier: Apache-2.0
/// The table of arbiters and allocators: names in configurations, descriptions, and where each kind exists.
/// Configuration keys, reference pages and tests are made from it.
#pragma once

#include <vector>

#include "weft/core/router_choices.h"

namespace weft {

struct arbiter_entry {
  arbiter_kind kind;
  const char* name;
  const char* description;  ///< a phrase that completes "the arbiter selects …"
  bool in_rtl;              ///< whether the RTL has it
};

struct allocator_entry {
  allocator_kind kind;
  const char* name;
  const char* description;  ///< one or several clauses without a full stop
  bool in_rtl;              ///< whether the RTL has it
};

/// All kinds, the default first.
const std::vector<arbiter_entry>& arbiter_entries();
const std::vector<allocator_entry>& allocator_entries();

const arbiter_entry& entry_of(arbiter_kind kind);
const allocator_entry& entry_of(allocator_kind kind);

/// Whether the RTL has an allocator with these parameters.
bool is_in_rtl(const allocator_parameters& parameters);

}  // namespace weft
