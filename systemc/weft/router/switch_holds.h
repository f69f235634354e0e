// SPDX-License-Identifier: Apache-2.0
/// Input VCs that hold the switch. A VC that is granted the switch keeps its input port and its output port while it
/// sends the flits of its packet one cycle after the other, without further arbitration. It releases both with the
/// tail, when its next flit has not arrived in time, and in a cycle in which it has no credit.
///
/// The state is an array of 16-bit words, one for each input port: the VC that holds the switch plus one, or 0.
#pragma once

#include <cstdint>

#include "weft/core/members.h"
#include "weft/core/types.h"
#include "weft/router/switch_allocation.h"

namespace weft {

struct switch_holds {
  port_set inputs = 0;            ///< input ports with a VC that holds the switch
  port_set outputs = 0;           ///< the output ports to which these VCs send
  port_set sending = 0;           ///< of the input ports, those whose VC has a credit, and sends
  std::uint8_t vc[MaxPorts];      ///< of each of the input ports, this VC
  std::uint8_t output[MaxPorts];  ///< and its output port

  switch_holds() {
    for (unsigned port = 0; port < MaxPorts; ++port) {
      vc[port] = 0;
      output[port] = 0;
    }
  }
};

/// The VCs that hold the switch in a router of \p ports ports. \p requests contains the requests of all VCs with a flit
/// and an output VC, among which they are.
/// \param first_word number of the first word of the state
template <typename State>
switch_holds holds_in(unsigned ports, const State& state, unsigned first_word, const switch_requests& requests) {
  switch_holds result;
  for (unsigned port = 0; port < ports; ++port) {
    const unsigned word = state[first_word + port];
    if (word != 0) {
      const unsigned vc = word - 1, output = requests.output[port][vc];
      result.inputs |= 1U << port;
      result.outputs |= 1U << output;
      result.vc[port] = static_cast<std::uint8_t>(vc);
      result.output[port] = static_cast<std::uint8_t>(output);
      if ((requests.ready[port] >> vc & 1) != 0) result.sending |= 1U << port;
    }
  }
  return result;
}

/// The requests among \p requests that may be granted: not those of input ports and for output ports that \p holds
/// contains.
/// \param waiting input ports with a VC that waits and does not hold the switch
inline switch_requests without_held([[maybe_unused]] unsigned ports, const switch_requests& requests,
                                    const switch_holds& holds, port_set waiting) {
  switch_requests result;
  result.ports = waiting;
  WEFT_FOR_MEMBERS(port, waiting, ports) {
    vc_set open = 0;
    if ((holds.inputs >> port & 1) == 0) {
      WEFT_FOR_MEMBERS(vc, requests.ready[port], MaxVcs) {
        const unsigned output = requests.output[port][vc];
        result.output[port][vc] = static_cast<std::uint8_t>(output);
        if ((holds.outputs >> output & 1) == 0) open |= 1U << vc;
      }
    }
    result.ready[port] = open;
  }
  return result;
}

/// Adds the flits of the VCs that hold the switch to \p matching.
inline void add_held([[maybe_unused]] unsigned ports, const switch_holds& holds, switch_matching& matching) {
  matching.inputs |= holds.sending;
  WEFT_FOR_MEMBERS(port, holds.sending, ports) {
    matching.vc[port] = holds.vc[port];
    matching.output[port] = holds.output[port];
  }
}

}  // namespace weft
