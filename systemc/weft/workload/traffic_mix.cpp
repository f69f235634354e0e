// SPDX-License-Identifier: Apache-2.0
#include "weft/workload/traffic_mix.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "weft/core/random.h"
#include "weft/workload/generated_source.h"
#include "weft/workload/request_reply.h"
#include "weft/workload/traffic_loads.h"

namespace weft {

namespace {

std::uint64_t seed_of_part(std::uint64_t seed, std::size_t part) {
  return part == 0 ? seed : stream_key(seed, static_cast<node_id>(part), stream_purpose::Traffic);
}

}  // namespace

traffic_mix::traffic_mix(const workload_parameters& parameters, const workload_context& context)
    : m_nodes(context.nodes) {
  for (const named_traffic& t : scaled_traffics(parameters, context.nodes)) {
    workload_context of_part = context;
    of_part.seed = seed_of_part(context.seed, m_parts.size());
    try {
      if (reacts(t)) {
        auto source = std::make_unique<request_reply_source>(t, of_part);
        reacting_source* const reacting = source.get();
        m_parts.push_back({std::move(source), reacting});
      } else {
        m_parts.push_back({std::make_unique<generated_source>(t, of_part)});
      }
    } catch (const std::invalid_argument& e) {
      throw std::invalid_argument(t.name + ": " + e.what());
    }
  }
}

cycle_t traffic_mix::next_creation(node_id node) const {
  cycle_t next = Never;
  for (const part& p : m_parts) next = std::min(next, p.source->next_creation(node));
  return next;
}

packet traffic_mix::pop(node_id node) {
  const auto earliest = std::min_element(m_parts.begin(), m_parts.end(), [node](const part& a, const part& b) {
    return a.source->next_creation(node) < b.source->next_creation(node);
  });
  packet p = earliest->source->pop(node);
  const auto number = static_cast<std::size_t>(earliest - m_parts.begin());
  p.id = (p.id / m_nodes * m_parts.size() + number) * m_nodes + p.id % m_nodes;
  return p;
}

std::size_t traffic_mix::part_of(packet_id id) const { return traffic_of(id, m_nodes, m_parts.size()); }

/// \p p with the id that it has in its traffic alone.
packet traffic_mix::in_part(packet p) const {
  p.id = in_part(p.id);
  return p;
}

packet_id traffic_mix::in_part(packet_id id) const { return id / m_nodes / m_parts.size() * m_nodes + id % m_nodes; }

void traffic_mix::payload(const packet& p, std::uint32_t sequence, unsigned payload_bits, std::uint64_t* words) const {
  m_parts[part_of(p.id)].source->payload(in_part(p), sequence, payload_bits, words);
}

void traffic_mix::attach(network_model& model) {
  for (const part& p : m_parts)
    if (p.reacting) p.reacting->attach(model);
  set_on_acceptance([this, &model](node_id node) { model.set_accepted(node, accepted(node)); });
}

/// A node accepts a class if all traffics do.
class_set traffic_mix::accepted(node_id node) const {
  class_set classes = ~class_set{0};
  for (const part& p : m_parts)
    if (p.reacting) classes &= p.reacting->accepted(node);
  return classes;
}

void traffic_mix::set_on_acceptance(acceptance_callback on_acceptance) {
  for (const part& p : m_parts)
    if (p.reacting) p.reacting->set_on_acceptance(on_acceptance);
}

cycle_t traffic_mix::next_reaction() const {
  cycle_t next = Never;
  for (const part& p : m_parts)
    if (p.reacting) next = std::min(next, p.reacting->next_reaction());
  return next;
}

class_set traffic_mix::answers_to(unsigned message_class) const {
  class_set classes = 0;
  for (const part& p : m_parts)
    if (p.reacting) classes |= p.reacting->answers_to(message_class);
  return classes;
}

network_events traffic_mix::event_interest() const {
  network_events events = reacting_source::event_interest();
  for (const part& p : m_parts)
    if (p.reacting) events |= p.reacting->event_interest();
  return events;
}

void traffic_mix::sent(packet_id id, node_id node, cycle_t cycle) {
  reacting_source* const reacting = m_parts[part_of(id)].reacting;
  if (reacting) reacting->sent(in_part(id), node, cycle);
}

void traffic_mix::set_on_answered(answer_callback on_answered) {
  for (std::size_t i = 0; i < m_parts.size(); ++i)
    if (m_parts[i].reacting)
      m_parts[i].reacting->set_on_answered(
          [i, on_answered](std::size_t, cycle_t requested, cycle_t answered) { on_answered(i, requested, answered); });
}

void traffic_mix::delivered(const packet& p, cycle_t cycle, std::uint32_t routers) {
  reacting_source* const reacting = m_parts[part_of(p.id)].reacting;
  if (reacting) reacting->delivered(in_part(p), cycle, routers);
}

}  // namespace weft
