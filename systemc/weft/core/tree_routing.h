// SPDX-License-Identifier: Apache-2.0
/// Routing in fat trees and in hypercubes.
#pragma once

#include <cstdint>

#include "weft/core/members.h"
#include "weft/core/path_ids.h"
#include "weft/core/route.h"
#include "weft/core/types.h"

namespace weft {

/// How a packet ascends to a nearest common ancestor of source and destination. The descent from there is unique.
enum class ascent : std::uint8_t {
  DestinationModulo,  ///< the parent is a digit of the destination (D-mod-k, Zahavi 2012)
  Random,             ///< a digit of a number that the source draws
  LeastLoaded,        ///< the parent with the most credits
};

/// The routing function of one router of an extended generalized fat tree. The ports to the children come first, then
/// those to the parents. Below the router are the leaves first … first + span · children - 1, span of them below each
/// child.
///
/// Digits of the destination, or of the number that the source draws, select the parents of levels 1, 2, …, lowest
/// first: a router of level l has the divisor w2 · … · wl. Where leaves themselves have several parents (w1 > 1), these
/// parents are roots of trees that share only the leaves, and the NIC selects one at injection. So w1 is not a factor
/// of the divisor: with it, all packets from one router of level 1 to the leaves of another would use the same ascent.
struct tree_rule {
  ascent up = ascent::DestinationModulo;
  node_id first = 0;
  std::uint32_t span = 1;
  unsigned children = 1;
  unsigned parents = 0;
  unsigned child_ports = 1;   ///< channels to each child; a flit that arrives at port i leaves by i mod child_ports
  std::uint64_t divisor = 1;  ///< place value of the digit that selects the parent
  vc_set vcs = 0;

  route answer(const route_query& q) const {
    const node_id offset = q.destination - first;  // huge if the destination is below first
    const unsigned first_up = children * child_ports;
    route r;
    if (offset < span * children) {
      const unsigned child = divide<NodeBits>(offset, span), parallel = modulo<4>(q.in_port, child_ports);
      r.port = static_cast<std::uint8_t>(child * child_ports + parallel);
      r.vcs = vcs;
    } else if (up == ascent::LeastLoaded) {
      r.choices = ((1U << parents) - 1) << first_up;
      r.choice_vcs = vcs;
    } else {
      const std::uint64_t key = up == ascent::Random ? q.path_id : q.destination;
      const std::uint64_t digits = divide<64>(key, divisor), base = parents, parent = modulo<64>(digits, base);
      r.port = static_cast<std::uint8_t>(first_up + parent);
      r.vcs = vcs;
    }
    return r;
  }
  /// The union of the routes for all path ids.
  route for_all_path_ids(const route_query& q) const {
    tree_rule any = *this;
    if (up == ascent::Random) any.up = ascent::LeastLoaded;
    return any.answer(q);
  }
  static path_id_use use_of_path_id() { return path_id_use::Nothing; }
  friend bool operator==(const tree_rule& a, const tree_rule& b) {
    return a.up == b.up && a.first == b.first && a.span == b.span && a.children == b.children &&
           a.parents == b.parents && a.child_ports == b.child_ports && a.divisor == b.divisor && a.vcs == b.vcs;
  }
};

/// The routing function of one router of a hypercube. Port d leads to the router whose number differs in bit d; the
/// ports to the nodes follow. Deterministic routing corrects the lowest bit that differs (e-cube). Adaptive routing may
/// correct any bit that differs on VCs 1, 2, …, and uses e-cube on VC 0.
struct cube_rule {
  bool adaptive = false;
  unsigned dimensions = 1;
  router_id here = 0;
  unsigned nodes = 1;        ///< nodes at each router; node n is at router n / nodes
  unsigned local_ports = 1;  ///< channels to each node; a flit that arrives at port i leaves by i mod local_ports
  vc_set vcs = 0;

  route answer(const route_query& q) const {
    const std::uint32_t differ = divide<NodeBits>(q.destination, nodes) ^ here;
    route r;
    if (differ == 0) {
      r.port = static_cast<std::uint8_t>(local_port(q, dimensions, nodes, local_ports));
      r.vcs = vcs;
    } else {
      r.port = static_cast<std::uint8_t>(lowest(differ));
      r.vcs = adaptive ? 1 : vcs;
      r.choices = adaptive ? differ : 0;
      r.choice_vcs = adaptive ? vcs & ~1U : 0;
    }
    return r;
  }
  static path_id_use use_of_path_id() { return path_id_use::Nothing; }
  friend bool operator==(const cube_rule& a, const cube_rule& b) {
    return a.adaptive == b.adaptive && a.dimensions == b.dimensions && a.here == b.here && a.nodes == b.nodes &&
           a.local_ports == b.local_ports && a.vcs == b.vcs;
  }
};

}  // namespace weft
