// SPDX-License-Identifier: Apache-2.0
#include "devices.h"

#include <algorithm>
#include <cstring>

using sc_core::SC_NS;
using sc_core::sc_time;

memory::memory(const sc_core::sc_module_name& name, std::uint32_t size, const sc_time& latency)
    : sc_module(name), m_content(size), m_latency(latency) {
  socket.register_b_transport(this, &memory::transport);
  socket.register_transport_dbg(this, &memory::access);
  socket.register_get_direct_mem_ptr(this, &memory::give_pointer);
}

void memory::transport(tlm::tlm_generic_payload& t, sc_time& delay) {
  t.set_response_status(access(t) == t.get_data_length() ? tlm::TLM_OK_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE);
  t.set_dmi_allowed(t.is_response_ok());
  delay += m_latency;
}

/// \return number of bytes that were accessed: all or 0
unsigned memory::access(tlm::tlm_generic_payload& t) {
  const unsigned length = t.get_data_length();
  if (t.get_address() > m_content.size() || length > m_content.size() - t.get_address()) return 0;
  unsigned char* const here = m_content.data() + t.get_address();
  if (t.is_write())
    std::copy_n(t.get_data_ptr(), length, here);
  else
    std::copy_n(here, length, t.get_data_ptr());
  return length;
}

bool memory::give_pointer(tlm::tlm_generic_payload&, tlm::tlm_dmi& dmi) {
  dmi.set_dmi_ptr(m_content.data());
  dmi.set_start_address(0);
  dmi.set_end_address(m_content.size() - 1);
  dmi.set_read_latency(m_latency / 4);  // per byte: most accesses are words
  dmi.set_write_latency(m_latency / 4);
  dmi.allow_read_write();
  return true;
}

register_device::register_device(const sc_core::sc_module_name& name) : sc_module(name) {
  socket.register_b_transport(this, &register_device::transport);
  SC_HAS_PROCESS(register_device);
  SC_METHOD(drive);
  sensitive << m_changed;
}

void register_device::transport(tlm::tlm_generic_payload& t, sc_time& delay) {
  sc_core::wait(delay);
  delay = sc_time(2, SC_NS);
  const auto offset = static_cast<std::uint32_t>(t.get_address());
  if (t.get_data_length() != 4 || offset % 4 != 0 || t.get_byte_enable_ptr() != nullptr)
    return t.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
  std::uint32_t value = 0;
  bool exists = false;
  if (t.is_write()) {
    std::memcpy(&value, t.get_data_ptr(), 4);
    exists = write(offset, value);
  } else {
    exists = read(offset, value);
    std::memcpy(t.get_data_ptr(), &value, 4);
  }
  t.set_response_status(exists ? tlm::TLM_OK_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE);
  changed();
}

bool uart::read(std::uint32_t, std::uint32_t&) { return false; }

bool uart::write(std::uint32_t offset, std::uint32_t value) {
  if (offset != 0) return false;
  m_out.put(static_cast<char>(value));
  if (static_cast<char>(value) == '\n') m_out.flush();
  return true;
}

bool system_controller::read(std::uint32_t offset, std::uint32_t& value) {
  const std::uint32_t core = (offset - 0x100) / 16;
  if (offset >= 0x100 && core < MostCores) {
    const core_registers& of = m_of[core];
    const std::uint32_t words[] = {static_cast<std::uint32_t>(of.compare), static_cast<std::uint32_t>(of.compare >> 32),
                                   of.software ? 1U : 0U};
    if (offset % 16 == 12) return false;
    value = words[offset % 16 / 4];
    return true;
  }
  const std::uint32_t words[] = {static_cast<std::uint32_t>(ticks()),
                                 static_cast<std::uint32_t>(ticks() >> 32),
                                 m_task.cores,
                                 m_task.size,
                                 0,
                                 m_task.in_place};
  if (offset >= sizeof words || offset == 0x10) return false;
  value = words[offset / 4];
  return true;
}

bool system_controller::write(std::uint32_t offset, std::uint32_t value) {
  if (offset == 0x10) {
    m_finished = true;
    m_exit_status = value;
    sc_core::sc_stop();
    return true;
  }
  const std::uint32_t core = (offset - 0x100) / 16;
  if (offset < 0x100 || core >= MostCores) return false;
  core_registers& of = m_of[core];
  switch (offset % 16) {
    case 0:
      of.compare = (of.compare & ~std::uint64_t{0xffff'ffff}) | value;
      return true;
    case 4:
      of.compare = (of.compare & 0xffff'ffff) | std::uint64_t{value} << 32;
      return true;
    case 8:
      of.software = (value & 1) != 0;
      return true;
    default:
      return false;
  }
}

void system_controller::drive() {
  const std::uint64_t now = ticks();
  std::uint64_t next = ~std::uint64_t{0};
  for (unsigned c = 0; c < MostCores; ++c) {
    software_o[c].write(m_of[c].software);
    timer_o[c].write(m_of[c].compare <= now);
    if (m_of[c].compare > now) next = std::min(next, m_of[c].compare);
  }
  // Times that sc_time cannot represent are never reached.
  if (next < ~std::uint64_t{0} / m_tick.value())
    changed(sc_time::from_value(next * m_tick.value()) - sc_core::sc_time_stamp());
}

bool mailbox::read(std::uint32_t offset, std::uint32_t& value) {
  if (offset / 8 >= MostCores) return false;
  std::deque<std::uint32_t>& inbox = m_inboxes[offset / 8];
  value = 0;
  if (offset % 8 == 4) {
    value = static_cast<std::uint32_t>(inbox.size());
  } else if (!inbox.empty()) {
    value = inbox.front();
    inbox.pop_front();
  }
  return true;
}

bool mailbox::write(std::uint32_t offset, std::uint32_t value) {
  if (offset / 8 >= MostCores || offset % 8 != 0 || m_inboxes[offset / 8].size() == Depth) return false;
  m_inboxes[offset / 8].push_back(value);
  return true;
}

void mailbox::drive() {
  for (unsigned c = 0; c < MostCores; ++c) external_o[c].write(!m_inboxes[c].empty());
}

dma_engine::dma_engine(const sc_core::sc_module_name& name) : register_device(name) {
  SC_HAS_PROCESS(dma_engine);
  SC_THREAD(run);
}

std::uint32_t* dma_engine::register_of(job& j, std::uint32_t index) {
  std::uint32_t* const registers[] = {&j.source, &j.destination, &j.length, &j.notify, &j.word, &j.busy};
  return index < std::size(registers) ? registers[index] : nullptr;
}

bool dma_engine::read(std::uint32_t offset, std::uint32_t& value) {
  if (offset / 32 >= MostCores) return false;
  const std::uint32_t* const at = register_of(m_channels[offset / 32], offset % 32 / 4);
  if (at == nullptr) return false;
  value = *at;
  return true;
}

bool dma_engine::write(std::uint32_t offset, std::uint32_t value) {
  if (offset / 32 >= MostCores) return false;
  job& j = m_channels[offset / 32];
  std::uint32_t* const at = register_of(j, offset % 32 / 4);
  if (at == nullptr || j.busy != 0) return false;  // registers do not change while the job runs
  *at = value;
  if (at != &j.busy) return true;
  j.busy = 1;
  m_started.push_back(offset / 32);
  m_start.notify();
  return true;
}

void dma_engine::run() {
  for (;;) {
    while (m_started.empty()) wait(m_start);
    job& j = m_channels[m_started.front()];
    m_started.pop_front();
    std::uint32_t word = copy(j) ? j.word : j.word | 0x8000'0000;
    const std::uint32_t notify = j.notify;
    j.busy = 0;
    access(tlm::TLM_WRITE_COMMAND, notify, reinterpret_cast<unsigned char*>(&word), 4);
  }
}

bool dma_engine::copy(const job& j) {
  std::array<unsigned char, Burst> data{};
  for (std::uint32_t done = 0; done < j.length; done += Burst) {
    const std::uint32_t bytes = std::min(Burst, j.length - done);
    if (!access(tlm::TLM_READ_COMMAND, j.source + done, data.data(), bytes)) return false;
    if (!access(tlm::TLM_WRITE_COMMAND, j.destination + done, data.data(), bytes)) return false;
  }
  return true;
}

bool dma_engine::access(tlm::tlm_command command, std::uint32_t address, unsigned char* data, std::uint32_t bytes) {
  tlm::tlm_generic_payload t;
  t.set_command(command);
  t.set_address(address);
  t.set_data_ptr(data);
  t.set_data_length(bytes);
  t.set_streaming_width(bytes);
  sc_time delay;
  master->b_transport(t, delay);
  wait(delay);
  return t.is_response_ok();
}
