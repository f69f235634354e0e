// SPDX-License-Identifier: Apache-2.0
/// Link: the repeaters of a long channel, which delay flits in one direction and credits in the other.
///
/// Purpose    A channel of L cycles has L - 1 repeaters between the output register of one router and the buffer of the
///            next. A channel of one cycle is a plain wire and has no link.
/// Latency    `stages` cycles in both directions.
#pragma once

#include <array>

#include <systemc>

#include "weft/pin/clocked_process.h"
#include "weft/pin/ports.h"
#include "weft/pin/signals.h"

namespace weft::pin {

template <unsigned PayloadBits>
class link : public sc_core::sc_module {
 public:
  using flit_t = flit<PayloadBits>;
  static constexpr unsigned MaxStages = 63;

  sc_core::sc_in<bool> clk_i{"clk_i"};
  in_port<bool> rst_ni{"rst_ni"};
  in_port<flit_t> flit_i{"flit_i"};
  out_port<flit_t> flit_o{"flit_o"};
  in_port<credit> credit_i{"credit_i"};
  out_port<credit> credit_o{"credit_o"};
  out_port<bool> busy_o{"busy_o"};  ///< requests the clock: a flit or credit is in the link

  /// \param stages number of repeaters, 1…MaxStages
  link(sc_core::sc_module_name name, unsigned stages) : sc_module(name), m_stages(stages) {
    SC_HAS_PROCESS(link);
    WEFT_START_CLOCKED_PROCESS;
  }

#ifndef WEFT_SYNTHESIS
  /// Number of flits (and of credits, respectively) of one VC in the delay lines, without the one on the outputs.
  unsigned flits(unsigned vc) const {
    unsigned count = 0;
    for (unsigned stage = 0; stage < m_stages; ++stage)
      count += stage != m_position_q && m_flit_q[stage].valid && m_flit_q[stage].vc == vc;
    return count;
  }
  unsigned credits(unsigned vc) const {
    unsigned count = 0;
    for (unsigned stage = 0; stage < m_stages; ++stage)
      count += stage != m_position_q && (m_credit_q[stage].vcs >> vc & 1) != 0;
    return count;
  }
#endif

 private:
  WEFT_CLOCKED_PROCESS;

  void reset() {
    for (unsigned stage = 0; stage < m_stages; ++stage) {
      m_flit_q[stage] = flit_t();
      m_credit_q[stage] = credit();
    }
    m_position_q = 0;
    m_travelling_q = 0;
    flit_o.write(flit_t());
    credit_o.write(credit());
    busy_o.write(false);
  }

  void step() {
    // A delay line as a ring: the value written stages - 1 edges ago leaves now through the output register.
    m_flit_q[m_position_q] = flit_i.read();
    m_credit_q[m_position_q] = credit_i.read();
    m_travelling_q += m_flit_q[m_position_q].valid + (m_credit_q[m_position_q].vcs != 0);
    m_position_q = m_position_q + 1 == m_stages ? 0 : m_position_q + 1;
    m_travelling_q -= m_flit_q[m_position_q].valid + (m_credit_q[m_position_q].vcs != 0);
    flit_o.write(m_flit_q[m_position_q]);
    credit_o.write(m_credit_q[m_position_q]);
    busy_o.write(m_travelling_q != 0);
  }

  const unsigned m_stages;
  std::array<flit_t, MaxStages> m_flit_q;
  std::array<credit, MaxStages> m_credit_q;
  unsigned m_position_q = 0;
  unsigned m_travelling_q = 0;  // stages of either direction with a flit or with credits
};

}  // namespace weft::pin
