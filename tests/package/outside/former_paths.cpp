// SPDX-License-Identifier: Apache-2.0
/// Installed headers that have moved are found at their former place too.
#include <cstddef>

#include "weft/schedule/schedule.h"
#include "weft/trace/trace.h"
#include "weft/workload/collective/collective.h"
#include "weft/workload/replay/message_list.h"

std::size_t size_of_schedule() { return sizeof(weft::schedule::step_schedule); }
