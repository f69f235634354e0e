// SPDX-License-Identifier: Apache-2.0
/// Priorities of requests. An output selects among the requests with the largest priority `of()`, and an input among
/// those with the largest preference `preference()`; among equal ones, the allocator's own rule decides. Separable
/// allocators use both, and wavefront allocators order requests by priority first. The other kinds treat all requests
/// alike.
#pragma once

#include <cstdint>

#include "weft/core/router_choices.h"
#include "weft/core/types.h"

namespace weft {

/// Whether a request precedes another one, which has the priority \p other_priority and the rank \p other_rank.
inline bool precedes(std::uint32_t priority, unsigned rank, std::uint32_t other_priority, unsigned other_rank) {
  return priority > other_priority || (priority == other_priority && rank < other_rank);
}

/// All requests have the same priority.
struct equal_priorities {
  static constexpr std::uint32_t of([[maybe_unused]] unsigned in_block, [[maybe_unused]] unsigned input,
                                    [[maybe_unused]] unsigned output) {
    return 0;
  }
  static constexpr std::uint32_t preference([[maybe_unused]] unsigned in_block, [[maybe_unused]] unsigned input,
                                            [[maybe_unused]] unsigned output) {
    return 0;
  }
  static void set([[maybe_unused]] unsigned input, [[maybe_unused]] unsigned output,
                  [[maybe_unused]] std::uint32_t priority) {}
};

/// Of each request of an input of the switch for an output port, its priority.
struct port_priorities {
  std::uint32_t by_input[MaxSwitchInputs][MaxPorts];

  std::uint32_t of([[maybe_unused]] unsigned in_block, unsigned input, unsigned output) const {
    return by_input[input][output];
  }
  std::uint32_t preference(unsigned in_block, unsigned input, unsigned output) const {
    return of(in_block, input, output);
  }
  void set(unsigned input, unsigned output, std::uint32_t priority) { by_input[input][output] = priority; }
};

/// All input VCs have the same priority.
struct equal_vc_priorities {
  using of_ports = equal_priorities;
  static constexpr bool AreEqual = true;

  static constexpr std::uint32_t of([[maybe_unused]] unsigned input, [[maybe_unused]] unsigned vc) { return 0; }
};

/// Of each head that waits for an output VC, its priority, and the output VCs that heads prefer.
struct head_priorities {
  std::uint32_t by_vc[MaxPorts][MaxVcs];
  bool preferred[MaxPorts * MaxVcs];  ///< by number of the output VC

  std::uint32_t of(unsigned port, unsigned vc, [[maybe_unused]] unsigned output) const { return by_vc[port][vc]; }
  std::uint32_t preference([[maybe_unused]] unsigned port, [[maybe_unused]] unsigned vc, unsigned output) const {
    return preferred[output] ? 1 : 0;
  }
};

/// Of each input VC that requests the switch, its priority, by input of the switch.
struct vc_priorities {
  using of_ports = port_priorities;
  static constexpr bool AreEqual = false;

  std::uint32_t by_vc[MaxSwitchInputs][MaxVcs];

  std::uint32_t of(unsigned input, unsigned vc) const { return by_vc[input][vc]; }
};

#ifndef WEFT_SYNTHESIS

/// The largest priority of a flit.
inline constexpr std::uint32_t MostPriority = 0x7fff'ffff;

/// What decides the priority of a flit in a router: the cycle of its creation or of an arrival, a number of routers, or
/// a class.
/// \param previous that of the flit in the router before; none if this is its first router
/// \param created  cycle of the creation of its packet
/// \param now      cycle of its arrival
/// \param message_class the class of its packet
inline std::uint32_t stamp_of(priority_kind kind, const std::uint32_t* previous, cycle_t created, cycle_t now,
                              unsigned message_class) {
  switch (kind) {
    case priority_kind::Age:
      return static_cast<std::uint32_t>(created);
    case priority_kind::NetworkAge:
      return previous != nullptr ? *previous : static_cast<std::uint32_t>(now);
    case priority_kind::LocalAge:
      return static_cast<std::uint32_t>(now);
    case priority_kind::HopCount:
      return previous != nullptr ? *previous + 1 : 0;
    case priority_kind::MessageClass:
      return message_class;
    case priority_kind::None:
    case priority_kind::QueueLength:
      break;
  }
  return 0;
}

/// The priority of an input VC.
/// \param stamp  of its first flit
/// \param flits  number of its flits
/// \param guard  router_parameters::starvation_guard
/// \param waited cycles for which this flit has been the first
inline std::uint32_t priority_of(priority_kind kind, std::uint32_t stamp, unsigned flits, unsigned guard,
                                 cycle_t waited) {
  if (guard != 0 && waited >= guard) return MostPriority;
  if (kind == priority_kind::QueueLength) return flits;
  if (kind == priority_kind::HopCount || kind == priority_kind::MessageClass) return stamp & MostPriority;
  return MostPriority - (stamp & MostPriority);
}

#endif

}  // namespace weft
