/// Output unit: the credits of one output port, one counter a VC.
///
/// Latency    A grant in cycle t takes its credit at the end of t; a credit on credit_i in t counts in t+1.
/// Handshake  credit_i: one credit a cycle. status_o shows which VCs have credits; the counts themselves, which change
///            with every flit, only under virtual cut-through, where the VC allocator needs them.
#pragma once

#include <systemc>

#include <array>

#include "weft/core/parameters.h"
#include "weft/pin/signals.h"

namespace weft::pin {

class output_unit : public sc_core::sc_module {
 public:
  /// Credits of a receiver that takes every flit at once and returns no credits.
  static constexpr unsigned Unlimited = 0;

  sc_core::sc_in<bool> clk_i{"clk_i"};
  sc_core::sc_in<bool> rst_ni{"rst_ni"};
  sc_core::sc_in<switch_grants> grant_i{"grant_i"};
  sc_core::sc_in<credit> credit_i{"credit_i"};
  sc_core::sc_out<credit_status> status_o{"status_o"};

  /// \param port   which output port of the router this is
  /// \param depth  flits that a VC of the next buffer can hold, or Unlimited
  output_unit(sc_core::sc_module_name name, unsigned port, const router_parameters& parameters, unsigned depth);

#ifndef WEFT_SYNTHESIS
  /// Credits of a VC. For reports.
  unsigned credits(unsigned vc) const { return m_credits_q[vc]; }
#endif

 private:
  void clocked();
  credit_status status() const;

  const unsigned m_port;
  const unsigned m_vcs;
  const flow_control m_flow;
  const unsigned m_depth;
  std::array<std::uint16_t, MaxVcs> m_credits_q{};
};

}  // namespace weft::pin
