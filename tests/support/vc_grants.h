// SPDX-License-Identifier: Apache-2.0
/// The requests and the grants of a VC allocation, as lists.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "weft/core/allocation.h"

namespace weft {

/// The positions at which the arbiters of a VC allocator start.
struct vc_pointers {
  std::array<std::uint8_t, MaxPorts * MaxVcs> input{}, output{};
};

inline void add_request(vc_requests& requests, unsigned in_port, unsigned in_vc, const route& requested) {
  if ((requests.ports >> in_port & 1) == 0) requests.waiting[in_port] = 0;
  requests.ports |= port_set{1} << in_port;
  requests.waiting[in_port] |= vc_set{1} << in_vc;
  requests.port[in_port][in_vc] = requested.port;
  requests.vcs[in_port][in_vc] = requested.vcs;
}

/// A grant: input VC (in_port, in_vc) gets output VC (out_port, out_vc).
struct vc_grant {
  unsigned in_port, in_vc, out_port, out_vc;
};

inline std::vector<vc_grant> grants_of(const vc_matching& m) {
  std::vector<vc_grant> grants;
  for_each_member(m.ports, [&](unsigned port) {
    for_each_member(m.inputs[port], [&](unsigned vc) {
      grants.push_back({port, vc, m.port[port][vc], m.vc[port][vc]});
    });
  });
  return grants;
}

}  // namespace weft
