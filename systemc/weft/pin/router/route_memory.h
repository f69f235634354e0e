// SPDX-License-Identifier: Apache-2.0
/// A routing table as stored in hardware: a memory of constants with an entry for each destination of each row. An
/// entry is the index of one of at most table_rule::MaxRoutes routes.
#pragma once

#include <array>
#include <cstdint>

#include "weft/core/table_routing.h"

namespace weft::pin {

/// \tparam Entries capacity: rows times destinations
template <unsigned Entries>
class route_memory {
 public:
  /// \p table must have at most \p Entries entries.
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

  /// Number of nodes that the longest row has routes to.
  static unsigned most_destinations(const table_rule& table) {
    unsigned most = 0;
    for (unsigned row = 0; row < table.rows(); ++row)
      most = table.destinations(row) > most ? static_cast<unsigned>(table.destinations(row)) : most;
    return most;
  }

 private:
  const unsigned m_destinations;  // destinations per row
  const unsigned m_layers;
  std::array<vc_set, MaxVcs> m_layer_vcs;                // VCs of each layer; 0: routes are divided evenly
  std::array<std::uint8_t, MaxPorts * MaxVcs> m_row_of;  // by input port and VC
  std::array<std::uint8_t, Entries> m_index;             // row by row, the index of the route to each destination
  // The routes
  std::array<std::uint8_t, table_rule::MaxRoutes> m_port;
  std::array<vc_set, table_rule::MaxRoutes> m_vcs;
  std::array<port_set, table_rule::MaxRoutes> m_choices;
  std::array<vc_set, table_rule::MaxRoutes> m_choice_vcs;
};

}  // namespace weft::pin
