// SPDX-License-Identifier: Apache-2.0
/// Crossbar: moves the flits of one cycle from input ports to output ports.
///
/// Purpose    Its registers are the router's output registers. A deeper pipeline (S > 4) has its extra stages here.
/// Latency    A flit on flit_i in cycle t is on flit_o in t + stages (stage ST, or more of it).
/// Handshake  None: the switch allocator never lets two flits go to one port.
#pragma once

#include <array>

#include <systemc>

#include "weft/pin/clocked_process.h"
#include "weft/pin/packet_table.h"
#include "weft/pin/signals.h"

namespace weft::pin {

template <unsigned PayloadBits>
class crossbar : public sc_core::sc_module {
 public:
  using flit_t = flit<PayloadBits>;
  static constexpr unsigned MaxStages = 6;  // S = 9

  sc_core::sc_in<bool> clk_i{"clk_i"};
  in_port<bool> rst_ni{"rst_ni"};
  in_port<switched_flits<PayloadBits>> flit_i{"flit_i"};
  sc_core::sc_vector<sc_core::sc_out<flit_t>> flit_o;
  sc_core::sc_out<bool> busy_o{"busy_o"};  ///< asks for the clock: flits are within the pipeline

  /// \param stages cycles from input to output, 1…MaxStages
  crossbar(sc_core::sc_module_name name, unsigned ports, unsigned stages)
      : sc_module(name), flit_o("flit_o", ports), m_ports(ports), m_stages(stages) {
    SC_HAS_PROCESS(crossbar);
    WEFT_START_CLOCKED_PROCESS;
  }

#ifndef WEFT_SYNTHESIS
  /// \p packets counts the tails that leave.
  void tell(packet_table& packets) { m_packets = &packets; }
  /// Flits that have left by \p port since reset.
  std::uint64_t sent(unsigned port) const { return m_sent[port]; }

  /// Flits on their way to VC \p vc of \p port: in the pipeline, not yet on flit_o.
  unsigned inside(unsigned port, unsigned vc) const {
    unsigned flits = 0;
    for (unsigned stage = 0; stage < m_stages; ++stage)
      if (stage != m_position_q) flits += m_pipeline_q[stage].carries(port, vc);
    return flits;
  }
#endif

 private:
  WEFT_CLOCKED_PROCESS;

  void reset() {
    for (unsigned stage = 0; stage < m_stages; ++stage) m_pipeline_q[stage].outputs = 0;
    m_position_q = 0;
    m_driven_q = 0;
    for (unsigned port = 0; port < m_ports; ++port) flit_o[port].write(flit_t());
    busy_o.write(false);
  }

  void step() {
    // The pipeline is a ring of rows: this cycle's flits enter the row that left last, then the oldest row
    // leaves.
    m_pipeline_q[m_position_q] = flit_i.read();
    m_position_q = m_position_q + 1 == m_stages ? 0 : m_position_q + 1;
    const port_set leaving = m_pipeline_q[m_position_q].outputs;
    WEFT_FOR_MEMBERS(port, leaving) leave(port, m_pipeline_q[m_position_q].by_output[port]);
    WEFT_FOR_MEMBERS(port, m_driven_q & ~leaving) flit_o[port].write(flit_t());
    m_driven_q = leaving;

    port_set inside = 0;
    for (unsigned stage = 0; stage < m_stages; ++stage)
      if (stage != m_position_q) inside |= m_pipeline_q[stage].outputs;
    busy_o.write(inside != 0);
  }

  void leave(unsigned port, const flit_t& out) {
#ifndef WEFT_SYNTHESIS
    if (out.tail && m_packets != nullptr) m_packets->pass(out.tag);
    m_sent[port]++;
#endif
    flit_o[port].write(out);
  }

  const unsigned m_ports;
  const unsigned m_stages;
  std::array<switched_flits<PayloadBits>, MaxStages> m_pipeline_q;
  unsigned m_position_q = 0;  // the row that left last
  port_set m_driven_q = 0;    // output ports with a flit on the wires
#ifndef WEFT_SYNTHESIS
  packet_table* m_packets = nullptr;
  std::array<std::uint64_t, MaxPorts> m_sent{};
#endif
};

}  // namespace weft::pin
