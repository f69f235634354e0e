// SPDX-License-Identifier: Apache-2.0
#include "weft/mpi/trace/trace_writer.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <limits>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "weft/mpi/trace/checksum.h"
#include "weft/mpi/trace/trace_bytes.h"

namespace weft {

namespace {

/// RWF_DONTCACHE, in Linux since 6.14: written data do not stay in the page cache.
constexpr int DontCache = 0x80;

std::string bytes_of(const trace_header& h) {
  std::string bytes(TraceMagic);
  append_fixed(bytes, TraceVersion, 4);
  append_fixed(bytes, 0, 4);  // header size, filled in below
  append_fixed(bytes, h.run, 8);
  append_fixed(bytes, h.rank, 4);
  append_fixed(bytes, h.ranks, 4);
  append_fixed(bytes, static_cast<std::uint64_t>(h.started), 8);
  append_fixed(bytes, static_cast<std::uint64_t>(h.payload), 1);
  append_fixed(bytes, static_cast<std::uint64_t>(h.cut), 1);
  append_fixed(bytes, h.cut_bits, 1);
  append_fixed(bytes, static_cast<std::uint64_t>(h.clock), 1);
  append_fixed(bytes, h.sample, 4);
  append_fixed(bytes, h.truncation_rules.size(), 4);
  bytes += h.truncation_rules + h.program;
  std::string size;
  append_fixed(size, bytes.size() + 4, 4);
  bytes.replace(TraceMagic.size() + 4, 4, size);
  append_fixed(bytes, checksum(bytes.data(), bytes.size()), 4);
  return bytes;
}

/// Appends world ranks as runs of consecutive numbers: the number of runs, then the first rank and the length of each
/// run.
void append_ranks(std::string& to, const std::vector<std::uint32_t>& ranks) {
  std::string runs;
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < ranks.size(); ++count) {
    std::size_t end = i + 1;
    while (end < ranks.size() && ranks[end] == ranks[end - 1] + 1) ++end;
    append_number(runs, ranks[i]);
    append_number(runs, end - i);
    i = end;
  }
  append_number(to, count);
  to += runs;
}

template <typename Number>
void append_list(std::string& to, const std::vector<Number>& list) {
  append_number(to, list.size());
  for (const Number n : list) append_number(to, n);
}

trace_record record_of(call_kind kind) {
  return static_cast<trace_record>(static_cast<unsigned>(trace_record::Send) + static_cast<unsigned>(kind));
}

/// Creates an empty file. Its name is predictable, so an existing entry may be a trap: a link to another file, or a
/// pipe without a reader.
int open_anew(const std::string& file) {
  const int descriptor = ::open(file.c_str(), O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
  if (descriptor < 0) throw std::system_error(errno, std::generic_category(), file);
  struct stat status {};
  const bool is_own = fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) && status.st_nlink == 1;
  if (is_own && ftruncate(descriptor, 0) == 0) return descriptor;
  const int error = is_own ? errno : EEXIST;
  ::close(descriptor);
  throw std::system_error(error, std::generic_category(), file);
}

}  // namespace

trace_writer::trace_writer(const std::string& file, const trace_header& header) : m_file(open_anew(file)) {
  m_block.reserve(MostRecords + 4096);
  begin_block();
  const std::string bytes = bytes_of(header);
  write_all(bytes.data(), bytes.size());
}

trace_writer::~trace_writer() { close(); }

void trace_writer::close() {
  flush();
  if (m_file < 0) return;
  if (m_room > m_written) [[maybe_unused]]
    const int given_back = ::ftruncate(m_file, static_cast<off_t>(m_written));  // if it fails, the space stays
  ::close(m_file);
  m_file = -1;
}

void trace_writer::add(const trace_communicator& c) {
  m_block.push_back(static_cast<char>(trace_record::Communicator));
  append_number(m_block, c.id);
  append_number(m_block, c.ordinal);
  append_ranks(m_block, c.members);
  append_ranks(m_block, c.peers);
  flush_if_full();
}

void trace_writer::add(const trace_element& e) {
  m_block.push_back(static_cast<char>(trace_record::Element));
  append_number(m_block, e.id);
  append_number(m_block, e.size);
  append_number(m_block, static_cast<std::uint64_t>(e.type));
  append_number(m_block, e.name.size());
  m_block += e.name;
  flush_if_full();
}

void trace_writer::append_collective(const trace_call& call) {
  append_number(m_block, call.communicator);
  append_signed(m_block, call.root);
  append_number(m_block, static_cast<std::uint64_t>(call.operation));
  append_number(m_block, call.element);
  append_number(m_block, call.request);
  append_number(m_block, call.send_bytes);
  append_number(m_block, call.receive_bytes);
  append_list(m_block, call.sends);
  append_list(m_block, call.receives);
  append_list(m_block, call.to);
  append_list(m_block, call.from);
}

void trace_writer::add(const trace_call& call, const void* payload, std::size_t count) {
  m_block.push_back(static_cast<char>(record_of(call.kind)));
  append_number(m_block, static_cast<std::uint64_t>(call.function));
  append_number(m_block, (call.continues ? TraceContinues : 0) | (call.any_source ? TraceAnySource : 0) |
                             (call.any_tag ? TraceAnyTag : 0) |
                             static_cast<std::uint64_t>(call.mode) << TraceModeShift);
  append_number(m_block, call.computing);
  append_number(m_block, call.inside);
  if (!call.continues) ++m_calls;
  if (payload == nullptr) {
    payload = call.payload.data();
    count = call.payload.size();
  }
  count = std::min(count, MostPayload);
  switch (call.kind) {
    case call_kind::Send:
    case call_kind::Receive:
      append_number(m_block, call.communicator);
      append_signed(m_block, call.peer);
      append_signed(m_block, call.tag);
      append_number(m_block, call.element);
      append_number(m_block, call.bytes);
      append_number(m_block, call.request);
      break;
    case call_kind::Completion:
      append_number(m_block, call.completions.size());
      for (const trace_completion& c : call.completions) {
        append_number(m_block, c.request);
        append_number(m_block, (c.received ? 1U : 0U) | (c.cancelled ? 2U : 0U));
        if (!c.received) continue;
        append_signed(m_block, c.source);
        append_signed(m_block, c.tag);
        append_number(m_block, c.bytes);
      }
      break;
    case call_kind::Collective:
      append_collective(call);
      break;
    case call_kind::Uncovered:
      break;
  }
  if (call.kind == call_kind::Send || call.kind == call_kind::Collective) {
    append_number(m_block, count);
    if (count >= LongPayload) return write_block(payload, count);
    if (count > 0) m_block.append(static_cast<const char*>(payload), count);
    m_payload += count;
  }
  flush_if_full();
}

void trace_writer::add_threads(std::uint32_t so_far) {
  m_block.push_back(static_cast<char>(trace_record::Threads));
  append_number(m_block, so_far);
  flush_if_full();
}

void trace_writer::finish() {
  m_block.push_back(static_cast<char>(trace_record::End));
  append_number(m_block, m_calls);
  flush();
}

void trace_writer::flush() {
  if (m_block.size() > TraceBlockHeader) write_block(nullptr, 0);
}

/// Reserves space in advance, many bytes at a time. This reduces the time that the file system needs per byte.
void trace_writer::make_room() {
  constexpr std::uint64_t Least = std::uint64_t{1} << 20, Most = std::uint64_t{1} << 26;
  if (!m_makes_room || m_written < std::max(m_room, Least)) return;
  const std::uint64_t more = std::min(m_written, Most);
  m_makes_room = ::fallocate(m_file, FALLOC_FL_KEEP_SIZE, static_cast<off_t>(m_written), static_cast<off_t>(more)) == 0;
  m_room = m_written + more;
}

void trace_writer::begin_block() {
  m_block.assign(TraceBlockHeader, '\0');
  m_payload = 0;
}

void trace_writer::write_block(const void* payload, std::size_t count) {
  if (m_file < 0) return begin_block();
  std::string header(TraceBlockMagic);
  const std::size_t records = m_block.size() - TraceBlockHeader;
  append_fixed(header, records + count, 4);
  append_fixed(header, checksum(payload, count, checksum(&m_block[TraceBlockHeader], records)), 4);
  append_fixed(header, checksum(header.data(), header.size()), 4);
  m_block.replace(0, TraceBlockHeader, header);
  make_room();
  write_all(m_block.data(), m_block.size(), payload, count);
  begin_block();
}

void trace_writer::write_all(const void* bytes, std::size_t count, const void* more, std::size_t count_of_more) {
  std::array<iovec, 2> left{iovec{const_cast<void*>(bytes), count}, iovec{const_cast<void*>(more), count_of_more}};
  while (left[0].iov_len + left[1].iov_len > 0 && m_error == 0) {
    const int how = m_written < m_cached ? 0 : DontCache;
    const ssize_t written = ::pwritev2(m_file, left.data(), static_cast<int>(left.size()), -1, how);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0 && how != 0) {  // the kernel or file system may not support it
      m_cached = std::numeric_limits<std::uint64_t>::max();
      continue;
    }
    if (written <= 0) m_error = written < 0 ? errno : EIO;
    auto gone = static_cast<std::size_t>(std::max<ssize_t>(written, 0));
    m_written += gone;
    for (iovec& part : left) {
      const std::size_t of_this = std::min(gone, part.iov_len);
      part.iov_base = static_cast<char*>(part.iov_base) + of_this;
      part.iov_len -= of_this;
      gone -= of_this;
    }
  }
}

}  // namespace weft
