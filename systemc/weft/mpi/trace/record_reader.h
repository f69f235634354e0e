// SPDX-License-Identifier: Apache-2.0
/// Reads the records of one rank and checks that they are consistent with earlier records.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "weft/mpi/trace/trace_bytes.h"
#include "weft/mpi/trace/trace_reader.h"

namespace weft {

class record_reader {
 public:
  record_reader(std::string name, const trace_header& header, trace_visitor& visitor)
      : m_name(std::move(name)), m_header(header), m_visitor(visitor) {}

  /// Reads the records of a block. \p at is the position of the block's content in the file, in bytes.
  /// \throws input_error
  void read(std::string_view content, std::uint64_t at);

  bool ended() const { return m_ended; }

 private:
  [[noreturn]] void fail(const std::string& message) const;
  /// Reports an error if the file has a version before \p version, because \p what was introduced in that version.
  void need_version(std::uint32_t version, const char* what) const;
  std::uint64_t number(std::uint64_t most, const char* what);
  std::int64_t signed_number(std::int64_t least, std::int64_t most, const char* what);
  std::string_view bytes(std::uint64_t count, const char* what);
  std::vector<std::uint32_t> ranks(const char* what);
  std::vector<std::uint64_t> list(std::size_t members, const char* what);
  std::vector<std::uint32_t> rank_list(const char* what);

  void read_record();
  void read_communicator();
  void read_element();
  void read_threads();
  void read_call(call_kind kind);
  void read_message(trace_call& c);
  void read_completions(trace_call& c);
  void read_collective(trace_call& c);
  void read_payload(trace_call& c);
  void read_request(trace_call& c);
  void read_element_of(trace_call& c);
  std::size_t members_of(trace_call& c);

  const std::string m_name;
  const trace_header& m_header;
  trace_visitor& m_visitor;

  std::string_view m_content;
  std::size_t m_next = 0;    ///< position of the next byte in m_content
  std::size_t m_record = 0;  ///< position of the current record in m_content
  std::uint64_t m_at = 0;    ///< position of m_content in the file

  bool m_ended = false;
  std::uint64_t m_threads = 1;
  std::uint64_t m_calls = 0;
  std::unordered_map<std::uint64_t, std::size_t> m_members;  ///< number of members of each communicator
  std::unordered_set<std::uint64_t> m_elements;
  std::unordered_map<std::uint64_t, bool> m_open;  ///< requests that have not ended, and whether each receives
  std::uint64_t m_last_request = 0;
};

}  // namespace weft
