// SPDX-License-Identifier: Apache-2.0
/// Writes the part of one rank of a trace, block by block while the program runs. A block goes to the file when it is
/// large enough, or when it is told to; what a killed program loses is the block that was open.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "weft/trace/trace.h"

namespace weft {

class trace_writer {
 public:
  /// \p file is made anew, and holds the header at once. \throws std::system_error, also if it is a link to another
  /// file or no regular file
  trace_writer(const std::string& file, const trace_header& header);
  ~trace_writer();
  trace_writer(const trace_writer&) = delete;
  trace_writer& operator=(const trace_writer&) = delete;

  void add(const trace_communicator& c);
  void add(const trace_element& e);
  /// \p payload, of \p count bytes, stands for call.payload; it is written without a copy if it is long. Of more than
  /// MostPayload bytes the first so many are written.
  void add(const trace_call& call, const void* payload = nullptr, std::size_t count = 0);
  /// So many threads of the rank have called MPI, two at least.
  void add_threads(std::uint32_t so_far);
  /// The last record: the rank has ended as it should.
  void finish();

  /// Writes the open block.
  void flush();
  /// The same, and everything from here on is dropped.
  void close();

  /// The file could not be written: everything from here on is dropped. The number of errno, 0 if all is well.
  int error() const { return m_error; }

  static constexpr std::size_t MostPayload = std::size_t{1} << 29;

 private:
  // Writing costs less a byte in large pieces; what a killed program loses is to stay small.
  static constexpr std::size_t MostRecords = 16 * 1024;  ///< bytes of a block without payload
  static constexpr std::size_t MostBlock = 256 * 1024;   ///< bytes of a block
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
  std::string m_block;        ///< that is open: room for its header, and records
  std::size_t m_payload = 0;  ///< bytes of payload in it
  std::uint64_t m_calls = 0;
  std::uint64_t m_written = 0;                        ///< bytes of the file
  std::uint64_t m_room = 0;                           ///< so many that the file system has a place for
  bool m_makes_room = true;                           ///< it can
  std::uint64_t m_cached = std::uint64_t{256} << 20;  ///< bytes of the file that the page cache may keep
};

}  // namespace weft
