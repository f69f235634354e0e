// SPDX-License-Identifier: Apache-2.0
/// Routing in networks of rings that have single routers in common, with two VC classes.
///
/// Such rings form a tree. One of them is its root; every other hangs from the ring nearer to the root at one router,
/// its joint. (In the root any router will do.) In each ring a packet that has the joint still ahead, or ends there,
/// goes in the first class; one that leaves the joint or has passed it, in the second; one that never comes to it keeps
/// to either class, by where it leaves the ring. So
///
/// - in a ring, neither class goes on from the channels that enter the joint to those that leave it;
/// - from the second class packets change only to the second class of rings further from the root, never to a first
///   class;
/// - from the first they change to that of the ring nearer to the root, or to a second class.
///
/// So no dependency leads back, and two classes are enough for a tree of any depth: the dateline of Dally and Seitz
/// (1987) put where packets change rings anyway serves the paths up and down as well.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/topology/options.h"
#include "weft/topology/topology.h"

namespace weft {

/// One ring. Positions 0 … size-1 in the + direction.
struct ring_line {
  std::uint32_t size = 1;
  bool one_way = false;     ///< there are channels in the + direction only
  std::uint32_t joint = 0;  ///< position

  /// The shortest path: whether it goes in the - direction, and its channels. Half way round, routers take turns.
  bool goes_minus(std::uint32_t from, std::uint32_t to) const;
  std::uint32_t distance(std::uint32_t from, std::uint32_t to) const;
  /// Whether a packet that goes from \p from to \p to comes to the joint; not if it starts there.
  bool comes_to_joint(std::uint32_t from, std::uint32_t to) const;
  /// Whether packets that never come to the joint and leave the ring at \p to use the second class. Every second
  /// position, in large rings every second stretch of positions, so that routing tables stay short.
  bool prefers_second(std::uint32_t to) const { return to / ((size + 31) / 32) % 2 != 0; }
  /// Whether a packet at \p from that leaves the ring at \p to goes in the second class, unless it is in it already.
  bool second_class(std::uint32_t from, std::uint32_t to) const;
};

/// How a packet goes on to its destination.
struct ring_hop {
  std::uint32_t port = 0;     ///< output port; to a node, the first of those that lead to it
  bool local = false;         ///< to a node
  bool second_class = false;  ///< unless it is in the second class already, which it never leaves
  friend bool operator==(const ring_hop& a, const ring_hop& b) {
    return a.port == b.port && a.local == b.local && a.second_class == b.second_class;
  }
};

/// The routing table of one router, as runs of destinations.
class ring_table {
 public:
  /// Destinations from \p first on, up to the next that is added, go by \p hop. The first is 0; they rise.
  void add(node_id first, const ring_hop& hop);
  /// The table. Ports before \p first_local lead to routers, the others to nodes, options.nic_ports to each; what came
  /// in by port i leaves by the (i mod nic_ports)-th. The VCs are divided evenly among the classes.
  table_rule rule(std::uint32_t first_local, std::uint32_t ports, std::size_t destinations,
                  const network_options& options) const;

 private:
  std::vector<node_id> m_first;
  std::vector<ring_hop> m_hops;
};

}  // namespace weft
