/// What a user chooses about routers and NICs, the same at every level.
#pragma once

#include <cstdint>

#include "weft/core/types.h"

namespace weft {

enum class flow_control : std::uint8_t {
  Wormhole,           ///< a head may advance as soon as the next buffer has room for one flit
  VirtualCutThrough,  ///< a head gets an output VC only when the next buffer has room for the whole packet
};

struct router_parameters {
  unsigned vcs = 4;       ///< virtual channels a port, 1…MaxVcs
  unsigned depth = 8;     ///< buffer of one VC in flits, ≥ 1; vcs * depth ≤ MaxBufferFlits
  unsigned pipeline = 4;  ///< S: cycles from arrival to the output register; 3, 4, 5, 7 or 9
  flow_control flow = flow_control::Wormhole;
};

struct nic_parameters {
  cycle_t window = 1000;        ///< cycles over which received flits (N) are counted, ≥ 1
  unsigned ejection_depth = 0;  ///< buffer of an ejection VC in flits; 0 = the node takes every flit at once
};

}  // namespace weft
