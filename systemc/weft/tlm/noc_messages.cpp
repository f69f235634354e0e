// SPDX-License-Identifier: Apache-2.0
// Converts transactions to messages, and arrived messages to transactions of the target.
#include <algorithm>
#include <cmath>

#include "weft/tlm/data_type_extension.h"
#include "weft/tlm/exclusive_monitor.h"
#include "weft/tlm/noc.h"
#include "weft/tlm/noc_transactions.h"
#include "weft/topology/analysis/zero_load.h"

namespace weft::tlm2 {

namespace {

/// Cycles around the flight of a message: a request at a clock edge is created at the next edge, and its arrival is
/// reported at the end of the cycle in which it arrives.
constexpr cycle_t EdgeCycles = 2;

/// An ignore command transports only its extensions.
std::uint32_t sent_bytes(const ::tlm::tlm_generic_payload& t) {
  return t.get_command() == ::tlm::TLM_IGNORE_COMMAND ? 0 : t.get_data_length();
}

}  // namespace

unsigned noc_base::streaming_width(const transaction& t) const {
  return m_parameters.lenient && t.get_streaming_width() == 0 ? t.get_data_length() : t.get_streaming_width();
}

noc_base::refusal noc_base::examine(const transaction& t, const mapped_range*& where) const {
  where = m_map.find(t.get_address());
  if (t.get_command() == ::tlm::TLM_IGNORE_COMMAND) {  // all its information is in its extensions
    if (where == nullptr) return {::tlm::TLM_ADDRESS_ERROR_RESPONSE, "no region contains its address"};
    return {};
  }
  if (!t.is_read() && !t.is_write()) return {::tlm::TLM_COMMAND_ERROR_RESPONSE, "its command is not one of TLM-2.0"};
  if (t.get_data_length() == 0) return {::tlm::TLM_BURST_ERROR_RESPONSE, "its data length is 0"};
  if (streaming_width(t) == 0)
    return {::tlm::TLM_BURST_ERROR_RESPONSE, "its streaming width is 0; set it to the data length, or set `lenient`"};
  if (t.get_data_ptr() == nullptr) return {::tlm::TLM_GENERIC_ERROR_RESPONSE, "it has no data pointer"};
  if (const unsigned char* const enables = t.get_byte_enable_ptr(); enables != nullptr) {
    const unsigned used = std::min(t.get_byte_enable_length(), t.get_data_length());
    const auto valid = [](unsigned char e) { return e == TLM_BYTE_ENABLED || e == TLM_BYTE_DISABLED; };
    if (used == 0) return {::tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE, "its byte enables have the length 0"};
    if (!std::all_of(enables, enables + used, valid))
      return {::tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE, "a byte enable is neither 0 nor 0xff"};
  }
  if (where == nullptr) return {::tlm::TLM_ADDRESS_ERROR_RESPONSE, "no region contains its address"};
  const std::uint64_t last = std::min(streaming_width(t), t.get_data_length()) - 1;
  if (last_of(*where) - t.get_address() < last)
    return {::tlm::TLM_ADDRESS_ERROR_RESPONSE, "it extends beyond the end of its region"};
  if (t.get_data_length() > MaxLength && t.get_extension<exclusive_extension>() != nullptr)
    return {::tlm::TLM_BURST_ERROR_RESPONSE,
            "it is exclusive and longer than 64 KiB, so it would travel in several messages"};
  return {};
}

std::uint64_t noc_base::target_address(const mapped_range& r, std::uint64_t address) const {
  return m_parameters.translate ? address - r.base : address;
}

burst_part noc_base::next_part(const transaction& t, std::uint32_t offset) const {
  // In the loose mode transactions are not divided into packets; a transaction is one message of any length.
  const std::uint32_t most = is_cycle() ? MaxLength : sent_bytes(t);
  return weft::tlm2::next_part(sent_bytes(t), streaming_width(t), offset, most);
}

message noc_base::request_message(const transaction& t, const mapped_range& where, const burst_part& part) const {
  message m;
  const auto* const extension = t.get_extension<data_type_extension>();
  const bool has_enables = t.get_byte_enable_ptr() != nullptr;
  m.type = travelling_type(extension != nullptr ? extension->type : data_type::Other, t.get_data_length(), has_enables);
  m.address = target_address(where, t.get_address()) + part.address;
  if (t.get_command() == ::tlm::TLM_IGNORE_COMMAND) {  // sent as a write without data, which no other request is
    m.write = true;
    return m;
  }
  m.write = t.is_write();
  m.length = part.length;
  m.streaming_width = part.streaming_width;
  if (has_enables) {
    const unsigned all = t.get_byte_enable_length();
    m.byte_enables.resize(std::min(all, m.length));
    for (std::uint32_t i = 0; i < m.byte_enables.size(); ++i)
      m.byte_enables[i] = t.get_byte_enable_ptr()[(part.offset + i) % all];
  }
  if (m.write) m.data.assign(t.get_data_ptr() + part.offset, t.get_data_ptr() + part.offset + m.length);
  return m;
}

std::uint32_t noc_base::flits_of(const message& m) const {
  const bool is_request = m.kind == message_kind::Request;
  // For answers without data, only the answer to the last part counts.
  if (m.length <= MaxLength || (!is_request && m.data.empty())) return count_flits(m, m_format);
  // The response to a read begins after its first part has been requested, while the others are in flight.
  const bool first_alone = is_request && !m.write && m.byte_enables.empty();
  const std::uint32_t width = is_request ? m.streaming_width : m.length;
  std::uint32_t flits = 0, offset = 0;
  for (bool last = false; !last;) {
    const burst_part part = weft::tlm2::next_part(m.length, width, offset, MaxLength);
    message one;
    one.kind = m.kind;
    one.type = m.type;
    one.write = m.write;
    one.length = part.length;
    one.streaming_width = part.streaming_width;
    one.byte_enables.resize(std::min<std::size_t>(m.byte_enables.size(), part.length), TLM_BYTE_ENABLED);
    one.data.resize(m.data.empty() ? 0 : part.length);
    flits += count_flits(one, m_format);
    offset += part.length;
    last = part.is_last || first_alone;
  }
  return flits;
}

sc_core::sc_time noc_base::estimate(node_id source, node_id destination, std::uint32_t flits) {
  const auto [at, is_new] = m_zero_load.try_emplace(std::uint64_t{source} << 32 | destination);
  if (is_new) at->second = zero_load_latency(m_parameters.graph, m_parameters.router, source, destination, 1);
  return m_clock.begin_of(EdgeCycles + at->second + flits - 1);
}

sc_core::sc_time noc_base::contended(node_id source, node_id destination, const message& m,
                                     const sc_core::sc_time& start) {
  const std::uint32_t flits = flits_of(m);
  const sc_core::sc_time alone = estimate(source, destination, flits);
  if (m_contention == nullptr) return alone;
  const contention::moment when = moment_of(m.kind == message_kind::Request ? source : destination, start);
  return alone + m_clock.period() * std::round(m_contention->pass(m.kind, when, source, destination, flits));
}

sc_core::sc_time noc_base::wait_at_target(node_id initiator, node_id target, const sc_core::sc_time& start,
                                          const sc_core::sc_time& end) {
  if (m_contention == nullptr || end <= start) return sc_core::SC_ZERO_TIME;
  const double service = (end - start) / m_clock.period();
  return m_clock.period() * std::round(m_contention->serve(moment_of(initiator, start), target, service));
}

contention::moment noc_base::moment_of(node_id initiator, const sc_core::sc_time& start) const {
  const node_state& node = m_nodes[initiator];
  // An initiator far ahead would begin windows that the others have not reached.
  const cycle_t latest = m_clock.next_cycle() + m_parameters.contention_window;
  return {std::min(m_clock.cycle_at(start), latest), initiator, node.outstanding + node.alongside};
}

sc_core::sc_time noc_base::request_estimate(node_id source, node_id destination, bool write, std::uint32_t length) {
  message m;
  m.write = write;
  m.length = m.streaming_width = length;
  if (write) m.data.resize(length);
  return estimate(source, destination, flits_of(m));
}

message noc_base::response_message(data_type type, bool write, std::uint32_t length) const {
  message m;
  m.kind = message_kind::Response;
  m.type = type;
  m.write = write;
  m.length = length;
  if (!write) m.data.resize(length);
  return m;
}

sc_core::sc_time noc_base::response_estimate(node_id source, node_id destination, bool write, std::uint32_t length) {
  return estimate(destination, source, flits_of(response_message(data_type::Other, write, length)));
}

void noc_base::send(message_kind kind, node_id source, node_id destination, message& m) {
  if (is_cycle()) {
    plane& p = kind == message_kind::Request ? *m_requests : *m_responses;
    p.send(m_clock.next_cycle(), source, destination, m);
    if (m_traced) p.watch(source);
    m_clock.schedule_next();
    return;
  }
  const sc_core::sc_time delay = contended(source, destination, m, sc_core::sc_time_stamp());
  m_agenda.schedule(delay, [this, kind, source, destination, m = std::move(m)]() mutable {
    arrive(kind, source, destination, m);
    pump(destination);
  });
}

void noc_base::arrive(message_kind kind, node_id source, node_id destination, message& m) {
  node_state& node = m_nodes[destination];
  m_touched.push_back(destination);
  if (kind == message_kind::Response) {
    const request_part part = node.requests.remove(m.tag);
    request& r = *part.whole;
    store_answer(r, part.offset, m);
    if (r.open > 0 || r.sent < sent_bytes(*r.t)) return;
    r.answered = true;
    if (r.abandoned) return discard(r);
    if (!r.blocking) return node.answered.push_back(&r);
    complete(r);
    r.done->notify(sc_core::SC_ZERO_TIME);
    return;
  }

  delivery* const d = m_pool->acquire();
  d->source = source;
  d->destination = destination;
  send_extensions(*m_nodes[source].requests.find(m.tag)->whole->t, *d);
  if (!m.write) m.data.swap(d->what.data);  // the memory for the answer is reused; it has the same size as before
  d->what = std::move(m);
  message& what = d->what;
  if (!what.write) what.data.assign(what.length, 0);
  if (what.length == 0)
    d->set_command(::tlm::TLM_IGNORE_COMMAND);
  else
    d->set_command(what.write ? ::tlm::TLM_WRITE_COMMAND : ::tlm::TLM_READ_COMMAND);
  d->set_address(what.address);
  d->set_data_ptr(what.data.data());
  d->set_data_length(what.length);
  d->set_streaming_width(what.streaming_width);
  d->set_byte_enable_ptr(what.byte_enables.empty() ? nullptr : what.byte_enables.data());
  d->set_byte_enable_length(static_cast<unsigned>(what.byte_enables.size()));
  d->set_dmi_allowed(false);
  d->set_response_status(::tlm::TLM_INCOMPLETE_RESPONSE);

  // Packets may overtake each other, but requests between two nodes must not.
  std::uint16_t& expected = order_between(source, destination).expected;
  if (what.order == expected) {
    node.arrived.push_back(d);
    expected = static_cast<std::uint16_t>((expected + 1) % Orders);
  } else {
    node.early[source].emplace(what.order, d);
  }
  if (node.early.empty()) return;
  auto& early = node.early[source];
  for (auto at = early.find(expected); at != early.end(); at = early.find(expected)) {
    node.arrived.push_back(at->second);
    early.erase(at);
    expected = static_cast<std::uint16_t>((expected + 1) % Orders);
  }
  if (early.empty()) node.early.erase(source);
}

}  // namespace weft::tlm2
