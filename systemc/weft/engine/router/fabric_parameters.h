// SPDX-License-Identifier: Apache-2.0
/// Parameters of the network that the parts of the engine's routers need, computed once.
#pragma once

#include <cstddef>

#include "weft/core/parameters.h"
#include "weft/core/types.h"
#include "weft/router/buffer_sharing.h"
#include "weft/router/output_vc_rules.h"
#include "weft/topology/topology.h"

namespace weft::engine {

struct fabric_parameters {
  /// Maximum number of cycles that a region simulates at once. More cycles are not worthwhile, because the wheels need
  /// memory for their events.
  static constexpr unsigned MostCyclesAtOnce = 4;

  fabric_parameters(const topology& graph, const router_parameters& parameters, const nic_parameters& nic);

  /// Maximum distance, in cycles, from the first cycle that is simulated at once to the effects of the last one.
  cycle_t reach() const { return lookahead + stages + longest; }

  std::size_t routers;
  std::size_t nic_ports;    ///< number of channels between nodes and routers
  router_id first_nic;      ///< number of the first NIC; NICs follow the routers, which are padded to whole regions
  unsigned ports;           ///< maximum number of ports of a router
  unsigned vcs;             ///< number of VCs of a port
  unsigned class_vcs;       ///< number of VCs of a class
  unsigned depth;           ///< router_parameters::depth
  buffer_sharing sharing;   ///< of the buffers of routers
  unsigned ejection_depth;  ///< see nic_parameters::credits_for_router()
  bool nodes_share;         ///< whether the VCs of a port to a node share its credits
  unsigned slots;           ///< number of slots for heads in a FIFO
  output_vc_rules rules;
  allocator_parameters vc_allocator, switch_allocator;
  speculation_kind speculation;
  priority_kind priority;
  unsigned starvation_guard;  ///< see router_parameters
  bool hold_switch;           ///< see router_parameters
  unsigned input_speedup;     ///< number of inputs of the switch for each port
  bool stores_packets;        ///< whether a head gets its route only when its whole packet has arrived
  bool routes_on_arrival;     ///< whether a head has its route on arrival
  bool same_cycle;            ///< whether a head requests the switch with the output VC that it got in the same cycle
  unsigned cycles_to_switch;  ///< see router_pipeline
  unsigned stages;            ///< number of stages of the crossbar
  unsigned longest;           ///< maximum latency of a channel in cycles
  bool uniform;               ///< whether all channels have the same latency
  bool narrow;                ///< whether some channel is narrow (channel::phits)
  cycle_t lookahead;          ///< cycles from a grant to its first effect, which is a credit; at most MostCyclesAtOnce
};

}  // namespace weft::engine
