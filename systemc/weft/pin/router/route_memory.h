// SPDX-License-Identifier: Apache-2.0
/// A routing table as hardware stores it: a memory of constants that has, in each row, an entry for each destination.
/// An entry is the index of a route; there are at most table_rule::MaxRoutes routes.
#pragma once

#include <array>
#include <cstdint>

#include "weft/core/table_routing.h"

namespace weft::pin {

/// \tparam Entries capacity of the memory: number of rows times number of destinations
template <unsigned Entries>
class route_memory {
 public:
  /// \p table must need at most \p Entries entries.
  explicit route_memory(const table_rule& table) : m_destinations(most_destinations(table)), m_layers(table.layers()) {
    for (unsigned layer = 0; layer < MaxVcs; ++layer) m_layer_vcs[layer] = table.vcs_of_layer(layer);
    for (unsigned row = 0; row < table.rows(); ++row)
      for (node_id n = 0; n < table.destinations(row); ++n) m_index[row * m_destinations + n] = table.index(row, n);
    for (unsigned port = 0; port < MaxPorts; ++port)
      for (unsigned vc = 0; vc < MaxVcs; ++vc)
        m_row_of[port * MaxVcs + vc] = static_cast<std::uint8_t>(table.row_of(port, vc));
    unsigned i = 0;
    for (const route& r : table.routes()) {
      m_port[i] = r.port;
      m_vcs[i] = r.vcs;
      m_choices[i] = r.choices;
      m_choice_vcs[i] = r.choice_vcs;
      ++i;
    }
  }

  route answer(const route_query& q) const {
    const unsigned row = m_row_of[q.in_port * MaxVcs + q.in_vc];
    const unsigned i = m_index[row * m_destinations + q.destination];
    route all;
    all.port = m_port[i];
    all.vcs = m_vcs[i];
    all.choices = m_choices[i];
    all.choice_vcs = m_choice_vcs[i];
    const auto layer = static_cast<unsigned>(q.path_id);
    const vc_set own = layer < MaxVcs ? m_layer_vcs[layer] : 0;
    return layer_of(all, layer, m_layers, own);
  }

  /// Number of destinations in the longest row of \p table.
  static unsigned most_destinations(const table_rule& table) {
    unsigned most = 0;
    for (unsigned row = 0; row < table.rows(); ++row)
      most = table.destinations(row) > most ? static_cast<unsigned>(table.destinations(row)) : most;
    return most;
  }

 private:
  const unsigned m_destinations;  // number of destinations in each row of the memory
  const unsigned m_layers;
  std::array<vc_set, MaxVcs> m_layer_vcs;                // VCs of each layer; 0: the VCs of a route are divided evenly
  std::array<std::uint8_t, MaxPorts * MaxVcs> m_row_of;  // row that a head uses, by its input port and VC
  std::array<std::uint8_t, Entries> m_index;             // row by row, the index of the route to each destination
  // The routes
  std::array<std::uint8_t, table_rule::MaxRoutes> m_port;
  std::array<vc_set, table_rule::MaxRoutes> m_vcs;
  std::array<port_set, table_rule::MaxRoutes> m_choices;
  std::array<vc_set, table_rule::MaxRoutes> m_choice_vcs;
};

}  // namespace weft::pin
