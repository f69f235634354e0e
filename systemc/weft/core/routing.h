/// Route computation of one router: which output port, and which VCs of it, a head flit may ask for.
/// Pure functions on plain integers; a generator (weft/topology) fills in the constants.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "weft/core/types.h"

namespace weft {

/// What a head flit asks the VC allocator for.
struct route {
  std::uint8_t port = 0;  ///< output port
  vc_set vcs = 0;         ///< admissible VCs of that port, never empty
  friend bool operator==(const route& a, const route& b) { return a.port == b.port && a.vcs == b.vcs; }
};

/// What a routing function may look at.
struct route_query {
  unsigned in_port = 0;
  unsigned in_vc = 0;
  node_id destination = 0;
};

/// Dimension-order routing in a k-ary n-mesh: correct the dimensions in a fixed order, then leave by a local port.
/// Ports in order: +x, -x, +y, -y, …, then the local ports. Node n sits at router n; coordinate d of router r is
/// (r / stride[d]) mod size[d].
struct dimension_order_rule {
  static constexpr unsigned MaxDimensions = 4;
  unsigned dimensions = 2;
  std::array<std::uint32_t, MaxDimensions> size{};
  std::array<std::uint32_t, MaxDimensions> stride{};
  std::array<std::uint32_t, MaxDimensions> here{};  ///< coordinates of this router
  std::array<std::uint8_t, MaxDimensions> order{};  ///< dimensions, first corrected first
  unsigned local_ports = 1;  ///< channels to the node; a flit that came in by port i leaves by i mod local_ports
  vc_set vcs = 0;

  /// The coordinates of the router of \p node.
  std::array<std::uint32_t, MaxDimensions> coordinates_of(node_id node) const;
  /// The route to the router \p there for a flit that came in by \p in_port.
  route towards(const std::array<std::uint32_t, MaxDimensions>& there, unsigned in_port) const {
    for (unsigned i = 0; i < dimensions; ++i) {
      const unsigned d = order[i];
      if (there[d] != here[d]) return {static_cast<std::uint8_t>(2 * d + (there[d] < here[d])), vcs};
    }
    return {static_cast<std::uint8_t>(2 * dimensions + (local_ports == 1 ? 0 : in_port % local_ports)), vcs};
  }
  route operator()(const route_query& q) const { return towards(coordinates_of(q.destination), q.in_port); }
};

/// The same function for a simulator: coordinates lie in one word, 16 bits each, first corrected lowest, so that the lowest
/// bit in which two words differ names the dimension to correct.
class packed_dimension_order {
 public:
  explicit packed_dimension_order(const dimension_order_rule& rule)
      : m_here(pack(rule, rule.here)),
        m_vcs(rule.vcs),
        m_local(static_cast<std::uint8_t>(2 * rule.dimensions)),
        m_local_ports(static_cast<std::uint8_t>(rule.local_ports)) {
    for (unsigned i = 0; i < rule.dimensions; ++i) m_plus[i] = static_cast<std::uint8_t>(2 * rule.order[i]);
  }
  static std::uint64_t pack(const dimension_order_rule& rule,
                            const std::array<std::uint32_t, dimension_order_rule::MaxDimensions>& coordinates) {
    std::uint64_t word = 0;
    for (unsigned i = 0; i < rule.dimensions; ++i) word |= std::uint64_t{coordinates[rule.order[i]]} << 16 * i;
    return word;
  }
  static constexpr std::uint32_t MaxSize = 1U << 16;  ///< of a dimension

  route towards(std::uint64_t there, unsigned in_port) const {
    const std::uint64_t differ = there ^ m_here;
    const unsigned local = m_local + (m_local_ports == 1 ? 0 : in_port % m_local_ports);
    const unsigned i = static_cast<unsigned>(__builtin_ctzll(differ | std::uint64_t{1} << 63)) / 16;
    const bool minus = static_cast<std::uint16_t>(there >> 16 * i) < static_cast<std::uint16_t>(m_here >> 16 * i);
    return {static_cast<std::uint8_t>(differ == 0 ? local : m_plus[i] + minus), m_vcs};
  }

 private:
  std::uint64_t m_here;
  vc_set m_vcs;
  std::array<std::uint8_t, dimension_order_rule::MaxDimensions> m_plus{};  ///< port in the positive direction
  std::uint8_t m_local, m_local_ports;
};

/// A table: one route for each destination node, whatever the input. For graphs without structure and for tests.
struct table_rule {
  std::vector<route> by_destination;
  route operator()(const route_query& q) const { return by_destination[q.destination]; }
};

/// The routing function of one router.
struct route_rule {
  enum class kind : std::uint8_t { DimensionOrder, Table };
  kind which = kind::DimensionOrder;
  dimension_order_rule dimension_order;
  table_rule table;
  route operator()(const route_query& q) const { return which == kind::DimensionOrder ? dimension_order(q) : table(q); }
};

}  // namespace weft
