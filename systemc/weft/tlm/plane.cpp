// SPDX-License-Identifier: Apache-2.0
#include "weft/tlm/plane.h"

#include <stdexcept>

#include "weft/core/network_observer.h"
#include "weft/engine/lazy_model.h"

namespace weft::tlm2 {

plane::plane(message_kind kind, const noc_parameters& p, const packet_format& format, arrival arrived,
             std::function<void()> on_event)
    : m_kind(kind),
      m_format(format),
      m_arrived(std::move(arrived)),
      m_on_event(std::move(on_event)),
      m_nodes(p.graph.nodes.size()) {
  make_network(p);
}

void plane::make_network(const noc_parameters& p) {
  if (p.make_network) {
    m_network = p.make_network(p, *this, *this);
    if (m_network == nullptr) throw std::invalid_argument("make_network returned no network");
    return;
  }
  const auto make = p.foresee ? engine::make_lazy_model : engine::make_model;
  std::unique_ptr<engine::driven_model> driven = make(p.graph, p.router, p.nic, p.payload_bits, *this, *this);
  m_engine = driven.get();
  m_network = std::move(driven);
}

void plane::send(cycle_t cycle, node_id source, node_id destination, message& m) {
  node_state& node = m_nodes[source];
  const bool was_empty = node.first == None;
  if (const std::uint32_t flits = flits_of_one_packet(m, m_format); flits != 0) {
    cargo& c = enqueue(cycle, source, destination, m.type, flits);
    c.last = true;
    c.whole = std::move(m);
    c.sent.clear();
    c.received.clear();
  } else {
    to_packets(m, m_format, m_pieces);
    for (piece& part : m_pieces) {
      cargo& c = enqueue(cycle, source, destination, m.type, part.flits);
      c.last = &part == &m_pieces.back();
      c.sent.swap(part.words);
      c.sent.resize(c.words);
      c.received.assign(c.words, 0);
    }
  }
  ++node.waiting;
  if (was_empty) m_network->reschedule_source(source);
}

plane::cargo& plane::enqueue(cycle_t cycle, node_id source, node_id destination, data_type type, std::uint32_t flits) {
  const std::uint32_t place = allocate_slot();
  node_state& node = m_nodes[source];
  (node.first == None ? node.first : m_cargo[node.last].next) = place;
  node.last = place;
  cargo& c = m_cargo[place];
  c.what.id = m_packets++ << 32 | place;
  c.what.source = source;
  c.what.destination = destination;
  c.what.flits = flits;
  c.what.created = cycle;
  c.what.type = type;
  c.next = None;
  c.words = (std::size_t{flits} * m_format.payload_bits + 63) / 64;
  return c;
}

std::uint32_t plane::allocate_slot() {
  if (m_free.empty()) {
    m_free.push_back(static_cast<std::uint32_t>(m_cargo.size()));
    m_cargo.emplace_back();
  }
  const std::uint32_t place = m_free.back();
  m_free.pop_back();
  return place;
}

cycle_t plane::next_creation(node_id node) const {
  const std::uint32_t first = m_nodes[node].first;
  return first == None ? Never : m_cargo[first].what.created;
}

packet plane::pop(node_id node) {
  const cargo& c = m_cargo[m_nodes[node].first];
  m_nodes[node].first = c.next;
  return c.what;
}

const std::vector<std::uint64_t>& plane::words_of(packet_id id) const {
  cargo& c = cargo_of(id);
  if (c.sent.empty()) {
    to_packets(c.whole, m_format, m_pieces);
    c.sent.swap(m_pieces.front().words);
    c.sent.resize(c.words);
  }
  return c.sent;
}

void plane::payload(const packet& p, std::uint32_t sequence, unsigned payload_bits, std::uint64_t* words) const {
  const std::vector<std::uint64_t>& all = words_of(p.id);
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
  if (m_engine == nullptr) m_on_event();
}

void plane::received(const flit_event& event, const std::uint64_t* payload) {
  cargo& c = cargo_of(event.id);
  std::vector<std::uint64_t>& all = c.received;
  if (all.empty()) all.assign(c.words, 0);
  if (m_format.payload_bits == 32) {
    all[event.sequence / 2] |= (*payload & 0xffffffff) << 32 * (event.sequence % 2);
    return;
  }
  const unsigned count = m_format.payload_bits / 64;
  for (unsigned i = 0; i < count; ++i) all[std::size_t{event.sequence} * count + i] = payload[i];
}

void plane::delivered(const packet& p, cycle_t, std::uint32_t) {
  cargo& c = cargo_of(p.id);
  m_free.push_back(static_cast<std::uint32_t>(p.id));
  std::vector<std::uint64_t>& words = c.received;
  if (words.empty()) return arrive(p, c.whole);  // predicted: its content is unchanged
  if (assembly::is_whole(words, p.type)) {
    m_alone.add(words, p.type);
    message m = m_alone.pop(m_kind);
    return arrive(p, m);
  }
  const std::pair key(std::uint64_t{p.source} << 32 | p.destination, assembly::tag_of(words, p.type));
  assembly& whole = m_assemblies[key];
  if (!whole.add(words, p.type)) return;
  message m = whole.pop(m_kind);
  m_assemblies.erase(key);
  arrive(p, m);
}

void plane::arrive(const packet& last, message& m) {
  m_arrived(last.source, last.destination, m);
  if (m_engine == nullptr) m_on_event();
}

}  // namespace weft::tlm2
