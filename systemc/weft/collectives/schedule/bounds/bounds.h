// SPDX-License-Identifier: Apache-2.0
/// Lower bounds of schedules: the minimum number of steps, and the reason for it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "weft/collectives/schedule/problem.h"

namespace weft::schedule {

/// The argument of a lower bound.
enum class argument : std::uint8_t {
  Ports,   ///< a node has few ports for the messages that it must send or receive
  Growth,  ///< in the first steps, few nodes have anything to send
  Cut,     ///< few channels lead out of a set of nodes
  Load,    ///< the total number of channels is small
  Flow,    ///< the linear program of flows: exact/flow_bound.h
};

/// "ports", …
const char* name_of(argument why);

struct bound {
  argument why = argument::Ports;
  std::size_t steps = 0;
  std::string text;  ///< "nodes 0-3 must send 48 messages to others, over 4 channels"
};

struct lower_bounds {
  std::vector<bound> start_ups;  ///< bounds of R
  std::vector<bound> occupancy;  ///< bounds of TCO; also of R if a transfer carries one message
};

/// Bounds by all arguments except flow, which needs a solver, in the order of the enumerators. If messages are
/// combined, only growth bounds R. All arguments bound TCO, because a step of size s can be split into s steps of
/// single messages. The bounds hold for all schedules, whatever their paths.
/// \throws std::invalid_argument if a receiver cannot be reached
lower_bounds find_bounds(const problem& p);

/// The greatest bound, the first of several equal ones. \p bounds must not be empty.
const bound& best_of(const std::vector<bound>& bounds);

}  // namespace weft::schedule
