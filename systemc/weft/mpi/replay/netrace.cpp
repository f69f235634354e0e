// SPDX-License-Identifier: Apache-2.0
#include "weft/mpi/replay/netrace.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <boost/iostreams/filter/bzip2.hpp>
#include <boost/iostreams/filtering_stream.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "weft/mpi/trace/trace_bytes.h"
#include "weft/workload/error.h"

namespace weft {

namespace {

constexpr std::string_view Magic = "UTJH", Packed = "BZh";
constexpr std::uint32_t MostNotes = 8192, MostRegions = 100;
constexpr std::size_t NameLength = 30;

/// Size of a packet in bytes, by its netrace type; 0 if there is no such type.
constexpr std::array<std::uint8_t, 31> PacketBytes = {0,  8, 72, 72, 72, 8, 72, 0, 0, 0, 0, 0, 0, 8, 8, 8,
                                                      72, 0, 0,  0,  0,  0, 0,  0, 0, 8, 0, 8, 8, 8, 72};

bool is_packet_type(std::size_t type) { return type < PacketBytes.size() && PacketBytes[type] != 0; }

/// Returns the valid types as a text for messages, such as "1 to 6, 13 or 15 to 16".
std::string packet_types() {
  std::vector<std::string> runs;
  for (std::size_t first = 0; first < PacketBytes.size(); ++first) {
    if (!is_packet_type(first)) continue;
    std::size_t last = first;
    while (is_packet_type(last + 1)) ++last;
    runs.push_back(first == last ? fmt::format("{}", first) : fmt::format("{} to {}", first, last));
    first = last;
  }
  const std::string last = std::move(runs.back());
  runs.pop_back();
  return fmt::format("{} or {}", fmt::join(runs, ", "), last);
}

class netrace_parser {
 public:
  netrace_parser(std::istream& in, std::string name) : m_in(in), m_name(std::move(name)) {}

  replay_program parse(std::uint32_t number) {
    header found = read_header();
    if (number > found.regions.size())
      throw workload_error(fmt::format("{}: the trace has {} regions, but region {} is requested", m_name,
                                       found.regions.size(), number));
    if (found.regions.empty()) found.regions.push_back({0, found.packets});
    const std::size_t last = number > 0 ? number : found.regions.size();
    for (std::size_t i = 0; i < last; ++i) {
      expect_region(i, found.regions[i]);
      for (std::uint64_t n = 0; n < found.regions[i].packets; ++n) read_packet(found, number == 0 || number == i + 1);
    }
    if (last < found.regions.size())
      expect_region(last, found.regions[last]);
    else
      expect_end();
    if (m_program.messages.empty()) wrong(m_at, "the trace has no packets; expected at least one");
    resolve();
    m_program.ranks.resize(found.nodes);
    return std::move(m_program);
  }

 private:
  static constexpr std::string_view Remedy = "copy or record the trace again";

  struct region {
    std::uint64_t offset, packets;
  };
  struct header {
    std::uint32_t nodes = 0;
    std::uint64_t cycles = 0, packets = 0;
    std::vector<region> regions;
  };

  /// Reports an error. \param byte position of the error in the uncompressed trace
  [[noreturn]] void wrong(std::uint64_t byte, const std::string& what) const {
    throw workload_error(fmt::format("{}: byte {}: {}", m_name, byte, what));
  }

  /// Reads \p count bytes, or fewer at the end of the trace.
  std::string up_to(std::size_t count) {
    std::string all(count, '\0');
    try {
      m_in.read(all.data(), static_cast<std::streamsize>(count));
    } catch (const std::ios::failure&) {  // also from bzip2; the caller reports the details
      wrong(m_at, "the trace cannot be read from here on; copy it again");
    }
    all.resize(static_cast<std::size_t>(m_in.gcount()));
    m_at += all.size();
    return all;
  }
  /// Reads \p count bytes. \param of name of the structure that contains the bytes, for messages
  std::string bytes(std::size_t count, const std::string& of, std::uint64_t begin) {
    std::string all = up_to(count);
    if (all.size() != count)
      wrong(begin, fmt::format("{} begins here, but the trace already ends at byte {}; {}", of, m_at, Remedy));
    return all;
  }
  /// Reads a little-endian number of \p Bytes bytes.
  template <unsigned Bytes>
  static std::uint64_t take(std::string_view& from) {
    const std::uint64_t value = fixed_number(from.data(), Bytes);
    from.remove_prefix(Bytes);
    return value;
  }

  header read_header() {
    constexpr std::size_t HeaderBytes = 72, OneAsFloat = 0x3f800000;
    constexpr std::uint64_t VersionAt = 4, NodesAt = 38, CyclesAt = 40, MostCycles = Never / 2;
    const std::string text = bytes(HeaderBytes, "the header", 0);
    std::string_view rest = text;
    if (rest.substr(0, Magic.size()) != Magic)
      wrong(0, fmt::format("the trace does not begin with {}, so it is not a netrace; unpack traces in other formats",
                           Magic));
    rest.remove_prefix(Magic.size());
    if (take<4>(rest) != OneAsFloat) wrong(VersionAt, "the netrace has an unknown version; expected 1.0");
    m_program.name = std::string(rest.substr(0, std::min(rest.find('\0'), NameLength)));
    rest.remove_prefix(NameLength);
    header h;
    h.nodes = static_cast<std::uint32_t>(take<1>(rest));
    take<1>(rest);  // padding
    h.cycles = take<8>(rest);
    h.packets = take<8>(rest);
    const std::uint64_t notes = take<4>(rest), regions = take<4>(rest);
    if (h.nodes == 0 || notes >= MostNotes || regions > MostRegions)
      wrong(NodesAt, fmt::format("the header gives {} nodes, {} bytes of notes and {} regions; expected 1 to 255 "
                                 "nodes, at most {} bytes and at most {} regions; {}",
                                 h.nodes, notes, regions, MostNotes - 1, MostRegions, Remedy));
    if (h.cycles > MostCycles)
      wrong(CyclesAt, fmt::format("the header gives {} cycles; expected at most {}; {}", h.cycles, MostCycles, Remedy));
    bytes(notes, "the part with notes", m_at);
    read_regions(h, regions);
    m_packets_at = m_at;
    return h;
  }

  void read_regions(header& h, std::uint64_t count) {
    constexpr std::size_t RegionBytes = 24;
    constexpr std::uint64_t PacketsAt = 48;
    std::vector<std::uint64_t> counts;
    std::uint64_t left = h.packets;
    bool fit = true;
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::string entry = bytes(RegionBytes, fmt::format("the description of region {}", i + 1), m_at);
      std::string_view fields = entry;
      region r{};
      r.offset = take<8>(fields);
      take<8>(fields);  // cycles
      r.packets = take<8>(fields);
      fit = fit && r.packets <= left;
      if (fit) left -= r.packets;
      counts.push_back(r.packets);
      h.regions.push_back(r);
    }
    if (count > 0 && (!fit || left > 0))
      wrong(PacketsAt, fmt::format("the header counts {} packets, but its regions have {} packets; {}", h.packets,
                                   fmt::join(counts, " + "), Remedy));
  }

  /// Checks that the packets before \p r end where it begins.
  void expect_region(std::size_t i, const region& r) const {
    if (m_at - m_packets_at != r.offset)
      wrong(m_at, fmt::format("the packets before region {} end here, {} bytes after the header, but the offset of the "
                              "region is {} bytes; {}",
                              i + 1, m_at - m_packets_at, r.offset, Remedy));
  }

  void expect_end() {
    const std::uint64_t end = m_at;
    if (!up_to(1).empty())
      wrong(end,
            fmt::format("more data follow packet {}, the last packet that the header counts; {}", m_packets, Remedy));
  }

  void read_packet(const header& file_header, bool keeps) {
    constexpr std::size_t PacketHead = 21;
    constexpr std::uint64_t TypeAt = 16, SourceAt = 17;
    const std::uint64_t begin = m_at;
    const std::string of = fmt::format("packet {} of the trace", ++m_packets);
    const std::string text = bytes(PacketHead, of, begin);
    std::string_view rest = text;
    listed_message m;
    m.cycle = take<8>(rest);
    m.id = take<4>(rest);
    take<4>(rest);  // address
    const std::uint64_t type = take<1>(rest);
    m.source = static_cast<std::uint32_t>(take<1>(rest));
    m.destination = static_cast<std::uint32_t>(take<1>(rest));
    take<1>(rest);  // node types
    const std::uint64_t dependent = take<1>(rest);
    if (m.source >= file_header.nodes || m.destination >= file_header.nodes)
      wrong(begin + SourceAt, fmt::format("{} goes from node {} to node {}; expected nodes 0 to {}; {}", of, m.source,
                                          m.destination, file_header.nodes - 1, Remedy));
    if (!is_packet_type(type))
      wrong(begin + TypeAt,
            fmt::format("{} has the unknown type {}; expected type {}; {}", of, type, packet_types(), Remedy));
    m.bytes = PacketBytes[type];
    if (m.cycle < m_cycle || m.cycle > file_header.cycles)
      wrong(begin, fmt::format("{} has cycle {}; expected {} (the cycle of the packet before it) to {} (the number of "
                               "cycles in the header); {}",
                               of, m.cycle, m_cycle, file_header.cycles, Remedy));
    m_cycle = m.cycle;
    const std::string list = bytes(4 * dependent, of, begin);
    if (keeps) keep(std::move(m), list, of, begin);
  }

  /// Adds a message. \param dependent ids of the packets that depend on it, as in the trace
  void keep(listed_message m, std::string_view dependent, const std::string& of, std::uint64_t begin) {
    constexpr std::uint64_t NumberAt = 8;
    if (m_program.messages.empty()) m_first = m.cycle;
    m.cycle -= m_first;
    m.waits_for_arrival = true;
    const auto index = static_cast<std::uint32_t>(m_program.messages.size());
    if (!m_at_number.emplace(m.id, index).second)
      wrong(begin + NumberAt,
            fmt::format("{} has the number {}, which an earlier packet already has; {}", of, m.id, Remedy));
    while (!dependent.empty()) m_dependent.emplace_back(index, static_cast<std::uint32_t>(take<4>(dependent)));
    m_program.messages.push_back(std::move(m));
  }

  /// Converts the lists of dependent packets to dependencies. Packets outside the trace or the region are ignored.
  void resolve() {
    for (const auto& [before, id] : m_dependent)
      if (const auto found = m_at_number.find(id); found != m_at_number.end())
        m_program.messages[found->second].after.push_back(before);
    if (const std::vector<std::uint32_t> circle = waiting_circle(m_program.messages); !circle.empty())
      throw workload_error(fmt::format("{}: the packet with number {} depends on itself in a cycle of {} packets; {}",
                                       m_name, m_program.messages[circle.front()].id, circle.size(), Remedy));
  }

  std::istream& m_in;
  const std::string m_name;
  replay_program m_program;
  std::uint64_t m_at = 0;                                            ///< number of bytes read
  std::uint64_t m_packets_at = 0;                                    ///< byte where the packets begin
  std::uint64_t m_packets = 0;                                       ///< number of packets read
  std::uint64_t m_cycle = 0;                                         ///< cycle of the packet read last
  std::uint64_t m_first = 0;                                         ///< cycle of the first selected packet
  std::unordered_map<std::uint64_t, std::uint32_t> m_at_number;      ///< for each packet id, the index of the message
  std::vector<std::pair<std::uint32_t, std::uint32_t>> m_dependent;  ///< message, and id of its dependent
};

std::string beginning_of(const std::filesystem::path& file) {
  std::string first(Magic.size(), '\0');
  std::ifstream in(file, std::ios::binary);
  in.read(first.data(), static_cast<std::streamsize>(first.size()));
  first.resize(static_cast<std::size_t>(in.gcount()));
  return first;
}

bool is_packed(const std::string& first) { return first.compare(0, Packed.size(), Packed) == 0; }

/// Returns the byte of \p file at which decompression fails; nothing if it succeeds.
std::optional<std::streamoff> byte_of_damage(const std::filesystem::path& file) {
  constexpr std::streamsize ByteByByte = 1;  // prevents read-ahead
  std::ifstream from(file, std::ios::binary);
  boost::iostreams::filtering_istream in;
  in.push(boost::iostreams::bzip2_decompressor(false, ByteByByte));
  in.push(from, ByteByByte);
  in.ignore(std::numeric_limits<std::streamsize>::max());
  if (!in.bad()) return std::nullopt;
  return from.rdbuf()->pubseekoff(0, std::ios::cur, std::ios::in);
}

}  // namespace

bool is_netrace(const std::filesystem::path& file) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error)) return false;
  const std::string first = beginning_of(file);
  return first == Magic || is_packed(first);
}

replay_program parse_netrace(std::istream& in, const std::string& name, std::uint32_t region) {
  return netrace_parser(in, name).parse(region);
}

replay_program read_netrace(const std::filesystem::path& file, std::uint32_t region) {
  const bool packed = is_packed(beginning_of(file));
  std::ifstream from(file, std::ios::binary);
  boost::iostreams::filtering_istream in;
  if (packed) in.push(boost::iostreams::bzip2_decompressor());
  in.push(from);
  in.exceptions(std::ios::badbit);
  try {
    return parse_netrace(in, file.string() + (packed ? ", unpacked" : ""), region);
  } catch (const workload_error&) {
    // bzip2 outputs a damaged block before it reports the damage, so an error in that block is not an error of the
    // trace.
    const std::optional<std::streamoff> damage = packed ? byte_of_damage(file) : std::nullopt;
    if (!damage) throw;
    throw workload_error(
        fmt::format("{}: byte {} of the packed file: the block that contains this byte or ends before it cannot be "
                    "unpacked; copy the file again",
                    file.string(), *damage));
  }
}

}  // namespace weft
