// SPDX-License-Identifier: Apache-2.0
/// Schedules as JSON in the format `ccsched/1`, which other programs can write, read and check.
///
///     format: "ccsched/1"
///     topology: {name, channels: [{id, src, dst, kind: "link" | "inj" | "ej", cap}]}
///     cores: [names of all nodes]
///     collective: "broadcast" | "scatter",  sources: [cores],  dests: [cores]
///     R: steps,  TCO: sum of the sizes of the steps
///     steps: [{transfers: [{src, dst, payload: [[origin, destination or "*"]…], size, path: [ids of channels]}]}]
///
/// `cap` is the number of transfers that a channel serves in a step, `size` that of messages in a transfer. Further
/// keys are ignored.
#pragma once

#include <string>

#include "weft/collectives/schedule/schedule.h"
#include "weft/collectives/schedule/step_network.h"

namespace weft::schedule {

/// Contents of a file other than its channels.
struct recorded_schedule {
  std::string network;  ///< its name
  collective requested;
  step_schedule schedule;
};

/// Writes one line for each channel and each transfer; the same schedule always yields the same text.
std::string to_ccsched(const step_network& network, const recorded_schedule& s);

// Errors in a text are std::invalid_argument, which names the place, "steps[3].transfers[1].path[0]: …", the value
// found and the value expected. Use check() to verify the schedule itself.

/// The network that \p text describes.
step_network read_network(const std::string& text);

/// The port rule for which \p t has the channels of \p text: \p usual if it fits, or if no rule fits.
port_rule find_ports(const std::string& text, const topology& t, port_rule usual);

/// Reads the schedule in \p text. Channels are identified by their ends; all must be channels of \p network.
recorded_schedule read_schedule(const std::string& text, const step_network& network);

}  // namespace weft::schedule
