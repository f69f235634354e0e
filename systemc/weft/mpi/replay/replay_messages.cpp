// SPDX-License-Identifier: Apache-2.0
/// The messages of a replay: their packets, and callbacks from the network.
#include <algorithm>
#include <cstring>
#include <utility>

#include "weft/mpi/replay/replay_state.h"

namespace weft {

cycle_t replay_traffic::next_creation(node_id node) const {
  return m_creations[node].empty() ? Never : m_creations[node].top().at;
}

cycle_t replay_traffic::next_creation() const {
  cycle_t next = Never;
  for (node_id node = 0; node < m_creations.size(); ++node) next = std::min(next, next_creation(node));
  return next;
}

/// All packets of a message are created together. The network receives the first packet here and requests the following
/// packets one by one.
packet replay_traffic::pop(node_id node) {
  const creation made = m_creations[node].top();
  m_creations[node].pop();
  const message& m = *made.of;
  const bool is_data = made.kind == packet_kind::Data, back = made.kind == packet_kind::Clear;
  const std::uint32_t packets = is_data ? m.to_go : 1;
  const std::uint64_t flits = is_data ? flits_of(m) : 1;
  m_under_way += packets;
  m_packets_made += packets;
  m_flits += flits;
  m_metrics[back ? m.key.to : m.key.from].flits += flits;
  packet p;
  p.id = m_runs[node].next() << m_node_bits | node;
  p.source = node;
  p.destination = node_of(back ? m.key.from : m.key.to);
  p.flits = static_cast<std::uint32_t>(packets == 1 ? flits : longest_packet(m.type));
  p.created = made.at;
  p.type = is_data ? m.type : data_type::Other;
  p.cut = m.cut;
  p.urgent = !is_data;
  p.more = packets - 1;
  m_runs[node].add({0, made.of, packets, made.kind}, packets);
  begun(made);
  return p;
}

/// A message of the program no longer waits for its time, so its rank may continue.
void replay_traffic::begun(const creation& made) {
  if (!made.ahead) return;
  const node_id node = node_of(made.of->key.from);
  if (--m_ahead[node] < MostAhead / 2 && m_paused[node] != nullptr) advance(*std::exchange(m_paused[node], nullptr));
}

packet replay_traffic::following(const packet& p) const {
  packet next = p;
  next.id += packet_id{1} << m_node_bits;
  if (--next.more == 0) next.flits = flits_of(*find(next.id), next.id);
  return next;
}

void replay_traffic::payload(const packet& p, std::uint32_t sequence, unsigned payload_bits,
                             std::uint64_t* words) const {
  std::fill_n(words, (payload_bits + 63) / 64, 0);
  const packet_run* const found = find(p.id);
  if (found != nullptr && found->kind == packet_kind::Data) content(*found, p.id, sequence, words);
}

/// Writes the contents of flit \p sequence of data packet \p id of \p run into \p words, which are 0.
void replay_traffic::content(const packet_run& run, packet_id id, std::uint32_t sequence, std::uint64_t* words) const {
  const message& m = *run.of;
  const std::uint64_t flit = ((id >> m_node_bits) - run.first) * longest_packet(m.type) + sequence;
  const std::uint64_t bytes = m_options.payload_bits / 8, in_message = flit * bytes;
  if (in_message >= m.bytes) return;
  if (!m.payload) return m_payload(m.payload_at + flit * m_metrics.size(), 0, m_options.payload_bits, words);
  const std::uint64_t first = m.payload_at + in_message;
  for (std::uint64_t i = 0; i < std::min(bytes, m.bytes - in_message) && first + i < m.payload->size(); ++i)
    words[i / 8] |= std::uint64_t{static_cast<unsigned char>((*m.payload)[first + i])} << (8 * (i % 8));
}

void replay_traffic::create(message& m, packet_kind kind, cycle_t at, bool ahead) {
  const bool back = kind == packet_kind::Clear;
  const node_id node = node_of(back ? m.key.to : m.key.from);
  if (ahead) ++m_ahead[node];
  if (m_options.is_dry_run) return m_dry_run_creations.push_back({at, 0, &m, kind, ahead});
  ++m_runs_left;
  const bool first = m_creations[node].empty() || at < m_creations[node].top().at;
  m_creations[node].push({at, back ? m.receiver->order : m.send_order, &m, kind, ahead});
  if (first && m_model != nullptr) m_model->reschedule_source(node);
}

/// Returns the length of the longest packet. Packets of doubles contain whole doubles, because each packet is coded on
/// its own. A packet of a single word is never coded.
std::uint32_t replay_traffic::longest_packet(data_type type) const {
  const std::uint32_t most = m_options.packet_flits;
  const bool has_halves = is_double(type) && m_options.payload_bits < 64;
  return has_halves && most > 1 ? most - most % 2 : most;
}

std::uint64_t replay_traffic::flits_of(const message& m) const {
  const std::uint64_t per_flit = m_options.payload_bits / 8;
  return std::max<std::uint64_t>(1, (m.bytes + per_flit - 1) / per_flit);
}

/// Returns the length that packet \p id of \p run had when it was created.
std::uint32_t replay_traffic::flits_of(const packet_run& run, packet_id id) const {
  if (run.kind != packet_kind::Data) return 1;
  const std::uint64_t longest = longest_packet(run.of->type);
  return static_cast<std::uint32_t>(std::min(longest, flits_of(*run.of) - ((id >> m_node_bits) - run.first) * longest));
}

/// Starts the data of a message.
void replay_traffic::begin_data(message& m, cycle_t at, bool ahead) {
  if (m.key.from == m.key.to) return arrived(m, at);  // within the rank
  const std::uint32_t longest = longest_packet(m.type);
  m.to_go = static_cast<std::uint32_t>((flits_of(m) + longest - 1) / longest);
  create(m, packet_kind::Data, at, ahead);
}

/// The request of a message and its receive are both there. The later of the two determines when the clearance is sent.
void replay_traffic::both_there(message& m) {
  if (m.receiver == nullptr) return;
  const bool by_receiver = m.receiver->posted > m.came_at;
  const cycle_t at = by_receiver ? m.receiver->posted : m.came_at;
  if (by_receiver) {
    m.began = m.receiver->posted;
    m.path = m.receiver->path;
  }
  if (m.key.from == m.key.to)
    begin_data(m, at, false);
  else
    create(m, packet_kind::Clear, at, false);
}

/// The whole message has arrived in cycle \p at, from which on its receiver may continue.
void replay_traffic::arrived(message& m, cycle_t at) {
  if (m.list_number > 0) return listed_arrived(m, at);
  m.came_at = at;
  replay_path path = m.path;
  path.network += at - m.began;
  ++path.messages;
  if (m.sender != nullptr) {  // within the rank, or departed with the arrival
    request* const sender = m.sender;
    m.sender = nullptr;
    finish(sender, at, path);
  }
  if (m.receiver == nullptr) return;
  m_data_bytes += m.bytes;
  request* const receiver = m.receiver;
  receiver->by->last_payload = m.payload;
  receiver->by->last_payload_at = m.payload_at;
  const bool waited = at > receiver->posted;
  const cycle_t done = waited ? at : receiver->posted;
  const replay_path how = waited ? path : receiver->path;
  if (m_options.arrived) {
    const channel_key& k = m.key;
    m_options.arrived({k.communicator, k.from, k.to, k.tag, *m.send_call, *receiver->call, done});
  }
  m_parts->messages.give_back(&m);
  finish(receiver, done, how);
}

void replay_traffic::sent(packet_id id, node_id, cycle_t cycle) {
  const packet_run* const found = find(id);
  if (found == nullptr || found->kind != packet_kind::Data) return;
  message& m = *found->of;
  if (--m.to_go > 0) return;
  if (m.list_number > 0) return listed_left(m, cycle + 1);
  if (m.sender == nullptr) return;
  request* const sender = m.sender;
  m.sender = nullptr;
  replay_path path = m.path;
  path.network += cycle + 1 - m.began;
  ++path.messages;
  finish(sender, cycle + 1, path);
}

network_events replay_traffic::event_interest() const {
  network_events events{network_event::Sent, network_event::Received, network_event::Delivered};
  if (m_options.compresses) events |= {network_event::Injected};
  return events;
}

/// Counts the flits that compression saves. The compressed length of a packet is known when its head leaves.
void replay_traffic::injected(const flit_event& event, const header& head) {
  if (event.sequence != 0 || head.codec == codec::Raw) return;
  const packet_run* const found = find(event.id);
  if (found == nullptr) return;
  message& m = *found->of;
  replay_rank_metrics& source = m_metrics[m.key.from];
  source.flits_saved += flits_of(*found, event.id) - head.flits;
  if (!std::exchange(m.compressed, true)) ++source.compressed;
}

void replay_traffic::received(const flit_event& event, const std::uint64_t* payload) {
  ++m_moves;
  if (payload == nullptr) return;
  const packet_run* const found = find(event.id);
  if (found == nullptr) return;
  std::uint64_t expected[8] = {};
  if (found->kind == packet_kind::Data) content(*found, event.id, event.sequence, expected);
  if (std::memcmp(expected, payload, sizeof(std::uint64_t) * ((m_options.payload_bits + 63) / 64)) != 0) ++m_changed;
}

void replay_traffic::delivered(const packet& p, cycle_t cycle, std::uint32_t) {
  packet_runs<packet_run>& runs = m_runs[source_of(p.id)];
  packet_run& run = *runs.find(p.id >> m_node_bits);
  --m_under_way;
  if (--run.left > 0) return;
  message& m = *run.of;
  const packet_kind kind = run.kind;
  run.of = nullptr;
  runs.drop_ended();
  --m_runs_left;
  switch (kind) {
    case packet_kind::Request:
      m.came_at = cycle + 1;
      return both_there(m);
    case packet_kind::Clear:
      return begin_data(m, cycle + 1, false);
    case packet_kind::Data:
      return arrived(m, cycle + 1);
  }
}

}  // namespace weft
