// SPDX-License-Identifier: Apache-2.0
#include "weft/workload/request_reply.h"

#include <algorithm>
#include <stdexcept>

#include "weft/workload/traffic_loads.h"

namespace weft {

namespace {

std::vector<std::uint8_t> classes_of_steps(const traffic_parameters& parameters, unsigned classes) {
  std::vector<unsigned> steps = {parameters.message_class};
  steps.insert(steps.end(), parameters.injection.forwards.begin(), parameters.injection.forwards.end());
  steps.push_back(parameters.reply_class.value_or(classes - 1));
  if (*std::max_element(steps.begin(), steps.end()) >= classes)
    throw std::invalid_argument("request_reply: expected message classes that the network has");
  return {steps.begin(), steps.end()};
}

/// Forwards go to any other node with the same probability.
pattern_parameters forwarding_among(std::uint32_t nodes) {
  pattern_parameters uniform;
  uniform.to_self = nodes == 1;
  return uniform;
}

}  // namespace

request_reply_source::request_reply_source(const traffic_parameters& parameters, const workload_context& context)
    : m_parameters(parameters.injection),
      m_classes(classes_of_steps(parameters, context.classes)),
      m_pattern(parameters.pattern, context.nodes, context.grid),
      m_forwarding(forwarding_among(context.nodes), context.nodes, {}),
      m_length(parameters.length),
      m_payload(parameters.payload, context.seed, context.nodes,
                std::max({m_length.longest(), parameters.injection.reply, parameters.injection.forward})) {
  if (m_parameters.window == 0 || m_parameters.reply == 0 || m_parameters.forward == 0 || m_parameters.queue == 0U)
    throw std::invalid_argument(
        "request_reply: expected at least 1 request in the window, 1 flit in a reply or forward, and 1 place in a "
        "queue");
  const std::vector<bool> is_source = source_flags(parameters, context.nodes);
  m_nodes.reserve(context.nodes);
  for (node_id node = 0; node < context.nodes; ++node) {
    const auto stream = [&](stream_purpose purpose) { return random_stream(context.seed, node, purpose); };
    m_nodes.push_back({stream(stream_purpose::Destination), stream(stream_purpose::Length), node});
    if (m_parameters.queue) m_nodes[node].held.resize(context.classes);
    if (!is_source[node] || !m_pattern.active(node)) continue;
    for (unsigned i = 0; i < m_parameters.window; ++i) m_nodes[node].next.push({});
  }
}

cycle_t request_reply_source::next_creation(node_id node) const {
  return m_nodes[node].next.empty() ? Never : m_nodes[node].next.top().at;
}

/// The ids of a node's packets of step s differ from the node's number by a multiple of the number of nodes; the factor
/// is s, modulo the number of steps.
packet request_reply_source::pop(node_id node) {
  node_state& state = m_nodes[node];
  const creation c = state.next.top();
  state.next.pop();
  const bool is_request = c.step == 0, is_reply = c.step + 1 == steps();
  packet p;
  p.source = node;
  p.created = c.at;
  p.type = m_payload.type();
  p.id = state.id + c.step * m_nodes.size();
  state.id += steps() * m_nodes.size();
  if (is_reply)
    p.destination = c.of.requester;
  else
    p.destination = (is_request ? m_pattern : m_forwarding).destination(node, state.destination);
  p.flits = is_request ? m_length.draw(state.length) : is_reply ? m_parameters.reply : m_parameters.forward;
  p.message_class = m_classes[c.step];
  if (!is_request) m_open.emplace(p.id, c.of);
  return p;
}

network_events request_reply_source::event_interest() const {
  if (!m_parameters.queue) return {network_event::Delivered};
  return {network_event::Sent, network_event::Delivered};
}

void request_reply_source::sent(packet_id id, node_id node, cycle_t) {
  if (!m_parameters.queue) return;
  const unsigned step = step_of(id);
  if (step > 0) remove_from_queue(node, m_classes[step - 1]);
}

void request_reply_source::delivered(const packet& p, cycle_t cycle, std::uint32_t) {
  const unsigned step = step_of(p.id);
  transaction of{p.source, p.created};
  if (step > 0) {
    const auto found = m_open.find(p.id);
    of = found->second;
    m_open.erase(found);
  }
  if (step + 1 < steps()) {
    if (m_parameters.queue) add_to_queue(p.destination, p.message_class);
    return plan(p.destination, {cycle + 1 + m_parameters.service, step + 1, of});
  }
  ++m_answered;
  if (m_on_answered) m_on_answered(0, of.requested, cycle);
  plan(p.destination, {cycle + 1 + m_parameters.think, 0, {}});
}

cycle_t request_reply_source::next_reaction() const {
  cycle_t next = Never;
  for (node_id node = 0; node < m_nodes.size(); ++node) next = std::min(next, next_creation(node));
  return next;
}

class_set request_reply_source::answers_to(unsigned message_class) const {
  class_set answers = 0;
  if (!m_parameters.queue) return answers;
  for (unsigned step = 0; step + 1 < steps(); ++step)
    if (m_classes[step] == message_class) answers |= class_set{1} << m_classes[step + 1];
  return answers;
}

void request_reply_source::add_to_queue(node_id node, unsigned message_class) {
  node_state& state = m_nodes[node];
  if (++state.held[message_class] >= *m_parameters.queue)
    set_accepted(node, state.accepted & ~(class_set{1} << message_class));
}

void request_reply_source::remove_from_queue(node_id node, unsigned message_class) {
  node_state& state = m_nodes[node];
  if (--state.held[message_class] < *m_parameters.queue)
    set_accepted(node, state.accepted | class_set{1} << message_class);
}

void request_reply_source::set_accepted(node_id node, class_set classes) {
  if (classes == m_nodes[node].accepted) return;
  m_nodes[node].accepted = classes;
  if (m_on_acceptance)
    m_on_acceptance(node);
  else if (m_model != nullptr)
    m_model->set_accepted(node, classes);
}

void request_reply_source::plan(node_id node, const creation& c) {
  const bool sooner = c.at < next_creation(node);
  m_nodes[node].next.push(c);
  if (sooner && m_model != nullptr) m_model->reschedule_source(node);
}

}  // namespace weft
