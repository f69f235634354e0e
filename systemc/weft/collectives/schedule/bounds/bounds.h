// SPDX-License-Identifier: Apache-2.0
/// Lower bounds of schedules. Each bound gives a number of steps that every schedule needs, and the reason.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "weft/collectives/schedule/problem.h"

namespace weft::schedule {

/// The argument from which a lower bound follows.
enum class argument : std::uint8_t {
  Ports,   ///< a node has few ports for the messages that it must send or receive
  Growth,  ///< in the first steps, only few nodes have anything to send
  Cut,     ///< few channels lead out of a set of nodes
  Load,    ///< the network has few channels in total
  Flow,    ///< the linear program of flows, in exact/flow_bound.h
};

/// Returns the name of an argument, such as "ports".
const char* name_of(argument why);

struct bound {
  argument why = argument::Ports;
  std::size_t steps = 0;
  std::string text;  ///< reason for the user: "nodes 0-3 must send 48 messages to others, over 4 channels"
};

struct lower_bounds {
  std::vector<bound> start_ups;  ///< bounds of the number of steps R
  std::vector<bound> occupancy;  ///< bounds of TCO; also bounds of R if each transfer carries one message
};

/// Returns the bounds by all arguments except flow, which needs a solver, in the order of the enumerators. All
/// arguments bound TCO, because a step of size s can be split into s steps of single messages. If messages are
/// combined, only growth bounds R. The bounds hold for all schedules, whichever paths they use.
/// \throws std::invalid_argument if a receiver cannot be reached
lower_bounds find_bounds(const problem& p);

/// Returns the greatest bound. If several are equal, returns the first. \p bounds must not be empty.
const bound& best_of(const std::vector<bound>& bounds);

}  // namespace weft::schedule
