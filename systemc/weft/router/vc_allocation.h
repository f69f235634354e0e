// SPDX-License-Identifier: Apache-2.0
/// VC allocation: the allocator whose inputs are the input VCs of a router and whose outputs are its output VCs. A
/// block is a port with its VCs, so a VC index (`vc_index`) is port * VCs + VC.
#pragma once

#include "weft/core/types.h"
#include "weft/router/allocator.h"

namespace weft {

/// The input VCs that wait for an output VC, by port, and for each the VCs of one output port that are admissible *and*
/// free.
using vc_requests = allocation_requests<MaxPorts, MaxVcs>;
using vc_grants = allocation_grants<MaxPorts, MaxVcs>;

/// The VC allocator of a router. Its state begins at word 0 of an array.
inline allocator_design make_vc_allocator(const allocator_parameters& parameters, unsigned ports, unsigned vcs) {
  allocation_size size;
  size.blocks = ports;
  size.inputs = vcs;
  size.outputs = vcs;
  return make_allocator(parameters, size, 0);
}

}  // namespace weft
