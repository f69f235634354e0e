// SPDX-License-Identifier: Apache-2.0
/// The list of waits that accompanies a channel if waits are recorded. Simulation only.
#pragma once

#include <deque>

#include "weft/core/router_waits.h"

namespace weft::pin {

/// The waits of the flits on a channel, in order of arrival.
using waits_on_channel = std::deque<router_waits>;

}  // namespace weft::pin
