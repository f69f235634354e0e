// SPDX-License-Identifier: Apache-2.0
/// A reference for the router. It simulates the order of events that the specification of the router gives, in the
/// simplest way.
///
/// It was written only from texts: docs/03_reference/router.md and docs/03_reference/pipeline.md. It is slow and shares
/// no code with the model, so it is unlikely that both have the same errors.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/core/network_observer.h"
#include "weft/core/packet.h"
#include "weft/core/router_choices.h"
#include "weft/workload/packet_list.h"

namespace reference {

/// A mesh with dimension-order routing, one channel between node and router, and nodes that accept every flit at once,
/// with or without credits.
/// The default values are those of BookSim2's router.
struct parameters {
  std::vector<std::uint32_t> shape{8, 8};
  std::vector<unsigned> order{0, 1};  ///< the dimensions in the order in which they are corrected
  unsigned vcs = 4;
  unsigned depth = 8;
  unsigned pipeline = 4;     ///< number of pipeline stages S
  unsigned link_cycles = 1;  ///< latency of a channel between routers (L) in cycles
  unsigned link_phits = 1;   ///< parts of a flit on a channel between routers, which carries one part per cycle
  unsigned node_cycles = 1;  ///< latency of a channel between node and router (Ln) in cycles
  unsigned classes = 1;      ///< number of message classes, each with an equal part of the VCs
  bool cut_through = false;
  bool stores = false;  ///< store and forward: a head gets its route when its whole packet is in the buffer
  // Other choices
  bool lookahead = false;          ///< a head has its route on arrival
  bool after_tail_credit = false;  ///< an output VC is free when its buffer is empty; the same holds for nodes
  bool busy_when_full = false;     ///< an output VC without a credit is not free
  bool prefer_empty = false;       ///< if the buffer of a free VC is empty, those with flits are not requested
  weft::priority_kind priority = weft::priority_kind::None;
  unsigned starvation_guard = 0;  ///< cycles at the front after which a flit precedes others; 0: none
  weft::speculation_kind speculation = weft::speculation_kind::None;
  bool shared = false;            ///< the VCs of an input port share its vcs * depth flits
  unsigned reserved = 1;          ///< flits of a shared buffer that each VC has for itself
  unsigned limit = 0;             ///< most flits of a VC in a shared buffer; 0: no limit
  unsigned input_speedup = 1;     ///< flits that an input port can send in a cycle
  bool hold_switch = false;       ///< an input VC that sends keeps the switch for the next flit of its packet
  unsigned ejection_credits = 0;  ///< credits for each VC to a node; 0: no credits are needed
};

struct outcome {
  std::vector<weft::flit_event> injected;    ///< sorted by cycle, then by node
  std::vector<weft::flit_event> ejected;     ///< sorted by cycle, then by node
  std::vector<weft::packet_answer> answers;  ///< delivered packets, by number
};

/// Simulates the first \p cycles cycles. A node sends its packets in the order of their cycles of creation; packets of
/// the same cycle are sent in the given order.
outcome simulate(const parameters& p, const std::vector<weft::packet>& packets, weft::cycle_t cycles);

}  // namespace reference
