// SPDX-License-Identifier: Apache-2.0
/// A network of any level as a program drives it: run, look at queues, counters and blocked packets.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/core/types.h"

namespace weft {

/// A packet at the front of an input VC that cannot move, and what it waits for.
struct blocked_packet {
  enum class reason { OutputVc, Credit };
  router_id router = 0;
  unsigned port = 0;  ///< input port
  unsigned vc = 0;    ///< input VC
  packet_id id = 0;
  reason why = reason::OutputVc;
  unsigned output_port = 0;
  vc_set output_vcs = 0;  ///< the VCs asked for, or the one held that has no credit
  port_set choices = 0;   ///< of adaptive routing: output ports of which a VC is asked for as well
  vc_set choice_vcs = 0;
};

/// Flits that one directed channel carried.
struct channel_count {
  router_id router = 0;  ///< whose output it is
  unsigned port = 0;     ///< output port
  std::uint64_t flits = 0;
};

/// A network at some level, as an experiment drives it.
class network_model {
 public:
  virtual ~network_model() = default;
  /// Simulates the next \p cycles cycles.
  virtual void run(cycle_t cycles) = 0;
  /// Cycles simulated so far.
  virtual cycle_t now() const = 0;
  /// Packets in the source queue of \p node that have not sent their head yet.
  virtual std::uint64_t queued(node_id node) const = 0;
  /// Flits that the NIC of \p node received in the last full window: N of COMPRESS, Algorithm 1.
  virtual std::uint32_t received_in_window(node_id node) const = 0;
  /// Flits each output port has sent since the start, router by router, ports in order.
  virtual std::vector<channel_count> channel_counts() const = 0;
  /// Flits in the FIFO of each input VC, those that arrive in cycle now() included: router by router, port by port, VC
  /// by VC.
  virtual std::vector<std::uint32_t> buffered() const = 0;
  /// Which packet waits for which, for the report of a deadlock.
  virtual std::vector<blocked_packet> blocked() const = 0;
  /// The source has a packet for \p node earlier than it said: ask next_creation() again. May be called between runs,
  /// and by an observer that is being told of an event in cycle c, but for created(): then the packet is created in c +
  /// 1 at the earliest if the event was at \p node, else in c + 2.
  virtual void ask_again(node_id node) = 0;
  /// Whether \p node takes flits from its NIC, from the next cycle on; at first it does. What it does not take waits
  /// in the ejection buffer and then in the network. May be called as ask_again().
  /// \throws std::logic_error for NICs without an ejection buffer (nic_parameters::ejection_depth)
  virtual void set_ready(node_id node, bool ready) = 0;
};

}  // namespace weft
