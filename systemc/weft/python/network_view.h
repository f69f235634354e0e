// SPDX-License-Identifier: Apache-2.0
/// The network of a configuration, and what can be computed of it without simulation.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "weft/python/parts.h"
#include "weft/topology/analysis/check.h"
#include "weft/topology/analysis/loads.h"
#include "weft/topology/topology.h"

namespace weft::python {

/// A directed channel between two routers.
struct link_row {
  std::uint32_t from_router, from_port, to_router, to_port, cycles, phits;
};

/// A port of a node.
struct node_row {
  std::uint32_t node, router, port, cycles;
};

class network_view {
 public:
  /// \throws configuration_error
  explicit network_view(shared_configuration c);

  const topology& graph() const { return m_graph; }
  const experiment::configuration& config() const { return *m_configuration; }
  const expected_loads& loads() const { return m_loads; }

  std::vector<link_row> links() const;
  std::vector<node_row> nodes() const;
  /// A cycle of the channel dependency graph; empty if packets cannot deadlock.
  std::vector<channel_vc> dependency_cycle() const;

 private:
  shared_configuration m_configuration;
  topology m_graph;
  expected_loads m_loads;
};

}  // namespace weft::python
