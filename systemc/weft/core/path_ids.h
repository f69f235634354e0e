// SPDX-License-Identifier: Apache-2.0
/// Path ids. A path id is a number in the head flit that represents the source's choice of route: the order of
/// dimensions for O1TURN, the intermediate router for Valiant's routing and ROMM, the ascent in a fat tree. These are
/// drawn at random. For layered routing it is the layer, and for source routing the whole path; the source looks these
/// up by destination.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <vector>

#include "weft/core/division.h"
#include "weft/core/quadrant.h"
#include "weft/core/random.h"
#include "weft/core/types.h"

namespace weft {

/// One packet of a send sequence: the port by which it leaves the NIC, and its path id.
struct sequenced_packet {
  std::uint32_t port = 0;
  std::uint64_t path_id = 0;
};

/// The path id of packet number \p number of a NIC, drawn from \p count ids.
constexpr std::uint64_t random_path_id(std::uint64_t seed, std::uint64_t number, std::uint64_t count) {
  return count == 1 ? 0 : modulo<64>(splitmix64(seed, number), count);
}

/// Selects the path id of a packet. The function is pure, so all levels select the same path ids.
struct path_selector {
  std::uint64_t count = 1;                    ///< each packet draws one of 0…count-1, ≥ 1
  std::uint64_t seed = 0;                     ///< seed of the draws; each node has its own
  std::vector<std::uint64_t> by_destination;  ///< if not empty, the path id for each destination; nothing is drawn
  /// If not empty, the port and path id of each packet of the node, in order; the node sends no other packets. Networks
  /// that run a schedule use this. Each port then has a source queue of its own.
  std::vector<sequenced_packet> send_sequence{};
  /// If it has dimensions, each packet draws the number of a router in the minimal quadrant of its destination. All
  /// numbers are below count.
  quadrant within{};

  bool chooses() const { return count > 1 || !by_destination.empty() || !send_sequence.empty(); }
  bool drawn() const { return by_destination.empty() && count > 1; }
  /// Number of path ids from which a packet to \p destination draws one. Requires drawn().
  std::uint64_t choices(node_id destination) const {
    return within.dimensions == 0 ? count : within.count(destination);
  }
  /// Number \p index, below choices(), of these path ids.
  std::uint64_t choice(node_id destination, std::uint64_t index) const {
    return within.dimensions == 0 ? index : within.router(destination, index);
  }
  /// Selects the path id of a packet for a node without a send sequence.
  /// \param number number of the packet among those of its NIC
  std::uint64_t operator()(node_id destination, std::uint64_t number) const {
    if (!by_destination.empty()) return by_destination[destination];
    return choice(destination, random_path_id(seed, number, choices(destination)));
  }
};

/// What a routing function reads from a random path id. This determines which path ids are sufficient to cover all
/// routes. Each routing rule reports it by use_of_path_id().
enum class path_id_use : std::uint8_t {
  Nothing,  ///< nothing, or for_all_path_ids() covers all of them
  IsZero,   ///< whether it is 0; packets of either kind have VCs of their own
  Router,   ///< an intermediate router; packets have VCs of their own until they reach it
  Node,     ///< an intermediate node; packets have VCs of their own until they reach its router
  Layer,    ///< the number of a layer; packets of each layer have VCs of their own
  Each,     ///< any two may differ, on the same VCs
};

/// The path ids of the packets that leave by one port of a NIC, in order.
class path_id_sequence {
 public:
  /// \p rule must outlive this object. The packets of port \p port have the numbers port, port + ports, … at the NIC.
  path_id_sequence(const path_selector& rule, unsigned port, unsigned ports)
      : m_rule(rule), m_port(port), m_ports(ports) {
    for (const sequenced_packet& p : rule.send_sequence)
      if (p.port == port) m_sequenced_path_ids.push_back(p.path_id);
    restart();
  }

  /// The path id of the next packet, to \p destination. \throws std::out_of_range past the end of a send sequence
  std::uint64_t next(node_id destination) {
    if (!m_rule.send_sequence.empty()) return m_sequenced_path_ids.at(m_number++);
    const std::uint64_t path_id = m_rule(destination, m_number);
    m_number += m_ports;
    return path_id;
  }

  void restart() { m_number = m_rule.send_sequence.empty() ? m_port : 0; }

 private:
  const path_selector& m_rule;
  unsigned m_port, m_ports;
  std::vector<std::uint64_t> m_sequenced_path_ids;  ///< path ids of this port, with a send sequence
  /// Number of the next packet: at this port if there is a send sequence, otherwise at the NIC.
  std::uint64_t m_number = 0;
};

/// A path in 64 bits: up to eight segments of eight bits, the first one lowest. A segment is an output port (low four
/// bits) and its number of consecutive uses minus one. The last segment is the output port to the node.
class source_path {
 public:
  static constexpr unsigned MaxSegments = 8, MaxRepeats = 16;

  /// Packs the path through output \p ports, one for each router, the port to the node last.
  /// \throws std::length_error if it needs more than MaxSegments segments
  static std::uint64_t pack(const std::vector<unsigned>& ports) {
    std::uint64_t path = 0;
    unsigned segments = 0;
    for (std::size_t i = 0; i < ports.size();) {
      std::size_t end = i + 1;
      while (end < ports.size() && ports[end] == ports[i] && end - i < MaxRepeats) ++end;
      if (segments == MaxSegments)
        throw std::length_error("source path: expected at most 8 straight segments of up to 16 routers each, got more");
      path |= (std::uint64_t{ports[i]} | (end - i - 1) << 4) << 8 * segments++;
      i = end;
    }
    return path;
  }

  /// The output port of \p path at the current router.
  static unsigned port(std::uint64_t path) { return static_cast<unsigned>(path & 0xf); }
  /// The remaining path after the current router.
  static std::uint64_t advance(std::uint64_t path) { return (path & 0xf0) != 0 ? path - 0x10 : path >> 8; }
};
static_assert(MaxPorts <= 16, "a segment of a source_path has four bits for the port");

}  // namespace weft
