// SPDX-License-Identifier: Apache-2.0
/// A network and its traffic as one value. Tests generate such cases at random, print them and build them.
#pragma once

#include "support/sources.h"
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "weft/core/network_model.h"
#include "weft/core/network_observer.h"
#include "weft/core/packet.h"
#include "weft/core/parameters.h"
#include "weft/pin/model.h"
#include "weft/topology/generators/grid.h"
#include "weft/topology/topology.h"
#include "weft/workload/workload.h"

struct network_case {
  weft::topology graph = weft::make_grid({{4, 4}});
  std::string network = "mesh [4, 4]";  ///< description of the graph in messages
  bool minimal = true;                  ///< whether packets take shortest paths
  weft::router_parameters router;
  weft::nic_parameters nic;
  weft::workload_parameters workload;
  unsigned payload_bits = 64;
  bool clock_gating = true;
  bool urgent = false;               ///< whether some packets are urgent
  std::optional<bool> together;      ///< set: packets are created in groups, popped one by one (false) or together
                                     ///< (true)
  std::uint64_t seed = 1;            ///< seed of the traffic
  weft::cycle_t stop = weft::Never;  ///< cycle from which on no packets are created

  std::uint32_t nodes() const { return static_cast<std::uint32_t>(graph.nodes.size()); }
  /// The numbers of nodes along each dimension of the grid. Empty if the nodes do not form a grid.
  std::vector<std::uint32_t> shape() const;
  /// The latency of the slowest channel in cycles.
  unsigned slowest_channel() const;
};

/// Describes the whole case in one line, for failure messages.
std::string describe(const network_case& c);

/// Returns a random network of at most \p most_nodes nodes, with random routers, NICs and traffic. It may have any
/// topology and routing, any value of every pin-level parameter, any load from 0.01 to far beyond saturation, and some
/// thousand flits in total.
network_case random_case(std::uint64_t seed, std::uint32_t most_nodes = 40);

/// Returns the queues and counters of a model of \p c as text, so that two levels can be compared.
std::string state_of(const network_case& c, const weft::network_model& model);

/// Makes the traffic of a case, which has no end.
std::unique_ptr<weft::packet_source> make_traffic(const network_case& c);

/// A case with its model. SystemC allows making one only before the simulation of the process starts.
class built_case {
 public:
  built_case(const network_case& c, weft::network_observer& observer);

  const weft::topology& graph() const { return m_graph; }
  const weft::packet_source& source() const { return m_source; }
  weft::pin::audited_model& model() { return *m_model; }

 private:
  weft::topology m_graph;
  stopping_source m_source;
  std::unique_ptr<weft::pin::audited_model> m_model;
};
