// SPDX-License-Identifier: Apache-2.0
/// The few integer types and limits that every part of Weft shares.
#pragma once

#include <cstdint>
#include <limits>

namespace weft {

using cycle_t = std::uint64_t;  ///< clock cycles since reset was released
using node_id = std::uint32_t;  ///< a terminal: one NIC and what sends and receives behind it
using router_id = std::uint32_t;
using packet_id = std::uint64_t;

/// A set of virtual channels of one port, bit v for VC v.
using vc_set = std::uint32_t;
/// A set of ports of one router, bit p for port p.
using port_set = std::uint32_t;

/// "At no cycle": the next event of something that is finished.
inline constexpr cycle_t Never = std::numeric_limits<cycle_t>::max();

/// Limits of the hardware modules, whose registers and ports have a fixed size.
inline constexpr unsigned MaxPorts = 16;          ///< of one router, local ports included
inline constexpr unsigned MaxVcs = 16;            ///< of one port
inline constexpr unsigned MaxBufferFlits = 512;   ///< of one input port: VCs times depth
inline constexpr unsigned MaxRouterFlits = 4096;  ///< of one router: ports times VCs times depth

/// Members that a set of ports, or of VCs, can have.
inline constexpr unsigned MaxMembers = MaxPorts > MaxVcs ? MaxPorts : MaxVcs;

/// The lowest `count` VCs. \p count 0…MaxVcs.
constexpr vc_set first_vcs(unsigned count) { return (1U << count) - 1; }

/// Part \p number of \p parts, as even as can be, of the lowest VCs, as many of them as \p vcs has: a class or a layer.
constexpr vc_set part_of_vcs(vc_set vcs, unsigned number, unsigned parts) {
  const auto count = static_cast<unsigned>(__builtin_popcount(vcs));
  return first_vcs(count * (number + 1) / parts) & ~first_vcs(count * number / parts);
}

}  // namespace weft
