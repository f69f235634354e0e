// SPDX-License-Identifier: Apache-2.0
/// Routing in networks of rings that share single routers, with two VC classes.
/// Such rings form a tree. One ring is the root. Every other ring is attached to the ring nearer to the root at one
/// router, its joint; in the root, any router serves as the joint. In each ring, a packet that will reach the joint
/// uses the first class. A packet that leaves the joint or has passed it uses the second class. A packet that never
/// reaches the joint keeps one class, which depends on where it leaves the ring. Therefore:
/// - Within a ring, no packet stays in the same class when it goes on from a channel that enters the joint to one that
///   leaves it.
/// - Packets in the second class change only to the second class of rings farther from the root, never to a first
///   class.
/// - Packets in the first class change to the first class of the ring nearer to the root, or to a second class.
/// No dependency leads back, so two classes are enough for a tree of any depth. The joint takes the place of the
/// dateline of Dally and Seitz (1987).
#pragma once

#include <cstdint>
#include <vector>

#include "weft/topology/options.h"
#include "weft/topology/topology.h"

namespace weft {

/// One ring, with positions 0 … size-1 in the + direction.
struct ring_line {
  std::uint32_t size = 1;
  bool one_way = false;     ///< there are channels in the + direction only
  std::uint32_t joint = 0;  ///< position

  /// Whether the shortest path from \p from to \p to goes in the - direction. If both directions are equally long, the
  /// direction alternates between routers.
  bool goes_minus(std::uint32_t from, std::uint32_t to) const;
  /// Number of channels on the shortest path from \p from to \p to.
  std::uint32_t distance(std::uint32_t from, std::uint32_t to) const;
  /// Whether a packet from \p from to \p to reaches the joint. Returns false if it starts there.
  bool comes_to_joint(std::uint32_t from, std::uint32_t to) const;
  /// Whether packets that leave the ring at \p to without reaching the joint use the second class. This holds for every
  /// second position; in large rings, for every second run of positions, which makes routing tables shorter.
  bool prefers_second(std::uint32_t to) const { return to / ((size + 31) / 32) % 2 != 0; }
  /// Whether a packet that is not in the second class yet uses it on the path from \p from to \p to.
  bool second_class(std::uint32_t from, std::uint32_t to) const;
};

/// The next hop of a packet.
struct ring_hop {
  std::uint32_t port = 0;     ///< output port; for a node, the first of the ports that lead to it
  bool local = false;         ///< to a node
  bool second_class = false;  ///< change to the second class; a packet never leaves the second class
  friend bool operator==(const ring_hop& a, const ring_hop& b) {
    return a.port == b.port && a.local == b.local && a.second_class == b.second_class;
  }
};

/// Builds the routing table of one router from runs of destinations.
class ring_table {
 public:
  /// Adds a run: packets to the destinations from \p first up to the next run use \p hop. The first run starts at 0,
  /// and the starts increase.
  void add(node_id first, const ring_hop& hop);
  /// Returns the table. Ports before \p first_local lead to routers. The other ports lead to nodes, options.nic_ports
  /// ports to each node; a packet that entered by port i leaves by port number i mod nic_ports of its node. The VCs are
  /// divided evenly among the classes.
  table_rule rule(std::uint32_t first_local, std::uint32_t ports, std::size_t destinations,
                  const network_options& options) const;

 private:
  std::vector<node_id> m_first;
  std::vector<ring_hop> m_hops;
};

}  // namespace weft
