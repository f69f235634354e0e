// SPDX-License-Identifier: Apache-2.0
/// The kinds of the parts of a router that a user chooses. docs/03_reference/allocators.md describes them, and
/// router/allocator_kinds.h contains their names and properties.
#pragma once

#include <cstdint>

namespace weft {

/// How an arbiter selects one of its requesters.
enum class arbiter_kind : std::uint8_t {
  RoundRobin,     ///< the first at or after a pointer, which moves past the winner
  Matrix,         ///< the one that was granted least recently
  Tree,           ///< round robin among groups, and round robin within each group
  FixedPriority,  ///< the one with the lowest number
#ifndef WEFT_SYNTHESIS
  Random,  ///< any of them, with equal probability
#endif
};

/// How an allocator matches inputs with outputs.
enum class allocator_kind : std::uint8_t {
  SeparableInputFirst,   ///< every input selects an output, then every output selects an input
  SeparableOutputFirst,  ///< every output selects an input, then every input selects an output
  Islip,                 ///< output-first, repeated for the inputs and outputs that are left (McKeown 1999)
  Wavefront,             ///< diagonal by diagonal of the request matrix (Tamir and Chi 1993)
  WavefrontFair,         ///< as Wavefront, but the next cycle starts past the first diagonal with a grant
  LonelyOutput,          ///< every input selects the output with the fewest requests (Gupta and McKeown 1999)
#ifndef WEFT_SYNTHESIS
  Pim,              ///< as Islip, with random selections (Anderson et al. 1993)
  MaximumMatching,  ///< as many grants as possible
#endif
};

/// When an output VC whose packet has left may be granted to another packet.
enum class vc_reallocation : std::uint8_t {
  AfterTail,        ///< as soon as the tail has left
  AfterTailCredit,  ///< when the credits of all its flits are back, so that a buffer holds flits of one packet only
};

/// How the VCs of an input port use its buffer of vcs * depth flits.
enum class buffer_policy : std::uint8_t {
  Private,  ///< each VC has a buffer of its own, of depth flits
  Shared,   ///< the VCs share one buffer
};

/// Whether and how a head requests the switch in the cycle of its VC allocation, before the result is known. A grant of
/// the switch is used only if the head also got an output VC, and this VC has a credit.
enum class speculation_kind : std::uint8_t {
  None,            ///< it requests the switch in a later cycle, or after the result of VC allocation in the same cycle
  Prioritized,     ///< one switch allocator, in which other requests have priority
  MaskedByGrants,  ///< a second allocator; its grants yield to grants to other requests
  MaskedByRequests,  ///< a second allocator; its grants yield to other requests for the same output port
};

/// What decides which packets precede others in VC and switch allocation. All kinds of age prefer the oldest flit.
enum class priority_kind : std::uint8_t {
  None,
#ifndef WEFT_SYNTHESIS
  Age,           ///< cycles since the creation of the packet
  NetworkAge,    ///< cycles since the flit arrived in its first router
  LocalAge,      ///< cycles since the flit arrived in this router
  HopCount,      ///< number of routers that the flit has passed; the largest precedes
  QueueLength,   ///< number of flits in the input VC; the largest precedes
  MessageClass,  ///< number of the message class; the largest precedes
#endif
};

struct allocator_parameters {
  allocator_kind kind = allocator_kind::SeparableInputFirst;
  arbiter_kind arbiter = arbiter_kind::RoundRobin;  ///< the arbiters of a separable allocator
  unsigned iterations = 1;                          ///< of Islip and Pim, 1…MaxIterations
  unsigned groups = 4;                              ///< of a Tree arbiter, 2…MaxGroups
};

struct buffer_parameters {
  buffer_policy policy = buffer_policy::Private;
  unsigned reserved = 1;  ///< Shared: flits of the buffer that each VC has for itself, 0…depth
  unsigned limit = 0;     ///< Shared: maximum number of flits of a VC; 0: no limit
};

/// Whether the VCs of an input port share a buffer and have no flits of it for themselves.
constexpr bool shares_all(const buffer_parameters& b) { return b.policy == buffer_policy::Shared && b.reserved == 0; }

/// Whether allocators of a kind select with arbiters whose kind is a parameter. Each of them changes with the grants
/// that it selected, whatever else happened in the cycle.
constexpr bool selects_with_arbiters(allocator_kind kind) {
  return kind == allocator_kind::SeparableInputFirst || kind == allocator_kind::SeparableOutputFirst;
}
/// Whether allocators of a kind have an arbiter for each input and output.
constexpr bool has_arbiters(allocator_kind kind) {
  return selects_with_arbiters(kind) || kind == allocator_kind::Islip;
}
/// Whether the number of iterations is a parameter of allocators of a kind.
constexpr bool iterates(allocator_kind kind) {
#ifdef WEFT_SYNTHESIS
  return kind == allocator_kind::Islip;
#else
  return kind == allocator_kind::Islip || kind == allocator_kind::Pim;
#endif
}

/// Whether allocators of a kind use the priorities of requests.
constexpr bool uses_priorities(allocator_kind kind) {
  return selects_with_arbiters(kind) || kind == allocator_kind::Wavefront || kind == allocator_kind::WavefrontFair;
}

inline constexpr unsigned MaxIterations = 8;
inline constexpr unsigned MaxGroups = 16;

constexpr bool operator==(const allocator_parameters& a, const allocator_parameters& b) {
  return a.kind == b.kind && a.arbiter == b.arbiter && a.iterations == b.iterations && a.groups == b.groups;
}
constexpr bool operator!=(const allocator_parameters& a, const allocator_parameters& b) { return !(a == b); }

}  // namespace weft
