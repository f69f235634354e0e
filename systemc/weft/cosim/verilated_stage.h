// SPDX-License-Identifier: Apache-2.0
/// Replaces a stage of a NIC by verilated RTL. This file contains the common part of the wrappers of all stages.
///
/// Purpose    A packet_stage that behaves as the RTL does, cycle by cycle. It can replace the pin-level module
///            everywhere. The RTL is evaluated at every clock edge, at the assertion of the reset, and whenever an
///            input changes within the cycle, so that a combinational bypass takes 0 cycles.
/// Latency    The latency of the RTL.
/// Handshake  The same as for packet_stage.
///
/// The RTL does not carry simulation tags. If packets stay in order, a queue holds the tags of the heads inside the
/// stage; otherwise flits leave without tags. While the stage offers no flit, flit_o is an empty flit, whatever the
/// RTL's data pins are.
#pragma once

#include <deque>

#include "weft/cosim/pins.h"
#include "weft/cosim/verilated.h"
#include "weft/pin/check.h"
#include "weft/pin/nic/packet_stage.h"

namespace weft::tb {

/// \tparam Pins    a packet_stage that has the additional ports of the stage, but no implementation
/// \tparam Model   verilated class of the module
/// \tparam InOrder whether every packet that enters also leaves, in the same order
template <class Pins, class Model, bool InOrder = true>
class verilated_stage : public Pins {
 public:
  SC_HAS_PROCESS(verilated_stage);
  using Pins::name;
  using typename Pins::flit_t;

  const char* kind() const override { return "verilated_stage"; }

 protected:
  /// \param seed as in the constructor of verilated
  verilated_stage(sc_core::sc_module_name module_name, int seed) : Pins(module_name), m_rtl(name(), seed) {}

  /// Sets the additional inputs of the stage, \p inputs. To be called once, in the constructor.
  template <typename... Inputs>
  void sensitive_to(Inputs&... inputs) {
    SC_METHOD(process);
    this->sensitive << this->clk_i.pos() << this->rst_ni << this->flit_i << this->ready_i;
    (void)(this->sensitive << ... << inputs);
  }

  /// Writes the additional inputs of the stage to the pins of the model.
  virtual void put_inputs(Model& rtl) = 0;
  /// Sets those fields of a leaving flit that only some stages have.
  virtual void get_outputs(const Model& rtl, flit_t& out) = 0;

 private:
  void process() {
    if (this->clk_i->posedge()) {
      if (InOrder && this->rst_ni.read()) track_packets();
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
      WEFT_ASSERT(fits(in), "a field of the header is wider than the RTL's header (weft_pkg::header_t): destination "
                                << in.destination << ", source " << in.source << ", " << in.flits << " flits, "
                                << in.words << " words");
      put(m_rtl->flit_header_i, header_of(in));
      put(m_rtl->flit_payload_i, in.payload, std::size(in.payload));
    }
    m_rtl->ready_i = this->ready_i.read();
    put_inputs(*m_rtl);
    if (this->rst_ni.read())
      m_rtl.settle();
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

  /// To be called before a clock edge: updates the tags for the flits that move at this edge.
  void track_packets() {
    const flit_t& in = this->flit_i.read();
    if (in.valid && in.head && m_rtl->ready_o) m_waiting.push_back(in.tag);
    if (m_rtl->flit_valid_o && this->ready_i.read()) {
      if (m_rtl->flit_head_o) {
        WEFT_ASSERT(!m_waiting.empty(), "the RTL outputs a packet that it did not receive");
        m_leaving = m_waiting.front();
        m_waiting.pop_front();
        m_sequence = 0;
      }
      ++m_sequence;
    }
  }

  verilated<Model> m_rtl;
  std::deque<flit_tag> m_waiting;  // tags of the packets whose head is in the stage
  flit_tag m_leaving;              // tag of the packet that leaves
  std::uint32_t m_sequence = 0;    // sequence number of the next flit of this packet
};

}  // namespace weft::tb
