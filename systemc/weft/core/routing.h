/// Route computation of one router: which output port, and which VCs of it, a head flit may ask for.
/// Pure functions on plain integers; a generator (weft/topology) fills in the constants.
#pragma once

#include <algorithm>
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

/// The same function for a simulator, of up to three dimensions and without jumps that nobody can foresee: coordinates lie
/// in one word, 16 bits each, first corrected lowest, so that the lowest bit in which two words differ names the dimension.
class packed_dimension_order {
 public:
  using coordinates = std::array<std::uint32_t, dimension_order_rule::MaxDimensions>;

  static bool fits(const dimension_order_rule& rule) {
    return rule.dimensions <= Local && std::all_of(rule.size.begin(), rule.size.begin() + rule.dimensions,
                                                   [](std::uint32_t size) { return size <= 1U << FieldBits; });
  }
  explicit packed_dimension_order(const dimension_order_rule& rule)
      : m_here(pack(rule, rule.here)),
        m_vcs(static_cast<std::uint16_t>(rule.vcs)),
        m_local_ports(static_cast<std::uint8_t>(rule.local_ports)) {
    for (unsigned i = 0; i < rule.dimensions; ++i) m_port[i] = static_cast<std::uint8_t>(2 * rule.order[i]);
    m_port[Local] = static_cast<std::uint8_t>(2 * rule.dimensions);
  }
  static std::uint64_t pack(const dimension_order_rule& rule, const coordinates& place) {
    std::uint64_t word = 0;
    for (unsigned i = 0; i < rule.dimensions; ++i) word |= std::uint64_t{place[rule.order[i]]} << FieldBits * i;
    return word;
  }

  route towards(std::uint64_t there, unsigned in_port) const {
    const std::uint64_t differ = (there ^ m_here) | std::uint64_t{1} << FieldBits * Local;
    const auto i = static_cast<unsigned>(__builtin_ctzll(differ)) / FieldBits;
    const auto field = [i](std::uint64_t word) { return static_cast<std::uint16_t>(word >> FieldBits * i); };
    unsigned port = m_port[i] + unsigned{field(there) < field(m_here)};
    if (m_local_ports != 1 && i == Local) port += in_port % m_local_ports;
    return {static_cast<std::uint8_t>(port), m_vcs};
  }

 private:
  static constexpr unsigned FieldBits = 16, Local = 3;  ///< the highest field is 0 in every word
  static_assert(MaxVcs <= 16, "m_vcs");

  std::uint64_t m_here;
  std::uint16_t m_vcs;
  std::array<std::uint8_t, Local + 1>
      m_port{};  ///< of every field: in the positive direction; then the first local one
  std::uint8_t m_local_ports;
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
