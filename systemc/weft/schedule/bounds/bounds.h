// SPDX-License-Identifier: Apache-2.0
/// Lower bounds of schedules: in how few steps nothing can be done, and why.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "weft/schedule/problem.h"

namespace weft::schedule {

/// Why no schedule can be shorter.
enum class argument : std::uint8_t {
  Ports,   ///< a node has few ports for what it must send or receive
  Growth,  ///< at first few nodes have anything to send
  Cut,     ///< few channels lead out of a set of nodes
  Load,    ///< all channels together are few
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
  std::vector<bound> start_ups;  ///< of R
  std::vector<bound> occupancy;  ///< of TCO; of R as well, where a transfer carries one message
};

/// All arguments but flow, which needs a solver, in the order of the enumerators. Where messages are combined, only
/// growth bounds R; all bound TCO, since a step of size s can be taken apart into s steps of single messages. They hold
/// for all schedules, whatever the paths.
/// \throws std::invalid_argument where a receiver cannot be reached
lower_bounds find_bounds(const problem& p);

/// The greatest, of several as great the first. \p bounds not empty.
const bound& best_of(const std::vector<bound>& bounds);

}  // namespace weft::schedule
