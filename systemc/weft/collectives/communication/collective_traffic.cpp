// SPDX-License-Identifier: Apache-2.0
/// Start of a collective, and the callbacks from the network.
#include "weft/collectives/communication/collective_traffic.h"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "weft/core/network_observer.h"
#include "weft/core/random.h"

namespace weft {

collective_traffic::collective_traffic(const collective& c, const collective_options& options)
    : m_collective(c),
      m_options(options),
      m_words_per_flit((options.payload_bits + 63) / 64),
      m_plan(make_xor_plan(c, options.coding, options.stages)),
      m_memory(c.nodes, node_memory(c, m_words_per_flit, m_pool)),
      m_nodes(c.nodes),
      m_messages(c.messages.size()),
      m_of_step(options.barriers ? c.steps.size() : 0),
      m_step_left(c.steps.size()),
      m_steps(c.steps.size()),
      m_sent_flits(c.nodes),
      m_received_flits(c.nodes) {
  give_data();
  draw_losses();
  find_followers();
  find_next_xors();
  for (const collective_message& m : c.messages) ++m_step_left[m.step];
  while (m_open_step + 1 < m_step_left.size() && m_step_left[m_open_step] == 0) ++m_open_step;
  for (message_id m = 0; m < c.messages.size(); ++m) {
    m_messages[m].missing = static_cast<std::uint32_t>(c.dependencies_end(m) - c.dependencies_begin(m));
    if (!options.barriers) continue;
    m_of_step[c.messages[m].step].push_back(m);
    m_messages[m].missing += c.messages[m].step > m_open_step;
  }
  for (message_id m = 0; m < c.messages.size(); ++m)
    if (m_messages[m].missing == 0) may_go(m, 0);
}

/// Gives every owner its data, with words from the payload generator.
void collective_traffic::give_data() {
  std::uint32_t longest = 1;
  for (const collective_datum& d : m_collective.data) longest = std::max(longest, d.flits);
  const payload_generator generator(m_options.payload, m_options.seed, m_collective.nodes, longest);
  m_type = generator.type();
  std::vector<packet_id> data_of(m_collective.nodes);
  std::vector<std::uint64_t> words;
  for (datum_id d = 0; d < m_collective.data.size(); ++d) {
    const collective_datum& datum = m_collective.data[d];
    const packet_id id = data_of[datum.owner]++ * m_collective.nodes + datum.owner;
    words.resize(std::size_t{datum.flits} * m_words_per_flit);
    for (std::uint32_t flit = 0; flit < datum.flits; ++flit)
      generator(id, flit, m_options.payload_bits, &words[std::size_t{flit} * m_words_per_flit]);
    m_original.push_back(m_pool.keep(words.data(), words.size()));
    m_memory[datum.owner].store(d, m_original.back());
  }
}

void collective_traffic::draw_losses() {
  const bool any = m_options.loss > 0 || !m_options.lost.empty();
  if (any && m_options.coding == xor_unit::Nic)
    throw std::invalid_argument(
        "NICs cannot decode XORs if messages are lost, because messages are lost after the NIC; "
        "let the nodes do the XORs");
  for (message_id m = 0; m < m_messages.size() && m_options.loss > 0; ++m) {
    const std::uint64_t key = stream_key(m_options.seed, m_collective.messages[m].destination, stream_purpose::Loss);
    m_messages[m].lost = m_options.loss >= 1 || splitmix64(key, m) < chance_limit(m_options.loss);
  }
  for (const message_id m : m_options.lost) {
    if (m >= m_messages.size())
      throw std::invalid_argument(
          fmt::format("message {} cannot be lost: the messages are 0 to {}", m, m_messages.size() - 1));
    m_messages[m].lost = true;
  }
}

/// Computes the messages that wait for each message, by inverting the dependency lists.
void collective_traffic::find_followers() {
  m_first_follower.assign(m_messages.size() + 1, 0);
  for (const message_id d : m_collective.dependencies) ++m_first_follower[d + 1];
  for (std::size_t i = 0; i + 1 < m_first_follower.size(); ++i) m_first_follower[i + 1] += m_first_follower[i];
  std::vector<std::size_t> next(m_first_follower.begin(), m_first_follower.end() - 1);
  m_followers.resize(m_collective.dependencies.size());
  for (message_id m = 0; m < m_messages.size(); ++m)
    for (const message_id* d = m_collective.dependencies_begin(m); d != m_collective.dependencies_end(m); ++d)
      m_followers[next[*d]++] = m;
}

void collective_traffic::find_next_xors() {
  if (m_options.coding == xor_unit::Node) return;
  m_next_xor.assign(m_messages.size(), NoMessage);
  std::vector<message_id> next(m_collective.nodes, NoMessage);
  for (auto m = static_cast<message_id>(m_messages.size()); m-- > 0;)
    if (encoded_by_nic(m)) m_next_xor[m] = std::exchange(next[m_collective.messages[m].source], m);
}

void collective_traffic::injected(const flit_event& event, const header& head) {
  ++m_moves;
  ++m_sent_flits[event.node];
  if (event.sequence == 0 && m_plan.by_nic[event.id]) m_messages[event.id].flits_to_come = head.flits;
}

void collective_traffic::ejected(const flit_event& event, const std::uint64_t*) {
  ++m_moves;
  ++m_received_flits[event.node];
  if (!m_plan.by_nic[event.id]) return;
  const auto m = static_cast<message_id>(event.id);
  if (--m_messages[m].flits_to_come == 0) arrive(m, event.cycle);
}

void collective_traffic::received(const flit_event& event, const std::uint64_t* payload) {
  ++m_moves;
  std::vector<std::uint64_t>& words = m_arriving[event.id];
  words.insert(words.end(), payload, payload + m_words_per_flit);
}

void collective_traffic::delivered(const packet& p, cycle_t cycle, std::uint32_t routers) {
  const auto m = static_cast<message_id>(p.id);
  message_state& state = m_messages[m];
  const auto at = m_arriving.find(p.id);
  std::vector<std::uint64_t> words = std::move(at->second);
  m_arriving.erase(at);
  m_end = std::max(m_end, cycle);
  if (!state.delivered) m_steps[m_collective.messages[m].step].hops += routers - 1;
  state.delivered = true;
  const std::string& step = m_collective.steps[m_collective.messages[m].step];
  if (p.code.overflow)
    note_violation(
        {cycle, p.destination, true,
         fmt::format("the XOR decoder of node {} overflowed in cycle {}: none of its {} entries of {} flits was "
                     "free for message {} of step {}; increase nic.coding.entries",
                     p.destination, cycle, m_options.stages.entries, m_options.stages.depth, m, step)});
  m_made.erase(m);
  if (!state.lost && !store(p, std::move(words)))
    note_violation(
        {cycle, p.destination, false,
         fmt::format("message {} of step {}, which reached node {} in cycle {}, contradicts the data of the node", m,
                     step, p.destination, cycle)});
  if (!m_plan.by_nic[m]) arrive(m, cycle);
  update_blocked(p.destination, cycle);
}

/// Stores a received packet at the receiver. \return false if it contradicts the stored data
bool collective_traffic::store(const packet& p, std::vector<std::uint64_t> words) {
  const auto m = static_cast<message_id>(p.id);
  node_memory& memory = m_memory[p.destination];
  if (m_plan.by_nic[m]) {
    if (p.code.role == xor_role::Plain) {
      ++m_decoded_by_nics;
      return p.code.first.name < m_collective.data.size() && words.size() == memory.words_of(p.code.first.name) &&
             memory.store(p.code.first.name, words.data());
    }
    if (m_plan.relayed[m]) memory.keep(m, words);
    return p.code.relay || memory.store_xor(m, std::move(words));
  }
  if (words.size() != words_in(m)) return false;
  if (is_plain(m_collective, m)) return memory.store(*m_collective.operands_begin(m), words.data());
  switch (m_collective.messages[m].form) {
    case payload_form::Datum:
    case payload_form::Xor:
      if (m_plan.relayed[m]) memory.keep(m, words);
      return memory.store_xor(m, std::move(words));
    case payload_form::Join:
      return store_joined(m, words);
    case payload_form::Sum:
      memory.store_sum(m, std::move(words));
  }
  return true;
}

bool collective_traffic::store_joined(message_id m, const std::vector<std::uint64_t>& words) {
  node_memory& memory = m_memory[m_collective.messages[m].destination];
  const std::uint64_t* from = words.data();
  bool good = true;
  for (const datum_id d : operands(m)) {
    good &= memory.store(d, from);
    from += memory.words_of(d);
  }
  return good;
}

void collective_traffic::arrive(message_id m, cycle_t cycle) {
  const step_id step = m_collective.messages[m].step;
  collective_metrics& f = m_steps[step];
  const cycle_t latency = cycle - m_messages[m].created;
  ++f.messages;
  f.flits += m_collective.flits(m);
  f.end = std::max(f.end, cycle);
  f.latency_sum += latency;
  f.max_latency = std::max(f.max_latency, latency);
  m_end = std::max(m_end, cycle);
  ++m_arrived;
  --m_step_left[step];
  for (std::size_t i = m_first_follower[m]; i < m_first_follower[m + 1]; ++i) one_less_missing(m_followers[i], cycle);
  if (m_options.barriers) open_steps(cycle);
}

/// Opens the next step after a step has ended.
void collective_traffic::open_steps(cycle_t cycle) {
  while (m_step_left[m_open_step] == 0 && m_open_step + 1 < m_step_left.size()) {
    ++m_open_step;
    m_opens = cycle + 2;  // information from one node needs this long to reach the others
    for (const message_id m : m_of_step[m_open_step]) one_less_missing(m, cycle);
  }
}

void collective_traffic::one_less_missing(message_id m, cycle_t cycle) {
  if (--m_messages[m].missing == 0) may_go(m, std::max(cycle + 1, m_opens));
}

/// \p m waits for no message any more. Creates it in cycle \p at if its contents are available.
void collective_traffic::may_go(message_id m, cycle_t at) {
  const node_id source = m_collective.messages[m].source;
  node_state& n = m_nodes[source];
  if (!can_make(m)) {
    n.blocked.push_back(m);
    return;
  }
  if (makes_xor(m) && !encoded_by_nic(m)) at += m_options.xor_cycles;
  const creation next{at, m};
  n.creations.push(next);
  ++m_queued;
  if (m_model != nullptr && n.creations.top() == next) m_model->reschedule_source(source);
}

void collective_traffic::update_blocked(node_id node, cycle_t cycle) {
  std::vector<message_id> blocked;
  blocked.swap(m_nodes[node].blocked);
  for (const message_id m : blocked) may_go(m, std::max(cycle + 1, m_opens));
}

/// Keeps the earliest violation. If several occur in the same cycle, keeps the one at the lowest node.
void collective_traffic::note_violation(violation f) {
  if (!m_error || std::pair(f.cycle, f.node) < std::pair(m_error->cycle, m_error->node)) m_error = std::move(f);
}

}  // namespace weft
