// SPDX-License-Identifier: Apache-2.0
/// An adapter from pins to TLM-2.0: an initiator driven by wires, for a network or any other target with a socket.
///
/// The bus has a request channel and a response channel, each with valid and ready. A request is one word of 64 bits
/// with byte enables, and every request has a response, in order.
///
/// **Handshake.** On both channels a transfer happens at a rising edge at which valid and ready are set. req_ready_o
/// and rsp_valid_o are registers and do not depend on the other side. req_ready_o is low until the target has sent
/// END_REQ, and while `outstanding` responses have not been accepted. The wires thereby show the back-pressure of the
/// network.
///
/// **Latency.** A request that is transferred at an edge begins (BEGIN_REQ) at that edge. A response that begins before
/// an edge is on the wires after it; one that begins exactly at an edge may appear one edge later.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <stdexcept>
#include <tlm>
#include <vector>

#include <systemc>
#include <tlm_utils/simple_initiator_socket.h>

namespace weft::tlm2 {

class pin_adapter final : public sc_core::sc_module, private ::tlm::tlm_mm_interface {
 public:
  sc_core::sc_in<bool> clk_i{"clk_i"};
  sc_core::sc_in<bool> rst_ni{"rst_ni"};

  sc_core::sc_in<bool> req_valid_i{"req_valid_i"};
  sc_core::sc_out<bool> req_ready_o{"req_ready_o"};
  sc_core::sc_in<bool> req_write_i{"req_write_i"};
  sc_core::sc_in<sc_dt::uint64> req_address_i{"req_address_i"};
  sc_core::sc_in<sc_dt::uint64> req_data_i{"req_data_i"};            ///< of a write, byte 0 in the lowest bits
  sc_core::sc_in<sc_dt::sc_uint<8>> req_enables_i{"req_enables_i"};  ///< bit b: byte b is written or read

  sc_core::sc_out<bool> rsp_valid_o{"rsp_valid_o"};
  sc_core::sc_in<bool> rsp_ready_i{"rsp_ready_i"};
  sc_core::sc_out<sc_dt::uint64> rsp_data_o{"rsp_data_o"};  ///< of a read; bytes that were not enabled are 0
  sc_core::sc_out<bool> rsp_error_o{"rsp_error_o"};         ///< the response status was not OK

  tlm_utils::simple_initiator_socket<pin_adapter, 64> socket{"socket"};

  /// \param outstanding maximum number of requests whose responses have not been accepted, ≥ 1
  explicit pin_adapter(const sc_core::sc_module_name& name, unsigned outstanding = 4)
      : sc_module(name), m_outstanding(outstanding) {
    if (outstanding == 0) throw std::invalid_argument("pin_adapter: outstanding must be at least 1");
    socket.register_nb_transport_bw(this, &pin_adapter::backward);
    SC_HAS_PROCESS(pin_adapter);
    SC_METHOD(step);
    sensitive << clk_i.pos();
    dont_initialize();
  }

 private:
  struct word_access final : ::tlm::tlm_generic_payload {
    using tlm_generic_payload::tlm_generic_payload;
    unsigned char data[8] = {};
    unsigned char enables[8] = {};
    bool answered = false;
    bool dropped = false;  ///< by a reset: its response is not awaited
  };

  void step() {
    if (!rst_ni.read()) {
      reset();
    } else {
      if (m_valid && rsp_ready_i.read()) {
        m_open.front()->release();
        m_open.pop_front();
      }
      if (m_ready && req_valid_i.read()) begin();
      m_ready = m_requesting == nullptr && m_open.size() < m_outstanding;
      m_valid = !m_open.empty() && m_open.front()->answered;
    }
    req_ready_o.write(m_ready);
    rsp_valid_o.write(m_valid);
    rsp_data_o.write(m_valid ? data_of(*m_open.front()) : 0);
    rsp_error_o.write(m_valid && m_open.front()->is_response_error());
  }

  void reset() {
    for (word_access* const a : m_open) {
      if (a->answered)
        a->release();
      else
        a->dropped = true;
    }
    m_open.clear();
    m_ready = m_valid = false;
  }

  static std::uint64_t data_of(const word_access& a) {
    std::uint64_t word = 0;
    if (a.is_read() && a.is_response_ok())
      for (unsigned b = 0; b < 8; ++b) word |= std::uint64_t{a.data[b]} << 8 * b;
    return word;
  }

  void begin() {
    word_access& a = acquire();
    for (unsigned b = 0; b < 8; ++b) {
      const bool write = req_write_i.read();
      a.data[b] = write ? static_cast<unsigned char>(req_data_i.read() >> 8 * b) : static_cast<unsigned char>(0);
      a.enables[b] = req_enables_i.read()[static_cast<int>(b)] ? TLM_BYTE_ENABLED : TLM_BYTE_DISABLED;
    }
    const bool all = req_enables_i.read() == 0xff;
    a.set_command(req_write_i.read() ? ::tlm::TLM_WRITE_COMMAND : ::tlm::TLM_READ_COMMAND);
    a.set_address(req_address_i.read());
    a.set_data_ptr(a.data);
    a.set_data_length(8);
    a.set_streaming_width(8);
    a.set_byte_enable_ptr(all ? nullptr : a.enables);
    a.set_byte_enable_length(all ? 0 : 8);
    a.set_dmi_allowed(false);
    a.set_response_status(::tlm::TLM_INCOMPLETE_RESPONSE);
    m_open.push_back(&a);
    m_requesting = &a;
    ::tlm::tlm_phase phase = ::tlm::BEGIN_REQ;
    sc_core::sc_time delay;
    switch (socket->nb_transport_fw(a, phase, delay)) {
      case ::tlm::TLM_ACCEPTED:
        break;
      case ::tlm::TLM_UPDATED:
        progress(a, phase);
        if (phase == ::tlm::BEGIN_RESP) {
          phase = ::tlm::END_RESP;
          socket->nb_transport_fw(a, phase, delay);
        }
        break;
      case ::tlm::TLM_COMPLETED:
        progress(a, ::tlm::BEGIN_RESP);
        break;
    }
  }

  /// Annotated delays are ignored: END_REQ and BEGIN_RESP take effect at the time of the call, even if the target
  /// annotates a delay. A network annotates none.
  ::tlm::tlm_sync_enum backward(::tlm::tlm_generic_payload& t, ::tlm::tlm_phase& phase, sc_core::sc_time&) {
    progress(static_cast<word_access&>(t), phase);
    return phase == ::tlm::BEGIN_RESP ? ::tlm::TLM_COMPLETED : ::tlm::TLM_ACCEPTED;
  }

  void progress(word_access& a, const ::tlm::tlm_phase& phase) {
    if (m_requesting == &a) m_requesting = nullptr;
    if (phase != ::tlm::BEGIN_RESP) return;
    a.answered = true;
    if (a.dropped) a.release();
  }

  word_access& acquire() {
    if (m_free.empty()) {
      m_all.push_back(std::make_unique<word_access>(static_cast<::tlm::tlm_mm_interface*>(this)));
      m_free.push_back(m_all.back().get());
    }
    word_access& a = *m_free.back();
    m_free.pop_back();
    a.answered = a.dropped = false;
    a.acquire();
    return a;
  }

  void free(::tlm::tlm_generic_payload* t) override {
    t->reset();
    m_free.push_back(static_cast<word_access*>(t));
  }

  const unsigned m_outstanding;
  bool m_ready = false, m_valid = false;  ///< values on req_ready_o and rsp_valid_o
  std::deque<word_access*> m_open;        ///< requests whose response has not been accepted, in order
  word_access* m_requesting = nullptr;    ///< between BEGIN_REQ and END_REQ
  std::vector<std::unique_ptr<word_access>> m_all;
  std::vector<word_access*> m_free;
};

}  // namespace weft::tlm2
