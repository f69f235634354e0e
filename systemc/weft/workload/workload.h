// SPDX-License-Identifier: Apache-2.0
/// Traffic from its parameters: the packets of every node, and what is in them.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "weft/core/packet.h"
#include "weft/topology/analysis/node_placement.h"
#include "weft/workload/error.h"
#include "weft/workload/parameters.h"

namespace weft {

/// What traffic must know about the network and the run.
struct workload_context {
  std::uint32_t nodes = 0;  ///< ≥ 1
  node_placement grid{};    ///< of the nodes
  std::uint64_t seed = 0;
};

/// The packets that \p parameters describe, from cycle 0 on.
///
/// Generated packet i of node n has the id i * nodes + n. A node draws when, where and how long from three
/// streams of random numbers of its own: its packets do not depend on what other nodes do, and new lengths do
/// not change the destinations. Throws std::invalid_argument for impossible parameters and workload_error
/// for files.
std::unique_ptr<packet_source> make_workload(const workload_parameters& parameters, const workload_context& context);

}  // namespace weft
