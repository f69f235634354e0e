// SPDX-License-Identifier: Apache-2.0
/// The interface of a network at any level: run it, and read queues, counters and blocked packets.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/core/types.h"

namespace weft {

/// A set of message classes: bit c is class c.
using class_set = std::uint32_t;

/// A packet that cannot move, and what it waits for. It is at the front of an input VC of a router, or in a NIC.
struct blocked_packet {
  enum class reason {
    OutputVc,    ///< an output VC
    Credit,      ///< a credit for the output VC that it holds
    Room,        ///< room in a buffer that this VC shares, although the VC has a credit
    Acceptance,  ///< in an ejection buffer: that the node accepts packets of its class
    Injection,   ///< at a node: one of the VCs `output_vcs` of the channel to the router, with a credit
    Port,        ///< at a node: the port, which a packet that has begun to leave occupies
  };
  router_id router = 0;  ///< not for packets in NICs
  unsigned port = 0;     ///< input port; for packets in NICs: port of the node
  unsigned vc = 0;       ///< input VC, or ejection VC
  packet_id id = 0;
  reason why = reason::OutputVc;
  unsigned output_port = 0;
  vc_set output_vcs = 0;  ///< the VCs requested, or the one that is held
  port_set choices = 0;   ///< with adaptive routing: output ports whose VCs are requested as well
  vc_set choice_vcs = 0;
  vc_set pool_vcs = 0;             ///< Room: VCs whose flits use the pool of the buffer
  vc_set kept_vcs = 0;             ///< Room: empty VCs that keep a slot of the pool
  node_id node = 0;                ///< for packets in NICs
  std::uint8_t message_class = 0;  ///< for packets in NICs
};

/// Number of flits that one directed channel carried.
struct channel_count {
  router_id router = 0;  ///< router that drives the channel
  unsigned port = 0;     ///< output port
  std::uint64_t flits = 0;
};

/// What one directed channel carried. A wire toggles if its value differs between two successive flits of the channel.
/// Between flits, wires keep their values; before the first flit they are all 0. The wire `valid` is not counted.
struct channel_activity {
  std::uint64_t flits = 0;
  std::uint64_t packets = 0;          ///< heads among the flits
  std::uint64_t payload_toggles = 0;  ///< toggles of payload wires
  std::uint64_t header_toggles = 0;   ///< toggles of all other wires of a flit (core/flit.h)

  channel_activity& operator+=(const channel_activity& other) {
    flits += other.flits;
    packets += other.packets;
    payload_toggles += other.payload_toggles;
    header_toggles += other.header_toggles;
    return *this;
  }
  channel_activity& operator-=(const channel_activity& other) {
    flits -= other.flits;
    packets -= other.packets;
    payload_toggles -= other.payload_toggles;
    header_toggles -= other.header_toggles;
    return *this;
  }
  friend bool operator==(const channel_activity& a, const channel_activity& b) {
    return a.flits == b.flits && a.packets == b.packets && a.payload_toggles == b.payload_toggles &&
           a.header_toggles == b.header_toggles;
  }
};

/// A network at any level, as an experiment controls it.
class network_model {
 public:
  virtual ~network_model() = default;
  /// Simulates the next \p cycles cycles.
  virtual void run(cycle_t cycles) = 0;
  /// Cycles simulated so far.
  virtual cycle_t now() const = 0;
  /// Packets in the source queue of \p node whose head is not sent yet.
  virtual std::uint64_t queued(node_id node) const = 0;
  /// Flits that the NIC of \p node received in the last full window: N in Algorithm 1 of COMPRESS.
  virtual std::uint32_t received_in_window(node_id node) const = 0;
  /// Flits that each output port has sent since the start, router by router, ports in order.
  virtual std::vector<channel_count> channel_counts() const = 0;
  /// Activity of each channel since the start: output ports of routers in the order of channel_counts(), then the
  /// channels from NICs to routers, node by node, ports in order. A flit counts from the cycle on in which it is on the
  /// first wires of the channel. Empty unless an observer requests it (network_observer::needs_activity()).
  virtual std::vector<channel_activity> activity() const = 0;
  /// Flits in the FIFO of each input VC, including those that arrive in cycle now(): router by router, port by port, VC
  /// by VC.
  virtual std::vector<std::uint32_t> buffered() const = 0;
  /// The blocked packets and what they wait for, for the report of a deadlock.
  virtual std::vector<blocked_packet> blocked() const = 0;
  /// The blocked packets in NICs: those in ejection buffers whose class the node does not accept, and those at the
  /// fronts of source queues. Only for NICs without stages.
  virtual std::vector<blocked_packet> blocked_in_nics() const = 0;
  /// Notifies the network that the source now has a packet for \p node before the cycle that it announced; the network
  /// calls `next_creation()` again. Callable between runs and from observer callbacks except `created()`. If it is
  /// called during cycle c, the packet is created in c + 1 at the earliest if the event was at \p node, otherwise in c
  /// + 2.
  virtual void reschedule_source(node_id node) = 0;
  /// Sets whether \p node accepts flits from its NIC, starting with the next cycle (default: true). Flits that are not
  /// accepted wait in the ejection buffer and then back up into the network. Callable whenever reschedule_source() is.
  /// \throws std::logic_error for NICs without an ejection buffer (nic_parameters::ejection_depth)
  virtual void set_ready(node_id node, bool ready) = 0;
  /// Sets the message classes whose packets \p node accepts (default: all). If it does not accept a class, packets of
  /// this class wait in the ejection buffer, while those of other classes pass them. A packet whose head has left the
  /// buffer is accepted as a whole. The ejector selects its next packet by the classes that were set before the
  /// present cycle. Callable whenever reschedule_source() is.
  /// \throws std::logic_error unless nic_parameters::accepts_by_class
  virtual void set_accepted(node_id node, class_set classes) = 0;
};

}  // namespace weft
