// SPDX-License-Identifier: Apache-2.0
/// Initiators whose threads are reset or killed. All data of an access lie on the stack of its thread, and are
/// overwritten when the stack is unwound.
#pragma once

#include "tlm/peers.h"
#include <algorithm>
#include <functional>
#include <string>

#include <tlm_utils/passthrough_target_socket.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

/// Bytes that become 0xee before they are freed.
struct overwritten_bytes {
  explicit overwritten_bytes(bytes b) : content(std::move(b)) {}
  ~overwritten_bytes() {
    volatile unsigned char* const first = content.data();
    for (std::size_t i = 0; i < content.size(); ++i) first[i] = 0xee;
  }
  overwritten_bytes(const overwritten_bytes&) = delete;
  overwritten_bytes& operator=(const overwritten_bytes&) = delete;
  bytes content;
};

struct resettable_initiator : sc_core::sc_module {
  tlm_utils::simple_initiator_socket<resettable_initiator, 64> socket{"socket"};
  explicit resettable_initiator(const sc_core::sc_module_name& name) : sc_module(name) {}

  /// Writes \p data, or reads into it. Waits for the annotated delay, so time has passed in both modes.
  tlm::tlm_response_status access(tlm::tlm_command command, std::uint64_t address, bytes& data,
                                  sc_core::sc_time delay = {}) {
    overwritten_bytes own(data);
    tlm::tlm_generic_payload t;
    t.set_command(command);
    t.set_address(address);
    t.set_data_ptr(own.content.data());
    t.set_data_length(static_cast<unsigned>(own.content.size()));
    t.set_streaming_width(static_cast<unsigned>(own.content.size()));
    socket->b_transport(t, delay);
    sc_core::wait(delay);
    if (command == tlm::TLM_READ_COMMAND) data = own.content;
    return t.get_response_status();
  }
  tlm::tlm_response_status write(std::uint64_t address, bytes data, sc_core::sc_time delay = {}) {
    return access(tlm::TLM_WRITE_COMMAND, address, data, delay);
  }
  bytes read(std::uint64_t address, std::size_t count) {
    bytes data(count, 0xdd);
    return access(tlm::TLM_READ_COMMAND, address, data) == tlm::TLM_OK_RESPONSE ? data : bytes{};
  }
};

/// A memory that waits in b_transport(): half of its time before it moves data, and half afterwards.
struct waiting_memory : sc_core::sc_module {
  bytes content;
  sc_core::sc_time latency{10, sc_core::SC_NS};
  unsigned served = 0;
  std::function<void(tlm::tlm_generic_payload&)> hook = [](tlm::tlm_generic_payload&) {};  ///< called before data move

  explicit waiting_memory(const sc_core::sc_module_name& name) : sc_module(name), content(1 << 20) {}

  void blocking(tlm::tlm_generic_payload& t, sc_core::sc_time&) {
    sc_core::wait(latency / 2);
    hook(t);
    move(t);
    ++served;
    sc_core::wait(latency / 2);
    t.set_response_status(tlm::TLM_OK_RESPONSE);
  }
  unsigned debug(tlm::tlm_generic_payload& t) {
    hook(t);
    move(t);
    return t.get_data_length();
  }
  bool direct_memory(tlm::tlm_generic_payload& t, tlm::tlm_dmi&) {
    hook(t);
    return false;
  }

 protected:
  template <typename Socket>
  void connect(Socket& socket) {
    socket.register_b_transport(this, &waiting_memory::blocking);
    socket.register_transport_dbg(this, &waiting_memory::debug);
    socket.register_get_direct_mem_ptr(this, &waiting_memory::direct_memory);
  }

 private:
  void move(tlm::tlm_generic_payload& t) {
    unsigned char* const at = content.data() + t.get_address();
    if (t.is_write())
      std::copy_n(t.get_data_ptr(), t.get_data_length(), at);
    else if (t.is_read())
      std::copy_n(at, t.get_data_length(), t.get_data_ptr());
  }
};

/// In the cycle mode a thread of its socket calls b_transport().
struct simple_memory : waiting_memory {
  tlm_utils::simple_target_socket<waiting_memory, 64> socket{"socket"};
  explicit simple_memory(const sc_core::sc_module_name& name) : waiting_memory(name) { connect(socket); }
};

/// In the cycle mode a thread of the network calls b_transport().
struct plain_memory : waiting_memory {
  tlm_utils::passthrough_target_socket<waiting_memory, 64> socket{"socket"};
  explicit plain_memory(const sc_core::sc_module_name& name) : waiting_memory(name) { connect(socket); }
};
