// SPDX-License-Identifier: Apache-2.0
/// Keys of a replay that mean something only beside certain values of others, where the table of keys cannot say so:
/// what algorithms of collectives take, and rules of cuts.
#pragma once

#include <vector>

#include "weft/core/diagnostic.h"
#include "weft/experiment/configuration/configuration.h"

namespace weft::experiment {

/// Back to their defaults, as all that means nothing: files of algorithms that no collective takes, rules that an
/// overriding trace has no messages for.
void drop_unused_replayed_keys(configuration& c);

/// What is wrong with the keys, and which of them have no effect though nothing overrides what they need.
std::vector<diagnostic> check_replayed_keys(const configuration& c);

}  // namespace weft::experiment
