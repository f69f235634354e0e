// SPDX-License-Identifier: Apache-2.0
/// The ranks of a replay: determines when each call is made.
#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>
#include <utility>

#include "weft/core/random.h"
#include "weft/mpi/replay/replay_state.h"

namespace weft {

namespace {

/// Returns the number of bits that numbers below \p count need.
constexpr unsigned bits_for(std::uint64_t count) {
  unsigned bits = 0;
  while (std::uint64_t{1} << bits < count) ++bits;
  return bits;
}

}  // namespace

replay_traffic::replay_traffic(const replay_program& program, std::uint32_t nodes, const replay_options& options)
    : m_program(program),
      m_options(options),
      m_payload(options.payload, options.seed, static_cast<std::uint32_t>(program.ranks.size()), 1),
      m_parts(std::make_unique<parts>()),
      m_creations(nodes),
      m_node_bits(bits_for(nodes)),
      m_runs(std::size_t{1} << m_node_bits),
      m_ahead(nodes),
      m_paused(nodes),
      m_requests(program.ranks.size()),
      m_collectives(program.ranks.size()),
      m_metrics(program.ranks.size()),
      m_left(program.ranks.size()) {
  if (options.nodes.size() != program.ranks.size())
    throw std::invalid_argument("replay: expected a node for each rank");
  if (std::set<node_id>(options.nodes.begin(), options.nodes.end()).size() != options.nodes.size())
    throw std::invalid_argument("replay: two ranks are on the same node");
  for (const node_id node : options.nodes)
    if (node >= nodes) throw std::invalid_argument("replay: a rank is on a node that does not exist");
  if (options.packet_flits == 0 || options.payload_bits < 8)
    throw std::invalid_argument("replay: expected at least one flit in a packet and 8 bits in a flit");
  for (std::uint32_t rank = 0; rank < program.ranks.size(); ++rank) {
    m_activities.push_back(m_parts->activities.take());
    m_activities.back()->rank = rank;
  }
  for (std::uint32_t rank = 0; rank < program.ranks.size(); ++rank) advance(*m_activities[rank]);
  begin_list();
}

replay_traffic::~replay_traffic() = default;

/// Advances \p a until it has to wait, is far ahead of the network, or has ended.
void replay_traffic::advance(activity& a) {
  for (;;) {
    bool waits = false;
    for (request* const r : a.awaited)
      if (r->done == Never) {
        r->waiting = &a;
        waits = true;
      }
    if (waits) return;
    spend_waiting(a);
    if (run_actions(a)) continue;
    give_back_own(a);
    if (!a.main || a.next_call == m_program.ranks[a.rank].calls.size()) return end_of(a);
    // The waiting messages are not later than the next action.
    if (m_ahead[node_of(a.rank)] >= MostAhead) {
      m_paused[node_of(a.rank)] = &a;
      return;
    }
    begin_call(a);
  }
}

/// Accounts for the waits of \p a after all of them have ended. It uses the order in which the waits ended, because the
/// order of the callbacks differs between the levels of simulation.
void replay_traffic::spend_waiting(activity& a) {
  const auto earlier = [](const request* x, const request* y) { return x->done < y->done; };
  if (!std::is_sorted(a.awaited.begin(), a.awaited.end(), earlier))
    std::stable_sort(a.awaited.begin(), a.awaited.end(), earlier);
  for (const request* const r : a.awaited) {
    if (r->done <= a.time) continue;
    if (a.main) (r->sends ? m_metrics[a.rank].sending : m_metrics[a.rank].receiving) += r->done - a.time;
    a.time = r->done;
    a.path = r->path;
  }
  a.awaited.clear();
}

/// Runs the next actions of a collective up to an action that waits. \return whether there were any actions
bool replay_traffic::run_actions(activity& a) {
  if (a.next_action == a.actions.size()) return false;
  for (; a.next_action < a.actions.size(); ++a.next_action) {
    const collective_action& s = a.actions[a.next_action];
    if (s.what == collective_action::kind::Await) a.awaited.push_back(a.own[s.number]);
    if (s.what == collective_action::kind::Wait || s.what == collective_action::kind::Await) break;
    channel_key key = a.key;
    key.tag = static_cast<std::int32_t>(s.number);
    key.from = s.what == collective_action::kind::Send ? a.rank : s.peer;
    key.to = s.what == collective_action::kind::Send ? s.peer : a.rank;
    if (s.content != nullptr) {
      if (s.what == collective_action::kind::Receive) {
        post_receive(a, key, *a.call);
        continue;
      }
      collective_plans::content c = m_options.plans->content_of(*s.content, a.rank, key.communicator, key.collective);
      const std::uint64_t joined = std::max<std::uint64_t>(1, s.content->parts.size());
      post_send(a, key, *a.call, c.bytes, c.bytes / joined, std::move(c.payload), c.payload_at);
    } else if (s.what == collective_action::kind::Receive)
      a.awaited.push_back(post_receive(a, key, *a.call));
    else
      a.awaited.push_back(post_send(a, key, *a.call, s.bytes, s.bytes, s.passes_on ? a.last_payload : a.call->payload,
                                    s.passes_on ? a.last_payload_at : s.payload_at));
  }
  if (a.next_action < a.actions.size()) ++a.next_action;
  return true;
}

void replay_traffic::begin_call(activity& a) {
  const replay_rank& rank = m_program.ranks[a.rank];
  const replay_call& call = rank.calls[a.next_call++];
  const auto computing =
      static_cast<cycle_t>(std::llround(static_cast<double>(call.computing) * m_options.cycles_per_nanosecond));
  a.time += computing;
  a.path.computing += computing;
  m_metrics[a.rank].computing += computing;
  a.call = &call;
  auto& requests = m_requests[a.rank];
  const auto peer = static_cast<std::uint32_t>(call.peer);
  request* posted = nullptr;
  switch (call.kind) {
    case call_kind::Send:
      posted =
          post_send(a, {call.communicator, 0, a.rank, peer, call.tag}, call, call.bytes, call.bytes, call.payload, 0);
      break;
    case call_kind::Receive:
      if (call.peer < 0) return;  // it never ended: the program was killed, or canceled it
      posted = post_receive(a, {call.communicator, 0, peer, a.rank, call.tag}, call);
      break;
    case call_kind::Completion:
      for (std::uint32_t i = 0; i < call.count; ++i) {
        const auto found = requests.find(rank.ended[call.more + i]);
        if (found == requests.end()) continue;  // a canceled receive
        a.own.push_back(found->second);
        a.awaited.push_back(a.own.back());
        requests.erase(found);
      }
      return;
    case call_kind::Collective:
      return begin_collective(a, call);
    case call_kind::Uncovered:
      return;
  }
  if (call.request == 0) {
    a.awaited.push_back(posted);
  } else {
    requests[call.request] = a.own.back();
    a.own.pop_back();
  }
}

void replay_traffic::begin_collective(activity& a, const replay_call& call) {
  activity* does = &a;
  if (call.request != 0) {
    does = m_parts->activities.take();
    does->rank = a.rank;
    does->main = false;
    does->time = a.time;
    does->path = a.path;
    does->call = &call;
    does->completes = m_parts->requests.take();
    m_requests[a.rank][call.request] = does->completes;
  }
  // The number of the collective in its communicator separates its messages from those of others.
  const std::uint32_t number = ++m_collectives[a.rank][call.communicator];
  does->key = {call.communicator, number, 0, 0, 0};
  const std::vector<collective_action>* const planned =
      m_options.plans ? m_options.plans->actions(a.rank, call.communicator, number) : nullptr;
  does->actions = planned ? *planned
                          : actions_of(call, m_program.ranks[a.rank].collectives[call.more],
                                       m_program.communicators[call.communicator].members, a.rank, m_options.order);
  does->next_action = 0;
  if (does != &a) advance(*does);
}

void replay_traffic::end_of(activity& a) {
  if (a.main) {
    m_metrics[a.rank].end = a.time;
    --m_left;
  } else {
    finish(a.completes, a.time, a.path);
    m_parts->activities.give_back(&a);
  }
}

/// Returns the order of the action that \p a posted last: first by call, then by index within the call.
std::uint64_t replay_traffic::order_of(const activity& a) const {
  const auto call = static_cast<std::uint64_t>(a.call - m_program.ranks[a.rank].calls.data());
  return call << 24 | (a.own.size() & 0xffffff);
}

/// Releases the requests of a completed call. An incomplete request that nothing waits for stays.
void replay_traffic::give_back_own(activity& a) {
  for (request* const r : a.own)
    if (r->done != Never) m_parts->requests.give_back(r);
  a.own.clear();
}

std::size_t replay_traffic::channel_hash::operator()(const channel_key& key) const {
  return splitmix64(
      std::uint64_t{key.communicator} << 32 | key.collective,
      (std::uint64_t{key.from} << 32 | key.to) + (std::uint64_t{static_cast<std::uint32_t>(key.tag)} << 17));
}

replay_traffic::message& replay_traffic::match(const channel_key& key, bool sends) {
  channel& c = m_channels[key];
  if (c.first != nullptr && (c.first->send_call == nullptr) == sends) {
    message& m = *c.first;
    c.first = std::exchange(m.next, nullptr);
    // Channels between ranks are reused; channels of a collective are not.
    if (c.first == nullptr && key.collective > 0) m_channels.erase(key);
    return m;
  }
  message& m = *m_parts->messages.take();
  m.key = key;
  (c.first == nullptr ? c.first : c.last->next) = &m;
  c.last = &m;
  return m;
}

/// Returns the payload offset of a message that was recorded without payload. It is a function of the call, so it does
/// not depend on when and in which order messages travel.
std::uint64_t replay_traffic::made_payload(std::uint32_t from, std::uint32_t to, std::uint32_t collective,
                                           std::uint32_t call) const {
  const std::uint64_t ranks = m_metrics.size();
  const std::uint64_t first = splitmix64(call, std::uint64_t{collective} << 32 | to) >> 28;  // first flit in its array
  return first * ranks + from;
}

replay_traffic::request* replay_traffic::post_send(activity& a, const channel_key& key, const replay_call& call,
                                                   std::uint64_t bytes, std::uint64_t part_bytes,
                                                   std::shared_ptr<const std::string> payload,
                                                   std::uint64_t payload_at) {
  a.own.push_back(m_parts->requests.take());
  request* const r = a.own.back();
  r->sends = true;
  r->by = &a;
  message& m = match(key, true);
  m.sender = r;
  m.send_call = &call;
  m.send_order = order_of(a);
  m.bytes = bytes;
  m.payload = std::move(payload);
  m.payload_at = m.payload ? payload_at : made_payload(a.rank, key.to, key.collective, call.number);
  m.type = call.type;
  const bool is_collective = call.kind == call_kind::Collective;
  apply_truncation_rule(m, {call.type, is_collective ? AnyTag : std::int64_t{call.tag}, call.function,
                            is_collective && !counts_by_part(call.function)
                                ? datum_bytes(call.function, m_program.ranks[a.rank].collectives[call.more])
                                : part_bytes});
  m.began = a.time;
  m.path = a.path;
  const bool buffered = call.mode == send_mode::Buffered || call.mode == send_mode::Ready ||
                        (is_collective && m_options.order == collective_order::Direct);
  m.eager = buffered || (bytes <= m_options.eager_bytes && call.mode != send_mode::Synchronous);
  ++m_metrics[a.rank].messages;
  m_metrics[a.rank].bytes += bytes;
  if (m.eager) {
    m.sender = nullptr;
    finish(r, a.time, a.path);
    begin_data(m, a.time, a.main);
  } else if (key.from == key.to) {
    m.came_at = a.time;
    both_there(m);
  } else {
    create(m, packet_kind::Request, a.time, a.main);
  }
  return r;
}

/// Applies the first trace truncation rule that matches. A message that must travel unchanged gets a data type without
/// a codec.
void replay_traffic::apply_truncation_rule(message& m, const message_attributes& about) const {
  const truncation_rule* const rule = rule_for(m_options.truncation_rules, about);
  if (rule == nullptr) return;
  if (rule->bits)
    m.cut = static_cast<std::uint8_t>(*rule->bits);
  else
    m.type = data_type::Other;
}

replay_traffic::request* replay_traffic::post_receive(activity& a, const channel_key& key, const replay_call& call) {
  a.own.push_back(m_parts->requests.take());
  request* const r = a.own.back();
  r->by = &a;
  r->call = &call;
  r->order = order_of(a);
  r->posted = a.time;
  r->path = a.path;
  message& m = match(key, false);
  m.receiver = r;
  if (m.came_at == Never) return r;
  if (m.eager)
    arrived(m, m.came_at);
  else
    both_there(m);
  return r;
}

void replay_traffic::finish(request* r, cycle_t at, const replay_path& path) {
  r->done = at;
  r->path = path;
  activity* const waiting = std::exchange(r->waiting, nullptr);
  if (waiting != nullptr) advance(*waiting);
}

}  // namespace weft
