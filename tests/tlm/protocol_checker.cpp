// SPDX-License-Identifier: Apache-2.0
#include "tlm/protocol_checker.h"

#include <tuple>

protocol_checker::protocol_checker(const sc_core::sc_module_name& name) : sc_module(name) {
  from.register_b_transport(this, &protocol_checker::blocking);
  from.register_nb_transport_fw(this, &protocol_checker::forward);
  from.register_transport_dbg(this, &protocol_checker::debug);
  from.register_get_direct_mem_ptr(this, &protocol_checker::direct_memory);
  to.register_nb_transport_bw(this, &protocol_checker::backward);
  to.register_invalidate_direct_mem_ptr(this, &protocol_checker::invalidate);
}

protocol_checker::attributes::attributes(const transaction& t)
    : command(t.get_command()),
      address(t.get_address()),
      data(t.get_data_ptr()),
      enables(t.get_byte_enable_ptr()),
      length(t.get_data_length()),
      enables_length(t.get_byte_enable_length()),
      width(t.get_streaming_width()) {
  if (t.is_write() && data != nullptr) written.assign(data, data + length);
  if (enables != nullptr) enabled.assign(enables, enables + enables_length);
}

bool protocol_checker::attributes::operator==(const attributes& other) const {
  const auto all = [](const attributes& a) {
    return std::tie(a.command, a.address, a.data, a.enables, a.length, a.enables_length, a.width, a.written, a.enabled);
  };
  return all(*this) == all(other);
}

void protocol_checker::check(bool condition, const std::string& text) {
  if (!condition)
    m_violations.push_back(std::string(name()) + " at " + sc_core::sc_time_stamp().to_string() + ": " + text);
}

void protocol_checker::check_request(const transaction& t, const std::string& call) {
  check(m_open.count(&t) == 0, call + " of a transaction that is under way");
  check(t.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE, call + " of a transaction with a status");
  check(!t.is_dmi_allowed(), call + " of a transaction with a DMI hint");
  check(t.get_gp_option() == tlm::TLM_MIN_PAYLOAD, call + " of a transaction with a payload option");  // 14.8
  if (t.get_command() == tlm::TLM_IGNORE_COMMAND) return;                                              // 14.17
  check(t.get_data_ptr() != nullptr, call + " of a transaction without data");
  check(t.get_data_length() > 0, call + " of a transaction of no bytes");
  check(t.get_streaming_width() > 0, call + " of a transaction with a streaming width of 0");
  check(t.get_byte_enable_ptr() == nullptr || t.get_byte_enable_length() > 0,
        call + " of a transaction with byte enables of no bytes");
}

void protocol_checker::check_answer(transaction& t, const std::string& call) {
  check(t.get_response_status() != tlm::TLM_INCOMPLETE_RESPONSE, call + " without a status");
  const auto at = m_open.find(&t);
  check(at == m_open.end() || at->second.seen == attributes(t), call + " with a changed attribute");
}

void protocol_checker::check_time(const transaction& t, const sc_core::sc_time& delay) {
  const auto at = m_open.find(&t);
  if (at == m_open.end()) return;
  const sc_core::sc_time now = sc_core::sc_time_stamp() + delay;
  check(now >= at->second.last, "the time of a transaction decreases");  // 15.2.4 h, 11.1.1.5
  at->second.last = now;
}

void protocol_checker::check_managed(const transaction& t, const std::string& call) {
  check(t.has_mm() && t.get_ref_count() >= 1, call + " of a transaction that is not managed");
}

void protocol_checker::blocking(transaction& t, sc_core::sc_time& delay) {
  check_request(t, "b_transport()");
  const auto kind = sc_core::sc_get_current_process_handle().proc_kind();
  check(kind == sc_core::SC_THREAD_PROC_ || kind == sc_core::SC_CTHREAD_PROC_,
        "b_transport() from a process that is not a thread");
  const auto at = m_open.emplace(&t, state{stage::Blocking, attributes(t), sc_core::sc_time_stamp() + delay}).first;
  to->b_transport(t, delay);
  check_answer(t, "b_transport() returned");
  check_time(t, delay);
  m_open.erase(at);
  ++m_blocking;
}

unsigned protocol_checker::debug(transaction& t) {
  const attributes before(t);
  const unsigned count = to->transport_dbg(t);
  check(count <= t.get_data_length(), "transport_dbg() returned more bytes than requested");
  check(before == attributes(t), "transport_dbg() changed an attribute");
  return count;
}

bool protocol_checker::direct_memory(transaction& t, tlm::tlm_dmi& dmi) {
  check(dmi.is_none_allowed(), "get_direct_mem_ptr() with a DMI descriptor that grants access already");  // 11.2.5 a
  const std::uint64_t address = t.get_address();
  const bool is_read = t.is_read(), granted = to->get_direct_mem_ptr(t, dmi);
  check(t.get_address() == address, "get_direct_mem_ptr() changed an attribute");
  check(dmi.get_start_address() <= address && address <= dmi.get_end_address(),
        "get_direct_mem_ptr() returns a range without the address");
  check(!granted || dmi.get_dmi_ptr() != nullptr, "get_direct_mem_ptr() grants access without a pointer");
  check(!dmi.is_none_allowed(), "get_direct_mem_ptr() returned without a kind of access");
  check(!granted || (is_read ? dmi.is_read_allowed() : dmi.is_write_allowed()),
        "get_direct_mem_ptr() grants another kind of access than requested");
  return granted;
}

void protocol_checker::invalidate(sc_dt::uint64 first, sc_dt::uint64 last) {
  check(first <= last, "invalidate_direct_mem_ptr() of a range that ends before it begins");
  from->invalidate_direct_mem_ptr(first, last);
}

tlm::tlm_sync_enum protocol_checker::forward(transaction& t, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  const tlm::tlm_phase before = phase;
  if (phase == tlm::BEGIN_REQ) {
    check_request(t, "BEGIN_REQ");
    check_managed(t, "BEGIN_REQ");
    check(m_requesting == nullptr, "BEGIN_REQ within another request");
    m_open.emplace(&t, state{stage::Request, attributes(t), sc_core::sc_time_stamp() + delay});
    m_requesting = &t;
    ++m_non_blocking;
  } else if (phase == tlm::END_RESP) {
    check_managed(t, "END_RESP");
    check(m_responding == &t, "END_RESP outside of the response");
    check_time(t, delay);
    if (m_responding == &t) end(t);
  } else {
    check(false, "a phase that is not allowed on the forward path");
  }
  const sc_core::sc_time called = delay;
  const tlm::tlm_sync_enum answer = to->nb_transport_fw(t, phase, delay);
  if (answer == tlm::TLM_ACCEPTED) {
    check(phase == before, "TLM_ACCEPTED with another phase");
    check(delay == called, "TLM_ACCEPTED with another delay");
  } else if (before == tlm::END_RESP) {
    check(answer == tlm::TLM_COMPLETED, "END_RESP answered by TLM_UPDATED");
  } else if (answer == tlm::TLM_UPDATED) {
    check(phase == tlm::END_REQ || phase == tlm::BEGIN_RESP, "BEGIN_REQ updated to a phase that cannot follow");
    check_time(t, delay);
    if (phase == tlm::END_REQ)
      end_request(t);
    else
      begin_response(t);
  } else {
    check_time(t, delay);
    begin_response(t);
    end(t);
  }
  return answer;
}

tlm::tlm_sync_enum protocol_checker::backward(transaction& t, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  const tlm::tlm_phase before = phase;
  check_managed(t, "a call on the backward path");
  check_time(t, delay);
  if (phase == tlm::END_REQ)
    end_request(t);
  else if (phase == tlm::BEGIN_RESP)
    begin_response(t);
  else
    check(false, "a phase that is not allowed on the backward path");
  const sc_core::sc_time called = delay;
  const tlm::tlm_sync_enum answer = from->nb_transport_bw(t, phase, delay);
  if (answer == tlm::TLM_ACCEPTED) {
    check(phase == before, "TLM_ACCEPTED with another phase");
    check(delay == called, "TLM_ACCEPTED with another delay");
  } else {
    check(before == tlm::BEGIN_RESP, "END_REQ answered by more than TLM_ACCEPTED");
    check(answer == tlm::TLM_COMPLETED || phase == tlm::END_RESP, "BEGIN_RESP updated to a phase that cannot follow");
    check_time(t, delay);
    end(t);
  }
  return answer;
}

void protocol_checker::end_request(transaction& t) {
  const auto at = m_open.find(&t);
  check(at != m_open.end() && at->second.at == stage::Request, "END_REQ outside of the request");
  if (at != m_open.end()) at->second.at = stage::Accepted;
  if (m_requesting == &t) m_requesting = nullptr;
}

void protocol_checker::begin_response(transaction& t) {
  const auto at = m_open.find(&t);
  const bool waits = at != m_open.end() && (at->second.at == stage::Request || at->second.at == stage::Accepted);
  check(waits, "BEGIN_RESP of a transaction that expects no response");
  check(m_responding == nullptr, "BEGIN_RESP within another response");
  check_answer(t, "BEGIN_RESP");
  if (waits) at->second.at = stage::Response;
  if (m_requesting == &t) m_requesting = nullptr;
  m_responding = &t;
}

void protocol_checker::end(transaction& t) {
  if (m_responding == &t) m_responding = nullptr;
  check(m_open.erase(&t) == 1, "the end of a transaction that is not under way");
}
