// SPDX-License-Identifier: Apache-2.0
/// Converts the payload of a trace to recorded messages, which `weft codec` and `workload.payload.file` read. The
/// format is described in weft/workload/message_file.h.
#pragma once

#include <filesystem>
#include <string>

namespace weft::experiment {

/// Returns the bytes of a recording of all messages with payload in the trace \p path. The messages are in the order of
/// ranks and, for each rank, in the order of calls. The contribution of a rank to a collective is recorded as one
/// message to rank -1.
/// \param type element type of the messages to include, such as MPI_INT; empty: all types
/// \throws input_error as read_trace(), and configuration_error for a trace without such payload
std::string to_recording(const std::filesystem::path& path, const std::string& type);

}  // namespace weft::experiment
