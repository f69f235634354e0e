// SPDX-License-Identifier: Apache-2.0
/// Reads and writes schedules as JSON in the format `ccsched/1`, which other programs can write, read and check too.
///
///     format: "ccsched/1"
///     topology: {name, channels: [{id, src, dst, kind: "link" | "inj" | "ej", cap}]}
///     cores: [names of all nodes]
///     collective: "broadcast" | "scatter",  sources: [cores],  dests: [cores]
///     R: steps,  TCO: sum of the sizes of the steps
///     steps: [{transfers: [{src, dst, payload: [[origin, destination or "*"]…], size, path: [ids of channels]}]}]
///
/// `cap` is the number of transfers that a channel serves in a step. `size` is the number of messages in a transfer.
/// The document and `topology` may also have a `comment`. Other keys are errors.
#pragma once

#include <string>

#include "weft/collectives/schedule/schedule.h"
#include "weft/collectives/schedule/step_network.h"

namespace weft::schedule {

/// The contents of a file without its channels.
struct recorded_schedule {
  std::string network;  ///< name of the network
  collective requested;
  step_schedule schedule;
};

/// Returns the schedule as text, with one line for each channel and each transfer. The same schedule always yields the
/// same text.
std::string to_ccsched(const step_network& network, const recorded_schedule& s);

// The following functions throw std::invalid_argument for an error in the text. The message names the place, such as
// "steps[3].transfers[1].path[0]: …", the value found and the value expected. The functions do not verify the schedule
// itself; use check().

/// Returns the network that \p text describes.
step_network read_network(const std::string& text);

/// Returns the port rule for which \p t has the channels of \p text. Returns \p usual if it fits or if no rule fits.
port_rule find_ports(const std::string& text, const topology& t, port_rule usual);

/// Reads the schedule in \p text. The vertices at the ends of a channel identify the channel. All channels must be
/// channels of \p network.
recorded_schedule read_schedule(const std::string& text, const step_network& network);

}  // namespace weft::schedule
