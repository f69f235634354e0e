#include "weft/workload/collective/collective_traffic.h"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "weft/core/network_observer.h"
#include "weft/core/random.h"

namespace weft {

namespace {

/// The first of \p lines that there is room for, and how many there are besides.
std::vector<std::string> shortened(std::vector<std::string> lines, std::size_t most, const char* of_what) {
  if (lines.size() <= most) return lines;
  const std::size_t more = lines.size() - most;
  lines.resize(most);
  lines.push_back(fmt::format("and {} more {}", more, of_what));
  return lines;
}

}  // namespace

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

/// Every owner its data, with words from the payload generator.
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
    m_memory[datum.owner].learn(d, m_original.back());
  }
}

void collective_traffic::draw_losses() {
  const bool any = m_options.loss > 0 || !m_options.lost.empty();
  if (any && m_options.coding == xor_place::Nic)
    throw std::invalid_argument(
        "messages are lost between NIC and node, where XOR stages have seen them; "
        "have the nodes do the XORs");
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

/// Turns the lists of dependencies round.
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
  if (m_options.coding == xor_place::Node) return;
  m_next_xor.assign(m_messages.size(), NoMessage);
  std::vector<message_id> next(m_collective.nodes, NoMessage);
  for (auto m = static_cast<message_id>(m_messages.size()); m-- > 0;)
    if (encoded_by_nic(m)) m_next_xor[m] = std::exchange(next[m_collective.messages[m].source], m);
}

// -------------------------------------------------------------------------------------------------------------------
// Packets

cycle_t collective_traffic::next_creation(node_id node) const {
  const node_state& n = m_nodes[node];
  if (n.second) return n.second->created;
  return n.creations.empty() ? Never : n.creations.top().first;
}

packet collective_traffic::take(node_id node) {
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
  collective_figures& step = m_steps[m_collective.messages[m].step];
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
  if (m_options.coding == xor_place::Node) return p;
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

/// The first of the packets of which the NIC makes \p coded; the other follows, if there are two. The encoder holds what it
/// can use again.
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

/// Whether the source of \p m has all that is in it.
bool collective_traffic::can_make(message_id m) const {
  const node_memory& memory = m_memory[m_collective.messages[m].source];
  if (m_plan.copy_of[m] != NoMessage) return memory.sent_on(m_plan.copy_of[m]) != nullptr;
  if (m_collective.messages[m].form == payload_form::Sum) return memory.sum_of(operands(m)).missing.empty();
  return std::all_of(m_collective.operands_begin(m), m_collective.operands_end(m),
                     [&](datum_id d) { return memory.find(d) != nullptr; });
}

/// The payload of \p m from what its source has; can_make() holds. An XOR for the NIC has none yet.
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

// -------------------------------------------------------------------------------------------------------------------
// What the network tells

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
    note_fault(
        {cycle, p.destination, true,
         fmt::format("the XOR decoder of node {} ran over in cycle {}: none of its {} entries of {} flits was free "
                     "for message {} of step {}; give it more, by nic.coding.entries",
                     p.destination, cycle, m_options.stages.entries, m_options.stages.depth, m, step)});
  m_made.erase(m);
  if (!state.lost && !learn(p, std::move(words)))
    note_fault({cycle, p.destination, false,
                fmt::format("message {} of step {}, which reached node {} in cycle {}, contradicts what the node has",
                            m, step, p.destination, cycle)});
  if (!m_plan.by_nic[m]) arrive(m, cycle);
  look_at_blocked(p.destination, cycle);
}

/// The receiver of \p p keeps what has come. \return false if it contradicts what it had
bool collective_traffic::learn(const packet& p, std::vector<std::uint64_t> words) {
  const auto m = static_cast<message_id>(p.id);
  node_memory& memory = m_memory[p.destination];
  if (m_plan.by_nic[m]) {
    if (p.code.role == xor_role::Plain) {
      ++m_decoded_by_nics;
      return p.code.first.name < m_collective.data.size() && words.size() == memory.words_of(p.code.first.name) &&
             memory.learn(p.code.first.name, words.data());
    }
    if (m_plan.relayed[m]) memory.keep(m, words);
    return p.code.relay || memory.learn_xor(m, std::move(words));
  }
  if (words.size() != words_in(m)) return false;
  if (is_plain(m_collective, m)) return memory.learn(*m_collective.operands_begin(m), words.data());
  switch (m_collective.messages[m].form) {
    case payload_form::Datum:
    case payload_form::Xor:
      if (m_plan.relayed[m]) memory.keep(m, words);
      return memory.learn_xor(m, std::move(words));
    case payload_form::Join:
      return learn_joined(m, words);
    case payload_form::Sum:
      memory.learn_sum(m, std::move(words));
  }
  return true;
}

bool collective_traffic::learn_joined(message_id m, const std::vector<std::uint64_t>& words) {
  node_memory& memory = m_memory[m_collective.messages[m].destination];
  const std::uint64_t* from = words.data();
  bool good = true;
  for (const datum_id d : operands(m)) {
    good &= memory.learn(d, from);
    from += memory.words_of(d);
  }
  return good;
}

void collective_traffic::arrive(message_id m, cycle_t cycle) {
  const std::uint8_t step = m_collective.messages[m].step;
  collective_figures& f = m_steps[step];
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

/// Opens the step after one that has ended.
void collective_traffic::open_steps(cycle_t cycle) {
  while (m_step_left[m_open_step] == 0 && m_open_step + 1 < m_step_left.size()) {
    ++m_open_step;
    m_opens = cycle + 2;  // what is known at one node can be known at the others so much later
    for (const message_id m : m_of_step[m_open_step]) one_less_missing(m, cycle);
  }
}

void collective_traffic::one_less_missing(message_id m, cycle_t cycle) {
  if (--m_messages[m].missing == 0) may_go(m, std::max(cycle + 1, m_opens));
}

/// Nothing has to be waited for any more: \p m is created in cycle \p at, if what is in it is there.
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
  if (m_model != nullptr && n.creations.top() == next) m_model->ask_again(source);
}

void collective_traffic::look_at_blocked(node_id node, cycle_t cycle) {
  std::vector<message_id> blocked;
  blocked.swap(m_nodes[node].blocked);
  for (const message_id m : blocked) may_go(m, std::max(cycle + 1, m_opens));
}

/// Of several, the first in time is kept, the one at the lowest node in doubt.
void collective_traffic::note_fault(fault f) {
  if (!m_error || std::pair(f.cycle, f.node) < std::pair(m_error->cycle, m_error->node)) m_error = std::move(f);
}

// -------------------------------------------------------------------------------------------------------------------
// The end

bool collective_traffic::finished() const {
  if (m_arrived < m_messages.size()) return false;
  return m_options.coding == xor_place::Node ||
         std::all_of(m_collective.goals.begin(), m_collective.goals.end(), [this](const collective_goal& goal) {
           return goal.sum || std::all_of(goal.data.begin(), goal.data.end(),
                                          [&](datum_id d) { return m_memory[goal.node].find(d) != nullptr; });
         });
}

std::vector<std::string> collective_traffic::verify() const {
  constexpr std::size_t MostLines = 20;
  std::vector<std::string> lines;
  const auto add = [&](auto make_line) { lines.push_back(lines.size() < MostLines ? make_line() : std::string()); };
  for (const collective_goal& goal : m_collective.goals) {
    if (goal.sum) {
      verify_sum(goal, lines);
      continue;
    }
    const node_memory& memory = m_memory[goal.node];
    for (const datum_id d : goal.data) {
      const std::uint64_t* const words = memory.find(d);
      if (words == nullptr)
        add([&] { return why_missing(goal.node, d); });
      else if (!std::equal(words, words + memory.words_of(d), m_original[d]))
        add([&] {
          return fmt::format("node {} has other words as datum {} than node {}, whose it is", goal.node, d,
                             m_collective.data[d].owner);
        });
    }
  }
  return shortened(std::move(lines), MostLines, "lacks of this kind");
}

void collective_traffic::verify_sum(const collective_goal& goal, std::vector<std::string>& lines) const {
  const node_memory& memory = m_memory[goal.node];
  const node_memory::sum made = memory.sum_of(goal.data);
  for (const datum_id d : made.missing)
    lines.push_back(
        fmt::format("node {} lacks datum {} of node {} in its sum", goal.node, d, m_collective.data[d].owner));
  std::vector<std::uint64_t> expected;
  for (const datum_id d : goal.data) add_into(expected, m_original[d], memory.words_of(d));
  if (made.missing.empty() && made.words != expected)
    lines.push_back(
        fmt::format("node {} has another sum of {} data than their owners' words make", goal.node, goal.data.size()));
}

/// "node 5 lacks datum 3 of node 3: message 12 of step F from node 2 was lost; …": each message to it that names the datum.
std::string collective_traffic::why_missing(node_id node, datum_id d) const {
  constexpr std::size_t MostReasons = 6;
  std::vector<std::string> reasons;
  for (message_id m = 0; m < m_messages.size(); ++m) {
    const std::vector<datum_id> in = operands(m);
    const collective_message& message = m_collective.messages[m];
    if (message.destination != node || std::find(in.begin(), in.end(), d) == in.end()) continue;
    const bool reached = m_messages[m].delivered || (m_plan.by_nic[m] && m_messages[m].created != Never);
    const std::string fate =
        m_messages[m].created == Never ? why_not_sent(m)
        : m_messages[m].lost           ? "was lost"
        : reached ? fmt::format("is the XOR of data {}, more than one of them unknown", fmt::join(in, ", "))
                  : "has not arrived";
    reasons.push_back(fmt::format("message {} of step {} from node {} {}", m, m_collective.steps[message.step],
                                  message.source, fate));
  }
  const std::string what = fmt::format("node {} lacks datum {} of node {}", node, d, m_collective.data[d].owner);
  if (reasons.empty()) return what + ", which no message brings";
  return fmt::format("{}: {}", what, fmt::join(shortened(std::move(reasons), MostReasons, "messages"), "; "));
}

std::string collective_traffic::why_not_sent(message_id m) const {
  const node_memory& memory = m_memory[m_collective.messages[m].source];
  if (m_messages[m].missing > 0) return "was not sent, as messages before it did not arrive";
  for (const datum_id d : operands(m))
    if (memory.find(d) == nullptr) return fmt::format("could not be made there without datum {}", d);
  return "was not sent";
}

collective_figures collective_traffic::total() const {
  collective_figures all;
  for (const collective_figures& s : m_steps) {
    all.messages += s.messages;
    all.flits += s.flits;
    all.hops += s.hops;
    all.begin = std::min(all.begin, s.begin);
    all.end = std::max(all.end, s.end);
    all.latency_sum += s.latency_sum;
    all.max_latency = std::max(all.max_latency, s.max_latency);
  }
  return all;
}

xor_figures collective_traffic::xors() const {
  xor_figures f{m_xors_made, m_sent_on, m_decoded_by_nics, 0, 0};
  for (const node_memory& memory : m_memory) {
    f.decoded += memory.decoded();
    f.redundant += memory.redundant();
    f.most_waiting = std::max(f.most_waiting, memory.most_waiting());
  }
  return f;
}

std::vector<message_id> collective_traffic::lost() const {
  std::vector<message_id> list;
  for (message_id m = 0; m < m_messages.size(); ++m)
    if (m_messages[m].lost && m_messages[m].delivered) list.push_back(m);
  return list;
}

}  // namespace weft
