// SPDX-License-Identifier: Apache-2.0
/// Flit adapter: gives a module streams of flits instead of packets at a node of weft::network. Simulation only.
///
/// Purpose    Assembles the flits that the module sends into packets, and divides packets that arrive into flits.
/// Latency    Send: a packet enters the source queue of the node two cycles after its last flit is on the wires.
///            Receive: the head of a packet is on the wires two cycles after its last flit was delivered, or right
///            after the packets that arrived before.
/// Handshake  send: valid and ready; the adapter is always ready, because the source queue has no limit. The head has
///            the destination and the message class; the fields for the length are ignored.
///            receive: valid and ready. The head has source, destination, message class and length.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <systemc>

#include "weft/core/flit.h"
#include "weft/network.h"
#include "weft/pin/flit_trace.h"

namespace weft {

/// \tparam PayloadBits network_settings::payload_bits, but not 32, because packets consist of words of 64 bits
template <unsigned PayloadBits>
class flit_adapter : public sc_core::sc_module {
  static_assert(PayloadBits % 64 == 0, "weft: a flit_adapter requires flits of whole words of 64 bits");

 public:
  using flit_t = flit<PayloadBits>;

  sc_core::sc_in<bool> clk_i{"clk_i"};
  sc_core::sc_in<flit_t> send_i{"send_i"};
  sc_core::sc_out<bool> send_ready_o{"send_ready_o"};
  sc_core::sc_out<flit_t> receive_o{"receive_o"};
  sc_core::sc_in<bool> receive_ready_i{"receive_ready_i"};
  node_port node{"node"};

  explicit flit_adapter(const sc_core::sc_module_name& name) : sc_module(name) {
    send_ready_o.initialize(true);
    SC_HAS_PROCESS(flit_adapter);
    SC_METHOD(clocked);
    sensitive << clk_i.pos();
    dont_initialize();
  }

 private:
  static constexpr std::size_t Words = PayloadBits / 64;

  void clocked() {
    if (send_i.read().valid) collect(send_i.read());
    if (m_offered && receive_ready_i.read() && ++m_sequence * Words >= m_offered->words.size()) m_offered.reset();
    if (!m_offered) {
      m_offered = node->receive();
      m_sequence = 0;
    }
    receive_o.write(m_offered ? flit_of(*m_offered) : flit_t());
  }

  void collect(const flit_t& f) {
    if (f.head) {
      m_head = f;
      m_words.clear();
    }
    m_words.insert(m_words.end(), f.payload, f.payload + Words);
    if (f.tail) node->send(m_head.destination, std::move(m_words), m_head.message_class);
  }

  flit_t flit_of(const received_packet& p) const {
    flit_t f;
    f.valid = true;
    f.head = m_sequence == 0;
    f.tail = (m_sequence + 1) * Words >= p.words.size();
    if (f.head) {
      f.source = p.source;
      f.destination = node->number();
      f.message_class = static_cast<std::uint8_t>(p.message_class);
      f.flits = static_cast<std::uint32_t>(p.words.size() / Words);
      f.words = static_cast<std::uint32_t>(2 * p.words.size());
    }
    for (std::size_t i = 0; i < Words; ++i) f.payload[i] = p.words[m_sequence * Words + i];
    return f;
  }

  flit_t m_head;
  std::vector<std::uint64_t> m_words;        // of the packet that the module sends
  std::optional<received_packet> m_offered;  // the packet that the module receives
  std::size_t m_sequence = 0;                // its flit on the wires
};

}  // namespace weft
