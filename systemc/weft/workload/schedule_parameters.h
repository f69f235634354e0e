// SPDX-License-Identifier: Apache-2.0
/// User parameters of a schedule in steps.
#pragma once

#include <cstdint>

namespace weft {

/// Determines how many transfers a node can send, and how many it can receive, in a step.
struct port_rule {
  enum class kind : std::uint8_t {
    AsBuilt,  ///< as many as the node has attachments
    All,      ///< as many as the node's router has links (FATTREE); AsBuilt unless there is one node at each router
    Number,   ///< `number`, but at most as many as the rule All allows
  };
  kind rule = kind::AsBuilt;
  unsigned number = 1;  ///< ≥ 1
};

/// The paths that a transfer may take.
enum class path_rule : std::uint8_t {
  Minimal,  ///< shortest paths only
  Any,      ///< any simple path through routers
};

}  // namespace weft
