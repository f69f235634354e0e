// SPDX-License-Identifier: Apache-2.0
/// Observation of the XOR decoder in a verilated weft_nic, for the simulation tags: a packet that waits in an entry
/// leaves later as another packet.
#pragma once

#include <optional>

namespace weft::tb {

/// Handshake signals at the input of a stage.
struct offered_flit {
  bool valid = false, head = false, ready = false;
};

/// \tparam Model verilated weft_nic with one port, all stages, at most 64 entries, and tb/sv/public_coding.vlt
template <class Model>
class xor_signals {
 public:
  explicit xor_signals(const Model& rtl) : m_rtl(rtl) {}

#define WEFT_RECEIVE(name) weft_nic__DOT__gen_port__BRA__0__KET____DOT__u_receive__DOT__##name
#define WEFT_DECODER(name) WEFT_RECEIVE(gen_stages__DOT__gen_decoder__DOT__u_decoder__DOT__##name)

  offered_flit decoder_input() const {
    return {m_rtl.rootp->WEFT_DECODER(flit_valid_i) != 0, m_rtl.rootp->WEFT_DECODER(flit_head_i) != 0,
            m_rtl.rootp->WEFT_DECODER(ready_o) != 0};
  }
  /// The entry that stores the packet whose head is at the decoder's input, starting at the next edge.
  std::optional<unsigned> written_entry() const {
    if (m_rtl.rootp->WEFT_DECODER(write_head) == 0) return std::nullopt;
    return number_of(m_rtl.rootp->WEFT_DECODER(target));
  }
  /// The entry whose resolved datum leaves.
  std::optional<unsigned> resolved_entry() const {
    constexpr unsigned Resolve = 5;  // value in state_e
    if (m_rtl.rootp->WEFT_DECODER(state_q) != Resolve) return std::nullopt;
    return number_of(m_rtl.rootp->WEFT_DECODER(entry_q));
  }

#undef WEFT_DECODER
#undef WEFT_RECEIVE

 private:
  /// Index of the only bit that is set.
  template <typename Set>
  static unsigned number_of(Set set) {
    unsigned number = 0;
    while (number < 63 && (set >> number & 1) == 0) ++number;
    return number;
  }

  const Model& m_rtl;
};

}  // namespace weft::tb
