// SPDX-License-Identifier: Apache-2.0
#include "weft/mpi/trace/trace_reader.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <stdexcept>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "weft/file/read_bytes.h"
#include "weft/mpi/trace/checksum.h"
#include "weft/mpi/trace/record_reader.h"
#include "weft/mpi/trace/trace_bytes.h"
#include "weft/mpi/trace/truncation_rules.h"

namespace weft {

namespace {

constexpr std::size_t FixedHeader = 52;  ///< bytes in version 1, without the program's name
constexpr std::size_t MostHeader = FixedHeader + 64 * 1024;

[[noreturn]] void reject(const std::string& place, const std::string& message) {
  throw input_error({diagnostic{place, message}});
}

/// A stream and the number of bytes read from it.
class trace_input {
 public:
  trace_input(std::istream& in, const std::string& name) : m_in(in), m_name(name) {}

  /// Appends the next \p count bytes to \p so_far, or as many as there are.
  void read(std::string& so_far, std::size_t count) {
    constexpr std::size_t Chunk = std::size_t{1} << 20;  // grows in chunks, because a damaged length may be huge
    while (count > 0) {
      const std::size_t before = so_far.size(), size = std::min(count, Chunk);
      so_far.resize(before + size);
      m_in.read(&so_far[before], static_cast<std::streamsize>(size));
      const auto got = static_cast<std::size_t>(m_in.gcount());
      so_far.resize(before + got);
      m_at += got;
      count -= got;
      if (m_in.bad()) reject(m_name, "cannot be read: " + std::string(std::strerror(errno)));
      if (got < size) return;
    }
  }
  std::uint64_t at() const { return m_at; }

 private:
  std::istream& m_in;
  const std::string& m_name;
  std::uint64_t m_at = 0;
};

/// Returns the value of a one-byte field, which must be less than \p kinds.
template <typename Enum>
Enum choice(const std::string& bytes, std::size_t at, unsigned kinds, const std::string& place, const char* what) {
  const auto value = static_cast<unsigned char>(bytes[at]);
  if (value >= kinds) reject(place, fmt::format("{} is {}, expected at most {}", what, value, kinds - 1));
  return static_cast<Enum>(value);
}

/// Reads the truncation rules in a header. \return the number of bytes that they occupy, including their length
std::size_t read_truncation_rules(const std::string& bytes, trace_header& h, const std::string& place) {
  const auto damaged = [&](const std::string& what) {
    reject(place, "the header is damaged: " + what + "; copy or record the trace again");
  };
  constexpr std::size_t At = 48;
  const std::uint64_t length = bytes.size() < FixedHeader + 4 ? MostHeader : fixed_number(&bytes[At], 4);
  if (FixedHeader + 4 + length > bytes.size()) damaged("it ends within the truncation rules");
  h.truncation_rules = bytes.substr(At + 4, static_cast<std::size_t>(length));
  if (h.truncation_rules.empty() != (h.cut == truncation_point::None))
    damaged("it has a truncation point without rules, or rules without a truncation point");
  try {
    parse_truncation_rules(h.truncation_rules);
  } catch (const std::invalid_argument& e) {
    damaged(e.what());
  }
  return 4 + h.truncation_rules.size();
}

/// Reads a header. \p bytes contains its first bytes, the magic.
trace_header read_header(trace_input& in, std::string bytes, const std::string& name) {
  const std::string place = fmt::format("{}: byte {}", name, in.at() - bytes.size());
  in.read(bytes, TraceMagic.size() + 8 - bytes.size());
  if (bytes.compare(0, TraceMagic.size(), TraceMagic, 0, std::min(bytes.size(), TraceMagic.size())) != 0 ||
      bytes.size() < TraceMagic.size())
    reject(place,
           "the file is not a trace, which begins with WEFTMPI; record one with libweft_mpi.so, see "
           "docs/02_user/traces.md");
  const auto ends = [&] { reject(place, "the file ends within the header of a rank; copy or record the trace again"); };
  if (bytes.size() < TraceMagic.size() + 8) ends();
  const auto version = static_cast<std::uint32_t>(fixed_number(&bytes[8], 4));
  if (version == 0 || version > TraceVersion)
    reject(place, fmt::format("expected version 1 to {} of the trace format, found {}; read it with the weft "
                              "that recorded it",
                              TraceVersion, version));
  const std::uint64_t size = fixed_number(&bytes[12], 4);
  if (size < FixedHeader || size > MostHeader)
    reject(place, fmt::format("the header has {} bytes, expected {} to {}; copy or record the trace again", size,
                              FixedHeader, MostHeader));
  in.read(bytes, static_cast<std::size_t>(size) - bytes.size());
  if (bytes.size() < size) ends();
  const std::size_t end = bytes.size() - 4;
  if (fixed_number(&bytes[end], 4) != checksum(bytes.data(), end))
    reject(place, "the header has a wrong checksum; copy or record the trace again");
  trace_header h;
  h.version = version;
  h.run = fixed_number(&bytes[16], 8);
  h.rank = static_cast<std::uint32_t>(fixed_number(&bytes[24], 4));
  h.ranks = static_cast<std::uint32_t>(fixed_number(&bytes[28], 4));
  h.started = static_cast<std::int64_t>(fixed_number(&bytes[32], 8));
  h.payload = choice<trace_payload>(bytes, 40, 3, place, "the kind of payload");
  h.cut = choice<truncation_point>(bytes, 41, 3, place, "the truncation point");
  h.cut_bits = choice<std::uint8_t>(bytes, 42, MaxCut + 1, place, "the number of truncated bits");
  h.clock = choice<trace_clock>(bytes, 43, 2, place, "the clock");
  h.sample = static_cast<std::uint32_t>(fixed_number(&bytes[44], 4));
  const std::size_t program = 48 + (version == 1 ? 0 : read_truncation_rules(bytes, h, place));
  h.program = bytes.substr(program, end - program);
  if (h.program.find('\0') != std::string::npos)
    reject(place, "the name of the program in the header has a zero byte; copy or record the trace again");
  constexpr std::uint32_t MostRanks = 1U << 24;
  if (h.rank >= h.ranks || h.ranks > MostRanks)
    reject(place,
           fmt::format("the header gives rank {} of {} ranks, expected at most {} ranks", h.rank, h.ranks, MostRanks));
  return h;
}

void note_part(const trace_header& h, std::vector<trace_header>& parts, const std::string& name) {
  for (const trace_header& other : parts) {
    if (other.run != h.run || other.ranks != h.ranks)
      reject(name, fmt::format(
                       "rank {} belongs to another run than rank {}; keep the files of each run in a folder of its own",
                       h.rank, other.rank));
    if (other.version != h.version)
      reject(name, fmt::format("rank {} has version {} of the trace format, but rank {} has version {}; record all "
                               "ranks with the same libweft_mpi.so",
                               h.rank, h.version, other.rank, other.version));
    if (other.rank == h.rank)
      reject(name, fmt::format("rank {} is given twice, expected one part for each rank; remove the copy", h.rank));
  }
  parts.push_back(h);
}

/// Reads blocks until the part ends. \return the first bytes of the next part, or nothing at the end of the file
std::string read_blocks(trace_input& in, const std::string& name, const trace_header& header, trace_visitor& visitor) {
  record_reader records(name, header, visitor);
  const auto end = [&](std::uint64_t lost) {
    visitor.end(lost > 0          ? trace_ending::Truncated
                : records.ended() ? trace_ending::Complete
                                  : trace_ending::Open,
                lost);
    return std::string();
  };
  for (;;) {
    const std::uint64_t at = in.at();
    const std::string place = fmt::format("{}: byte {}", name, at);
    std::string bytes;
    in.read(bytes, TraceBlockMagic.size());
    if (bytes.empty()) return end(0);
    if (bytes.size() == TraceBlockMagic.size() && TraceMagic.substr(0, bytes.size()) == bytes) {
      end(0);
      return bytes;
    }
    if (TraceBlockMagic.substr(0, bytes.size()) != bytes)
      reject(place, "expected the start of a block, but found other data; copy or record the trace again");
    in.read(bytes, TraceBlockHeader - bytes.size());
    if (bytes.size() < TraceBlockHeader) return end(bytes.size());
    const std::uint64_t length = fixed_number(&bytes[4], 4);
    if (fixed_number(&bytes[12], 4) != checksum(bytes.data(), 12) || length > MostTraceBlock)
      reject(place, "the start of a block has a wrong checksum; copy or record the trace again");
    std::string content;
    in.read(content, static_cast<std::size_t>(length));
    if (content.size() < length) return end(TraceBlockHeader + content.size());
    if (fixed_number(&bytes[8], 4) != checksum(content.data(), content.size()))
      reject(place, fmt::format("a block of {} bytes has a wrong checksum; copy or record the trace again", length));
    records.read(content, at + TraceBlockHeader);
  }
}

std::ifstream open(const std::filesystem::path& file) {
  std::error_code error;
  if (const std::string why = why_read_once(file); !why.empty())
    reject(file.string(), "the file " + why + ", but a trace is read more than once; write it to a file first");
  if (std::filesystem::is_directory(file, error))
    reject(file.string(), "the folder of a trace contains this folder; expected only files of ranks");
  std::ifstream in(file, std::ios::binary);
  if (!in) reject(file.string(), "cannot be opened: " + std::string(std::strerror(errno)));
  return in;
}

/// Returns the files of a folder, sorted by the ranks in their headers.
std::vector<std::filesystem::path> files_by_rank(const std::filesystem::path& folder) {
  std::error_code error;
  std::vector<std::filesystem::path> files;
  for (auto i = std::filesystem::directory_iterator(folder, error);
       !error && i != std::filesystem::directory_iterator(); i.increment(error))
    files.push_back(i->path());
  if (error) reject(folder.string(), "cannot be read: " + error.message());
  std::sort(files.begin(), files.end());  // makes the reported error independent of the file system
  std::vector<std::pair<std::uint32_t, std::filesystem::path>> ranked;
  std::vector<trace_header> parts;
  for (const std::filesystem::path& file : files) {
    std::ifstream stream = open(file);
    const std::string name = file.string();
    trace_input in(stream, name);
    const trace_header h = read_header(in, {}, name);
    note_part(h, parts, name);
    ranked.emplace_back(h.rank, file);
  }
  if (parts.empty()) reject(folder.string(), "the folder is empty; expected the files of a trace, one for each rank");
  std::sort(ranked.begin(), ranked.end());
  for (std::uint32_t rank = 0; rank < parts.front().ranks; ++rank)
    if (rank >= ranked.size() || ranked[rank].first != rank)
      reject(folder.string(), fmt::format("the folder has no file of rank {} of {}; copy all files of the run", rank,
                                          parts.front().ranks));
  for (std::size_t i = 0; i < ranked.size(); ++i) files[i] = ranked[i].second;
  return files;
}

}  // namespace

void read_trace(std::istream& in, const std::string& name, std::vector<trace_header>& parts, trace_visitor& visitor) {
  trace_input input(in, name);
  std::string begin;
  do {
    const trace_header header = read_header(input, std::move(begin), name);
    note_part(header, parts, name);
    visitor.begin(header);
    begin = read_blocks(input, name, header, visitor);
  } while (!begin.empty());
}

std::vector<trace_header> read_trace(const std::filesystem::path& path, trace_visitor& visitor) {
  std::error_code error;
  std::vector<std::filesystem::path> files{path};
  if (std::filesystem::is_directory(path, error)) files = files_by_rank(path);
  std::vector<trace_header> parts;
  for (const std::filesystem::path& file : files) {
    std::ifstream in = open(file);
    read_trace(in, file.string(), parts, visitor);
  }
  if (parts.size() != parts.front().ranks)
    reject(path.string(), fmt::format("the trace has only {} of {} ranks; name the folder of the whole run",
                                      parts.size(), parts.front().ranks));
  std::sort(parts.begin(), parts.end(), [](const trace_header& a, const trace_header& b) { return a.rank < b.rank; });
  return parts;
}

}  // namespace weft
