// SPDX-License-Identifier: Apache-2.0
/// Makes traffic from its parameters: the packets of every node, and their payload.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "weft/core/packet.h"
#include "weft/topology/analysis/node_placement.h"
#include "weft/workload/error.h"
#include "weft/workload/parameters.h"

namespace weft {

/// The properties of the network and of the run that a workload depends on.
struct workload_context {
  std::uint32_t nodes = 0;  ///< ≥ 1
  node_placement grid{};    ///< of the nodes
  std::uint64_t seed = 0;
};

/// Makes a source of the packets that \p parameters describe, from cycle 0 on.
/// Generated packet i of node n has the id i * nodes + n. Each node draws creation cycles, destinations and lengths
/// from three random streams of its own. Therefore its packets do not depend on other nodes, and a change of the
/// lengths does not change the destinations.
/// \throws std::invalid_argument for impossible parameters, workload_error for errors in files
std::unique_ptr<packet_source> make_workload(const workload_parameters& parameters, const workload_context& context);

}  // namespace weft
