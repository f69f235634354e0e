// SPDX-License-Identifier: Apache-2.0
/// The inputs of the switch. With an input speedup of k, each input port has k of them, and sends up to k flits in a
/// cycle. Input k * p + v mod k serves VC v of port p. Without a speedup (k = 1), the inputs are the input ports.
#pragma once

#include <cstdint>

#include "weft/core/types.h"

namespace weft {

/// A record of constants, as hardware modules need it. It has tables, because divisions by the speedup would slow
/// simulation.
struct switch_inputs {
  unsigned speedup;                       ///< inputs of a port, a divisor of the number of VCs
  unsigned count;                         ///< inputs of all ports
  std::uint8_t within_port[MaxVcs];       ///< by VC: number of its input among those of the port
  std::uint8_t port_of[MaxSwitchInputs];  ///< by input: its port
  vc_set vcs_of[MaxSwitchInputs];         ///< by input: all VCs of its port that it serves

  switch_inputs(unsigned ports, unsigned inputs_of_port) : speedup(inputs_of_port), count(ports * inputs_of_port) {
    for (unsigned vc = 0; vc < MaxVcs; ++vc) within_port[vc] = static_cast<std::uint8_t>(vc % speedup);
    for (unsigned input = 0; input < MaxSwitchInputs; ++input) {
      port_of[input] = static_cast<std::uint8_t>(input / speedup);
      vcs_of[input] = 0;
      for (unsigned vc = input % speedup; vc < MaxVcs; vc += speedup) vcs_of[input] |= 1U << vc;
    }
  }

  /// Input number \p number of port \p port, 0…speedup-1.
  unsigned input_at(unsigned port, unsigned number) const { return port * speedup + number; }
  /// The input that serves VC \p vc of port \p port.
  unsigned input_of(unsigned port, unsigned vc) const { return input_at(port, within_port[vc]); }
};

}  // namespace weft
