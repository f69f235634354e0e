// SPDX-License-Identifier: Apache-2.0
/// Closed-loop traffic like that of processors and memories: a node has a limited window of outstanding requests, and
/// each request gets a reply.
/// In cycle 0, a node creates requests until its window is full. When the tail of a request reaches its destination in
/// cycle c, the destination creates the reply in c + 1 + service. When the tail of the reply arrives in cycle c, the
/// requester creates its next request in c + 1 + think. Requests have message class 0, and replies have the last class
/// of the network. If the network has several classes, requests and replies therefore use separate VCs.
/// they use separate VCs if it has several classes.
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
#include "weft/workload/workload.h"

namespace weft {

/// Whether the traffic \p w is closed-loop: every packet except the first ones waits until another packet has arrived.
inline bool is_closed_loop(const workload_parameters& w) {
  return w.packet_list.empty() && w.injection.kind == injection_kind::RequestReply;
}

class request_reply_source final : public packet_source, public network_observer {
 public:
  /// \param classes number of VC classes, router_parameters::classes
  /// \throws std::invalid_argument and workload_error in the same cases as make_workload()
  request_reply_source(const workload_parameters& parameters, const workload_context& context, unsigned classes);

  /// Connects the source to \p model, which must use it as its source and call its delivered(). To be called before the
  /// first cycle.
  void attach(network_model& model) { m_model = &model; }

  cycle_t next_creation(node_id node) const override;
  packet pop(node_id node) override;
  void payload(const packet& p, std::uint32_t sequence, unsigned payload_bits, std::uint64_t* words) const override {
    m_payload(p.id, sequence, payload_bits, words);
  }

  network_events event_interest() const override { return {network_event::Delivered}; }
  bool needs_payload() const override { return false; }
  void delivered(const packet& p, cycle_t cycle, std::uint32_t routers) override;

  std::uint64_t answered() const { return m_answered; }  ///< requests whose reply has returned
  /// Calls \p on_answered for each request with the cycles of its creation and of the delivery of its reply.
  void set_on_answered(std::function<void(cycle_t requested, cycle_t answered)> on_answered) {
    m_on_answered = std::move(on_answered);
  }

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
  const std::uint8_t m_reply_class;
  const traffic_pattern m_pattern;
  const length_distribution m_length;
  const payload_generator m_payload;
  std::vector<node_state> m_nodes;
  network_model* m_model = nullptr;
  std::uint64_t m_answered = 0;
  std::unordered_map<packet_id, cycle_t> m_requested_at;  ///< for each reply in flight, the creation of its request
  std::function<void(cycle_t, cycle_t)> m_on_answered;
};

}  // namespace weft
