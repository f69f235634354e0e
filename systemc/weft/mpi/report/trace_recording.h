// SPDX-License-Identifier: Apache-2.0
/// Converts the payload of a trace to recorded messages, which `weft codec` and `workload.payload.file` read. The
/// format is described in weft/workload/message_file.h.
#pragma once

#include <filesystem>
#include <string>

namespace weft::experiment {

/// The bytes of a recording of all messages of the trace \p path with payload, rank by rank in the order of calls. The
/// contribution of a rank to a collective is one message, to rank -1.
/// \param type name of an element type, such as MPI_INT: only its messages; empty: all
/// \throws input_error as read_trace(), configuration_error for a trace without such payload
std::string to_recording(const std::filesystem::path& path, const std::string& type);

}  // namespace weft::experiment
