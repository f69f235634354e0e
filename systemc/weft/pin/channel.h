// SPDX-License-Identifier: Apache-2.0
/// The wires of a channel, and the router and NIC ports at its two ends. A channel carries flits in one direction and
/// credits in the other.
#pragma once

#include <string>

#include "weft/pin/clock_gate.h"
#include "weft/pin/link.h"
#include "weft/pin/nic/nic_interface.h"
#include "weft/pin/router/router_interface.h"
#include "weft/pin/wire.h"

namespace weft::pin {

/// The wires at the two ends of a channel. Both ends are the same wires if the channel is no link; credits have only
/// one wire if it has no repeaters.
template <unsigned PayloadBits>
struct channel_wires {
  wire<flit<PayloadBits>>* flit_near = nullptr;  ///< from the sender
  wire<credit>* credit_near = nullptr;           ///< to the sender
  wire<flit<PayloadBits>>* flit_far = nullptr;   ///< to the receiver
  wire<credit>* credit_far = nullptr;            ///< from the receiver
  const link<PayloadBits>* repeaters = nullptr;  ///< the link of a long or narrow channel; else null
};

#ifndef WEFT_SYNTHESIS
/// A channel and its two end points, for the audit of the conservation invariants. Each end is a router port or a NIC
/// port: exactly one sender and one receiver are set.
template <unsigned PayloadBits>
struct audited_channel {
  std::string name;
  channel_wires<PayloadBits> wires;
  unsigned depth = 0;  ///< capacity in flits of the receiver's buffer for each VC; 0 if the receiver accepts every flit
                       ///< and returns no credits
  const router_interface<PayloadBits>* from = nullptr;
  unsigned from_port = 0;
  const nic_interface<PayloadBits>* from_node = nullptr;
  const router_interface<PayloadBits>* to = nullptr;
  unsigned to_port = 0;
  const nic_interface<PayloadBits>* to_node = nullptr;

  /// Where the credits of one VC are. Between two clock edges the four counts add up to `depth`.
  struct census {
    unsigned at_sender = 0;  ///< credits that the sender holds
    unsigned in_flight = 0;  ///< flits that have left the sender's buffer and have not reached the receiver's buffer
    unsigned buffered = 0;   ///< flits in the receiver's buffer
    unsigned returning = 0;  ///< credits on their way back to the sender
  };

  census count(unsigned vc) const {
    const auto carries = [vc](const wire<flit<PayloadBits>>& w) {
      return unsigned{w.read().valid && w.read().vc == vc};
    };
    const auto returns = [vc](const wire<credit>& w) { return w.read().vcs >> vc & 1; };
    census c;
    c.in_flight = carries(*wires.flit_near);
    c.returning = returns(*wires.credit_near);
    if (wires.repeaters != nullptr) {
      c.in_flight += wires.repeaters->flits(vc) + carries(*wires.flit_far);
      c.returning += wires.repeaters->credits(vc);
      if (wires.credit_far != wires.credit_near) c.returning += returns(*wires.credit_far);
    }
    if (from != nullptr) {
      c.at_sender = from->credits(from_port, vc);
      c.in_flight += from->crossing(from_port, vc);
    } else {
      c.at_sender = from_node->credits(from_port, vc);
    }
    c.buffered = to != nullptr ? to->buffered(to_port, vc) : to_node->buffered(to_port, vc);
    return c;
  }
};
#endif

}  // namespace weft::pin
