#include "weft/engine/nic/xor_decoder.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace weft::engine {

xor_decoder::xor_decoder(const xor_parameters& parameters, unsigned words_per_flit, packet_pool& packets,
                         const coded_forms& forms, packet_contents& contents, bool keeps_bits)
    : m_parameters(parameters),
      m_words(words_per_flit),
      m_packets(&packets),
      m_forms(&forms),
      m_contents(&contents),
      m_keeps_bits(keeps_bits),
      m_free(parameters.entries),
      m_fresh(parameters.entries) {}

// ---------------------------------------------------------------------------------------------------------------
// A cycle

xor_decoder::outcome xor_decoder::offer(const nic_flit& in, bool ready) {
  m_looks_up = false;
  if (m_state == state::Resolve) {
    return {false, {m_decoded, m_sequence, m_places[m_waiting].vc, m_sequence + 1 == m_decoded_flits}};
  }
  if (!in.valid()) return {};
  if (m_state == state::Idle) {
    m_look_up = look_up(as_it_came(in.packet).head());
    m_looks_up = (*m_packets)[in.packet].what.code.role == xor_role::Coded;
    if (m_looks_up) return {};
  }
  switch (m_look_up.choice.action) {
    case xor_action::Store:
      return {true, {}};
    case xor_action::Decode:
      if (in.sequence >= m_decoded_flits) return {true, {}};
      return {ready, {m_decoded, in.sequence, in.vc, in.sequence + 1 == m_decoded_flits}};
    default:
      return {ready, in};
  }
}

void xor_decoder::finish(const nic_flit& in, bool ready, const outcome& moved) {
  const comparison c = compare();
  if (c.fresh != None && !c.match()) m_fresh.erase(c.fresh);
  // What comes in may take the place of what was compared, and is fresh then.
  const bool may_act = move(in, ready, moved);
  if (may_act && c.match())
    c.other != None ? drop(c) : resolve(c);
  else if (m_looks_up)
    begin(in);
}

bool xor_decoder::move(const nic_flit& in, bool ready, const outcome& moved) {
  if (m_state == state::Resolve) {
    if (ready) move_resolved();
    return false;
  }
  if (!in.valid()) return m_state == state::Idle;
  if (m_looks_up) return true;
  if (!moved.taken) return false;
  const xor_choice& choice = m_look_up.choice;
  if (in.head() && choice.action == xor_action::Decode) (*m_packets)[m_decoded].routers = (*m_packets)[in.packet].routers;
  if (in.head() && choice.action == xor_action::Pass && choice.overflow) (*m_packets)[in.packet].what.code.overflow = true;
  m_state = in.tail ? state::Idle : state::Move;
  if (!in.tail) return false;
  settle(in);
  return choice.action != xor_action::Redundant && choice.action != xor_action::Decode;
}

/// A coded packet moves from the next cycle on.
void xor_decoder::begin(const nic_flit& head) {
  m_state = state::Move;
  if (m_look_up.choice.action != xor_action::Decode) return;
  m_decoded = decode(as_it_came(head.packet), words_of(head.packet), m_look_up.known(), m_look_up.first_known);
  if (m_look_up.choice.room != xor_room::None) m_settling = known_from(m_decoded, head.vc);
  (*m_packets)[m_decoded].what.code.overflow = m_look_up.choice.overflow;
}

/// A packet has come in whole.
void xor_decoder::settle(const nic_flit& tail) {
  switch (m_look_up.choice.action) {
    case xor_action::Pass:
      break;
    case xor_action::Redundant:
      use(m_look_up.first);
      use(m_look_up.second);
      break;
    case xor_action::Keep:
      occupy(m_look_up.free, place_for(tail), true);
      break;
    case xor_action::Store:
      occupy(m_look_up.free, place_for(tail), false);
      m_packets->remove(tail.packet);
      break;
    case xor_action::Decode:
      use(m_look_up.known());
      if (m_look_up.choice.room != xor_room::None) occupy(m_look_up.room(), std::move(m_settling), true);
      m_packets->remove(tail.packet);
      break;
  }
}

void xor_decoder::drop(const comparison& c) {
  release(c.waiting);
  use(c.known);
  use(c.other);
}

/// A datum leaves from the next cycle on.
void xor_decoder::resolve(const comparison& c) {
  const place& waiting = m_places[c.waiting];
  const bool by_first = waiting.what.what.code.first.name == m_places[c.known].what.what.code.first.name;
  m_decoded = decode(waiting.what, waiting.words, c.known, by_first);
  m_waiting = c.waiting;
  m_known = c.known;
  m_state = state::Resolve;
}

void xor_decoder::move_resolved() {
  if (++m_sequence < m_decoded_flits) return;
  m_sequence = 0;
  m_state = state::Idle;
  const std::uint32_t vc = m_places[m_waiting].vc;
  use(m_known);
  release(m_waiting);
  if (has_more_uses((*m_packets)[m_decoded].what.code.first)) occupy(m_waiting, known_from(m_decoded, vc), true);
}

// ---------------------------------------------------------------------------------------------------------------
// Decisions

xor_decoder::look_up_result xor_decoder::look_up(const header& head) const {
  look_up_result r;
  const xor_code& code = head.code;
  const bool coded = code.role == xor_role::Coded;
  if (!coded && code.first.uses == 0) return r;
  xor_findings found;
  r.free = lowest_free();
  found.free = r.free != None;
  if (coded) {
    r.first = known_place(code.first.name);
    r.second = known_place(code.second.name);
    found.first_known = r.first_known = r.first != None;
    found.second_known = r.second != None;
    if (found.first_known || found.second_known) found.uses = m_places[r.known()].what.what.code.first.uses;
  }
  r.choice = choose_action(head, found, m_parameters.depth, m_words);
  return r;
}

xor_decoder::comparison xor_decoder::compare() const {
  comparison c;
  c.fresh = m_fresh.lowest();
  if (c.fresh == None) return c;
  const place& fresh = m_places[c.fresh];
  if (fresh.waiting) {
    const unsigned first = known_place(fresh.what.what.code.first.name);
    const unsigned second = known_place(fresh.what.what.code.second.name);
    c.waiting = c.fresh;
    c.known = first != None ? first : second;
    c.other = first != None ? second : None;
  } else {
    const std::uint32_t datum = fresh.what.what.code.first.name;
    c.known = c.fresh;
    c.waiting = lowest_waiting_for(datum);
    if (c.waiting == None) return c;
    const xor_code& code = m_places[c.waiting].what.what.code;
    c.other = known_place(code.first.name == datum ? code.second.name : code.first.name);
  }
  return c;
}

unsigned xor_decoder::known_place(std::uint32_t datum) const {
  const auto found = m_known_places.find(datum);
  return found == m_known_places.end() ? None : found->second;
}

unsigned xor_decoder::lowest_waiting_for(std::uint32_t datum) const {
  unsigned lowest = None;
  const auto waiting = m_waiting_places.equal_range(datum);
  for (auto i = waiting.first; i != waiting.second; ++i) lowest = std::min(lowest, i->second);
  return lowest;
}

unsigned xor_decoder::lowest_free() const {
  const unsigned used_before = m_free.lowest();
  if (used_before != None) return used_before;
  return m_places.size() < m_parameters.entries ? static_cast<unsigned>(m_places.size()) : None;
}

// ---------------------------------------------------------------------------------------------------------------
// Places

void xor_decoder::occupy(unsigned where, place content, bool fresh) {
  const xor_code& code = content.what.what.code;
  if (content.waiting) {
    m_waiting_places.emplace(code.first.name, where);
    m_waiting_places.emplace(code.second.name, where);
  } else {
    m_known_places[code.first.name] = where;
  }
  if (where == m_places.size()) m_places.emplace_back();
  m_free.erase(where);
  if (fresh) m_fresh.insert(where);
  m_places[where] = std::move(content);
}

void xor_decoder::release(unsigned where) {
  const place& p = m_places[where];
  const xor_code& code = p.what.what.code;
  if (p.waiting) {
    for (const std::uint32_t datum : {code.first.name, code.second.name}) {
      const auto waiting = m_waiting_places.equal_range(datum);
      m_waiting_places.erase(
          std::find_if(waiting.first, waiting.second, [where](const auto& each) { return each.second == where; }));
    }
  } else {
    m_known_places.erase(code.first.name);
  }
  m_free.insert(where);
  m_fresh.erase(where);
}

/// A packet has used the datum.
void xor_decoder::use(unsigned where) {
  if (--m_places[where].what.what.code.first.uses == 0) release(where);
}

xor_decoder::place xor_decoder::place_for(const nic_flit& tail) const {
  const packet_record came = as_it_came(tail.packet);
  return {came, tail.vc, words_of(tail.packet), came.what.code.role == xor_role::Coded};
}

xor_decoder::place xor_decoder::known_from(packet_handle decoded, std::uint32_t vc) const {
  place content{(*m_packets)[decoded], vc, words_of(decoded), false};
  --content.what.what.code.first.uses;
  return content;
}

packet_record xor_decoder::as_it_came(packet_handle packet) const {
  packet_record p = (*m_packets)[packet];
  p.travels = p.what.flits;
  p.codec = codec::Raw;
  p.cut = 0;
  return p;
}

packet_contents::words_t xor_decoder::words_of(packet_handle packet) const {
  if (!m_keeps_bits) return {};
  const packet_record& p = (*m_packets)[packet];
  const unsigned flit_words = m_contents->flit_words();
  packet_contents::words_t words(std::size_t{p.what.flits} * flit_words);
  for (std::uint32_t i = 0; i < p.what.flits; ++i)
    m_forms->message_flit(packet, p, i, words.data() + std::size_t{i} * flit_words);
  return words;
}

packet_handle xor_decoder::decode(const packet_record& coded, packet_contents::words_t words, unsigned known,
                                  bool by_first) {
  const header head = decoded_header(coded.head(), other_datum(coded.what.code, by_first), m_words);
  const packet_handle made = m_packets->make(coded, head);
  m_decoded_flits = head.flits;
  if (m_keeps_bits) {
    words = joined_words(std::move(words), m_places[known].words);
    words.resize(std::size_t{head.flits} * m_contents->flit_words());
    m_contents->put(made, std::move(words));
  }
  return made;
}

}  // namespace weft::engine
