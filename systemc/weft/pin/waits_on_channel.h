// SPDX-License-Identifier: Apache-2.0
/// The list of the waits of the flits on a channel. It exists if waits are recorded. Simulation only.
#pragma once

#include <deque>

#include "weft/core/router_waits.h"

namespace weft::pin {

/// The waits of the flits on a channel, in the order in which the flits arrive.
using waits_on_channel = std::deque<router_waits>;

}  // namespace weft::pin
