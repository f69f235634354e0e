/// A packet as the workload sees it, and the two interfaces between a network and the world: where packets come
/// from and who watches them pass. Networks of every level use them, so that a workload and a measurement are
/// written once.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include "weft/core/flit.h"
#include "weft/core/types.h"

namespace weft {

/// One message on its way. Its payload is not held here: packet_source::payload() gives it, bit for bit, at any time.
struct packet {
  packet_id id = 0;
  node_id source = 0;
  node_id destination = 0;
  std::uint32_t flits = 1;  ///< length, head and tail included; 1 = a flit that is both
  cycle_t created = 0;      ///< cycle in which it enters the source queue
  data_type type = data_type::Other;
  std::uint8_t message_class = 0;  ///< of VCs that it travels on
  xor_code code{};                 ///< data in it by name, and what XOR stages are to do with it
};

/// Where packets come from. A node's packets do not depend on the order of the calls. If they depend on what has arrived, the
/// source calls network_model::ask_again().
class packet_source {
 public:
  virtual ~packet_source() = default;

  /// Cycle in which the next packet of \p node is created; Never when there is none. Does not decrease.
  virtual cycle_t next_creation(node_id node) const = 0;

  /// The packet that next_creation() announced; moves on to the one after it.
  /// Several packets of a node may be created in one cycle.
  virtual packet take(node_id node) = 0;

  /// Payload bits of flit \p sequence (0 = head) of \p p into \p words[0…count-1], low word first; a flit of
  /// fewer than 64 bits uses the low bits of one word. A pure function of its arguments.
  virtual void payload(const packet& p, std::uint32_t sequence, unsigned payload_bits, std::uint64_t* words) const = 0;
};

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
  constexpr bool contains(network_event e) const { return (m_bits & bit(e)) != 0; }

 private:
  static constexpr unsigned bit(network_event e) { return 1U << static_cast<unsigned>(e); }
  unsigned m_bits = 0;
};

/// Who watches. The cycles of all calls but created() do not decrease; calls of one cycle come in no particular order
/// between nodes, and sent() may come after the injected() of its cycle. created() comes before the packet's first flit,
/// and may come a cycle ahead of its time. Without stages in the NIC, sent() and injected(), ejected() and received() fall
/// together, and a packet travels with the flits it was created with.
class network_observer {
 public:
  virtual ~network_observer() = default;
  /// Whether ejected() and received() need the payload; if not, it may be null. Asked once.
  virtual bool wants_payload() const { return true; }
  /// The calls that this observer has a use for. A network may leave out the others, or make them all the same. Asked once.
  virtual network_events wanted() const { return network_events::all(); }
  /// A packet entered the source queue of its source.
  virtual void created(const packet&) {}
  /// The head of packet \p id left the source queue of \p node for the NIC in \p cycle.
  virtual void sent(packet_id /*id*/, node_id /*node*/, cycle_t /*cycle*/) {}
  /// A flit left the NIC for the router in event.cycle. \p head: the header, if it is a head; how the packet travels.
  virtual void injected(const flit_event& /*event*/, const header& /*head*/) {}
  /// A flit left the router for the receive path of the NIC, or for the node, in event.cycle. \p payload points to its
  /// payload words as they travelled.
  virtual void ejected(const flit_event& /*event*/, const std::uint64_t* /*payload*/) {}
  /// A flit of the message, as it was created, reached the node in event.cycle. \p payload points to its payload words.
  virtual void received(const flit_event& /*event*/, const std::uint64_t* /*payload*/) {}
  /// The tail of \p p reached the node in \p cycle, the packet whole, after \p routers routers.
  virtual void delivered(const packet& /*p*/, cycle_t /*cycle*/, std::uint32_t /*routers*/) {}
};

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
  /// Who waits for whom, for the report of a deadlock.
  virtual std::vector<blocked_packet> blocked() const = 0;
  /// The source has a packet for \p node earlier than it said: ask next_creation() again. May be called between runs, and
  /// by an observer that is being told of an event in cycle c, but for created(): then the packet is created in c + 1 at the earliest if the
  /// event was at \p node, else in c + 2.
  virtual void ask_again(node_id node) = 0;
};

}  // namespace weft
