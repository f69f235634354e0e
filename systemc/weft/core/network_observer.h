// SPDX-License-Identifier: Apache-2.0
/// Observers of packets: the callbacks that a network of any level makes, so that each measurement is implemented once.
#pragma once

#include <cstdint>
#include <initializer_list>

#include "weft/core/flit.h"
#include "weft/core/packet.h"
#include "weft/core/router_waits.h"
#include "weft/core/types.h"

namespace weft {

/// A flit that crosses the border of the network or reaches its node.
struct flit_event {
  cycle_t cycle = 0;
  node_id node = 0;
  std::uint32_t vc = 0;
  packet_id id = 0;
  std::uint32_t sequence = 0;  ///< 0 for the head
};

/// The events that an observer can receive. Each has a callback of network_observer.
enum class network_event : std::uint8_t { Created, Sent, Injected, Ejected, Received, Delivered };

/// A set of values of network_event.
class network_events {
 public:
  constexpr network_events(std::initializer_list<network_event> events) {
    for (const network_event e : events) m_bits |= bit(e);
  }
  static constexpr network_events all() {
    using e = network_event;
    return {e::Created, e::Sent, e::Injected, e::Ejected, e::Received, e::Delivered};
  }
  constexpr network_events& operator|=(network_events others) {
    m_bits |= others.m_bits;
    return *this;
  }
  constexpr bool contains(network_event e) const { return (m_bits & bit(e)) != 0; }

 private:
  static constexpr unsigned bit(network_event e) { return 1U << static_cast<unsigned>(e); }
  unsigned m_bits = 0;
};

/// An observer. The cycles of its calls do not decrease, except those of created(). The order of calls for different
/// nodes within one cycle is not defined, and sent() may come after injected() of the same cycle. created() comes
/// before the first flit of the packet, and may come one cycle early. In a NIC without stages, sent() and injected()
/// occur in the same cycle, as do ejected() and received(), and a packet travels with the flits that it was created
/// with.
class network_observer {
 public:
  virtual ~network_observer() = default;
  /// Whether ejected() and received() need the payload; otherwise the pointer may be null. Called once.
  virtual bool needs_payload() const { return true; }
  /// The events that this observer uses. A network may skip the callbacks of other events, or make them anyway. Called
  /// once.
  virtual network_events event_interest() const { return network_events::all(); }
  /// Whether the network calls waited(). Recording waits costs time, so it happens only on request. Called once.
  virtual bool needs_waits() const { return false; }
  /// Whether the network records network_model::activity(), which costs time. Called once.
  virtual bool needs_activity() const { return false; }
  /// A packet entered the source queue of its source.
  virtual void created(const packet&) {}
  /// The head of packet \p id left the source queue of \p node for the NIC in \p cycle.
  virtual void sent(packet_id /*id*/, node_id /*node*/, cycle_t /*cycle*/) {}
  /// A flit left the NIC for the router in event.cycle. \p head: the header as it travels, valid if the flit is a head.
  virtual void injected(const flit_event& /*event*/, const header& /*head*/) {}
  /// A flit left the router for the receive path of the NIC, or for the node, in event.cycle. \p payload points to its
  /// payload words as they traveled.
  virtual void ejected(const flit_event& /*event*/, const std::uint64_t* /*payload*/) {}
  /// The waits of packet \p id in all its routers. The last router puts the packet's last flit on the channel to the
  /// node in cycle \p left. Called before ejected() is called for that flit.
  virtual void waited(packet_id /*id*/, const router_waits& /*waits*/, cycle_t /*left*/) {}
  /// A flit of the original message reached the node in event.cycle. \p payload points to its payload words.
  virtual void received(const flit_event& /*event*/, const std::uint64_t* /*payload*/) {}
  /// The tail of \p p reached the node in \p cycle, after the packet passed \p routers routers.
  virtual void delivered(const packet& /*p*/, cycle_t /*cycle*/, std::uint32_t /*routers*/) {}
};

}  // namespace weft
