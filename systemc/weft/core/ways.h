// SPDX-License-Identifier: Apache-2.0
/// What the source decides about a packet's route: its way, a number that travels in the head flit. O1TURN draws the
/// order of the dimensions, Valiant's routing an intermediate router, a fat tree its ascent; layered routing looks up
/// the layer, source routing the whole path.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <vector>

#include "weft/core/division.h"
#include "weft/core/random.h"
#include "weft/core/types.h"

namespace weft {

/// What a NIC does with one packet of a programme: the port by which it leaves, and its way.
struct programmed_packet {
  std::uint32_t port = 0;
  std::uint64_t way = 0;
};

/// The way that packet number \p number of a NIC draws, of \p count ways.
constexpr std::uint64_t drawn_way(std::uint64_t seed, std::uint64_t number, std::uint64_t count) {
  return count == 1 ? 0 : rest<64>(splitmix64(seed, number), count);
}

/// How a NIC chooses the way of a packet. A pure function, so that all levels choose alike.
struct way_rule {
  std::uint64_t count = 1;                    ///< each packet draws one of 0…count-1, ≥ 1
  std::uint64_t seed = 0;                     ///< of the draws; each node has its own
  std::vector<std::uint64_t> by_destination;  ///< if not empty, the way to each node is fixed and nothing is drawn
  /// If not empty, it says for the first, second, … packet of the node where it goes, and the node sends no more: the
  /// network runs a schedule. Each port has a source queue of its own.
  std::vector<programmed_packet> programme{};

  bool chooses() const { return count > 1 || !by_destination.empty() || !programme.empty(); }
  bool drawn() const { return by_destination.empty() && count > 1; }
  /// Without a programme. \param number of the packet among those of its NIC
  std::uint64_t operator()(node_id destination, std::uint64_t number) const {
    if (!by_destination.empty()) return by_destination[destination];
    return drawn_way(seed, number, count);
  }
};

/// What a routing function reads from a way that was drawn: from this follows which ways show all that packets may do.
/// Each rule has a function use_of_way() that says it.
enum class way_use : std::uint8_t {
  Nothing,  ///< nothing, or for_all_ways() answers for all together
  IsZero,   ///< whether it is 0; packets of either kind have VCs of their own
  Router,   ///< a router to go by, on VCs of their own until they are there
  Layer,    ///< the number of a layer; packets of each have VCs of their own
  Each,     ///< any two may differ, on the same VCs
};

/// The ways of the packets that leave by one port of a NIC, in their order.
class way_sequence {
 public:
  /// \p rule outlives it. Port \p port of \p ports draws the numbers port, port + ports, …
  way_sequence(const way_rule& rule, unsigned port, unsigned ports) : m_rule(rule), m_port(port), m_ports(ports) {
    for (const programmed_packet& p : rule.programme)
      if (p.port == port) m_programmed.push_back(p.way);
    restart();
  }

  /// The way of the next packet, to \p destination. \throws std::out_of_range past the end of a programme
  std::uint64_t next(node_id destination) {
    if (!m_rule.programme.empty()) return m_programmed.at(m_number++);
    const std::uint64_t way = m_rule(destination, m_number);
    m_number += m_ports;
    return way;
  }

  void restart() { m_number = m_rule.programme.empty() ? m_port : 0; }

 private:
  const way_rule& m_rule;
  unsigned m_port, m_ports;
  std::vector<std::uint64_t> m_programmed;  ///< of this port, with a programme
  std::uint64_t m_number = 0;               ///< of the next packet: of the port with a programme, else of the NIC
};

/// A path in 64 bits: up to eight segments of eight bits, the first lowest. A segment is an output port (low four bits)
/// and how often in a row it is taken, less one. The last segment is the output port to the node.
class source_path {
 public:
  static constexpr unsigned MaxSegments = 8, MaxRepeats = 16;

  /// The path through output \p ports, one for each router, the one to the node last.
  /// \throws std::length_error if it has more segments than fit
  static std::uint64_t pack(const std::vector<unsigned>& ports) {
    std::uint64_t path = 0;
    unsigned segments = 0;
    for (std::size_t i = 0; i < ports.size();) {
      std::size_t end = i + 1;
      while (end < ports.size() && ports[end] == ports[i] && end - i < MaxRepeats) ++end;
      if (segments == MaxSegments) throw std::length_error("a path has at most 8 straight segments of 16 routers");
      path |= (std::uint64_t{ports[i]} | (end - i - 1) << 4) << 8 * segments++;
      i = end;
    }
    return path;
  }

  /// The output port that \p path takes at the router it has come to.
  static unsigned port(std::uint64_t path) { return static_cast<unsigned>(path & 0xf); }
  /// What is left of it behind that router.
  static std::uint64_t rest(std::uint64_t path) { return (path & 0xf0) != 0 ? path - 0x10 : path >> 8; }
};
static_assert(MaxPorts <= 16, "a segment of a source_path has four bits for the port");

}  // namespace weft
