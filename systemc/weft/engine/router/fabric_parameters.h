// SPDX-License-Identifier: Apache-2.0
/// What the parts of the engine's routers need to know of network and parameters, worked out once.
#pragma once

#include <cstddef>

#include "weft/core/parameters.h"
#include "weft/core/types.h"
#include "weft/topology/topology.h"

namespace weft::engine {

struct fabric_parameters {
  /// A region does so many cycles at once at most. More do not pay: what is under way must have room in the wheels.
  static constexpr unsigned MostCyclesAtOnce = 4;

  /// \param ejection_buffer flits of an ejection VC's buffer; 0: nodes take every flit, without credits
  fabric_parameters(const topology& graph, const router_parameters& parameters, unsigned ejection_buffer);

  /// From the first of the cycles that are done at once to what the last of them causes, at most.
  cycle_t reach() const { return lookahead + stages + longest; }

  std::size_t routers;
  std::size_t nic_ports;    ///< channels between nodes and routers
  router_id first_nic;      ///< behind the routers, of which there are whole regions
  unsigned ports;           ///< of a router, at most
  unsigned vcs;             ///< of a port
  unsigned class_vcs;       ///< of a class
  unsigned depth;           ///< flits of a FIFO
  unsigned ejection_depth;  ///< see above
  unsigned slots;           ///< for heads, of a FIFO
  bool cut_through;
  bool same_cycle;    ///< S = 3: VC and switch allocation share a cycle
  unsigned stages;    ///< of the crossbar
  unsigned longest;   ///< cycles of a channel, at most
  bool uniform;       ///< all channels take as long
  cycle_t lookahead;  ///< cycles from a grant to the first of what it causes, a credit, but MostCyclesAtOnce at most
};

}  // namespace weft::engine
