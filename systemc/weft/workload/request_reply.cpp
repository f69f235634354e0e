// SPDX-License-Identifier: Apache-2.0
#include "weft/workload/request_reply.h"

#include <algorithm>
#include <stdexcept>

#include "weft/workload/traffic_loads.h"

namespace weft {

request_reply_source::request_reply_source(const traffic_parameters& parameters, const workload_context& context)
    : m_parameters(parameters.injection),
      m_request_class(static_cast<std::uint8_t>(parameters.message_class)),
      m_reply_class(static_cast<std::uint8_t>(parameters.reply_class.value_or(context.classes - 1))),
      m_pattern(parameters.pattern, context.nodes, context.grid),
      m_length(parameters.length),
      m_payload(parameters.payload, context.seed, context.nodes,
                std::max(m_length.longest(), parameters.injection.reply)) {
  if (m_parameters.window == 0 || m_parameters.reply == 0)
    throw std::invalid_argument("request_reply: expected at least 1 request in the window and 1 flit in a reply");
  const std::vector<bool> is_source = source_flags(parameters, context.nodes);
  m_nodes.reserve(context.nodes);
  for (node_id node = 0; node < context.nodes; ++node) {
    const auto stream = [&](stream_purpose purpose) { return random_stream(context.seed, node, purpose); };
    m_nodes.push_back({stream(stream_purpose::Destination), stream(stream_purpose::Length), node});
    if (!is_source[node] || !m_pattern.active(node)) continue;
    for (unsigned i = 0; i < m_parameters.window; ++i) m_nodes[node].next.push({0, false, 0, 0});
  }
}

cycle_t request_reply_source::next_creation(node_id node) const {
  return m_nodes[node].next.empty() ? Never : m_nodes[node].next.top().at;
}

/// Request ids differ from the node's number by even multiples of the number of nodes, reply ids by odd multiples.
packet request_reply_source::pop(node_id node) {
  node_state& state = m_nodes[node];
  const creation c = state.next.top();
  state.next.pop();
  packet p;
  p.source = node;
  p.created = c.at;
  p.type = m_payload.type();
  p.id = state.id + (c.reply ? m_nodes.size() : 0);
  state.id += 2 * m_nodes.size();
  p.destination = c.reply ? c.destination : m_pattern.destination(node, state.destination);
  p.flits = c.reply ? m_parameters.reply : m_length.draw(state.length);
  p.message_class = c.reply ? m_reply_class : m_request_class;
  if (c.reply) m_requested_at.emplace(p.id, c.requested);
  return p;
}

void request_reply_source::delivered(const packet& p, cycle_t cycle, std::uint32_t) {
  if (!is_reply(p)) return plan(p.destination, {cycle + 1 + m_parameters.service, true, p.source, p.created});
  ++m_answered;
  const auto requested = m_requested_at.find(p.id);
  if (m_on_answered) m_on_answered(0, requested->second, cycle);
  m_requested_at.erase(requested);
  plan(p.destination, {cycle + 1 + m_parameters.think, false, 0, 0});
}

void request_reply_source::plan(node_id node, const creation& c) {
  const bool sooner = c.at < next_creation(node);
  m_nodes[node].next.push(c);
  if (sooner && m_model != nullptr) m_model->reschedule_source(node);
}

}  // namespace weft
