// SPDX-License-Identifier: Apache-2.0
/// Closed-loop traffic, as processors and memories make it: every node has a window of requests under way, and each is
/// answered.
///
/// A node creates requests in cycle 0 until its window is full. The tail of a request that reaches its node in cycle c
/// makes that node create the reply in c + 1 + service. The tail of the reply that is back in cycle c makes the
/// requester create its next request in c + 1 + think. Requests are of message class 0, replies of the last class of
/// the network: on VCs of their own where it has several.
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

/// Whether each packet of \p w but the first ones waits for another to arrive.
inline bool is_closed_loop(const workload_parameters& w) {
  return w.packet_list.empty() && w.injection.kind == injection_kind::RequestReply;
}

class request_reply_source final : public packet_source, public network_observer {
 public:
  /// \param classes router_parameters::classes
  /// \throws std::invalid_argument and workload_error as make_workload()
  request_reply_source(const workload_parameters& parameters, const workload_context& context, unsigned classes);

  /// Before the first cycle of \p model, of which this is the source and whose delivered() it is told.
  void attach(network_model& model) { m_model = &model; }

  cycle_t next_creation(node_id node) const override;
  packet take(node_id node) override;
  void payload(const packet& p, std::uint32_t sequence, unsigned payload_bits, std::uint64_t* words) const override {
    m_payload(p.id, sequence, payload_bits, words);
  }

  network_events wanted() const override { return {network_event::Delivered}; }
  bool wants_payload() const override { return false; }
  void delivered(const packet& p, cycle_t cycle, std::uint32_t routers) override;

  std::uint64_t answered() const { return m_answered; }  ///< requests whose reply is back
  /// \p hear is told of each of them when it was created, and when its reply was delivered.
  void tell_answers(std::function<void(cycle_t asked, cycle_t answered)> hear) { m_hear = std::move(hear); }

 private:
  /// A packet that will be created.
  struct creation {
    cycle_t at = 0;
    bool reply = false;
    node_id destination = 0;
    cycle_t asked = 0;  ///< of a reply: creation of its request
    friend bool operator>(const creation& a, const creation& b) {
      const auto rank = [](const creation& c) {  // replies first, so that others go on
        return std::tuple(c.at, !c.reply, c.destination, c.asked);
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

  const injection_parameters m_asked;
  const std::uint8_t m_reply_class;
  const traffic_pattern m_pattern;
  const length_distribution m_length;
  const payload_generator m_payload;
  std::vector<node_state> m_nodes;
  network_model* m_model = nullptr;
  std::uint64_t m_answered = 0;
  std::unordered_map<packet_id, cycle_t> m_asked_at;  ///< creation of the request, by replies on their way
  std::function<void(cycle_t, cycle_t)> m_hear;
};

}  // namespace weft
