// SPDX-License-Identifier: Apache-2.0
/// Routing in k-ary n-meshes, k-ary n-tori and rings.
#pragma once

#include <array>
#include <cstdint>

#include "weft/core/path_ids.h"
#include "weft/core/route.h"
#include "weft/core/types.h"

namespace weft {

/// Number of hops in the positive direction of a ring, from position \p from to position \p to. Both are below \p size.
inline std::uint32_t hops_up(std::uint32_t from, std::uint32_t to, std::uint32_t size) {
  return to >= from ? to - from : to + size - from;
}
/// Whether the shortest path in a bidirectional ring goes in the negative direction. If both directions are equally
/// short, even positions use one and odd positions the other.
inline bool is_shorter_down(std::uint32_t from, std::uint32_t to, std::uint32_t size) {
  const std::uint32_t up = hops_up(from, to, size);
  return 2 * up == size ? from % 2 != 0 : 2 * up > size;
}

/// Routing algorithms of a grid. Sources: Dally and Seitz 1987 (dimension order, datelines); Glass and Ni 1992 (the
/// turn models); Valiant 1982; Seo et al. 2005 (O1TURN); Duato 1993 (adaptive with escape channels).
enum class grid_algorithm : std::uint8_t {
  DimensionOrder,   ///< correct one dimension after the other
  O1Turn,           ///< one order of dimensions or its reverse, drawn by the source; a VC class for each
  Valiant,          ///< dimension order to a router that the source draws, then to the destination; two VC classes
  MinimalAdaptive,  ///< any productive dimension on VCs of its own; dimension order on the escape VCs
  WestFirst,        ///< -x first, then any
  NorthLast,        ///< any, but +y last
  NegativeFirst,    ///< negative directions first, in any order, then positive ones
};

/// The routing function of one router of a grid.
/// The ports are +x, -x, +y, -y, …, followed by the local ports, node by node. Node n is at router n / nodes.
/// Coordinate d of router r is (r / stride[d]) mod size[d].
///
/// O1TURN divides the VCs evenly into two classes, one for each order of dimensions. Valiant's routing divides them
/// evenly into two classes, one for each part of the path. In a grid with rings, each of these classes is halved;
/// routing without such classes halves all VCs.
/// A bidirectional ring has two datelines: one where its last router meets the first, and one in the middle (as in the
/// Cray T3D; Scott and Thorson 1994). A packet that crosses the first dateline always uses the first class, and a
/// packet that crosses the middle uses the second. No packet crosses both. A packet that crosses neither uses the class
/// that its destination determines; half of the destinations use each class. A unidirectional ring has only the first
/// dateline: a packet uses the first class before it and the second class behind it.
/// In adaptive routing, the lowest VCs are escape VCs, one for each class of dimension order. A packet that has yet to
/// cross the first dateline requests the first escape VC, and any other packet requests the second.
struct grid_rule {
  static constexpr unsigned MaxDimensions = 4;
  using coordinates = std::array<std::uint32_t, MaxDimensions>;

  grid_algorithm algorithm = grid_algorithm::DimensionOrder;
  unsigned dimensions = 2;
  coordinates size;
  coordinates stride;
  coordinates here;                               ///< coordinates of this router
  std::array<std::uint8_t, MaxDimensions> order;  ///< order in which the dimensions are corrected
  bool rings = false;                             ///< the last router of every row is connected to its first
  bool one_way = false;                           ///< rings have + channels only
  unsigned nodes = 1;                             ///< nodes at each router (concentration)
  unsigned local_ports = 1;  ///< channels to each node; a flit that arrives at port i leaves by i mod local_ports
  vc_set vcs = 0;            ///< VCs that packets may use; if there are classes, the first ones of every port

  grid_rule() {
    for (unsigned d = 0; d < MaxDimensions; ++d) {
      size[d] = 0;
      stride[d] = 0;
      here[d] = 0;
      order[d] = 0;
    }
  }

  struct position {
    coordinates at;
  };

  /// Number of VC classes that \p algorithm needs, or of escape VCs if it has them. \p rings: the grid has rings.
  static unsigned classes(grid_algorithm algorithm, bool rings);
  /// Whether \p algorithm offers a choice of output ports.
  static bool is_adaptive(grid_algorithm algorithm);

  position position_of(router_id router) const {
    position there;
    locate(router, there);
    return there;
  }
  path_id_use use_of_path_id() const;
  route answer(const route_query& q) const;

  friend bool operator==(const grid_rule& a, const grid_rule& b) {
    return a.algorithm == b.algorithm && a.dimensions == b.dimensions && a.size == b.size && a.stride == b.stride &&
           a.here == b.here && a.order == b.order && a.rings == b.rings && a.one_way == b.one_way &&
           a.nodes == b.nodes && a.local_ports == b.local_ports && a.vcs == b.vcs;
  }

 private:
  /// The first hop of the shortest path to a coordinate in one dimension.
  struct direction {
    bool minus = false;
    bool crosses = false;  ///< the dateline is still ahead
  };

  void locate(router_id router, position& there) const;
  unsigned first_to_correct(const position& there, bool reverse) const;
  direction towards(unsigned dimension, std::uint32_t there) const;
  port_set productive(const position& there) const;
  vc_set share(unsigned number, unsigned count) const;
  route local(const route_query& q) const;
  route in_order(const route_query& q, const position& there, bool reverse, unsigned part, unsigned parts) const;
  vc_set vcs_of_ring(const route_query& q, unsigned dimension, std::uint32_t there, unsigned part,
                     unsigned parts) const;
  route adaptive(const route_query& q, const position& there) const;
  route by_turn_model(const route_query& q, const position& there) const;
};

}  // namespace weft
