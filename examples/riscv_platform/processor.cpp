// SPDX-License-Identifier: Apache-2.0
#include "processor.h"

#include <algorithm>
#include <cstring>

processor::processor(const sc_core::sc_module_name& name, std::uint32_t id, const sc_core::sc_time& period, bool dmi)
    : sc_module(name), m_period(period), m_dmi(dmi), m_hart(*this, id) {
  socket.register_invalidate_direct_mem_ptr(this, &processor::invalidate_pointers);
  SC_HAS_PROCESS(processor);
  SC_THREAD(run);
}

void processor::run() {
  m_keeper.reset();
  for (;;) {
    switch (m_hart.step()) {
      case rv32im::state::Running:
        m_keeper.inc(m_period);
        if (m_keeper.need_sync()) synchronise();
        break;
      case rv32im::state::Waiting:
        synchronise();
        if (m_hart.step() == rv32im::state::Waiting)
          wait(software_i.value_changed_event() | timer_i.value_changed_event() | external_i.value_changed_event());
        sample_wires();
        break;
      case rv32im::state::Stopped:
        synchronise();
        return;
    }
  }
}

void processor::synchronise() {
  m_keeper.sync();
  sample_wires();
}

void processor::sample_wires() {
  m_hart.set_pending((software_i.read() ? SoftwarePending : 0) | (timer_i.read() ? TimerPending : 0) |
                     (external_i.read() ? ExternalPending : 0));
}

std::uint64_t processor::cycles() const { return m_keeper.get_current_time().value() / m_period.value(); }

bool processor::fetch(std::uint32_t address, std::uint32_t& value) {
  return access(tlm::TLM_READ_COMMAND, address, 4, value);
}

bool processor::load(std::uint32_t address, unsigned bytes, std::uint32_t& value) {
  return access(tlm::TLM_READ_COMMAND, address, bytes, value);
}

bool processor::store(std::uint32_t address, unsigned bytes, std::uint32_t value) {
  return access(tlm::TLM_WRITE_COMMAND, address, bytes, value);
}

bool processor::access(tlm::tlm_command command, std::uint32_t address, unsigned bytes, std::uint32_t& value) {
  if (access_directly(command, address, bytes, value)) return true;
  const bool is_device = address < FirstMemoryAddress;
  if (is_device) synchronise();
  ++m_transactions;
  tlm::tlm_generic_payload& t = m_transaction;
  t.set_command(command);
  t.set_address(address);
  t.set_data_ptr(reinterpret_cast<unsigned char*>(&value));  // assumes a little-endian host; the hart is little-endian
  t.set_data_length(bytes);
  t.set_streaming_width(bytes);
  t.set_byte_enable_ptr(nullptr);
  t.set_dmi_allowed(false);
  t.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  sc_core::sc_time delay = m_keeper.get_local_time();
  socket->b_transport(t, delay);
  m_keeper.set(delay);
  if (is_device)
    synchronise();
  else
    sample_wires();  // the access may have advanced the time
  if (t.is_response_error()) return false;
  if (m_dmi && t.is_dmi_allowed()) request_dmi();
  return true;
}

bool processor::access_directly(tlm::tlm_command command, std::uint32_t address, unsigned bytes, std::uint32_t& value) {
  const bool is_read = command == tlm::TLM_READ_COMMAND;
  for (const tlm::tlm_dmi& p : m_pointers) {
    if (address < p.get_start_address() || address + std::uint64_t{bytes} - 1 > p.get_end_address()) continue;
    if (!(is_read ? p.is_read_allowed() : p.is_write_allowed())) continue;
    unsigned char* const here = p.get_dmi_ptr() + (address - p.get_start_address());
    if (is_read)
      std::memcpy(&value, here, bytes);
    else
      std::memcpy(here, &value, bytes);
    m_keeper.inc((is_read ? p.get_read_latency() : p.get_write_latency()) * bytes);
    ++m_direct_accesses;
    return true;
  }
  return false;
}

void processor::request_dmi() {
  tlm::tlm_dmi dmi;
  if (socket->get_direct_mem_ptr(m_transaction, dmi)) m_pointers.push_back(dmi);
}

void processor::invalidate_pointers(sc_dt::uint64 first, sc_dt::uint64 last) {
  const auto overlaps = [&](const tlm::tlm_dmi& p) {
    return p.get_start_address() <= last && first <= p.get_end_address();
  };
  m_pointers.erase(std::remove_if(m_pointers.begin(), m_pointers.end(), overlaps), m_pointers.end());
}
