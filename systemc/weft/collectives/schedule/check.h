// SPDX-License-Identifier: Apache-2.0
/// A checker of schedules. It shares no code with the methods that make schedules.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "weft/collectives/schedule/problem.h"

namespace weft::schedule {

/// A violation found in a schedule.
struct violation {
  enum class kind {
    Path,      ///< the path is broken, visits a vertex twice, is too long, or leads through a third node
    Payload,   ///< no message, too many messages, a message that was not requested, or a duplicate
    Conflict,  ///< a channel has more transfers in a step than its capacity
    NotHeld,   ///< a node sends a message that it did not have before the step
    Missing,   ///< a receiver lacks a message at the end
  };
  kind what;
  std::size_t step = 0;                ///< index of the step, from 0; unused for Missing
  std::vector<std::size_t> transfers;  ///< indices of the transfers that cause the violation, within the step
  std::optional<channel_id> channel;   ///< the overloaded channel, for Conflict
  std::string text;                    ///< message for the user; it counts steps and transfers from 1
};

/// Returns all violations, sorted by step and, within a step, in the order of the enumerators above. An empty result
/// means that the schedule carries out the request. The checker assumes that nodes keep all messages that they receive.
std::vector<violation> check(const problem& p, const step_schedule& s);

}  // namespace weft::schedule
