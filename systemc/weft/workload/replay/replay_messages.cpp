// SPDX-License-Identifier: Apache-2.0
/// The messages of a replay: packets, and what the network tells of them.
#include <algorithm>
#include <cstring>
#include <utility>

#include "weft/workload/replay/replay_state.h"

namespace weft {

cycle_t replay_traffic::next_creation(node_id node) const {
  return m_creations[node].empty() ? Never : m_creations[node].top().at;
}

cycle_t replay_traffic::next_creation() const {
  cycle_t next = Never;
  for (node_id node = 0; node < m_creations.size(); ++node) next = std::min(next, next_creation(node));
  return next;
}

packet replay_traffic::take(node_id node) {
  const creation made = m_creations[node].top();
  m_creations[node].pop();
  ++m_under_way;
  ++m_packets_made;
  m_flits += made.flits;
  const message& m = *made.of;
  const bool back = made.kind == packet_kind::Clear;
  m_figures[back ? m.key.to : m.key.from].flits += made.flits;
  packet_state s{made.of, {}, made.kind, made.first_byte};
  s.p.id = m_packets[node].next() << m_node_bits | node;
  s.p.source = node;
  s.p.destination = node_of(back ? m.key.from : m.key.to);
  s.p.flits = made.flits;
  s.p.created = made.at;
  s.p.type = made.kind == packet_kind::Data ? m.type : data_type::Other;
  s.p.cut = m.cut;
  s.p.urgent = made.kind != packet_kind::Data;
  m_packets[node].add(s);
  if (made.ahead && --m_ahead[node] < MostAhead / 2 && m_paused[node] != nullptr)
    advance(*std::exchange(m_paused[node], nullptr));
  return s.p;
}

replay_traffic::packet_state* replay_traffic::find(packet_id id) { return ring_of(id).find(id >> m_node_bits); }

void replay_traffic::payload(const packet& p, std::uint32_t sequence, unsigned payload_bits,
                             std::uint64_t* words) const {
  const unsigned count = (payload_bits + 63) / 64;
  std::fill_n(words, count, 0);
  const packet_state* const found = find(p.id);
  if (found == nullptr || found->kind != packet_kind::Data) return;
  const message& m = *found->of;
  const std::uint64_t bytes = payload_bits / 8, in_message = found->first_byte + sequence * bytes;
  if (in_message >= m.bytes) return;
  if (!m.payload) return m_payload(m.made_from + in_message / bytes * m_figures.size(), 0, payload_bits, words);
  const std::uint64_t first = m.payload_at + in_message;
  for (std::uint64_t i = 0; i < std::min(bytes, m.bytes - in_message) && first + i < m.payload->size(); ++i)
    words[i / 8] |= std::uint64_t{static_cast<unsigned char>((*m.payload)[first + i])} << (8 * (i % 8));
}

void replay_traffic::make_packet(message& m, packet_kind kind, cycle_t at, std::uint32_t flits,
                                 std::uint64_t first_byte, bool ahead) {
  const bool back = kind == packet_kind::Clear;
  const std::uint32_t rank = back ? m.key.to : m.key.from;
  const node_id node = node_of(rank);
  ++m_packets_left;
  if (ahead) ++m_ahead[node];
  const bool first = m_creations[node].empty() || at < m_creations[node].top().at;
  m_creations[node].push({at, back ? m.receive_order : m.send_order, kind, first_byte, &m, flits, ahead});
  if (first && m_model != nullptr) m_model->ask_again(node);
}

/// Packets of doubles end with one, since each is coded by itself. A packet of a single word is never coded.
std::uint32_t replay_traffic::longest_packet(data_type type) const {
  const std::uint32_t most = m_options.packet_flits;
  const bool has_halves = is_double(type) && m_options.payload_bits < 64;
  return has_halves && most > 1 ? most - most % 2 : most;
}

/// The data go; \p path is how the time until \p since was spent.
void replay_traffic::begin_data(message& m, cycle_t at, const replay_path& path, cycle_t since, bool ahead) {
  m.began = since;
  m.path = path;
  if (m.key.from == m.key.to) return arrived(m, at);  // within the rank
  const std::uint64_t per_flit = m_options.payload_bits / 8;
  const std::uint64_t flits = std::max<std::uint64_t>(1, (m.bytes + per_flit - 1) / per_flit);
  const std::uint32_t longest = longest_packet(m.type);
  for (std::uint64_t first = 0; first < flits; first += longest) {
    ++m.packets;
    make_packet(m, packet_kind::Data, at, static_cast<std::uint32_t>(std::min<std::uint64_t>(longest, flits - first)),
                first * per_flit, ahead);
  }
  m.to_go = m.packets;
}

/// A message that asked is awaited: the later of the two says when it may come.
void replay_traffic::both_there(message& m) {
  const bool late = m.awaited_at == Never;
  if (late) return;
  const bool within = m.key.from == m.key.to;
  const bool by_receiver = m.awaited_at > m.asked_at;
  const cycle_t at = by_receiver ? m.awaited_at : m.asked_at;
  m.began = by_receiver ? m.awaited_at : m.sent_at;
  m.path = by_receiver ? m.receiver_path : m.sender_path;
  if (within)
    begin_data(m, at, m.path, m.began, false);
  else
    make_packet(m, packet_kind::Clear, at, 1, 0, false);
}

/// All of it is there in cycle \p at, from which on its receiver may go on.
void replay_traffic::arrived(message& m, cycle_t at) {
  if (m.listed > 0) return listed_arrived(m, at);
  m.here = true;
  m.here_at = at;
  replay_path path = m.path;
  path.network += at - m.began;
  ++path.messages;
  if (m.sender != nullptr) {  // within the rank, or gone with the arrival
    request* const sender = m.sender;
    m.sender = nullptr;
    finish(sender, at, path);
  }
  if (m.receiver == nullptr) return;
  m_data_bytes += m.bytes;
  request* const receiver = m.receiver;
  receiver->by->last_payload = m.payload;
  receiver->by->last_payload_at = m.payload_at;
  const bool waited = at > m.awaited_at;
  const cycle_t done = waited ? at : m.awaited_at;
  const replay_path how = waited ? path : m.receiver_path;
  if (m_options.arrived) {
    const channel_key& k = m.key;
    m_options.arrived({k.communicator, k.from, k.to, k.tag, *m.send_call, *m.receive_call, done});
  }
  m_parts->messages.give_back(&m);
  finish(receiver, done, how);
}

void replay_traffic::sent(packet_id id, node_id, cycle_t cycle) {
  const packet_state* const found = find(id);
  if (found == nullptr || found->kind != packet_kind::Data) return;
  message& m = *found->of;
  if (--m.to_go > 0) return;
  if (m.listed > 0) return listed_left(m, cycle + 1);
  if (m.sender == nullptr) return;
  request* const sender = m.sender;
  m.sender = nullptr;
  replay_path path = m.path;
  path.network += cycle + 1 - m.began;
  ++path.messages;
  finish(sender, cycle + 1, path);
}

network_events replay_traffic::wanted() const {
  network_events events{network_event::Sent, network_event::Received, network_event::Delivered};
  if (m_options.compresses) events |= {network_event::Injected};
  return events;
}

/// What the compressor made of a packet is seen when its head leaves.
void replay_traffic::injected(const flit_event& event, const header& head) {
  if (event.sequence != 0 || head.codec == codec::Raw) return;
  const packet_state* const found = find(event.id);
  if (found == nullptr) return;
  message& m = *found->of;
  replay_rank_figures& source = m_figures[m.key.from];
  source.flits_saved += found->p.flits - head.flits;
  if (!std::exchange(m.compressed, true)) ++source.compressed;
}

void replay_traffic::received(const flit_event& event, const std::uint64_t* payload) {
  ++m_moves;
  if (payload == nullptr) return;
  const packet_state* const found = find(event.id);
  if (found == nullptr) return;
  std::uint64_t wanted[8] = {};
  this->payload(found->p, event.sequence, m_options.payload_bits, wanted);
  if (std::memcmp(wanted, payload, sizeof(std::uint64_t) * ((m_options.payload_bits + 63) / 64)) != 0) ++m_changed;
}

void replay_traffic::delivered(const packet& p, cycle_t cycle, std::uint32_t) {
  const packet_state& found = *find(p.id);
  message& m = *found.of;
  const packet_kind kind = found.kind;
  ring_of(p.id).remove(p.id >> m_node_bits);
  --m_packets_left;
  --m_under_way;
  switch (kind) {
    case packet_kind::Ask:
      m.asked_at = cycle + 1;
      return both_there(m);
    case packet_kind::Clear:
      return begin_data(m, cycle + 1, m.path, m.began, false);
    case packet_kind::Data:
      if (--m.packets == 0) arrived(m, cycle + 1);
  }
}

}  // namespace weft
