// SPDX-License-Identifier: Apache-2.0
/// Crossbar: moves flits from input ports to output ports; in each cycle one flit per port.
///
/// Purpose    Its output registers are the output registers of the router. If the pipeline of the router has more than
///            four stages (S > 4), the crossbar contains the additional stages.
/// Latency    A flit on flit_i in cycle t is on flit_o in t + stages. These cycles are the pipeline stage ST.
/// Handshake  None: the switch allocator never sends two flits to one output port.
#pragma once

#include <array>

#include <systemc>

#include "weft/core/router_pipeline.h"
#include "weft/pin/clocked_process.h"
#include "weft/pin/packet_table.h"
#include "weft/pin/ports.h"
#include "weft/pin/signals.h"

namespace weft::pin {

template <unsigned PayloadBits>
class crossbar : public sc_core::sc_module {
 public:
  using flit_t = flit<PayloadBits>;
  static constexpr unsigned MaxStages = MaxCrossbarCycles;

  sc_core::sc_in<bool> clk_i{"clk_i"};
  in_port<bool> rst_ni{"rst_ni"};
  in_ports<flit_t> flit_i;  ///< indexed by output port
  out_ports<flit_t> flit_o;
  out_port<bool> busy_o{"busy_o"};  ///< requests the clock: flits are in the pipeline

  /// \param stages cycles from input to output, 1…MaxStages
  crossbar(sc_core::sc_module_name name, unsigned ports, unsigned stages)
      : sc_module(name), flit_i("flit_i", ports), flit_o("flit_o", ports), m_ports(ports), m_rows(stages - 1) {
    SC_HAS_PROCESS(crossbar);
    WEFT_START_CLOCKED_PROCESS;
  }

#ifndef WEFT_SYNTHESIS
  /// Registers \p packets, in which the crossbar counts the routers that each tail leaves.
  void attach(packet_table& packets) { m_packets = &packets; }
  /// Number of flits that have left through output port \p port since reset.
  std::uint64_t sent(unsigned port) const { return m_sent[port]; }

  /// Number of flits for VC \p vc of output port \p port that are in the pipeline and not yet on flit_o.
  unsigned inside(unsigned port, unsigned vc) const {
    unsigned flits = 0;
    for (unsigned row = 0; row < m_rows; ++row)
      if (m_outputs_q[row] >> port & 1) flits += m_pipeline_q[cell_of(row, port)].vc == vc;
    return flits;
  }
#endif

 private:
  WEFT_CLOCKED_PROCESS;

  void reset() {
    for (unsigned row = 0; row < m_rows; ++row) m_outputs_q[row] = 0;
    m_oldest_q = 0;
    m_driven_q = 0;
    for (unsigned port = 0; port < m_ports; ++port) flit_o[port].write(flit_t());
    busy_o.write(false);
#ifndef WEFT_SYNTHESIS
    m_sent.fill(0);
#endif
  }

  void step() {
    WEFT_ASSERTED(entering, flit_t, flit_i, m_ports);
    const port_set leaving = m_rows == 0 ? entering : m_outputs_q[m_oldest_q];
    if (m_rows == 0) {
      WEFT_FOR_MEMBERS(port, entering, m_ports) {
        WEFT_VALUE(flit_t, passing, flit_i[port].read());
        leave(port, passing);
      }
    } else {
      move(entering);
    }
    WEFT_FOR_MEMBERS(port, m_driven_q & ~leaving, m_ports) flit_o[port].write(flit_t());
    m_driven_q = leaving;
  }

  /// Advances the pipeline: the oldest row leaves, and the entering flits replace it.
  void move(port_set entering) {
    WEFT_FOR_MEMBERS(port, m_outputs_q[m_oldest_q], m_ports) {
      WEFT_VALUE(flit_t, oldest, m_pipeline_q[cell_of(m_oldest_q, port)]);
      leave(port, oldest);
    }
    WEFT_FOR_MEMBERS(port, entering, m_ports) m_pipeline_q[cell_of(m_oldest_q, port)] = flit_i[port].read();
    m_outputs_q[m_oldest_q] = entering;
    m_oldest_q = m_oldest_q + 1 == m_rows ? 0 : m_oldest_q + 1;
    port_set inside = 0;
    for (unsigned row = 0; row < m_rows; ++row) inside |= m_outputs_q[row];
    busy_o.write(inside != 0);
  }

  /// Index in the pipeline of the flit for output port \p port in row \p row.
  static constexpr unsigned cell_of(unsigned row, unsigned port) { return row * MaxPorts + port; }

  void leave(unsigned port, const flit_t& out) {
#ifndef WEFT_SYNTHESIS
    if (out.tail && m_packets != nullptr) m_packets->pass(out.tag);
    m_sent[port]++;
#endif
    flit_o[port].write(out);
  }

  const unsigned m_ports;
  const unsigned m_rows;                                        // rows of the pipeline, a ring; the last stage is
                                                                // flit_o
  std::array<port_set, MaxStages - 1> m_outputs_q{};            // per row, the output ports with a flit in it
  std::array<flit_t, (MaxStages - 1) * MaxPorts> m_pipeline_q;  // flits of these ports, row by row
  unsigned m_oldest_q = 0;                                      // oldest row
  port_set m_driven_q = 0;                                      // output ports with a flit on flit_o
#ifndef WEFT_SYNTHESIS
  packet_table* m_packets = nullptr;
  std::array<std::uint64_t, MaxPorts> m_sent{};
#endif
};

}  // namespace weft::pin
