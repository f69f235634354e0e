// SPDX-License-Identifier: Apache-2.0
/// Schedules as JSON of the form `ccsched/1`, which other people's programs can write, read and check.
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

#include "weft/schedule/schedule.h"
#include "weft/schedule/step_network.h"

namespace weft::schedule {

/// What a file says besides its channels.
struct recorded_schedule {
  std::string network;  ///< its name
  collective asked;
  step_schedule schedule;
};

/// A line a channel and a line a transfer; the same text for the same schedule.
std::string to_ccsched(const step_network& network, const recorded_schedule& s);

// What is wrong in a text is a std::invalid_argument that names the place, "steps[3].transfers[1].path[0]: …", what is
// there and what is expected. Whether the schedule does what it should is for check().

/// The network that \p text describes.
step_network read_network(const std::string& text);

/// The rule of ports with which \p t has the channels of \p text: \p usual if it has, and if no rule has them.
port_rule find_ports(const std::string& text, const topology& t, port_rule usual);

/// The schedule in \p text. Channels are found by their ends; all of them must be those of \p network.
recorded_schedule read_schedule(const std::string& text, const step_network& network);

}  // namespace weft::schedule
