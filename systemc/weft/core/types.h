// SPDX-License-Identifier: Apache-2.0
/// The integer types and limits that all of Weft shares.
#pragma once

#include <cstdint>
#include <limits>

namespace weft {

using cycle_t = std::uint64_t;  ///< clock cycles since reset was released
using node_id = std::uint32_t;  ///< a terminal: one NIC and the device behind it
using router_id = std::uint32_t;
inline constexpr unsigned NodeBits = 20;  ///< width of the number of a node or of a router
using packet_id = std::uint64_t;

/// A set of virtual channels of one port, bit v for VC v.
using vc_set = std::uint32_t;
/// A set of ports of one router, bit p for port p; also a set of inputs of its switch.
using port_set = std::uint32_t;

/// Stands for no cycle, for example as the time of the next event if there is none.
inline constexpr cycle_t Never = std::numeric_limits<cycle_t>::max();

/// Limits of the hardware modules, whose registers and ports have a fixed size. To translate a router with fewer ports
/// or VCs, define WEFT_MAX_PORTS and WEFT_MAX_VCS accordingly, so that its wires and arrays are no larger.
#ifndef WEFT_MAX_PORTS
#define WEFT_MAX_PORTS 16
#endif
#ifndef WEFT_MAX_VCS
#define WEFT_MAX_VCS 16
#endif
inline constexpr unsigned MaxPorts = WEFT_MAX_PORTS;  ///< ports of a router, including local ports, ≤ 16
inline constexpr unsigned MaxVcs = WEFT_MAX_VCS;      ///< VCs of a port, ≤ 16
inline constexpr unsigned MaxInputSpeedup = 4;        ///< flits that an input port sends in a cycle
inline constexpr unsigned MaxBufferFlits = 512;       ///< flits buffered at an input port: VCs times depth
inline constexpr unsigned MaxRouterFlits = 4096;      ///< flits buffered in a router: ports times VCs times depth

/// Maximum number of inputs of the switch of a router (router/switch_inputs.h). Without a speedup, they are its ports.
/// With more than these, the arrays of all routers would be larger, and simulation slower.
#ifdef WEFT_SYNTHESIS
inline constexpr unsigned MaxSwitchInputs = MaxPorts;
#else
inline constexpr unsigned MaxSwitchInputs = MaxPorts + 4;
#endif
static_assert(MaxSwitchInputs <= 32, "sets of them have 32 bits");

/// Maximum number of members of a set of ports, of inputs of a switch, or of VCs.
inline constexpr unsigned MaxMembers = MaxSwitchInputs > MaxVcs ? MaxSwitchInputs : MaxVcs;

/// The lowest `count` VCs. \p count 0…MaxVcs.
constexpr vc_set first_vcs(unsigned count) { return (1U << count) - 1; }

}  // namespace weft
