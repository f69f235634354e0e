// SPDX-License-Identifier: Apache-2.0
/// Input VCs that hold the switch. A VC that is granted the switch keeps its input (switch_inputs.h) and its output
/// port while it sends the flits of its packet one cycle after the other, without further arbitration. It releases both
/// with the tail, when its next flit has not arrived in time, and in a cycle in which it has no credit.
///
/// The state is an array of 16-bit words, one for each input: the VC that holds the switch plus one, or 0.
#pragma once

#include <cstdint>

#include "weft/core/members.h"
#include "weft/core/types.h"
#include "weft/router/switch_allocation.h"

namespace weft {

struct switch_holds {
  port_set inputs = 0;                   ///< inputs with a VC that holds the switch
  port_set outputs = 0;                  ///< the output ports to which these VCs send
  port_set sending = 0;                  ///< those of the inputs whose VC has a credit and therefore sends
  std::uint8_t vc[MaxSwitchInputs];      ///< of each of the inputs, this VC
  std::uint8_t output[MaxSwitchInputs];  ///< and its output port

  switch_holds() {
    for (unsigned input = 0; input < MaxSwitchInputs; ++input) {
      vc[input] = 0;
      output[input] = 0;
    }
  }
};

/// The VCs that hold inputs of the switch. \p requests contains the requests of all VCs with a flit and an output VC,
/// including those that hold.
/// \param count number of inputs of the switch
/// \param first_word number of the first word of the state
template <typename State>
switch_holds holds_in(unsigned count, const State& state, unsigned first_word, const switch_requests& requests) {
  switch_holds result;
  for (unsigned input = 0; input < count; ++input) {
    const unsigned word = state[first_word + input];
    if (word != 0) {
      const unsigned vc = word - 1, output = requests.output[input][vc];
      result.inputs |= 1U << input;
      result.outputs |= 1U << output;
      result.vc[input] = static_cast<std::uint8_t>(vc);
      result.output[input] = static_cast<std::uint8_t>(output);
      if ((requests.ready[input] >> vc & 1) != 0) result.sending |= 1U << input;
    }
  }
  return result;
}

/// The requests among \p requests that may be granted: not those of inputs and for output ports that \p holds
/// contains.
/// \param waiting inputs with a VC that waits and does not hold the switch
inline switch_requests without_held([[maybe_unused]] unsigned count, const switch_requests& requests,
                                    const switch_holds& holds, port_set waiting) {
  switch_requests result;
  result.inputs = waiting;
  WEFT_FOR_MEMBERS(input, waiting, count) {
    vc_set open = 0;
    if ((holds.inputs >> input & 1) == 0) {
      WEFT_FOR_MEMBERS(vc, requests.ready[input], MaxVcs) {
        const unsigned output = requests.output[input][vc];
        result.output[input][vc] = static_cast<std::uint8_t>(output);
        if ((holds.outputs >> output & 1) == 0) open |= 1U << vc;
      }
    }
    result.ready[input] = open;
  }
  return result;
}

/// Adds the flits of the VCs that hold the switch to \p matching.
inline void add_held([[maybe_unused]] unsigned count, const switch_holds& holds, switch_matching& matching) {
  matching.inputs |= holds.sending;
  WEFT_FOR_MEMBERS(input, holds.sending, count) {
    matching.vc[input] = holds.vc[input];
    matching.output[input] = holds.output[input];
  }
}

}  // namespace weft
