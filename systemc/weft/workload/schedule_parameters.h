// SPDX-License-Identifier: Apache-2.0
/// User parameters of a schedule in steps.
#pragma once

#include <cstdint>

namespace weft::schedule {

/// The number of transfers that a node sends, and receives, in a step.
struct port_rule {
  enum class kind : std::uint8_t {
    AsBuilt,  ///< as many as it has attachments
    All,      ///< with one node at each router, as many as the router has links; otherwise as built (FATTREE)
    Number,   ///< `number`, but at most as many as for All
  };
  kind rule = kind::AsBuilt;
  unsigned number = 1;  ///< ≥ 1
};

/// The paths that a transfer may take.
enum class path_rule : std::uint8_t {
  Minimal,  ///< shortest paths only
  Any,      ///< any simple path through routers
};

}  // namespace weft::schedule
