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
}

bool protocol_checker::attributes::operator==(const attributes& other) const {
  const auto all = [](const attributes& a) {
    return std::tie(a.command, a.address, a.data, a.enables, a.length, a.enables_length, a.width, a.written);
  };
  return all(*this) == all(other);
}

void protocol_checker::check(bool condition, const std::string& text) {
  if (!condition)
    m_violations.push_back(std::string(name()) + " at " + sc_core::sc_time_stamp().to_string() + ": " + text);
}

void protocol_checker::blocking(transaction& t, sc_core::sc_time& delay) {
  const attributes before(t);
  check(t.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE, "b_transport() of a transaction with a status");
  to->b_transport(t, delay);
  check(t.get_response_status() != tlm::TLM_INCOMPLETE_RESPONSE, "b_transport() returned without a status");
  check(before == attributes(t), "b_transport() changed an attribute");
  ++m_blocking;
}

bool protocol_checker::direct_memory(transaction& t, tlm::tlm_dmi& dmi) {
  check(dmi.is_none_allowed(), "get_direct_mem_ptr() with a DMI descriptor that grants access already");  // 11.2.5 a
  return to->get_direct_mem_ptr(t, dmi);
}

tlm::tlm_sync_enum protocol_checker::forward(transaction& t, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  const tlm::tlm_phase before = phase;
  if (phase == tlm::BEGIN_REQ) {
    check(m_requesting == nullptr, "BEGIN_REQ within another request");
    check(m_open.count(&t) == 0, "BEGIN_REQ of a transaction that is under way");
    check(t.has_mm() && t.get_ref_count() >= 1, "BEGIN_REQ of a transaction that is not managed");
    check(t.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE, "BEGIN_REQ of a transaction with a status");
    check(!t.is_dmi_allowed(), "BEGIN_REQ of a transaction with a DMI hint");
    m_open.emplace(&t, state{stage::Request, attributes(t)});
    m_requesting = &t;
    ++m_non_blocking;
  } else if (phase == tlm::END_RESP) {
    check(m_responding == &t, "END_RESP outside of the response");
    end(t);
  } else {
    check(false, "a phase on the forward path that does not belong there");
  }
  const tlm::tlm_sync_enum answer = to->nb_transport_fw(t, phase, delay);
  if (answer == tlm::TLM_ACCEPTED) {
    check(phase == before, "TLM_ACCEPTED with another phase");
  } else if (before == tlm::END_RESP) {
    check(answer == tlm::TLM_COMPLETED, "END_RESP answered by TLM_UPDATED");
  } else if (answer == tlm::TLM_UPDATED) {
    check(phase == tlm::END_REQ || phase == tlm::BEGIN_RESP, "BEGIN_REQ updated to a phase that cannot follow");
    if (phase == tlm::END_REQ)
      end_request(t);
    else
      begin_response(t);
  } else {
    begin_response(t);
    end(t);
  }
  return answer;
}

tlm::tlm_sync_enum protocol_checker::backward(transaction& t, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  const tlm::tlm_phase before = phase;
  if (phase == tlm::END_REQ)
    end_request(t);
  else if (phase == tlm::BEGIN_RESP)
    begin_response(t);
  else
    check(false, "a phase on the backward path that does not belong there");
  const tlm::tlm_sync_enum answer = from->nb_transport_bw(t, phase, delay);
  if (answer == tlm::TLM_ACCEPTED) {
    check(phase == before, "TLM_ACCEPTED with another phase");
  } else {
    check(before == tlm::BEGIN_RESP, "END_REQ answered by more than TLM_ACCEPTED");
    check(answer == tlm::TLM_COMPLETED || phase == tlm::END_RESP, "BEGIN_RESP updated to a phase that cannot follow");
    end(t);
  }
  return answer;
}

void protocol_checker::end_request(transaction& t) {
  const auto at = m_open.find(&t);
  check(at != m_open.end() && at->second.at == stage::Request, "END_REQ outside of the request");
  check(m_requesting == &t, "END_REQ of another transaction than requests");
  if (at != m_open.end()) at->second.at = stage::Accepted;
  m_requesting = nullptr;
}

void protocol_checker::begin_response(transaction& t) {
  const auto at = m_open.find(&t);
  check(at != m_open.end() && at->second.at != stage::Response, "BEGIN_RESP of a transaction that waits for none");
  check(m_responding == nullptr, "BEGIN_RESP within another response");
  check(t.get_response_status() != tlm::TLM_INCOMPLETE_RESPONSE, "BEGIN_RESP without a status");
  if (at != m_open.end()) {
    check(at->second.seen == attributes(t), "an attribute was changed");
    at->second.at = stage::Response;
  }
  if (m_requesting == &t) m_requesting = nullptr;
  m_responding = &t;
}

void protocol_checker::end(transaction& t) {
  if (m_responding == &t) m_responding = nullptr;
  check(m_open.erase(&t) == 1, "the end of a transaction that is not under way");
}
