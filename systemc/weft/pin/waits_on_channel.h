// SPDX-License-Identifier: Apache-2.0
/// What runs beside a channel where waits are recorded. Simulation only.
#pragma once

#include <deque>

#include "weft/core/router_waits.h"

namespace weft::pin {

/// The waits of the flits on a channel, first to come first.
using waits_on_channel = std::deque<router_waits>;

}  // namespace weft::pin
