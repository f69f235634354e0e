// SPDX-License-Identifier: Apache-2.0
/// Routing in k-ary n-meshes, k-ary n-tori and rings.
#pragma once

#include <array>
#include <cstdint>

#include "weft/core/path_ids.h"
#include "weft/core/quadrant.h"
#include "weft/core/route.h"
#include "weft/core/types.h"

namespace weft {

/// Routing algorithms of a grid. Sources: Dally and Seitz 1987 (dimension order, datelines); Glass and Ni 1992 (the
/// turn models); Chiu 2000 (odd-even); Valiant 1982; Nesson and Johnsson 1995 (ROMM); Seo et al. 2005 (O1TURN); Chien
/// and Kim 1992 (planar adaptive); Duato 1993 (adaptive with escape channels).
enum class grid_algorithm : std::uint8_t {
  DimensionOrder,   ///< correct one dimension after the other
  O1Turn,           ///< one order of dimensions or its reverse, drawn by the source; a VC class for each
  Valiant,          ///< dimension order to a router that the source draws, then to the destination; two VC classes
  Romm,             ///< as Valiant, over a router on a shortest path
  MinimalAdaptive,  ///< any productive dimension on VCs of its own; dimension order on the escape VCs
  WestFirst,        ///< -x first, then any
  NorthLast,        ///< any, but +y last
  NegativeFirst,    ///< negative directions first, in any order, then positive ones
  OddEven,          ///< any, but turns from +x to y only in odd columns, and from y to -x only in even columns
  PlanarAdaptive,   ///< any of two consecutive dimensions until the first is correct; VC classes for directions
};

/// The routing function of one router of a grid.
/// The ports are +x, -x, +y, -y, …, followed by the local ports, node by node. Node n is at router n / nodes.
/// Coordinate d of router r is (r / stride[d]) mod size[d].
///
/// O1TURN divides the VCs evenly into two classes, one for each order of dimensions. Valiant's routing and ROMM divide
/// them evenly into two classes, one for each part of the path. In a grid with rings, each of these classes is halved;
/// routing without such classes halves all VCs.
/// A bidirectional ring has two datelines: one where its last router meets the first, and one in the middle (as in the
/// Cray T3D; Scott and Thorson 1994). A packet that crosses the first dateline always uses the first class, and a
/// packet that crosses the middle uses the second. No packet crosses both. A packet that crosses neither uses the class
/// that its destination determines; half of the destinations use each class. A unidirectional ring has only the first
/// dateline: a packet uses the first class before it and the second class behind it.
/// In adaptive routing, the lowest VCs are escape VCs, one for each class of dimension order. A packet that has yet to
/// cross the first dateline requests the first escape VC, and any other packet requests the second.
/// Planar-adaptive routing corrects the dimensions in planes: plane i is dimensions i and i + 1 of the order, and a
/// packet leaves it when dimension i is correct. A packet in plane i uses VC class (2 i + s) mod 3, where s is 1 if it
/// goes in the negative direction of dimension i, and otherwise 0. Two dimensions have one plane, so two classes. Then
/// the classes of plane i + 1 are the class that no packet of plane i uses, and that of its positive direction. Chien
/// and Kim separate all channels of the two planes. This rule lets the negative direction of plane i + 1 share channels
/// with the positive direction of plane i, which closes no cycle, so that one VC class serves both dimensions of a
/// choice (see route::choice_vcs).
struct grid_rule {
  static constexpr unsigned MaxDimensions = quadrant::MaxDimensions;
  using coordinates = quadrant::coordinates;

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
  selection_rule selection = selection_rule::MostCredits;  ///< among the ports that an adaptive algorithm offers
  std::uint32_t congestion = UsualCongestion;              ///< see output_choice

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
  static unsigned classes(grid_algorithm algorithm, bool rings, unsigned dimensions);
  /// Whether \p algorithm offers a choice of output ports.
  static bool is_adaptive(grid_algorithm algorithm);

  position position_of(router_id router) const {
    position there;
    locate(router, there);
    return there;
  }
  /// The routers on shortest paths from this router, from which sources at this router draw with ROMM.
  quadrant minimal_quadrant() const;
  path_id_use use_of_path_id() const;
  route answer(const route_query& q) const;

  friend bool operator==(const grid_rule& a, const grid_rule& b) {
    return a.algorithm == b.algorithm && a.dimensions == b.dimensions && a.size == b.size && a.stride == b.stride &&
           a.here == b.here && a.order == b.order && a.rings == b.rings && a.one_way == b.one_way &&
           a.nodes == b.nodes && a.local_ports == b.local_ports && a.vcs == b.vcs && a.selection == b.selection &&
           a.congestion == b.congestion;
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
  port_set odd_even_turns(const route_query& q, const position& there, port_set ports) const;
  route by_turn_model(const route_query& q, const position& there) const;
  route over_intermediate(const route_query& q, const position& there) const;
  route last_of_plane(const route_query& q, unsigned last, unsigned port) const;
  route in_planes(const route_query& q, const position& there) const;
};

}  // namespace weft
