// SPDX-License-Identifier: Apache-2.0
/// Writes the part of one rank of a trace, block by block while the program runs. A block is written when it is large
/// enough, or on request. If the program is killed, only the open block is lost.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "weft/mpi/trace/trace.h"

namespace weft {

class trace_writer {
 public:
  /// Creates \p file and writes the header at once.
  /// \throws std::system_error, also if the file is a symbolic link or not a regular file
  trace_writer(const std::string& file, const trace_header& header);
  ~trace_writer();
  trace_writer(const trace_writer&) = delete;
  trace_writer& operator=(const trace_writer&) = delete;

  void add(const trace_communicator& c);
  void add(const trace_element& e);
  /// Adds a call. \p payload, which has \p count bytes, replaces call.payload. Long payload is written without a copy;
  /// payload beyond MostPayload bytes is dropped.
  void add(const trace_call& call, const void* payload = nullptr, std::size_t count = 0);
  /// \param so_far number of threads of the rank that have called MPI, at least two
  void add_threads(std::uint32_t so_far);
  /// Writes the last record, which states that the rank has ended normally.
  void finish();

  /// Writes the open block.
  void flush();
  /// Writes the open block and closes the trace; everything that follows is dropped.
  void close();

  /// Returns the errno value if the file could not be written, otherwise 0. After an error, everything that follows is
  /// dropped.
  int error() const { return m_error; }

  static constexpr std::size_t MostPayload = std::size_t{1} << 29;

 private:
  // Large writes cost less per byte; small blocks limit the loss when a program is killed.
  static constexpr std::size_t MostRecords = 16 * 1024;  ///< maximum bytes of a block without payload
  static constexpr std::size_t MostBlock = 256 * 1024;   ///< maximum bytes of a block
  static constexpr std::size_t LongPayload = MostBlock / 2;

  void make_room();
  void begin_block();
  void write_block(const void* payload, std::size_t count);
  void write_all(const void* bytes, std::size_t count, const void* more = nullptr, std::size_t count_of_more = 0);
  void flush_if_full() {
    if (m_block.size() - m_payload >= MostRecords || m_block.size() >= MostBlock) flush();
  }
  void append_collective(const trace_call& call);

  int m_file = -1;
  int m_error = 0;
  std::string m_block;        ///< the open block: space for its header, then records
  std::size_t m_payload = 0;  ///< bytes of payload in the open block
  std::uint64_t m_calls = 0;
  std::uint64_t m_written = 0;                        ///< bytes written to the file
  std::uint64_t m_room = 0;                           ///< number of bytes that the file system has reserved
  bool m_makes_room = true;                           ///< whether the file system can reserve space
  std::uint64_t m_cached = std::uint64_t{256} << 20;  ///< bytes of the file that may stay in the page cache
};

}  // namespace weft
