#include "weft/pin/output_unit.h"

#include "weft/pin/check.h"

namespace weft::pin {

namespace {
constexpr std::uint16_t Plenty = 0xffff;  // what an unlimited receiver always has
}

output_unit::output_unit(sc_core::sc_module_name name, unsigned port, const router_parameters& parameters,
                         unsigned depth)
    : sc_module(name), m_port(port), m_vcs(parameters.vcs), m_flow(parameters.flow), m_depth(depth) {
  SC_HAS_PROCESS(output_unit);
  SC_METHOD(clocked);
  sensitive << clk_i.pos() << rst_ni.neg();
}

credit_status output_unit::status() const {
  credit_status status;
  for (unsigned vc = 0; vc < m_vcs; ++vc)
    if (m_credits_q[vc] != 0) status.available |= vc_set{1} << vc;
  if (m_flow == flow_control::VirtualCutThrough) status.count = m_credits_q;
  return status;
}

void output_unit::clocked() {
  if (!rst_ni.read()) {
    m_credits_q.fill(m_depth == Unlimited ? Plenty : static_cast<std::uint16_t>(m_depth));
  } else if (m_depth != Unlimited) {
    const switch_grants& grants = grant_i.read();
    if (grants.outputs >> m_port & 1) {
      const unsigned vc = grants.vc_of_output[m_port];
      WEFT_ASSERT(m_credits_q[vc] != 0, "a flit was sent on VC " << vc << " without a credit");
      m_credits_q[vc]--;
    }
    if (credit_i.read().valid) {
      const unsigned vc = credit_i.read().vc;
      WEFT_ASSERT(vc < m_vcs && m_credits_q[vc] < m_depth, "a credit too many for VC " << vc);
      m_credits_q[vc]++;
    }
  }
  status_o.write(status());
}

}  // namespace weft::pin
