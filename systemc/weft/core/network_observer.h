// SPDX-License-Identifier: Apache-2.0
/// Observers of packets: the calls that a network of any level makes, so that a measurement is written once.
#pragma once

#include <cstdint>
#include <initializer_list>

#include "weft/core/flit.h"
#include "weft/core/packet.h"
#include "weft/core/router_waits.h"
#include "weft/core/types.h"

namespace weft {

/// A flit that crosses the border of the network, or reaches its node.
struct flit_event {
  cycle_t cycle = 0;
  node_id node = 0;
  std::uint32_t vc = 0;
  packet_id id = 0;
  std::uint32_t sequence = 0;  ///< 0 for the head
};

/// What an observer can be told of: the calls of network_observer.
enum class network_event : std::uint8_t { Created, Sent, Injected, Ejected, Received, Delivered };

/// A set of them.
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

/// An observer. The cycles of all calls but created() do not decrease; calls of one cycle come in no particular order
/// between nodes, and sent() may come after the injected() of its cycle. created() comes before the packet's first
/// flit, and may come a cycle ahead of its time. Without stages in the NIC, sent() and injected(), ejected() and
/// received() fall together, and a packet travels with the flits it was created with.
class network_observer {
 public:
  virtual ~network_observer() = default;
  /// Whether ejected() and received() need the payload; if not, it may be null. Asked once.
  virtual bool wants_payload() const { return true; }
  /// The calls that this observer has a use for. A network may leave out the others, or make them all the same. Asked
  /// once.
  virtual network_events wanted() const { return network_events::all(); }
  /// Whether waited() is to be called. It takes time: waits are recorded only where an observer wants them. Asked once.
  virtual bool wants_waits() const { return false; }
  /// A packet entered the source queue of its source.
  virtual void created(const packet&) {}
  /// The head of packet \p id left the source queue of \p node for the NIC in \p cycle.
  virtual void sent(packet_id /*id*/, node_id /*node*/, cycle_t /*cycle*/) {}
  /// A flit left the NIC for the router in event.cycle. \p head: the header, if it is a head; how the packet travels.
  virtual void injected(const flit_event& /*event*/, const header& /*head*/) {}
  /// A flit left the router for the receive path of the NIC, or for the node, in event.cycle. \p payload points to its
  /// payload words as they travelled.
  virtual void ejected(const flit_event& /*event*/, const std::uint64_t* /*payload*/) {}
  /// Where packet \p id waited up to the last router, whose last flit is put on the channel to its node in cycle
  /// \p left. Comes before the ejected() of that flit.
  virtual void waited(packet_id /*id*/, const router_waits& /*waits*/, cycle_t /*left*/) {}
  /// A flit of the message, as it was created, reached the node in event.cycle. \p payload points to its payload words.
  virtual void received(const flit_event& /*event*/, const std::uint64_t* /*payload*/) {}
  /// The tail of \p p reached the node in \p cycle, the packet whole, after \p routers routers.
  virtual void delivered(const packet& /*p*/, cycle_t /*cycle*/, std::uint32_t /*routers*/) {}
};

}  // namespace weft
