// SPDX-License-Identifier: Apache-2.0
/// Closed-loop traffic like that of processors and memories: a node has a limited window of outstanding requests, and
/// each request gets a reply.
/// In cycle 0, a node creates requests until its window is full. When the tail of a request reaches its destination in
/// cycle c, the destination creates the reply in c + 1 + service. When the tail of the reply arrives in cycle c, the
/// requester creates its next request in c + 1 + think. Requests have the message class of the traffic, and replies
/// have the last class of the network unless another is chosen. If the classes differ, requests and replies use
/// separate VCs.
///
/// With forwards, a transaction has more steps, as in a directory protocol: the destination of the request sends the
/// first forward to another node, which is chosen at random; this node sends the next forward in the same manner; and
/// the node that gets the last forward sends the reply to the requester.
///
/// A node can have finite queues, one for each message class. A request or forward has a place in the queue of its
/// class from its arrival until the packet that the node sends in answer leaves the source queue. While a queue is
/// full, the node does not accept packets of this class. Replies need no place.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <queue>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "weft/core/network_model.h"
#include "weft/core/network_observer.h"
#include "weft/core/packet.h"
#include "weft/workload/length.h"
#include "weft/workload/parameters.h"
#include "weft/workload/pattern.h"
#include "weft/workload/payload.h"
#include "weft/workload/reacting_source.h"
#include "weft/workload/workload.h"

namespace weft {

class request_reply_source final : public reacting_source {
 public:
  /// \throws std::invalid_argument and workload_error in the same cases as make_workload()
  request_reply_source(const traffic_parameters& parameters, const workload_context& context);

  void attach(network_model& model) override { m_model = &model; }

  cycle_t next_creation(node_id node) const override;
  packet pop(node_id node) override;
  void payload(const packet& p, std::uint32_t sequence, unsigned payload_bits, std::uint64_t* words) const override {
    m_payload(p.id, sequence, payload_bits, words);
  }

  network_events event_interest() const override;
  void sent(packet_id id, node_id node, cycle_t cycle) override;
  void delivered(const packet& p, cycle_t cycle, std::uint32_t routers) override;

  std::uint64_t answered() const { return m_answered; }  ///< requests whose reply has returned
  void set_on_answered(answer_callback on_answered) override { m_on_answered = std::move(on_answered); }

  class_set accepted(node_id node) const override { return m_nodes[node].accepted; }
  void set_on_acceptance(acceptance_callback on_acceptance) override { m_on_acceptance = std::move(on_acceptance); }
  cycle_t next_reaction() const override;
  class_set answers_to(unsigned message_class) const override;

 private:
  /// What a packet belongs to: the request that began the transaction.
  struct transaction {
    node_id requester = 0;
    cycle_t requested = 0;  ///< creation of the request
  };
  /// A packet that will be created in a given cycle. Step 0 is the request, the last step is the reply.
  struct creation {
    cycle_t at = 0;
    unsigned step = 0;
    transaction of{};  ///< if the step is not 0
    friend bool operator>(const creation& a, const creation& b) {
      const auto rank = [](const creation& c) {  // later steps first, so that other nodes can continue
        return std::tuple(c.at, ~c.step, c.of.requester, c.of.requested);
      };
      return rank(a) > rank(b);
    }
  };
  struct node_state {
    random_stream destination, length;
    packet_id id = 0;  ///< of the next packet
    std::priority_queue<creation, std::vector<creation>, std::greater<creation>> next{};
    class_set accepted = ~class_set{0};
    std::vector<std::uint32_t> held{};  ///< by class: places in use; empty without queues
  };

  void plan(node_id node, const creation& c);
  void add_to_queue(node_id node, unsigned message_class);
  void remove_from_queue(node_id node, unsigned message_class);
  void set_accepted(node_id node, class_set classes);

  unsigned steps() const { return static_cast<unsigned>(m_classes.size()); }
  unsigned step_of(packet_id id) const { return static_cast<unsigned>(id / m_nodes.size() % steps()); }

  const injection_parameters m_parameters;
  const std::vector<std::uint8_t> m_classes;  ///< of the packets, by step
  const traffic_pattern m_pattern, m_forwarding;
  const length_distribution m_length;
  const payload_generator m_payload;
  std::vector<node_state> m_nodes;
  network_model* m_model = nullptr;
  std::uint64_t m_answered = 0;
  std::unordered_map<packet_id, transaction> m_open;  ///< of each packet in flight that is not a request
  answer_callback m_on_answered;
  acceptance_callback m_on_acceptance;
};

}  // namespace weft
