// SPDX-License-Identifier: Apache-2.0
/// The sizes of the routers that are verilated for networks (compiled_routers.cmake). In a smaller network, the ports,
/// VCs and other parts that it does not need are idle. This changes no decision of a router, because arbiters ignore
/// inputs that never request.
#pragma once

#include "weft/cosim/router_sizes.h"
#include "weft/cosim/router_wires.h"

namespace weft::tb {

constexpr router_shape table_router(unsigned pipeline, bool cut_through) {
  router_shape s;
  s.ports = router_sizes::Ports;
  s.vcs = router_sizes::Vcs;
  s.depth = s.output_depth = router_sizes::Depth;
  s.pipeline = pipeline;
  s.cut_through = cut_through;
  s.narrow = true;
  s.words = router_sizes::Words;
  s.code = true;
  s.user_bits = 16;
  s.destinations = router_sizes::Destinations;
  s.path_id_count = router_sizes::Ways;
  s.path_id_bits = index_bits(s.path_id_count);
  return s;
}

}  // namespace weft::tb
