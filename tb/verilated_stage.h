// SPDX-License-Identifier: Apache-2.0
/// Verilated RTL as a stage of a NIC: what the wrappers of the stages share.
///
/// Purpose    A packet_stage whose behaviour is that of the RTL, cycle for cycle: it can stand wherever the pin-level
///            module stands. The RTL evaluates at every clock edge, at every change of an input within the cycle (so
///            that a combinational bypass takes no cycle), and when reset comes.
/// Latency    That of the RTL.
/// Handshake  That of packet_stage.
///
/// Simulation tags pass beside the RTL, which knows nothing of them: where packets stay in order, the tags of the heads
/// that went in wait in a queue for the heads that come out; else flits come out without tags. While nothing is shown,
/// flit_o is an empty flit, whatever the RTL's data pins hold.
#pragma once

#include "tb/pins.h"
#include "tb/verilated.h"
#include <deque>

#include "weft/pin/check.h"
#include "weft/pin/nic/packet_stage.h"

namespace weft::tb {

/// \tparam Pins  the stage without its inside: a packet_stage and what ports it has beside those
/// \tparam Model the class that Verilator made of the module
/// \tparam InOrder each packet that goes in comes out, and in that order
template <class Pins, class Model, bool InOrder = true>
class verilated_stage : public Pins {
 public:
  SC_HAS_PROCESS(verilated_stage);
  using Pins::name;
  using typename Pins::flit_t;

  const char* kind() const override { return "verilated_stage"; }

 protected:
  /// \param seed as for verilated
  verilated_stage(sc_core::sc_module_name module_name, int seed) : Pins(module_name), m_rtl(name(), seed) {}

  /// To be called once, in the constructor: \p inputs are those the stage has beside the streams.
  template <typename... Inputs>
  void follows(Inputs&... inputs) {
    SC_METHOD(process);
    this->sensitive << this->clk_i.pos() << this->rst_ni << this->flit_i << this->ready_i;
    (void)(this->sensitive << ... << inputs);
  }

  /// Puts those inputs on the model's pins.
  virtual void put_inputs(Model& rtl) = 0;
  /// Adds to a flit that leaves what only some stages have.
  virtual void get_outputs(const Model& rtl, flit_t& out) = 0;

 private:
  void process() {
    if (this->clk_i->posedge()) {
      if (InOrder && this->rst_ni.read()) follow_packets();
      m_rtl.edge();
    }
    const flit_t& in = this->flit_i.read();
    if (!this->rst_ni.read()) {
      m_waiting.clear();
      m_sequence = 0;
    }
    m_rtl->rst_ni = this->rst_ni.read();
    m_rtl->flit_valid_i = in.valid;
    m_rtl->flit_head_i = in.head;
    m_rtl->flit_tail_i = in.tail;
    if (in.valid) {
      WEFT_ASSERT(fits(in), "a header that the RTL has no room for: destination "
                                << in.destination << ", source " << in.source << ", " << in.flits << " flits, "
                                << in.words << " words");
      put(m_rtl->flit_header_i, header_of(in));
      put(m_rtl->flit_payload_i, in.payload, std::size(in.payload));
    }
    m_rtl->ready_i = this->ready_i.read();
    put_inputs(*m_rtl);
    if (this->rst_ni.read())
      m_rtl.follow();
    else
      m_rtl.reset();
    show();
  }

  void show() {
    flit_t out;
    out.valid = m_rtl->flit_valid_o;
    if (out.valid) {
      out.head = m_rtl->flit_head_o;
      out.tail = m_rtl->flit_tail_o;
      put_header(out, get_header(m_rtl->flit_header_o));
      get(m_rtl->flit_payload_o, out.payload, std::size(out.payload));
      get_outputs(*m_rtl, out);
      if constexpr (InOrder) {
        if (out.head)
          out.tag = m_waiting.empty() ? this->flit_i.read().tag : m_waiting.front();
        else
          out.tag = m_leaving;
        out.tag = out.tag.of(out.head ? 0 : m_sequence);
      }
    }
    this->flit_o.write(out);
    this->ready_o.write(m_rtl->ready_o);
    this->busy_o.write(m_rtl->busy_o);
  }

  /// Before a clock edge: the flits that move at it.
  void follow_packets() {
    const flit_t& in = this->flit_i.read();
    if (in.valid && in.head && m_rtl->ready_o) m_waiting.push_back(in.tag);
    if (m_rtl->flit_valid_o && this->ready_i.read()) {
      if (m_rtl->flit_head_o) {
        WEFT_ASSERT(!m_waiting.empty(), "a packet comes out that never went in");
        m_leaving = m_waiting.front();
        m_waiting.pop_front();
        m_sequence = 0;
      }
      ++m_sequence;
    }
  }

  verilated<Model> m_rtl;
  std::deque<flit_tag> m_waiting;  // tags of the packets that are within, and have not begun to leave
  flit_tag m_leaving;              // tag of the packet that leaves
  std::uint32_t m_sequence = 0;    // of its next flit
};

}  // namespace weft::tb
