// SPDX-License-Identifier: Apache-2.0
/// The packets of a collective: creation and payload.
#include <algorithm>
#include <utility>

#include "weft/collectives/communication/collective_traffic.h"

namespace weft {

cycle_t collective_traffic::next_creation(node_id node) const {
  const node_state& n = m_nodes[node];
  if (n.second) return n.second->created;
  return n.creations.empty() ? Never : n.creations.top().first;
}

packet collective_traffic::pop(node_id node) {
  node_state& n = m_nodes[node];
  if (n.second) {
    const packet p = *n.second;
    n.second.reset();
    return p;
  }
  const auto [created, m] = n.creations.top();
  n.creations.pop();
  --m_queued;
  ++m_created;
  m_messages[m].created = created;
  collective_metrics& step = m_steps[m_collective.messages[m].step];
  step.begin = std::min(step.begin, created);
  m_messages[m].words = make(m);
  const packet p = packet_of(m);
  return encoded_by_nic(m) ? join_in_nic(p) : p;
}

packet collective_traffic::packet_of(message_id m) const {
  const collective_message& message = m_collective.messages[m];
  packet p;
  p.id = m;
  p.source = message.source;
  p.destination = message.destination;
  p.flits = m_collective.flits(m);
  p.created = m_messages[m].created;
  p.type = m_type;
  p.message_class = static_cast<std::uint8_t>(message.step % m_options.classes);
  if (m_options.coding == xor_unit::Node) return p;
  const auto& uses = m_plan.uses[m];
  if (m_plan.by_nic[m]) {
    p.code.role = xor_role::Coded;
    p.code.relay = m_plan.relayed[m];
    p.code.second = named(m_collective.operands_begin(m)[1], uses[1]);
  }
  if (m_plan.by_nic[m] || is_plain(m_collective, m)) p.code.first = named(*m_collective.operands_begin(m), uses[0]);
  return p;
}

xor_datum collective_traffic::named(datum_id d, unsigned uses) const {
  const std::uint32_t words = m_collective.data[d].flits * (m_options.payload_bits / 32);
  return {d, words, static_cast<std::uint8_t>(uses), m_type};
}

/// Returns the first of the packets from which the NIC makes \p coded. The second packet, if there is one, follows. The
/// encoder keeps the datum that it can use again.
packet collective_traffic::join_in_nic(packet coded) {
  node_state& n = m_nodes[coded.source];
  const auto m = static_cast<message_id>(coded.id);
  const auto is_in = [this](datum_id d, message_id of) {
    return of != NoMessage && std::count(m_collective.operands_begin(of), m_collective.operands_end(of), d) > 0;
  };
  xor_datum first = coded.code.first, second = coded.code.second;
  const message_id next = m_next_xor[m];
  const bool holds_first = n.held && *n.held == first, holds_second = n.held && *n.held == second;
  if (!holds_first && (holds_second || (is_in(second.name, next) && !is_in(first.name, next))))
    std::swap(first, second);
  const bool chain = is_in(second.name, next) && !is_in(first.name, next);
  n.held = chain ? second : first;

  const auto part = [&](const xor_datum& d, xor_role role) {
    packet p = coded;
    p.flits = m_collective.data[d.name].flits;
    p.code.role = role;
    p.code.first = d;
    p.code.second = {};
    return p;
  };
  packet sent = part(second, chain ? xor_role::Chain : xor_role::Combine);
  m_messages[m].words = m_memory[coded.source].find(second.name);
  if (holds_first || holds_second) return sent;
  packet held = part(first, xor_role::Hold);
  held.id = m_messages.size() + m;
  held.code.relay = false;
  n.second = sent;
  return held;
}

void collective_traffic::payload(const packet& p, std::uint32_t sequence, unsigned, std::uint64_t* words) const {
  const std::uint64_t* const from =
      p.id < m_messages.size() ? m_messages[p.id].words : m_memory[p.source].find(p.code.first.name);
  std::copy_n(from + std::size_t{sequence} * m_words_per_flit, m_words_per_flit, words);
}

bool collective_traffic::makes_xor(message_id m) const {
  return is_coded(m_collective, m) && m_plan.copy_of[m] == NoMessage;
}

/// Whether the source of \p m has all its operands.
bool collective_traffic::can_make(message_id m) const {
  const node_memory& memory = m_memory[m_collective.messages[m].source];
  if (m_plan.copy_of[m] != NoMessage) return memory.sent_on(m_plan.copy_of[m]) != nullptr;
  if (m_collective.messages[m].form == payload_form::Sum) return memory.sum_of(operands(m)).missing.empty();
  return std::all_of(m_collective.operands_begin(m), m_collective.operands_end(m),
                     [&](datum_id d) { return memory.find(d) != nullptr; });
}

/// Makes the payload of \p m from the data of its source. can_make() must hold. An XOR that the NIC makes has no
/// payload yet.
const std::uint64_t* collective_traffic::make(message_id m) {
  const node_memory& memory = m_memory[m_collective.messages[m].source];
  if (m_plan.copy_of[m] != NoMessage) {
    ++m_sent_on;
    return memory.sent_on(m_plan.copy_of[m]);
  }
  if (is_plain(m_collective, m)) return memory.find(*m_collective.operands_begin(m));
  if (makes_xor(m)) m_xors_made += operands(m).size() - 1;
  if (encoded_by_nic(m)) return nullptr;

  std::vector<std::uint64_t>& made = m_made[m];
  switch (m_collective.messages[m].form) {
    case payload_form::Datum:
    case payload_form::Xor:
      for (const datum_id d : operands(m)) xor_into(made, memory.find(d), memory.words_of(d));
      break;
    case payload_form::Join:
      for (const datum_id d : operands(m)) made.insert(made.end(), memory.find(d), memory.find(d) + memory.words_of(d));
      break;
    case payload_form::Sum:
      made = memory.sum_of(operands(m)).words;
      break;
  }
  return made.data();
}

}  // namespace weft
