// SPDX-License-Identifier: Apache-2.0
/// Output unit: the credits of a router's output ports, one counter for each VC of each port. If the VCs of the next
/// buffer share it, there is also a counter of the flits that all VCs may use. A port with a narrow channel has a
/// counter of the cycles for which a flit occupies this channel.
///
/// Latency    A grant in cycle t consumes its credit at the end of t. A credit on credit_i in cycle t is counted from
///            t+1 on. After a grant in cycle t, a channel that cuts flits into k parts is busy until t + k - 1.
/// Handshake  credit_i: at most one credit per cycle and VC. status_o reports which VCs have credits and, in a shared
///            buffer, room (router/buffer_sharing.h), and which channels are busy. count_o reports the number of
///            credits. It changes with every flit, so it is driven only if the VC allocator reads it, which is the
///            case if its rules count credits (output_vc_rules) and if routes have choices.
#pragma once

#include <array>
#include <vector>

#include <systemc>

#include "weft/core/parameters.h"
#include "weft/pin/clocked_process.h"
#include "weft/pin/ports.h"
#include "weft/pin/router/output_depths.h"
#include "weft/pin/router/router_signals.h"

namespace weft::pin {

class output_unit : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clk_i{"clk_i"};
  in_port<bool> rst_ni{"rst_ni"};
  in_port<switch_grants> grant_i{"grant_i"};
  in_ports<credit> credit_i;
  in_ports<held_output_vcs> held_i;  ///< exists, as one port, only if VCs of shared buffers have no flits of their own
  out_port<credit_status> status_o{"status_o"};
  out_port<credit_counts> count_o{"count_o"};
  out_ports<bool> busy_o;  ///< requests the clock while a channel is busy; exists, as one port, if one is narrow

  /// \param depths   for each output port, the buffer behind it; see output_depths
  /// \param adaptive whether routes have choices, so that the VC allocator reads count_o
  /// \param phits    for each output port, channel::phits; empty if no channel is narrow
  output_unit(sc_core::sc_module_name name, const router_parameters& parameters, const std::vector<unsigned>& depths,
              bool adaptive = false, const std::vector<unsigned>& phits = {});

#ifndef WEFT_SYNTHESIS
  /// Number of credits of a VC. Only reports use this function.
  unsigned credits(unsigned port, unsigned vc) const { return m_count_q.count[port][vc]; }
  // The VCs of a shared buffer whose flits use the pool, and those that keep a slot of it. Only for reports, too.
  vc_set pool_vcs(unsigned port) const {
    vc_set result = 0;
    for (unsigned vc = 0; vc < m_vcs; ++vc) result |= vc_set{flits_of(port, vc) > m_sharing.reserved} << vc;
    return result;
  }
  vc_set kept_vcs(unsigned port) const { return m_room_q[port].kept; }
#endif

 private:
  WEFT_CLOCKED_PROCESS;

  void step();
  void reset();
  void consume_credit(unsigned port, unsigned vc);
  void return_credit(unsigned port, unsigned vc, vc_set held);
  void find_available(unsigned port);
  void occupy_channels(const switch_grants& grants);
  vc_set held_vcs(unsigned port, const switch_grants& grants) const;
  bool is_shared(unsigned port) const { return (m_depths.shared >> port & 1) != 0; }
  /// Number of flits of a VC that are in the next buffer, or on the way there or back as a credit.
  unsigned flits_of(unsigned port, unsigned vc) const { return m_depths.of[port] - m_count_q.count[port][vc]; }

  const unsigned m_ports;
  const unsigned m_vcs;
  const unsigned m_switch_inputs;  ///< number of inputs of the switch
  const bool m_keeps_slots;        ///< whether VCs keep slots of shared buffers, so that held_i exists
  const bool m_counts;             ///< whether count_o is driven
  const buffer_sharing m_sharing;
  const output_depths m_depths;
  credit_status m_status_q;
  bool m_status_changed = false;  // status_o must be written at this edge
  credit_counts m_count_q;
  shared_room m_room_q[MaxPorts];  // of shared buffers
  const port_set m_narrow;         // ports with a narrow channel
  std::uint8_t m_phits[MaxPorts];
  std::uint8_t m_busy_cycles_q[MaxPorts];  // for how many more cycles the channel is busy
};

}  // namespace weft::pin
