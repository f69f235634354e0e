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
  std::uint32_t sure_credits = 0;   ///< for select_detour(): sum over the admissible VCs of this port
  vc_set choice_vcs[MaxPorts];      ///< of each port among the choices, the VCs offered; see select_output()
  std::uint32_t credits[MaxPorts];  ///< of each of these ports, the sum over all VCs, or for select_detour() over the
                                    ///< admissible VCs; < 2^20
};

/// The unit in which the credits of output ports are compared: a buffer of \p depth flits, but at most 4. In larger
/// units a busy port with deep buffers would equal an idle one.
inline unsigned credit_unit(unsigned depth) { return depth < 4 ? depth : 4; }

/// Rank of one of the output ports that a head may choose. The port with the highest rank wins. The rank compares
/// credits first, in whole units of \p unit flits, then \p place modulo \p count, where \p count is the number of
/// ports to choose from. \p place differs between ports and between heads.
inline unsigned choice_merit(std::uint32_t credits, unsigned unit, unsigned place, unsigned count) {
  return divide<20>(credits, unit) << 5 | modulo<6>(place, count);
}

/// Removes the choices that a head in a port of a node may not request: those with a single available VC. Nodes thus
/// leave one adaptive channel of each port to packets that are in the network already. Without this rule they fill all
/// adaptive channels beyond saturation, and most packets have to wait for the escape channel. A head without choices
/// requests its sure offer. Routes without a sure offer, and those with one adaptive channel, have no such rule.
inline void leave_channel_to_network(const route& requested, [[maybe_unused]] unsigned ports, route_offers& offers) {
  if (requested.vcs != 0 && !is_single(requested.choice_vcs)) {
    WEFT_FOR_MEMBERS(port, requested.choices, ports) {
      if (is_single(offers.choice_vcs[port])) offers.choice_vcs[port] = 0;
    }
  }
}

/// Of \p vcs, those with the most credits. A head with several possible outputs requests one of these VCs of the port
/// that it selects, so that packets spread over the VCs.
/// \param credits of each VC of the port
/// \param count   number of VCs of the port
template <typename Credits>
vc_set emptiest_vcs(vc_set vcs, const Credits& credits, [[maybe_unused]] unsigned count) {
  std::uint16_t most = 0;
  WEFT_FOR_MEMBERS(vc, vcs, count) {
    if (credits[vc] > most) most = credits[vc];
  }
  vc_set result = 0;
  WEFT_FOR_MEMBERS(other, vcs, count) {
    if (credits[other] == most) result |= 1U << other;
  }
  return result;
}

/// Whether more than \p congestion percent of the \p capacity flits of the buffers behind a port are occupied. The
/// capacity must be below 2^20.
inline bool is_congested(std::uint32_t credits, std::uint32_t capacity, std::uint32_t congestion) {
  return credits < capacity && (capacity - credits) * 100 > capacity * congestion;
}

/// Whether heads prefer the choices in the order of the ports, whatever their credits.
inline bool takes_in_order(const output_choice& choice, const route& requested, [[maybe_unused]] unsigned ports,
                           std::uint32_t capacity, const route_offers& offers) {
  bool in_order = choice.selection != selection_rule::MostCredits;
  if (choice.selection == selection_rule::WhenCongested) {
    WEFT_FOR_MEMBERS(port, requested.choices, ports) {
      if (is_congested(offers.credits[port], capacity, choice.congestion)) in_order = false;
    }
  }
  return in_order;
}

/// Selects the output port and VCs that a head requests in this cycle, according to choice.selection. By default, among
/// its choices (route::choices) that have a free VC, the one with the most credits wins, counted in credit_unit(). If
/// no choice has a free VC, the head requests
/// its sure offer. Among ports with equal credits the heads prefer different ones; otherwise all heads that arrive in
/// one cycle would request the same port.
/// \param choice    which of the ports wins
/// \param ports     number of ports of the router
/// \param contender index of the head among the possible requesters: input port + input VC
/// \param depth     credits of an empty buffer
/// \param capacity  credits of all empty buffers behind a port
/// \param offers    the free VCs among those that the head may use. If the head has a sure offer, the caller must leave
/// out
///                  every VC of a choice whose buffer is neither empty nor has room for the whole packet. Otherwise a
///                  packet could wait behind others for their escape VCs while its own tail still occupies other
/// buffers.
///                  (Duato 1993 allows one packet per queue; Ma et al. 2012 describe whole packet forwarding.)
/// \return the selected port and its free VCs; no VCs if none is free
inline route select_output(const output_choice& choice, const route& requested, [[maybe_unused]] unsigned ports,
                           unsigned contender, unsigned depth, std::uint32_t capacity, const route_offers& offers) {
  const bool in_order = takes_in_order(choice, requested, ports, capacity, offers);
  const bool first_only = in_order && choice.selection == selection_rule::WhenCongested;
  route best;
  best.port = requested.port;
  best.vcs = offers.sure;
  bool chosen = false;
  const unsigned count = count_members(requested.choices);
  unsigned most = 0, rank = 0;
  WEFT_FOR_MEMBERS(port, requested.choices, ports) {
    const vc_set vcs = offers.choice_vcs[port];
    const unsigned merit =
        in_order ? MaxPorts - rank : choice_merit(offers.credits[port], credit_unit(depth), rank + contender, count);
    const bool offered = vcs != 0 && (rank == 0 || !first_only);
    ++rank;
    if (offered && (!chosen || merit >= most)) {
      best.port = static_cast<std::uint8_t>(port);
      best.vcs = vcs;
      chosen = true;
      most = merit;
    }
  }
  return best;
}

/// Whether the caller must leave out VCs of choices that have no room for the whole packet; see select_output().
inline bool must_fit(const output_choice& choice, const route& requested) {
  return requested.vcs != 0 && !choice.detours;
}

/// The VCs of each choice whose credits count.
/// \param vcs all VCs of a port
inline vc_set counted_vcs(const output_choice& choice, const route& requested, vc_set vcs) {
  return choice.detours ? requested.choice_vcs : vcs;
}

/// Selects between the direct path and a detour, which is the only choice of the head, if there is one. UGAL (Singh
/// 2005) prefers the path with the smaller product of queue and hops. A detour has about twice as many hops as the
/// direct path, so a head takes it if more than twice as many flits are in the buffers behind the direct path as in
/// those behind the detour, and \p threshold flits more. Only the buffers of the VCs that the head may use count
/// (UGAL-L_VC: Kim et al. 2008). A head that prefers the detour does not request the direct path, even if only that has
/// a free VC: otherwise packets would fill the buffers before a busy link and block others that are not going over this
/// link.
/// \param depth credits of an empty buffer
inline route select_detour(const route& requested, std::uint32_t threshold, std::uint32_t depth,
                           const route_offers& offers) {
  route best;
  best.port = requested.port;
  best.vcs = offers.sure;
  if (requested.choices != 0) {
    const unsigned detour = lowest(requested.choices);
    const std::uint32_t direct_flits = depth * count_members(requested.vcs) - offers.sure_credits;
    const std::uint32_t detour_flits = depth * count_members(requested.choice_vcs) - offers.credits[detour];
    if (direct_flits > 2 * detour_flits + threshold) {
      best.port = static_cast<std::uint8_t>(detour);
      best.vcs = offers.choice_vcs[detour];
    }
  }
  return best;
}

}  // namespace weft
