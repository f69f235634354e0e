// SPDX-License-Identifier: Apache-2.0
/// The routers that are verilated for networks (tb/compiled_routers.cmake): all at these sizes. What a network has
/// less of lies idle, which changes no decision: an arbiter passes over what never asks.
#pragma once

#include "tb/router_sizes.h"
#include "tb/router_wires.h"

namespace weft::tb {

constexpr router_shape table_router(unsigned pipeline, bool cut_through) {
  router_shape s;
  s.ports = router_sizes::Ports;
  s.vcs = router_sizes::Vcs;
  s.depth = s.output_depth = router_sizes::Depth;
  s.pipeline = pipeline;
  s.cut_through = cut_through;
  s.words = router_sizes::Words;
  s.code = true;
  s.user_bits = 16;
  s.destinations = router_sizes::Destinations;
  s.ways = router_sizes::Ways;
  s.way_bits = index_bits(s.ways);
  return s;
}

}  // namespace weft::tb
