// SPDX-License-Identifier: Apache-2.0
/// Dimension-order routing in a mesh: a faster form of grid_rule for at most three dimensions and one node per router.
/// It has no branches.
///
/// The coordinates of a router or node are packed into one word. The dimension that is corrected first is in the lowest
/// field. A field has 16 bits, and its highest bit is a guard. One subtraction compares all coordinates, and the lowest
/// bit of the result identifies the dimension. tests/unit/engine/packed_dimension_order_test.cpp compares the results
/// with grid_rule.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "weft/core/grid_routing.h"
#include "weft/core/route.h"
#include "weft/core/types.h"

namespace weft::engine {

class packed_dimension_order {
 public:
  using coordinates = decltype(grid_rule::here);

  static bool fits(const grid_rule& rule) {
    return rule.algorithm == grid_algorithm::DimensionOrder && !rule.rings && rule.nodes == 1 &&
           rule.dimensions <= Local &&
           std::all_of(rule.size.begin(), rule.size.begin() + rule.dimensions,
                       [](std::uint32_t size) { return size <= 1U << (FieldBits - 1); });
  }
  /// \param rule the rule of any router; the rules of the other routers differ only in their coordinates
  explicit packed_dimension_order(const grid_rule& rule)
      : m_vcs(rule.vcs), m_local_ports(rule.local_ports), m_order(rule.order), m_dimensions(rule.dimensions) {
    for (unsigned i = 0; i < rule.dimensions; ++i) m_port[i] = static_cast<std::uint8_t>(2 * rule.order[i]);
    m_port[Local] = static_cast<std::uint8_t>(2 * rule.dimensions);
  }

  /// Returns the packed coordinates of a router at \p at.
  std::uint64_t pack_router(const coordinates& at) const {
    std::uint64_t word = 0;
    for (unsigned i = 0; i < m_dimensions; ++i) word |= std::uint64_t{at[m_order[i]]} << FieldBits * i;
    return word;
  }
  /// Returns the packed coordinates of the node at \p at.
  std::uint64_t pack_node(const coordinates& at) const {
    return pack_router(at) | Guards | std::uint64_t{1} << FieldBits * Local;
  }

  route towards(std::uint64_t here, std::uint64_t there, unsigned in_port) const {
    unsigned port = port_towards(here, there);
    if (m_local_ports != 1 && port == m_port[Local]) port += in_port % m_local_ports;
    return {static_cast<std::uint8_t>(port), m_vcs};
  }

  /// Returns the output port of the router \p here on the path to the node \p there. If there are several local ports,
  /// the first one.
  unsigned port_towards(std::uint64_t here, std::uint64_t there) const {
    const std::uint64_t differences = (there - here) ^ Guards;  // a guard remains where the direction is negative
    const unsigned guard = static_cast<unsigned>(__builtin_ctzll(differences)) | (FieldBits - 1);
    return m_port[guard / FieldBits] + static_cast<unsigned>(differences >> guard & 1);
  }
  /// Returns the number of hops from \p here to \p there in the dimension that is corrected as number \p i. It is
  /// negative if the hops go in the negative direction.
  static int distance(std::uint64_t here, std::uint64_t there, unsigned i) {
    const auto at = [i](std::uint64_t word) { return static_cast<int>(word >> FieldBits * i & Coordinate); };
    return at(there) - at(here);
  }
  vc_set vcs() const { return m_vcs; }
  bool has_one_local_port() const { return m_local_ports == 1; }

 private:
  static constexpr unsigned FieldBits = 16, Local = 3;  ///< the highest field is 0 for a router and 1 for a node
  static constexpr std::uint64_t Guards = 0x8000'8000'8000'8000, Coordinate = 0x7fff;

  vc_set m_vcs;
  unsigned m_local_ports;
  std::array<std::uint8_t, Local + 1> m_port{};  ///< by field: port in the positive direction; the last element is the
                                                 ///< first local port
  std::array<std::uint8_t, grid_rule::MaxDimensions> m_order;
  unsigned m_dimensions;
};

}  // namespace weft::engine
