// SPDX-License-Identifier: Apache-2.0
/// The judge of schedules. It shares no code with what makes them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "weft/schedule/problem.h"

namespace weft::schedule {

/// What is wrong with a schedule.
struct fault {
  enum class kind {
    Path,      ///< a path that does not lead from node to node: broken, not simple, by way of another node, too long
    Payload,   ///< empty, more messages than allowed, a message that nobody asked for, the same twice
    Conflict,  ///< more transfers on a channel than it serves in a step
    NotHeld,   ///< a node sends what it did not have before the step
    Missing,   ///< a receiver lacks a message at the end
  };
  kind what;
  std::size_t step = 0;                ///< first at 0; not of Missing
  std::vector<std::size_t> transfers;  ///< in the step, those concerned
  std::optional<channel_id> channel;   ///< of Conflict
  std::string text;                    ///< all of it in words, steps and transfers counted from 1
};

/// All faults, those of step 0 first, in a step in the order of the enumerators above; empty: the schedule carries out
/// what is asked. A node keeps all that it gets.
std::vector<fault> check(const problem& p, const step_schedule& s);

}  // namespace weft::schedule
