// SPDX-License-Identifier: Apache-2.0
/// A network for one class of messages. It splits messages into packets, and reassembles them at the receiver from the
/// payload that the network delivered.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "weft/core/network_model.h"
#include "weft/core/network_observer.h"
#include "weft/core/packet.h"
#include "weft/engine/model.h"
#include "weft/tlm/message.h"
#include "weft/tlm/parameters.h"

namespace weft::tlm2 {

class plane final : private packet_source, private network_observer {
 public:
  /// Called as arrived(source, destination, message) in the cycle being simulated, when a message is complete. The
  /// callee may move from the message.
  using arrival = std::function<void(node_id, node_id, message&)>;

  /// \param arrived  called for each complete message
  /// \param on_event called after a network that runs by itself (noc_parameters::make_network) has reported an event
  /// that changes sent_from() or calls \p arrived
  /// \throws std::invalid_argument as engine::make_model() does; the exceptions of make_network
  plane(message_kind kind, const noc_parameters& p, const packet_format& format, arrival arrived,
        std::function<void()> on_event);

  network_model& network() { return *m_network; }
  const network_model& network() const { return *m_network; }
  /// The engine to run; null for a network that runs by itself.
  engine::driven_model* driven() { return m_engine; }

  /// Puts \p m into the source queue of \p source for \p cycle, which must not have begun. The contents of \p m may be
  /// moved away. Must not be called while the model runs.
  void send(cycle_t cycle, node_id source, node_id destination, message& m);

  /// Simulates the next message of \p node instead of computing its latency by formula, so that the cycle in which the
  /// message enters the NIC is exact.
  void watch(node_id node) { m_network->reschedule_source(node); }

  /// Number of messages of \p node that have a packet in its source queue.
  const std::uint32_t& waiting(node_id node) const { return m_nodes[node].waiting; }

  /// Nodes where the last packet of a message has left the source queue for the NIC since clear_sent(). A node may be
  /// listed several times.
  const std::vector<node_id>& sent_from() const { return m_sent; }
  void clear_sent() { m_sent.clear(); }

 private:
  static constexpr std::uint32_t None = ~std::uint32_t{0};
  struct node_state {
    std::uint32_t first = None, last = None;  ///< cargo in its source queue
    std::uint32_t waiting = 0;
  };
  /// A packet and its contents. When the packet has been delivered, its memory is reused for another packet.
  struct cargo {
    packet what;
    std::uint32_t next = None;            ///< next in the source queue
    bool last = false;                    ///< it is the last packet of its message
    message whole;                        ///< a message of one packet
    std::size_t words = 0;                ///< of payload, 64 bits each
    std::vector<std::uint64_t> sent;      ///< payload; that of `whole` is made on request: empty before
    std::vector<std::uint64_t> received;  ///< payload as it arrived; empty: no flit of it was simulated
  };
  /// The cargo of packet \p id. The lower half of \p id is the index of the cargo.
  cargo& cargo_of(packet_id id) const { return m_cargo[static_cast<std::uint32_t>(id)]; }
  std::uint32_t allocate_slot();
  /// The payload of a packet.
  const std::vector<std::uint64_t>& words_of(packet_id id) const;

  void make_network(const noc_parameters& p);
  /// Puts a packet of \p flits flits into the source queue of \p source.
  cargo& enqueue(cycle_t cycle, node_id source, node_id destination, data_type type, std::uint32_t flits);
  void arrive(const packet& last, message& m);

  cycle_t next_creation(node_id node) const override;
  packet pop(node_id node) override;
  void payload(const packet& p, std::uint32_t sequence, unsigned payload_bits, std::uint64_t* words) const override;
  network_events event_interest() const override {
    return {network_event::Sent, network_event::Received, network_event::Delivered};
  }
  void sent(packet_id id, node_id node, cycle_t cycle) override;
  void received(const flit_event& event, const std::uint64_t* payload) override;
  void delivered(const packet& p, cycle_t cycle, std::uint32_t routers) override;

  const message_kind m_kind;
  const packet_format m_format;
  const arrival m_arrived;
  const std::function<void()> m_on_event;
  std::vector<node_state> m_nodes;
  mutable std::vector<cargo> m_cargo;                                        ///< of all packets in the network
  std::vector<std::uint32_t> m_free;                                         ///< free indices in m_cargo
  mutable std::vector<piece> m_pieces;                                       ///< packets of the message being divided
  assembly m_alone;                                                          ///< of a message of one packet
  std::map<std::pair<std::uint64_t, std::uint16_t>, assembly> m_assemblies;  ///< by pair of nodes and tag
  std::vector<node_id> m_sent;
  std::uint64_t m_packets = 0;
  std::unique_ptr<network_model> m_network;
  engine::driven_model* m_engine = nullptr;  ///< the same network, if it is an engine
};

}  // namespace weft::tlm2
