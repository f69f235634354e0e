// SPDX-License-Identifier: Apache-2.0
#include "weft/tlm/plane.h"

#include "weft/core/network_observer.h"
#include "weft/engine/lazy_model.h"

namespace weft::tlm2 {

plane::plane(message_kind kind, const topology& graph, const router_parameters& router, const nic_parameters& nic,
             const packet_format& format, bool foresees, arrival arrived)
    : m_kind(kind),
      m_format(format),
      m_arrived(std::move(arrived)),
      m_nodes(graph.nodes.size()),
      m_model((foresees ? engine::make_lazy_model : engine::make_model)(graph, router, nic, format.payload_bits, *this,
                                                                        *this)) {}

void plane::send(cycle_t cycle, node_id source, node_id destination, const message& m) {
  node_state& node = m_nodes[source];
  const bool was_empty = node.queue.empty();
  to_packets(m, m_format, m_pieces);
  for (piece& part : m_pieces) {
    packet p;
    p.id = take_place();
    p.source = source;
    p.destination = destination;
    p.flits = part.flits;
    p.created = cycle;
    p.type = m.type;
    node.queue.push_back(p);
    cargo& c = cargo_of(p.id);
    c.last = &part == &m_pieces.back();
    c.sent.swap(part.words);
    c.sent.resize((std::size_t{p.flits} * m_format.payload_bits + 63) / 64);
    c.received.assign(c.sent.size(), 0);
  }
  ++node.waiting;
  if (was_empty) m_model->ask_again(source);
}

packet_id plane::take_place() {
  if (m_free.empty()) {
    m_free.push_back(static_cast<std::uint32_t>(m_cargo.size()));
    m_cargo.emplace_back();
  }
  const std::uint32_t place = m_free.back();
  m_free.pop_back();
  return m_packets++ << 32 | place;
}

cycle_t plane::next_creation(node_id node) const {
  const std::deque<packet>& queue = m_nodes[node].queue;
  return queue.empty() ? Never : queue.front().created;
}

packet plane::take(node_id node) {
  const packet p = m_nodes[node].queue.front();
  m_nodes[node].queue.pop_front();
  return p;
}

void plane::payload(const packet& p, std::uint32_t sequence, unsigned payload_bits, std::uint64_t* words) const {
  const std::vector<std::uint64_t>& all = cargo_of(p.id).sent;
  if (payload_bits == 32) {
    *words = all[sequence / 2] >> 32 * (sequence % 2) & 0xffffffff;
    return;
  }
  const unsigned count = payload_bits / 64;
  for (unsigned i = 0; i < count; ++i) words[i] = all[std::size_t{sequence} * count + i];
}

void plane::sent(packet_id id, node_id node, cycle_t) {
  if (!cargo_of(id).last) return;
  --m_nodes[node].waiting;
  m_sent.push_back(node);
}

void plane::received(const flit_event& event, const std::uint64_t* payload) {
  std::vector<std::uint64_t>& all = cargo_of(event.id).received;
  if (m_format.payload_bits == 32) {
    all[event.sequence / 2] |= (*payload & 0xffffffff) << 32 * (event.sequence % 2);
    return;
  }
  const unsigned count = m_format.payload_bits / 64;
  for (unsigned i = 0; i < count; ++i) all[std::size_t{event.sequence} * count + i] = payload[i];
}

void plane::delivered(const packet& p, cycle_t, std::uint32_t) {
  std::vector<std::uint64_t>& words = cargo_of(p.id).received;
  m_free.push_back(static_cast<std::uint32_t>(p.id));
  if (assembly::is_whole(words, p.type)) {
    m_alone.add(words, p.type);
    return m_arrived(p.source, p.destination, m_alone.take(m_kind));
  }
  const std::pair key(std::uint64_t{p.source} << 32 | p.destination, assembly::tag_of(words, p.type));
  assembly& whole = m_assemblies[key];
  if (!whole.add(words, p.type)) return;
  message m = whole.take(m_kind);
  m_assemblies.erase(key);
  m_arrived(p.source, p.destination, std::move(m));
}

}  // namespace weft::tlm2
