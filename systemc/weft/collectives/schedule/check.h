// SPDX-License-Identifier: Apache-2.0
/// The checker of schedules. It shares no code with the methods that make them.
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
    Path,      ///< a path is broken, not simple, too long, not from node to node, or through another node
    Payload,   ///< empty, more messages than allowed, a message that was not requested, a duplicate
    Conflict,  ///< more transfers on a channel than it serves in a step
    NotHeld,   ///< a node sends a message that it did not have before the step
    Missing,   ///< a receiver lacks a message at the end
  };
  kind what;
  std::size_t step = 0;                ///< from 0; unused for Missing
  std::vector<std::size_t> transfers;  ///< indices of the transfers concerned, within the step
  std::optional<channel_id> channel;   ///< for Conflict
  std::string text;                    ///< complete message; counts steps and transfers from 1
};

/// Returns all violations, ordered by step and, within a step, by the enumerators above. If there are none, the
/// schedule carries out the request. Nodes keep all messages that they receive.
std::vector<violation> check(const problem& p, const step_schedule& s);

}  // namespace weft::schedule
