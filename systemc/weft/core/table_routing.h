// SPDX-License-Identifier: Apache-2.0
/// Routing by table, for graphs without structure and for those whose structure makes the table short.
#pragma once

#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "weft/core/members.h"
#include "weft/core/route.h"
#include "weft/core/types.h"
#include "weft/core/ways.h"

namespace weft {

/// The share that layer \p layer of \p layers has of what is admissible. \p own: its VCs; none: an even part of them.
inline route layer_of(route all, unsigned layer, unsigned layers, vc_set own) {
  if (layers != 1) {
    all.vcs = own != 0 ? all.vcs & own : part_of_vcs(all.vcs, layer, layers);
    all.choice_vcs = own != 0 ? all.choice_vcs & own : part_of_vcs(all.choice_vcs, layer, layers);
  }
  return all;
}

/// The routing table of one router: a row of routes, one for each destination; several rows where the route depends on
/// how the packet came in, and layers where it depends on what the source chose.
///
/// A row is kept as runs of destinations with the same route, or where these would take more room, as a byte for each
/// destination. A router knows 256 different routes at most.
class table_rule {
 public:
  static constexpr std::size_t MaxRoutes = 256, MaxRows = 256;

  table_rule() = default;
  /// One row, whatever the input.
  explicit table_rule(const std::vector<route>& by_destination) { add_row(by_destination); }

  /// Appends a row. \throws std::length_error for more than MaxRows rows or MaxRoutes different routes
  void add_row(const std::vector<route>& by_destination);
  /// A row of which runs are known: from destination first[i] on, up to the next, packets take what[i]. first[0] is 0,
  /// first rises; the last run ends before \p destinations.
  void add_row(const std::vector<node_id>& first, const std::vector<route>& what, std::size_t destinations);

  /// Packets that come in by VC \p vc of \p port look in row \p row; those of which nothing is said, in row 0.
  void use_row(unsigned port, unsigned vc, unsigned row);

  /// Every route's VCs are divided evenly into \p count layers, and a packet stays in that which is its way.
  void divide(unsigned count) {
    m_layers = count;
    m_layer_vcs = {};
  }
  /// The same with layers of different sizes: layer 0 has the lowest sizes[0] VCs, layer 1 the next sizes[1], …; of
  /// these a route admits those that it has. Equal sizes divide evenly, whatever VCs a route has.
  /// \throws std::invalid_argument for a size of 0, and for more than MaxVcs VCs in all
  void divide(const std::vector<unsigned>& sizes);
  unsigned layers() const { return m_layers; }
  /// The VCs of layer \p layer; none where routes are divided evenly.
  vc_set vcs_of_layer(unsigned layer) const { return layer < MaxVcs ? m_layer_vcs[layer] : 0; }

  std::size_t rows() const { return m_rows.size(); }
  unsigned row_of(unsigned port, unsigned vc) const {
    const std::size_t input = port * MaxVcs + vc;
    return input < m_row_of.size() ? m_row_of[input] : 0;
  }
  /// Nodes that row \p row has routes to.
  std::size_t destinations(unsigned row) const { return m_rows[row].destinations; }
  /// The entry of a row, all layers in it.
  const route& entry(unsigned row, node_id destination) const { return m_routes[index(row, destination)]; }
  /// In how many parts a row is kept: its runs, or its destinations where runs would take more room.
  std::size_t parts(unsigned row) const { return m_rows[row].index.size(); }
  /// The first destination of part \p part.
  node_id part_begin(unsigned row, std::size_t part) const {
    return m_rows[row].first.empty() ? static_cast<node_id>(part) : m_rows[row].first[part];
  }
  /// The entry of all destinations of part \p part; neighbours may have the same.
  const route& part_entry(unsigned row, std::size_t part) const { return m_routes[m_rows[row].index[part]]; }
  /// The number of that route among those that differ.
  std::uint8_t index(unsigned row, node_id destination) const;
  const std::vector<route>& routes() const { return m_routes; }
  bool adaptive() const;
  /// Bytes that the table takes.
  std::size_t bytes() const;

  way_use use_of_way() const { return m_layers == 1 ? way_use::Nothing : way_use::Layer; }
  route answer(const route_query& q) const {
    const route& found = entry(row_of(q.in_port, q.in_vc), q.destination);
    const auto layer = static_cast<unsigned>(q.way);
    return layer_of(found, layer, m_layers, vcs_of_layer(layer));
  }

  friend bool operator==(const table_rule& a, const table_rule& b);

 private:
  struct stored_row {
    std::size_t destinations = 0;
    std::vector<node_id> first;       ///< of each run; empty: one byte for each destination
    std::vector<std::uint8_t> index;  ///< into m_routes, of each run or destination
  };

  std::uint8_t index_of(const route& r);

  std::vector<route> m_routes;  ///< different ones
  std::vector<stored_row> m_rows;
  std::vector<std::uint8_t> m_row_of;  ///< by port · MaxVcs + VC
  unsigned m_layers = 1;
  std::array<vc_set, MaxVcs> m_layer_vcs{};
};

}  // namespace weft
