// SPDX-License-Identifier: Apache-2.0
/// Link: the repeaters of a long channel, which delay flits in one direction and credits in the other, and the
/// serializer and the deserializer of a narrow one.
///
/// Purpose    A channel of L cycles has L - 1 repeaters between the output register of one router and the buffer of the
///            next. A narrow channel cuts a flit into k parts (channel::phits), which pass the repeaters one after the
///            other. A channel of one cycle that is as wide as a flit is a plain wire and has no link.
/// Latency    `stages` + k - 1 cycles for flits, `stages` cycles for credits. This level delays whole flits; the RTL
///            has the wires of the parts.
/// Handshake  At most one flit in k cycles.
#pragma once

#include <array>

#include <systemc>

#include "weft/pin/check.h"
#include "weft/pin/clocked_process.h"
#include "weft/pin/ports.h"
#include "weft/pin/signals.h"
#include "weft/topology/topology.h"

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
  in_ports<credit> credit_i;  ///< exists, as one port, only if there are repeaters
  out_ports<credit> credit_o;
  out_port<bool> busy_o{"busy_o"};  ///< requests the clock: a flit or credit is in the link

  /// \param stages number of repeaters, 0…MaxStages
  /// \param phits  k, 1…MaxPhits; more than 1 if there are no repeaters
  explicit link(sc_core::sc_module_name name, unsigned stages, unsigned phits = 1)
      : sc_module(name),
        credit_i("credit_i", stages != 0 ? 1 : 0),
        credit_o("credit_o", stages != 0 ? 1 : 0),
        m_stages(stages),
        m_flit_stages(stages + phits - 1) {
    SC_HAS_PROCESS(link);
    WEFT_START_CLOCKED_PROCESS;
  }

#ifndef WEFT_SYNTHESIS
  /// Number of flits (and of credits, respectively) of one VC in the delay lines, without the one on the outputs.
  unsigned flits(unsigned vc) const {
    unsigned count = 0;
    for (unsigned stage = 0; stage < m_flit_stages; ++stage)
      count += stage != m_flit_position_q && m_flit_q[stage].valid && m_flit_q[stage].vc == vc;
    return count;
  }
  unsigned credits(unsigned vc) const {
    unsigned count = 0;
    for (unsigned stage = 0; stage < m_stages; ++stage)
      count += stage != m_credit_position_q && (m_credit_q[stage].vcs >> vc & 1) != 0;
    return count;
  }
#endif

 private:
  WEFT_CLOCKED_PROCESS;

  void reset() {
    for (unsigned stage = 0; stage < m_flit_stages; ++stage) m_flit_q[stage] = flit_t();
    for (unsigned stage = 0; stage < m_stages; ++stage) m_credit_q[stage] = credit();
    m_flit_position_q = 0;
    m_credit_position_q = 0;
    m_flits_q = 0;
    m_credits_q = 0;
    m_next_flit_q = 0;
    flit_o.write(flit_t());
    if (m_stages != 0) credit_o[0].write(credit());
    busy_o.write(false);
  }

  // Both delay lines are rings: the value written a whole round of edges ago leaves now through the output register.
  void step() {
    const flit_t& entering = flit_i.read();
    WEFT_ASSERT(!entering.valid || m_next_flit_q == 0, "a flit was sent while the channel carried an earlier one");
    m_next_flit_q = entering.valid ? m_flit_stages - m_stages : m_next_flit_q - (m_next_flit_q != 0);
    m_flit_q[m_flit_position_q] = entering;
    m_flits_q += entering.valid;
    m_flit_position_q = m_flit_position_q + 1 == m_flit_stages ? 0 : m_flit_position_q + 1;
    m_flits_q -= m_flit_q[m_flit_position_q].valid;
    flit_o.write(m_flit_q[m_flit_position_q]);
    if (m_stages != 0) step_credits();
    busy_o.write(m_flits_q + m_credits_q != 0);
  }

  void step_credits() {
    m_credit_q[m_credit_position_q] = credit_i[0].read();
    m_credits_q += m_credit_q[m_credit_position_q].vcs != 0;
    m_credit_position_q = m_credit_position_q + 1 == m_stages ? 0 : m_credit_position_q + 1;
    m_credits_q -= m_credit_q[m_credit_position_q].vcs != 0;
    credit_o[0].write(m_credit_q[m_credit_position_q]);
  }

  const unsigned m_stages;
  const unsigned m_flit_stages;  // k - 1 more
  std::array<flit_t, MaxStages + MaxPhits - 1> m_flit_q;
  std::array<credit, MaxStages> m_credit_q;
  unsigned m_flit_position_q = 0;
  unsigned m_credit_position_q = 0;
  unsigned m_flits_q = 0;      // stages with a flit, without the one on the output
  unsigned m_credits_q = 0;    // likewise with credits
  unsigned m_next_flit_q = 0;  // cycles until the next flit may enter
};

}  // namespace weft::pin
