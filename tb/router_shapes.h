// SPDX-License-Identifier: Apache-2.0
/// The routers that are verilated for networks (tb/CMakeLists.txt): all at these sizes. What a network has less of lies
/// idle, which changes no decision: an arbiter passes over what never asks.
#pragma once

#include "tb/router_wires.h"

namespace weft::tb {

constexpr router_shape table_router(unsigned pipeline, bool cut_through) {
  router_shape s;
  s.ports = 5;
  s.vcs = 4;
  s.depth = s.output_depth = 16;
  s.pipeline = pipeline;
  s.cut_through = cut_through;
  s.words = 2;
  s.code = true;
  s.user_bits = 16;
  s.destinations = 64;
  s.ways = 16;
  s.way_bits = 4;
  return s;
}

}  // namespace weft::tb
