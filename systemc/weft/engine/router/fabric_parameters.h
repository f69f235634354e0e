// SPDX-License-Identifier: Apache-2.0
/// Parameters of the network that the parts of the engine's routers need, computed once.
#pragma once

#include <cstddef>

#include "weft/core/parameters.h"
#include "weft/core/types.h"
#include "weft/topology/topology.h"

namespace weft::engine {

struct fabric_parameters {
  /// Maximum cycles that a region simulates at once. More cycles do not pay, because the wheels need room for their
  /// events.
  static constexpr unsigned MostCyclesAtOnce = 4;

  /// \param ejection_buffer flits of an ejection VC's buffer; 0: nodes accept every flit, without credits
  fabric_parameters(const topology& graph, const router_parameters& parameters, unsigned ejection_buffer);

  /// Maximum distance from the first cycle simulated at once to the effects of the last.
  cycle_t reach() const { return lookahead + stages + longest; }

  std::size_t routers;
  std::size_t nic_ports;    ///< channels between nodes and routers
  router_id first_nic;      ///< first NIC, behind the routers, which are padded to whole regions
  unsigned ports;           ///< maximum ports of a router
  unsigned vcs;             ///< VCs of a port
  unsigned class_vcs;       ///< VCs of a class
  unsigned depth;           ///< flits of a FIFO
  unsigned ejection_depth;  ///< see the constructor
  unsigned slots;           ///< slots for heads of a FIFO
  bool cut_through;
  bool same_cycle;    ///< S = 3: VC and switch allocation share a cycle
  unsigned stages;    ///< stages of the crossbar
  unsigned longest;   ///< maximum latency of a channel in cycles
  bool uniform;       ///< all channels have the same latency
  cycle_t lookahead;  ///< cycles from a grant to its first effect, a credit; at most MostCyclesAtOnce
};

}  // namespace weft::engine
