// SPDX-License-Identifier: Apache-2.0
/// The injection processes of all nodes of a network, which have the loads of a traffic pattern.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "weft/workload/injection.h"
#include "weft/workload/pattern.h"

namespace weft {

/// The parameters of the injection process of \p node. \p parameters has the mean load of all nodes.
injection_parameters parameters_of_node(injection_parameters parameters, const traffic_pattern& pattern, node_id node);

/// The highest mean load of all nodes at which no node needs more than one packet per cycle or, if it has on and off
/// periods, has a load above `peak`. Infinite if \p pattern has no loads of nodes, or absolute ones.
double highest_mean_load(const injection_parameters& parameters, double mean_length, const traffic_pattern& pattern,
                         std::uint32_t nodes);

/// The longest correlation time of any of \p nodes nodes; see injection.h.
double correlation_time(const injection_parameters& parameters, const traffic_pattern& pattern, std::uint32_t nodes);

/// The injection processes of \p nodes nodes. Nodes with equal loads share one.
class node_injection {
 public:
  /// \throws std::invalid_argument as the constructor of injection_process does; if the loads of nodes differ, the
  /// message names the node with the highest load, and the highest possible mean load
  node_injection(const injection_parameters& parameters, double mean_length, const traffic_pattern& pattern,
                 std::uint32_t nodes);

  /// The process of \p node; null for a node that is not active.
  const injection_process* of(node_id node) const { return m_processes[node]; }

 private:
  std::map<double, injection_process> m_by_load;
  std::vector<const injection_process*> m_processes;  ///< elements of m_by_load
};

}  // namespace weft
