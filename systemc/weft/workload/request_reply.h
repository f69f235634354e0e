// SPDX-License-Identifier: Apache-2.0
/// Closed-loop traffic like that of processors and memories: a node has a limited window of outstanding requests, and
/// each request gets a reply.
/// In cycle 0, a node creates requests until its window is full. When the tail of a request reaches its destination in
/// cycle c, the destination creates the reply in c + 1 + service. When the tail of the reply arrives in cycle c, the
/// requester creates its next request in c + 1 + think. Requests have the message class of the traffic, and replies
/// have the last class of the network unless another is chosen. If the classes differ, requests and replies use
/// separate VCs.
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

  void delivered(const packet& p, cycle_t cycle, std::uint32_t routers) override;

  std::uint64_t answered() const { return m_answered; }  ///< requests whose reply has returned
  void set_on_answered(answer_callback on_answered) override { m_on_answered = std::move(on_answered); }

 private:
  /// A packet that will be created in a given cycle.
  struct creation {
    cycle_t at = 0;
    bool reply = false;
    node_id destination = 0;
    cycle_t requested = 0;  ///< for a reply: creation of its request
    friend bool operator>(const creation& a, const creation& b) {
      const auto rank = [](const creation& c) {  // replies first, so that other nodes can continue
        return std::tuple(c.at, !c.reply, c.destination, c.requested);
      };
      return rank(a) > rank(b);
    }
  };
  struct node_state {
    random_stream destination, length;
    packet_id id = 0;  ///< of the next packet
    std::priority_queue<creation, std::vector<creation>, std::greater<creation>> next{};
  };
  void plan(node_id node, const creation& c);
  bool is_reply(const packet& p) const { return (p.id / m_nodes.size()) % 2 == 1; }

  const injection_parameters m_parameters;
  const std::uint8_t m_request_class, m_reply_class;
  const traffic_pattern m_pattern;
  const length_distribution m_length;
  const payload_generator m_payload;
  std::vector<node_state> m_nodes;
  network_model* m_model = nullptr;
  std::uint64_t m_answered = 0;
  std::unordered_map<packet_id, cycle_t> m_requested_at;  ///< for each reply in flight, the creation of its request
  answer_callback m_on_answered;
};

}  // namespace weft
