// SPDX-License-Identifier: Apache-2.0
/// Routing in fat trees and in hypercubes.
#pragma once

#include <cstdint>

#include "weft/core/members.h"
#include "weft/core/route.h"
#include "weft/core/types.h"
#include "weft/core/ways.h"

namespace weft {

/// How a packet ascends to a nearest common ancestor; from there the descent is the only one.
enum class ascent : std::uint8_t {
  DestinationModulo,  ///< the parent is a digit of the destination (D-mod-k, Zahavi 2012)
  Random,             ///< a digit of a number that the source draws
  LeastLoaded,        ///< the parent with the most credits
};

/// The routing function of one router of an extended generalised fat tree. Ports in order: to the children, then to the
/// parents. Below the router lie the leaves first … first + span · children - 1, span of them below each child.
///
/// Digits of the destination and of what the source draws name the parents of levels 1, 2, …, lowest first: a router of
/// level l has the divisor w2 · … · wl. Where leaves have several parents themselves, w1 > 1, these are roots of trees
/// that have only the leaves in common, and the NIC has chosen one when it injects. So w1 is no factor: with it, all
/// packets from one router of level 1 to the leaves of another would take the same ascent.
struct tree_rule {
  ascent up = ascent::DestinationModulo;
  node_id first = 0;
  std::uint32_t span = 1;
  unsigned children = 1;
  unsigned parents = 0;
  unsigned child_ports = 1;   ///< channels to each child; a flit that came in by port i leaves by i mod child_ports
  std::uint64_t divisor = 1;  ///< what the digit that names the parent is worth
  vc_set vcs = 0;

  route answer(const route_query& q) const {
    const node_id offset = q.destination - first;  // huge if the destination lies before
    const unsigned first_up = children * child_ports;
    route r;
    if (offset < span * children) {
      const unsigned child = quotient<NodeBits>(offset, span), lane = rest<4>(q.in_port, child_ports);
      r.port = static_cast<std::uint8_t>(child * child_ports + lane);
      r.vcs = vcs;
    } else if (up == ascent::LeastLoaded) {
      r.choices = ((1U << parents) - 1) << first_up;
      r.choice_vcs = vcs;
    } else {
      const std::uint64_t key = up == ascent::Random ? q.way : q.destination;
      const std::uint64_t digits = quotient<64>(key, divisor), base = parents, parent = rest<64>(digits, base);
      r.port = static_cast<std::uint8_t>(first_up + parent);
      r.vcs = vcs;
    }
    return r;
  }
  /// What the rule answers to whatever the source drew.
  route for_all_ways(const route_query& q) const {
    tree_rule any = *this;
    if (up == ascent::Random) any.up = ascent::LeastLoaded;
    return any.answer(q);
  }
  static way_use use_of_way() { return way_use::Nothing; }
  friend bool operator==(const tree_rule& a, const tree_rule& b) {
    return a.up == b.up && a.first == b.first && a.span == b.span && a.children == b.children &&
           a.parents == b.parents && a.child_ports == b.child_ports && a.divisor == b.divisor && a.vcs == b.vcs;
  }
};

/// The routing function of one router of a hypercube: port d flips bit d of the router's number; then the nodes' ports.
/// Deterministic: the lowest bit that differs first (e-cube). Adaptive: any of them on VCs 1, 2, …; e-cube on VC 0.
struct cube_rule {
  bool adaptive = false;
  unsigned dimensions = 1;
  router_id here = 0;
  unsigned nodes = 1;        ///< at each router; node n sits at router n / nodes
  unsigned local_ports = 1;  ///< channels to each node; a flit that came in by port i leaves by i mod local_ports
  vc_set vcs = 0;

  route answer(const route_query& q) const {
    const std::uint32_t differ = quotient<NodeBits>(q.destination, nodes) ^ here;
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
  static way_use use_of_way() { return way_use::Nothing; }
  friend bool operator==(const cube_rule& a, const cube_rule& b) {
    return a.adaptive == b.adaptive && a.dimensions == b.dimensions && a.here == b.here && a.nodes == b.nodes &&
           a.local_ports == b.local_ports && a.vcs == b.vcs;
  }
};

}  // namespace weft
