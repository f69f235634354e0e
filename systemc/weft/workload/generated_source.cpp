// SPDX-License-Identifier: Apache-2.0
#include "weft/workload/generated_source.h"

#include "weft/workload/traffic_loads.h"

namespace weft {

generated_source::generated_source(const traffic_parameters& parameters, const workload_context& context)
    : m_count(context.nodes),
      m_pattern(parameters.pattern, context.nodes, context.grid),
      m_length(parameters.length),
      m_injection(parameters.injection, m_length.mean(), m_pattern, context.nodes),
      m_payload(parameters.payload, context.seed, context.nodes, m_length.longest()),
      m_class(static_cast<std::uint8_t>(parameters.message_class)) {
  const std::vector<bool> is_source = source_flags(parameters, context.nodes);
  m_nodes.reserve(context.nodes);
  for (node_id node = 0; node < context.nodes; ++node) {
    const auto stream = [&](stream_purpose purpose) { return random_stream(context.seed, node, purpose); };
    const injection_state never{stream(stream_purpose::Injection)};
    const injection_process* const process = is_source[node] ? m_injection.of(node) : nullptr;
    m_nodes.push_back({process, process ? process->start(never.random) : never, stream(stream_purpose::Destination),
                       stream(stream_purpose::Length), node, 0});
    if (process && m_pattern.matrix())
      m_nodes.back().next_destination = m_pattern.destination(node, m_nodes.back().destination);
  }
}

packet generated_source::pop(node_id node) {
  node_state& state = m_nodes[node];
  packet p;
  p.id = state.id;
  p.source = node;
  p.destination =
      m_pattern.matrix() ? destination_of_matrix(node, state) : m_pattern.destination(node, state.destination);
  p.flits = m_length.draw(state.length);
  p.created = state.injection.next;
  p.type = m_payload.type();
  p.message_class = m_class;
  state.id += m_count;
  state.process->advance(state.injection);
  return p;
}

/// Returns the destination of the next packet of \p node, and draws the one after it. A large matrix exceeds the
/// caches, so the processor fetches the drawn column until the next call, which reads it.
node_id generated_source::destination_of_matrix(node_id node, node_state& state) {
  if (m_drawn.at != nullptr) m_nodes[m_drawn_for].next_destination = m_drawn.destination();
  const node_id destination = state.next_destination;
  m_drawn = m_pattern.matrix()->draw(node, state.destination);
  m_drawn_for = node;
  __builtin_prefetch(m_drawn.at);
  return destination;
}

}  // namespace weft
