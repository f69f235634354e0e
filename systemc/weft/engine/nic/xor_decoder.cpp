// SPDX-License-Identifier: Apache-2.0
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
      m_entries(parameters.entries) {}

// ---------------------------------------------------------------------------------------------------------------
// A cycle

xor_decoder::outcome xor_decoder::offer(const nic_flit& in, bool ready) {
  m_is_lookup = false;
  if (m_state == state::Resolve) {
    return {false, {m_decoded, m_sequence, m_entries[m_waiting].vc, m_sequence + 1 == m_decoded_flits}};
  }
  if (!in.valid()) return {};
  if (m_state == state::Idle) {
    m_look_up = m_entries.look_up_packet(as_it_came(in.packet).head(), m_parameters.depth, m_words);
    m_is_lookup = (*m_packets)[in.packet].what.code.role == xor_role::Coded;
    if (m_is_lookup) return {};
  }
  switch (m_look_up.action) {
    case xor_action::Store:
      return {true, {}};
    case xor_action::Decode:
      // The last flit of the datum leaves together with the tail of the coded packet, and carries its error.
      if (in.tail) return {ready, {m_decoded, m_decoded_flits - 1, in.vc, true}};
      if (in.sequence + 1 >= m_decoded_flits) return {true, {}};
      return {ready, {m_decoded, in.sequence, in.vc, false}};
    default:
      return {ready, in};
  }
}

void xor_decoder::finish(const nic_flit& in, bool ready, const outcome& moved) {
  const xor_comparison c = m_entries.compare_fresh();
  if (c.any && !c.match) m_entries.mark_compared(c.fresh);
  // An arriving packet may reuse the entry that was compared; the entry is then fresh.
  const bool may_act = move(in, ready, moved);
  if (may_act && c.match)
    c.redundant ? drop(c) : resolve(c);
  else if (m_is_lookup)
    begin(in);
}

bool xor_decoder::move(const nic_flit& in, bool ready, const outcome& moved) {
  if (m_state == state::Resolve) {
    if (ready) move_resolved();
    return false;
  }
  if (!in.valid()) return m_state == state::Idle;
  if (m_is_lookup) return true;
  if (!moved.accepted) return false;
  const xor_look_up& choice = m_look_up;
  if (in.head() && choice.action == xor_action::Decode)
    (*m_packets)[m_decoded].routers = (*m_packets)[in.packet].routers;
  if (in.head() && choice.action == xor_action::Pass && choice.overflow)
    (*m_packets)[in.packet].what.code.overflow = true;
  m_state = in.tail ? state::Idle : state::Move;
  if (!in.tail) return false;
  settle(in);
  return choice.action != xor_action::Redundant && choice.action != xor_action::Decode;
}

/// Starts to move a coded packet; its flits move from the next cycle on.
void xor_decoder::begin(const nic_flit& head) {
  m_state = state::Move;
  if (m_look_up.action != xor_action::Decode) return;
  m_decoded = decode(as_it_came(head.packet), words_of(head.packet), m_look_up.known(), m_look_up.first_known);
  if (m_look_up.room != xor_room::None) m_settling = known_from(m_decoded, head.vc);
  (*m_packets)[m_decoded].what.code.overflow = m_look_up.overflow;
}

/// Updates the entries after a whole packet has arrived.
void xor_decoder::settle(const nic_flit& tail) {
  switch (m_look_up.action) {
    case xor_action::Pass:
      break;
    case xor_action::Redundant:
      m_entries.use(m_look_up.first);
      m_entries.use(m_look_up.second);
      break;
    case xor_action::Keep:
      m_entries.occupy(m_look_up.free, entry_for(tail), true);
      break;
    case xor_action::Store:
      m_entries.occupy(m_look_up.free, entry_for(tail), false);
      m_packets->remove(tail.packet);
      break;
    case xor_action::Decode:
      m_entries.use(m_look_up.known());
      if (m_look_up.room != xor_room::None) m_entries.occupy(m_look_up.kept_in(), std::move(m_settling), true);
      m_packets->remove(tail.packet);
      break;
  }
}

void xor_decoder::drop(const xor_comparison& c) {
  m_entries.release(c.waiting);
  m_entries.use(c.known);
  m_entries.use(c.other);
}

/// Starts to output a datum that was decoded from two entries, from the next cycle on.
void xor_decoder::resolve(const xor_comparison& c) {
  const xor_entry& waiting = m_entries[c.waiting];
  const bool by_first = waiting.what.what.code.first.name == m_entries[c.known].what.what.code.first.name;
  m_decoded = decode(waiting.what, waiting.words, c.known, by_first);
  m_waiting = c.waiting;
  m_known = c.known;
  m_state = state::Resolve;
}

void xor_decoder::move_resolved() {
  if (++m_sequence < m_decoded_flits) return;
  m_sequence = 0;
  m_state = state::Idle;
  const std::uint32_t vc = m_entries[m_waiting].vc;
  m_entries.use(m_known);
  m_entries.release(m_waiting);
  if (has_more_uses((*m_packets)[m_decoded].what.code.first))
    m_entries.occupy(m_waiting, known_from(m_decoded, vc), true);
}

// ---------------------------------------------------------------------------------------------------------------
// Packets that are kept, stored or decoded

xor_entry xor_decoder::entry_for(const nic_flit& tail) const {
  const packet_record came = as_it_came(tail.packet);
  return {came, tail.vc, words_of(tail.packet), came.what.code.role == xor_role::Coded};
}

xor_entry xor_decoder::known_from(packet_handle decoded, std::uint32_t vc) const {
  xor_entry content{(*m_packets)[decoded], vc, words_of(decoded), false};
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
  const header came = coded.head();
  const header head = decoded_header(came, other_datum(came, by_first), m_words);
  const packet_handle made = m_packets->make(coded, head);
  m_decoded_flits = head.flits;
  if (m_keeps_bits) {
    words = joined_words(std::move(words), m_entries[known].words);
    words.resize(std::size_t{head.flits} * m_contents->flit_words());
    m_contents->put(made, std::move(words));
  }
  return made;
}

}  // namespace weft::engine
