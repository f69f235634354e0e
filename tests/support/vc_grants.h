// SPDX-License-Identifier: Apache-2.0
/// The requests and the grants of a VC allocation, as lists.
#pragma once

#include <vector>

#include "weft/core/route.h"
#include "weft/router/vc_allocation.h"

namespace weft {

inline void add_request(vc_requests& requests, unsigned in_port, unsigned in_vc, const route& requested) {
  if ((requests.blocks >> in_port & 1) == 0) requests.inputs[in_port] = 0;
  requests.blocks |= port_set{1} << in_port;
  requests.inputs[in_port] |= vc_set{1} << in_vc;
  requests.block[in_port][in_vc] = requested.port;
  requests.outputs[in_port][in_vc] = requested.vcs;
}

/// A grant: input VC (in_port, in_vc) gets output VC (out_port, out_vc).
struct granted_vc {
  unsigned in_port, in_vc, out_port, out_vc;
};

inline std::vector<granted_vc> list_of(const vc_grants& grants) {
  std::vector<granted_vc> list;
  for_each_member(grants.blocks, [&](unsigned port) {
    for_each_member(grants.inputs[port], [&](unsigned vc) {
      list.push_back({port, vc, grants.block[port][vc], grants.output[port][vc]});
    });
  });
  return list;
}

}  // namespace weft
