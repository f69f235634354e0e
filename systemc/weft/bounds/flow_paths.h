// SPDX-License-Identifier: Apache-2.0
/// The paths of flows through a network: every router, with the VCs that the packets of a flow use in it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "weft/core/parameters.h"
#include "weft/core/types.h"
#include "weft/topology/topology.h"
#include "weft/topology/wiring.h"
#include "weft/workload/flows.h"

namespace weft {

/// A router on the path of a flow.
struct flow_hop {
  router_id router = 0;
  unsigned in_port = 0, in_vc = 0;
  unsigned out_port = 0, out_vc = 0;
  unsigned out_cycles = 1;  ///< latency of the channel at out_port
};

struct flow_path {
  std::vector<flow_hop> hops;  ///< from the router of the source to that of the destination
  unsigned in_cycles = 1;      ///< latency of the channel from the source to the first router
  std::string why_not;         ///< why the flow has no single path; empty if it has one
};

/// Finds the path of \p f. A flow has a single path if its routes are deterministic, and if each of them has one VC.
/// \p wires are the wires of \p graph
flow_path find_flow_path(const topology& graph, const wiring& wires, const router_parameters& router,
                         const regulated_flow& f);

}  // namespace weft
