// SPDX-License-Identifier: Apache-2.0
/// Table-based routing, for irregular graphs and for regular ones whose table is short.
#pragma once

#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "weft/core/members.h"
#include "weft/core/path_ids.h"
#include "weft/core/route.h"
#include "weft/core/types.h"

namespace weft {

/// Restricts the route \p all to the VCs of layer \p layer, of \p layers layers.
/// \param own VCs of the layer; 0: an equal part of the VCs of the route
inline route layer_of(route all, unsigned layer, unsigned layers, vc_set own) {
  if (layers != 1) {
    all.vcs = own != 0 ? all.vcs & own : part_of_vcs(all.vcs, layer, layers);
    all.choice_vcs = own != 0 ? all.choice_vcs & own : part_of_vcs(all.choice_vcs, layer, layers);
  }
  return all;
}

/// The routing table of one router. A row has one route for each destination. The table has several rows if the route
/// depends on the input of the packet, and layers if it depends on the source's choice.
///
/// A row is stored as runs of destinations with the same route, or, where these would need more memory, as one byte for
/// each destination. A router has at most 256 different routes.
class table_rule {
 public:
  static constexpr std::size_t MaxRoutes = 256, MaxRows = 256;

  table_rule() = default;
  /// Makes a table with one row, which the packets of all inputs use.
  explicit table_rule(const std::vector<route>& by_destination) { add_row(by_destination); }

  /// Appends a row. \throws std::length_error for more than MaxRows rows or MaxRoutes different routes
  void add_row(const std::vector<route>& by_destination);
  /// Appends a row given as runs: destinations from first[i] up to the next run use what[i]. first[0] is 0 and first is
  /// increasing; the last run ends before \p destinations.
  void add_row(const std::vector<node_id>& first, const std::vector<route>& what, std::size_t destinations);

  /// Packets that arrive in VC \p vc of \p port use row \p row; the default is row 0.
  void use_row(unsigned port, unsigned vc, unsigned row);

  /// Divides the VCs of every route evenly into \p count layers; the path id of a packet is its layer.
  void divide(unsigned count) {
    m_layers = count;
    m_layer_vcs = {};
  }
  /// Divides the VCs into layers of different sizes. Layer 0 has the lowest sizes[0] VCs, layer 1 the next sizes[1],
  /// and so on; a route admits those of its VCs that are in the layer. If all sizes are equal, each route's VCs are
  /// divided evenly.
  /// \throws std::invalid_argument for a size of 0, and for more than MaxVcs VCs in all
  void divide(const std::vector<unsigned>& sizes);
  unsigned layers() const { return m_layers; }
  /// The VCs of layer \p layer; 0 if routes are divided evenly.
  vc_set vcs_of_layer(unsigned layer) const { return layer < MaxVcs ? m_layer_vcs[layer] : 0; }

  std::size_t rows() const { return m_rows.size(); }
  unsigned row_of(unsigned port, unsigned vc) const {
    const std::size_t input = port * MaxVcs + vc;
    return input < m_row_of.size() ? m_row_of[input] : 0;
  }
  /// Number of nodes that row \p row has routes to.
  std::size_t destinations(unsigned row) const { return m_rows[row].destinations; }
  /// The route to \p destination in row \p row, with the VCs of all layers.
  const route& entry(unsigned row, node_id destination) const { return m_routes[index(row, destination)]; }
  /// Number of parts in which a row is stored: its runs, or its destinations if runs would need more memory.
  std::size_t parts(unsigned row) const { return m_rows[row].index.size(); }
  /// The first destination of part \p part.
  node_id part_begin(unsigned row, std::size_t part) const {
    return m_rows[row].first.empty() ? static_cast<node_id>(part) : m_rows[row].first[part];
  }
  /// The route to all destinations of part \p part. Adjacent parts may have the same route.
  const route& part_entry(unsigned row, std::size_t part) const { return m_routes[m_rows[row].index[part]]; }
  /// The index in routes() of the route to \p destination in row \p row.
  std::uint8_t index(unsigned row, node_id destination) const;
  const std::vector<route>& routes() const { return m_routes; }
  bool adaptive() const;
  /// Memory of the table in bytes.
  std::size_t bytes() const;

  path_id_use use_of_path_id() const { return m_layers == 1 ? path_id_use::Nothing : path_id_use::Layer; }
  route answer(const route_query& q) const {
    const route& found = entry(row_of(q.in_port, q.in_vc), q.destination);
    const auto layer = static_cast<unsigned>(q.path_id);
    return layer_of(found, layer, m_layers, vcs_of_layer(layer));
  }

  friend bool operator==(const table_rule& a, const table_rule& b);

 private:
  struct stored_row {
    std::size_t destinations = 0;
    std::vector<node_id> first;       ///< first destination of each run; empty: one byte for each destination
    std::vector<std::uint8_t> index;  ///< indices into m_routes, one for each run or destination
  };

  std::uint8_t index_of(const route& r);

  std::vector<route> m_routes;  ///< the different routes
  std::vector<stored_row> m_rows;
  std::vector<std::uint8_t> m_row_of;  ///< row of each input, indexed by port · MaxVcs + VC
  unsigned m_layers = 1;
  std::array<vc_set, MaxVcs> m_layer_vcs{};
};

}  // namespace weft
