// SPDX-License-Identifier: Apache-2.0
#include "tlm/peers.h"

#include <algorithm>

#include "weft/topology/generators/grid.h"

using sc_core::sc_time;

std::uint64_t value_of(const bytes& data) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < 8; ++i) value |= std::uint64_t{data[i]} << 8 * i;
  return value;
}

bytes bytes_of(std::uint64_t value) {
  bytes data(8);
  for (std::size_t i = 0; i < 8; ++i) data[i] = static_cast<unsigned char>(value >> 8 * i);
  return data;
}

owned_transaction& transaction_pool::acquire(tlm::tlm_command command, std::uint64_t address, bytes data) {
  if (m_free.empty()) {
    m_all.push_back(std::make_unique<owned_transaction>(this));
    m_free.push_back(m_all.back().get());
  }
  owned_transaction& t = *m_free.back();
  m_free.pop_back();
  t.data = std::move(data);
  t.enables.clear();
  t.set_command(command);
  t.set_address(address);
  t.set_data_ptr(t.data.data());
  t.set_data_length(static_cast<unsigned>(t.data.size()));
  t.set_streaming_width(static_cast<unsigned>(t.data.size()));
  t.set_byte_enable_ptr(nullptr);
  t.set_byte_enable_length(0);
  t.set_dmi_allowed(false);
  t.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  t.acquire();
  return t;
}

void transaction_pool::free(tlm::tlm_generic_payload* t) {
  t->reset();
  m_free.push_back(static_cast<owned_transaction*>(t));
}

// ---------------------------------------------------------------------------------------------------------------------

memory::memory(const sc_core::sc_module_name& name, std::size_t size) : sc_module(name), content(size) {
  socket.register_b_transport(this, &memory::blocking);
  socket.register_nb_transport_fw(this, &memory::forward);
  socket.register_transport_dbg(this, &memory::debug);
  socket.register_get_direct_mem_ptr(this, &memory::direct_memory);
}

void memory::execute(tlm::tlm_generic_payload& t) {
  ++served;
  addresses.push_back(t.get_address());
  widths_seen.push_back(t.get_streaming_width());
  const unsigned char* const enables = t.get_byte_enable_ptr();
  enables_seen.emplace_back(enables, enables + (enables == nullptr ? 0 : t.get_byte_enable_length()));
  if (leaves_status_unset) return;
  t.set_response_status(forced);
  t.set_dmi_allowed(allows_dmi);
  if (forced != tlm::TLM_OK_RESPONSE) return;
  for (unsigned i = 0; i < t.get_data_length(); ++i) {
    if (enables != nullptr && enables[i % t.get_byte_enable_length()] == TLM_BYTE_DISABLED) continue;
    const std::uint64_t at = t.get_address() + i % t.get_streaming_width();
    if (at >= content.size()) return t.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    if (t.is_write())
      content[at] = t.get_data_ptr()[i];
    else
      t.get_data_ptr()[i] = content[at];
  }
}

void memory::blocking(tlm::tlm_generic_payload& t, sc_time& delay) {
  execute(t);
  delay += accept_time + latency;
}

sc_time memory::some(const sc_time& most) {
  if (exact_times || most == sc_core::SC_ZERO_TIME) return most;
  return sc_time::from_value(m_random() % (most.value() + 1));
}

bool memory::is_responding() const {
  const sc_time& now = sc_core::sc_time_stamp();
  return m_responding || m_last_end == now || (!m_due.empty() && m_due.begin()->first <= now);
}

tlm::tlm_sync_enum memory::forward(tlm::tlm_generic_payload& t, tlm::tlm_phase& phase, sc_time& delay) {
  if (phase == tlm::END_RESP) {
    m_responding = false;
    m_last_end = sc_core::sc_time_stamp() + delay;
    m_response_ended.notify(delay);
    return tlm::TLM_COMPLETED;
  }
  answer_style how = style == answer_style::Any ? static_cast<answer_style>(m_random() % 4) : style;
  if (stalled) how = answer_style::Accepted;
  if (is_responding() && how != answer_style::Accepted) how = answer_style::EndRequest;
  execute(t);
  if (how == answer_style::Completed) {
    delay += some(latency);
    return tlm::TLM_COMPLETED;
  }
  if (how == answer_style::BeginResponse) {
    m_responding = true;
    delay += some(latency);
    phase = tlm::BEGIN_RESP;
    return tlm::TLM_UPDATED;
  }
  t.acquire();
  const bool end_request = how == answer_style::Accepted;
  sc_core::sc_spawn([this, &t, end_request] { serve(t, end_request); });
  if (end_request) return tlm::TLM_ACCEPTED;
  delay += some(accept_time);
  phase = tlm::END_REQ;
  return tlm::TLM_UPDATED;
}

void memory::serve(tlm::tlm_generic_payload& t, bool end_request) {
  sc_time delay;
  tlm::tlm_phase phase = tlm::END_REQ;
  if (end_request) {
    while (stalled) sc_core::wait(m_resumed);
    sc_core::wait(some(accept_time));
    // Sometimes the response implies the end of the request.
    if (style != answer_style::Any || m_random() % 4 != 0) socket->nb_transport_bw(t, phase, delay);
  } else {
    sc_core::wait(accept_time);
  }
  const sc_time due = sc_core::sc_time_stamp() + some(latency);
  m_due.emplace(due, &t);
  sc_core::wait(due - sc_core::sc_time_stamp());
  while (m_responding || m_due.begin()->second != &t) sc_core::wait(m_response_ended);
  m_due.erase(m_due.begin());
  m_responding = true;
  phase = tlm::BEGIN_RESP;
  delay = sc_core::SC_ZERO_TIME;
  socket->nb_transport_bw(t, phase, delay);
  t.release();
}

void memory::resume() {
  stalled = false;
  m_resumed.notify();
}

unsigned memory::debug(tlm::tlm_generic_payload& t) {
  const std::uint64_t at = t.get_address();
  if (at >= content.size()) return 0;
  const auto count = static_cast<unsigned>(std::min<std::uint64_t>(t.get_data_length(), content.size() - at));
  unsigned char* const here = content.data() + at;
  if (t.is_write())
    std::copy_n(t.get_data_ptr(), count, here);
  else
    std::copy_n(here, count, t.get_data_ptr());
  return count;
}

bool memory::direct_memory(tlm::tlm_generic_payload&, tlm::tlm_dmi& dmi) {
  dmi.set_start_address(0);
  dmi.set_end_address(content.size() - 1);
  dmi.set_dmi_ptr(content.data());
  dmi.set_read_latency(sc_time(3, sc_core::SC_NS));
  dmi.set_write_latency(sc_time(5, sc_core::SC_NS));
  dmi.allow_read_write();
  return allows_dmi;
}

// ---------------------------------------------------------------------------------------------------------------------

initiator::initiator(const sc_core::sc_module_name& name) : sc_module(name) {
  socket.register_nb_transport_bw(this, &initiator::backward);
  socket.register_invalidate_direct_mem_ptr(this, &initiator::invalidate);
}

void initiator::invalidate(sc_dt::uint64 first, sc_dt::uint64 last) { invalidated.push_back({first, last}); }

void initiator::run(std::function<void()> thread) { sc_core::sc_spawn(std::move(thread)); }

tlm::tlm_response_status initiator::write(std::uint64_t address, const bytes& data, sc_time& delay) {
  owned_transaction& t = pool.acquire(tlm::TLM_WRITE_COMMAND, address, data);
  socket->b_transport(t, delay);
  const tlm::tlm_response_status status = t.get_response_status();
  t.release();
  return status;
}

tlm::tlm_response_status initiator::read(std::uint64_t address, bytes& data, sc_time& delay) {
  owned_transaction& t = pool.acquire(tlm::TLM_READ_COMMAND, address, data);
  socket->b_transport(t, delay);
  data = t.data;
  const tlm::tlm_response_status status = t.get_response_status();
  t.release();
  return status;
}

tlm::tlm_response_status initiator::write(std::uint64_t address, const bytes& data) {
  sc_time delay;
  return write(address, data, delay);
}

tlm::tlm_response_status initiator::read(std::uint64_t address, bytes& data) {
  sc_time delay;
  return read(address, data, delay);
}

void initiator::start(owned_transaction& t, std::function<void(owned_transaction&)> done) {
  m_open.emplace(&t, std::move(done));
  m_requesting = &t;
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_time delay;
  const tlm::tlm_sync_enum answer = socket->nb_transport_fw(t, phase, delay);
  if (answer == tlm::TLM_COMPLETED) {
    ++early_completions;
    m_requesting = nullptr;
    answered(t);
    return;
  }
  while (m_requesting == &t) sc_core::wait(m_request_ended);
}

void initiator::finish() {
  while (!m_open.empty()) sc_core::wait(m_one_answered);
}

void initiator::answered(tlm::tlm_generic_payload& t) {
  last_response = sc_core::sc_time_stamp();
  const auto at = m_open.find(&t);
  at->second(static_cast<owned_transaction&>(t));
  m_open.erase(at);
  t.release();
  m_one_answered.notify();
}

tlm::tlm_sync_enum initiator::backward(tlm::tlm_generic_payload& t, tlm::tlm_phase& phase, sc_time& delay) {
  if (m_requesting == &t) {  // BEGIN_RESP implies END_REQ
    m_requesting = nullptr;
    m_request_ended.notify();
  }
  if (phase == tlm::END_REQ) {
    ++end_requests;
    return tlm::TLM_ACCEPTED;
  }
  const answer_style how = style == answer_style::Any ? static_cast<answer_style>(m_random() % 4) : style;
  if (how == answer_style::Completed) {
    answered(t);
    return tlm::TLM_COMPLETED;
  }
  if (how == answer_style::BeginResponse) {
    delay += response_time;
    answered(t);
    phase = tlm::END_RESP;
    return tlm::TLM_UPDATED;
  }
  sc_core::sc_spawn([this, &t] {
    sc_core::wait(response_time);
    tlm::tlm_phase end = tlm::END_RESP;
    sc_time none;
    t.acquire();
    socket->nb_transport_fw(t, end, none);
    answered(t);
    t.release();
  });
  return tlm::TLM_ACCEPTED;
}

// ---------------------------------------------------------------------------------------------------------------------

namespace {

weft::tlm2::noc_parameters with_map(weft::tlm2::noc_parameters p, unsigned initiators, unsigned memories) {
  for (unsigned m = 0; m < memories; ++m) p.map.push_back({platform::base(m), platform::MemorySize, initiators + m});
  return p;
}

}  // namespace

platform::platform(weft::tlm2::noc_parameters p, unsigned how_many, unsigned how_many_memories, const std::string& name)
    : network(name.c_str(), with_map(std::move(p), how_many, how_many_memories)) {
  const auto numbered = [&](const char* what, unsigned i) { return name + "_" + what + std::to_string(i); };
  for (unsigned i = 0; i < how_many; ++i) {
    initiators.push_back(std::make_unique<initiator>(numbered("initiator", i).c_str()));
    initiator_checkers.push_back(std::make_unique<protocol_checker>(numbered("initiator_checker", i).c_str()));
    initiators[i]->socket.bind(initiator_checkers[i]->from);
    initiator_checkers[i]->to.bind(network.from_initiator[i]);
  }
  for (unsigned i = 0; i < how_many_memories; ++i) {
    memories.push_back(std::make_unique<memory>(numbered("memory", i).c_str(), MemorySize));
    memory_checkers.push_back(std::make_unique<protocol_checker>(numbered("memory_checker", i).c_str()));
    network.to_target[how_many + i].bind(memory_checkers[i]->from);
    memory_checkers[i]->to.bind(memories[i]->socket);
  }
}

std::vector<std::string> platform::violations() const {
  std::vector<std::string> all;
  for (const auto* group : {&initiator_checkers, &memory_checkers}) {
    for (const auto& checker : *group) {
      all.insert(all.end(), checker->violations().begin(), checker->violations().end());
      if (checker->open() > 0) all.push_back(std::string(checker->name()) + ": transactions have not ended");
    }
  }
  return all;
}

weft::tlm2::noc_parameters mesh(unsigned x, unsigned y, unsigned vcs) {
  weft::grid_parameters shape;
  shape.options.vcs = vcs;
  shape.shape = {x, y};
  weft::tlm2::noc_parameters p;
  p.graph = weft::make_grid(shape);
  p.router.vcs = vcs;
  return p;
}

bytes random_bytes(std::mt19937_64& random, std::size_t count) {
  bytes result(count);
  for (unsigned char& b : result) b = static_cast<unsigned char>(random());
  return result;
}
