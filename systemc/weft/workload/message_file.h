// SPDX-License-Identifier: Apache-2.0
/// Files of recorded messages of MPI programs, used as payload and as input of codecs.
///
/// A recording is a file header followed by records, each with a header and a payload. All numbers are little endian,
/// with 4 bytes unless given:
///
///     header  magic[8] = MPTRACE1, version = 1, header size, ranks, class, records, messages, application[32]
///     record  magic[4] = MSG1, message, source, destination, tag, class, operation[12], time[8], full size[8],
///             offset[8], bytes of payload; then the payload
///
/// A class is 0 for MPI_INT, 1 for MPI_DOUBLE, 2 for MPI_DOUBLE_COMPLEX.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "weft/core/codec.h"

namespace weft {

struct recorded_message {
  data_type type = data_type::Other;
  std::string bytes;

  /// The message as little-endian words, without the bytes after the last whole word.
  std::vector<std::uint32_t> words() const;
  /// Number of bytes after the last whole word, 0…3.
  unsigned trailing_bytes() const { return static_cast<unsigned>(bytes.size() % 4); }
};

struct message_file {
  bool recording = false;   ///< in the format MPTRACE1
  std::string application;  ///< application name in the recording
  std::vector<recorded_message> messages;

  /// The common type of all messages; nothing if there are several types or no messages.
  std::optional<data_type> type() const;
};

/// Reads a recording. Any other file is read as one message. Both may be compressed with gzip.
/// \throws workload_error for a file that cannot be read or decompressed, and for an inconsistent recording
message_file read_messages(const std::filesystem::path& file);

/// Parses \p bytes, the contents of a file, like read_messages(). \p name is the name of the file in messages.
message_file parse_messages(std::string bytes, const std::string& name);

}  // namespace weft
