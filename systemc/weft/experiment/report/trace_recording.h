// SPDX-License-Identifier: Apache-2.0
/// The payload of a trace as recorded messages, which `weft codec` and `workload.payload.file` read. The form is in
/// weft/workload/message_file.h.
#pragma once

#include <filesystem>
#include <string>

namespace weft::experiment {

/// The bytes of a recording of all messages of the trace \p path whose payload is there, rank by rank in the order of
/// their calls. What a rank puts into a collective is one message, to rank -1.
/// \param type the name of an element, as MPI_INT: its messages alone; empty: all
/// \throws input_error as read_trace(), configuration_error for a trace without such payload
std::string to_recording(const std::filesystem::path& path, const std::string& type);

}  // namespace weft::experiment
