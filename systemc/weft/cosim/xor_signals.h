// SPDX-License-Identifier: Apache-2.0
/// Observes the XOR decoder in a verilated weft_nic. This is necessary for the simulation tags, because a packet that
/// waits in an entry leaves later as another packet.
#pragma once

#include <optional>

namespace weft::tb {

/// The handshake signals at the input of a stage.
struct offered_flit {
  bool valid = false, head = false, ready = false;
};

/// \tparam Model verilated weft_nic with one port, all stages and at most 64 entries, compiled with
///         tb/sv/public_coding.vlt
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
  /// The entry in which the packet whose head is at the input of the decoder is stored, from the next edge on. Nothing
  /// if the packet is not stored.
  std::optional<unsigned> written_entry() const {
    if (m_rtl.rootp->WEFT_DECODER(write_head) == 0) return std::nullopt;
    return number_of(m_rtl.rootp->WEFT_DECODER(target));
  }
  /// The entry whose datum leaves after it was resolved. Nothing if no resolved datum leaves.
  std::optional<unsigned> resolved_entry() const {
    constexpr unsigned Resolve = 5;  // value of Resolve in state_e
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
