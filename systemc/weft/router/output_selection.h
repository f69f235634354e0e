// SPDX-License-Identifier: Apache-2.0
/// Selection of the output port that a head with several possible outputs requests.
#pragma once

#include <cstdint>

#include "weft/core/division.h"
#include "weft/core/members.h"
#include "weft/core/route.h"
#include "weft/core/types.h"

namespace weft {

/// The resources that are free in this cycle, for the route that a head requests.
struct route_offers {
  vc_set sure = 0;                  ///< VCs of the output port of the sure offer (route::port)
  vc_set choice_vcs[MaxPorts];      ///< of each port among the choices, the VCs offered; see select_output()
  std::uint32_t credits[MaxPorts];  ///< sum over all VCs of each of these ports, < 2^20
};

/// Rank of one of the output ports that a head may choose. The port with the highest rank wins. The rank compares
/// credits first, in whole buffers of \p depth flits, then \p place modulo \p count, where \p count is the number of
/// ports to choose from. \p place differs between ports and between heads.
inline unsigned choice_merit(std::uint32_t credits, unsigned depth, unsigned place, unsigned count) {
  return divide<20>(credits, depth) << 5 | modulo<6>(place, count);
}

/// Selects the output port and VCs that a head requests in this cycle. Among its choices (route::choices) that have a
/// free VC, the one with the most credits wins, counted in whole buffers. If no choice has a free VC, the head requests
/// its sure offer. Among ports with equal credits the heads prefer different ones; otherwise all heads that arrive in
/// one cycle would request the same port.
/// \param ports     number of ports of the router
/// \param contender index of the head among the possible requesters: input port + input VC
/// \param depth     credits of an empty buffer
/// \param offers    the free VCs among those that the head may use. If the head has a sure offer, the caller must leave
/// out
///                  every VC of a choice whose buffer is neither empty nor has room for the whole packet. Otherwise a
///                  packet could wait behind others for their escape VCs while its own tail still occupies other
/// buffers.
///                  (Duato 1993 allows one packet per queue; Ma et al. 2012 describe whole packet forwarding.)
/// \return the selected port and its free VCs; no VCs if none is free
inline route select_output(const route& requested, [[maybe_unused]] unsigned ports, unsigned contender, unsigned depth,
                           const route_offers& offers) {
  route best;
  best.port = requested.port;
  best.vcs = offers.sure;
  bool chosen = false;
  const unsigned count = count_members(requested.choices);
  unsigned most = 0, rank = 0;
  WEFT_FOR_MEMBERS(port, requested.choices, ports) {
    const vc_set vcs = offers.choice_vcs[port];
    const unsigned merit = choice_merit(offers.credits[port], depth, rank + contender, count);
    ++rank;
    if (vcs != 0 && (!chosen || merit >= most)) {
      best.port = static_cast<std::uint8_t>(port);
      best.vcs = vcs;
      chosen = true;
      most = merit;
    }
  }
  return best;
}

}  // namespace weft
