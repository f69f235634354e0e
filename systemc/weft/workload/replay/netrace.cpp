// SPDX-License-Identifier: Apache-2.0
#include "weft/workload/replay/netrace.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <limits>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include <boost/iostreams/filter/bzip2.hpp>
#include <boost/iostreams/filtering_stream.hpp>
#include <fmt/format.h>

#include "weft/trace/trace_bytes.h"
#include "weft/workload/error.h"

namespace weft {

namespace {

constexpr std::string_view Magic = "UTJH", Packed = "BZh";
constexpr std::uint32_t MostNotes = 8192, MostRegions = 100;
constexpr std::size_t NameLength = 30;

/// Bytes of a packet by its type, as netrace has them; 0: there is no such type.
constexpr std::array<std::uint8_t, 31> PacketBytes = {0,  8, 72, 72, 72, 8, 72, 0, 0, 0, 0, 0, 0, 8, 8, 8,
                                                      72, 0, 0,  0,  0,  0, 0,  0, 0, 8, 0, 8, 8, 8, 72};

class netrace_parser {
 public:
  netrace_parser(std::istream& in, std::string name) : m_in(in), m_name(std::move(name)) {}

  replay_program parse(std::uint32_t asked) {
    const header found = read_header();
    std::uint64_t packets = found.packets;
    if (asked > 0) {
      if (asked > found.regions.size())
        wrong(fmt::format("has {} regions, expected region {} to be there", found.regions.size(), asked));
      const region& wanted = found.regions[asked - 1];
      m_in.ignore(static_cast<std::streamsize>(
          std::min<std::uint64_t>(wanted.offset, std::numeric_limits<std::streamsize>::max() / 2)));
      packets = wanted.packets;
    }
    for (std::uint64_t i = 0; i < packets; ++i) read_packet(i, found.nodes);
    if (m_program.messages.empty()) wrong("has no packets");
    resolve();
    m_program.ranks.resize(found.nodes);
    return std::move(m_program);
  }

 private:
  struct region {
    std::uint64_t offset, cycles, packets;
  };
  struct header {
    std::uint32_t nodes = 0;
    std::uint64_t packets = 0;
    std::vector<region> regions;
  };

  [[noreturn]] void wrong(const std::string& what) const { throw workload_error(m_name + ": " + what); }

  std::string bytes(std::size_t count, const std::string& of) {
    std::string all(count, '\0');
    m_in.read(all.data(), static_cast<std::streamsize>(count));
    if (static_cast<std::size_t>(m_in.gcount()) != count) wrong("ends within " + of + "; expected a whole trace");
    return all;
  }
  /// A number of \p Bytes bytes, the least first.
  template <unsigned Bytes>
  static std::uint64_t take(std::string_view& from) {
    const std::uint64_t value = fixed_number(from.data(), Bytes);
    from.remove_prefix(Bytes);
    return value;
  }

  header read_header() {
    constexpr std::size_t HeaderBytes = 72, RegionBytes = 24, OneAsFloat = 0x3f800000;
    const std::string text = bytes(HeaderBytes, "the header");
    std::string_view rest = text;
    if (rest.substr(0, Magic.size()) != Magic) wrong("is no netrace: expected it to begin with " + std::string(Magic));
    rest.remove_prefix(Magic.size());
    if (take<4>(rest) != OneAsFloat) wrong("is a netrace of another version; expected 1.0");
    m_program.name = std::string(rest.substr(0, std::min(rest.find('\0'), NameLength)));
    rest.remove_prefix(NameLength);
    header h;
    h.nodes = static_cast<std::uint32_t>(take<1>(rest));
    take<1>(rest);  // filled up
    take<8>(rest);  // cycles
    h.packets = take<8>(rest);
    const std::uint64_t notes = take<4>(rest), regions = take<4>(rest);
    if (h.nodes == 0 || notes >= MostNotes || regions > MostRegions)
      wrong(fmt::format("is damaged: {} nodes, {} bytes of notes, {} regions; expected 1 to 255, up to {}, up to {}",
                        h.nodes, notes, regions, MostNotes - 1, MostRegions));
    bytes(notes, "its notes");
    for (std::uint64_t i = 0; i < regions; ++i) {
      const std::string entry = bytes(RegionBytes, "its regions");
      std::string_view fields = entry;
      region r{};
      r.offset = take<8>(fields);
      r.cycles = take<8>(fields);
      r.packets = take<8>(fields);
      h.regions.push_back(r);
    }
    return h;
  }

  void read_packet(std::uint64_t number, std::uint32_t nodes) {
    constexpr std::size_t PacketHead = 21;
    const std::string of = fmt::format("packet {} of the trace", number + 1);
    const std::string text = bytes(PacketHead, of);
    std::string_view rest = text;
    listed_message m;
    m.cycle = take<8>(rest);
    m.id = take<4>(rest);
    take<4>(rest);  // address
    const std::uint64_t type = take<1>(rest);
    m.source = static_cast<std::uint32_t>(take<1>(rest));
    m.destination = static_cast<std::uint32_t>(take<1>(rest));
    take<1>(rest);  // kinds of its ends
    const std::uint64_t dependent = take<1>(rest);
    if (m.source >= nodes || m.destination >= nodes)
      wrong(fmt::format("{} goes from node {} to node {}; expected nodes 0 to {}", of, m.source, m.destination,
                        nodes - 1));
    if (type >= PacketBytes.size() || PacketBytes[type] == 0)
      wrong(fmt::format("{} has the unknown type {}", of, type));
    if (m_program.messages.empty()) m_first = m.cycle;
    if (m.cycle < m_first) wrong(fmt::format("{} is of cycle {}, before the first, of {}", of, m.cycle, m_first));
    m.cycle -= m_first;
    m.bytes = PacketBytes[type];
    m.waits_for_arrival = true;
    const auto index = static_cast<std::uint32_t>(m_program.messages.size());
    if (!m_at.emplace(m.id, index).second) wrong(fmt::format("{} has the number {}, which is there already", of, m.id));
    const std::string list = bytes(4 * dependent, of);
    std::string_view ids = list;
    for (std::uint64_t i = 0; i < dependent; ++i)
      m_dependent.emplace_back(index, static_cast<std::uint32_t>(take<4>(ids)));
    m_program.messages.push_back(std::move(m));
  }

  /// A packet names those that depend on it; the ones that are not in the trace, or in the region, are left out.
  void resolve() {
    for (const auto& [before, id] : m_dependent)
      if (const auto found = m_at.find(id); found != m_at.end())
        m_program.messages[found->second].after.push_back(before);
    if (const std::vector<std::uint32_t> circle = waiting_circle(m_program.messages); !circle.empty())
      wrong(fmt::format("packet {} depends on itself, over {} packets", m_program.messages[circle.front()].id,
                        circle.size()));
  }

  std::istream& m_in;
  const std::string m_name;
  replay_program m_program;
  std::uint64_t m_first = 0;                                         ///< cycle of the first packet
  std::unordered_map<std::uint64_t, std::uint32_t> m_at;             ///< messages, by id
  std::vector<std::pair<std::uint32_t, std::uint32_t>> m_dependent;  ///< message, and the id of one that waits for it
};

std::string beginning_of(const std::filesystem::path& file) {
  std::string first(Magic.size(), '\0');
  std::ifstream in(file, std::ios::binary);
  in.read(first.data(), static_cast<std::streamsize>(first.size()));
  first.resize(static_cast<std::size_t>(in.gcount()));
  return first;
}

bool is_packed(const std::string& first) { return first.compare(0, Packed.size(), Packed) == 0; }

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
  std::ifstream from(file, std::ios::binary);
  boost::iostreams::filtering_istream in;
  if (is_packed(beginning_of(file))) in.push(boost::iostreams::bzip2_decompressor());
  in.push(from);
  in.exceptions(std::ios::badbit);
  try {
    return parse_netrace(in, file.string(), region);
  } catch (const std::ios::failure& e) {  // what bzip2 says
    throw workload_error(fmt::format("{}: cannot be unpacked: {}", file.string(), e.what()));
  }
}

}  // namespace weft
