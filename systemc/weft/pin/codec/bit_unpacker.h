// SPDX-License-Identifier: Apache-2.0
/// Bit unpacker: the window through which a decoder reads the bit string of a packet.
///
/// Purpose    Flits are appended at the end of the window, and groups are removed from its front. The window is large
///            enough for the longest group, even if that group begins with the last bit of a flit. So there is always
///            room for the next flit while groups are removed.
/// Latency    A flit pushed in cycle t is in window_o in t+1. room_o refers to the same cycle as window_o.
/// Handshake  push_i requires room_o or clear_i. pop_i is at most the number of available bits. Within one cycle, pop_i
///            or clear_i is performed first, then push_i.
#pragma once

#include <cstdint>

#include <systemc>

#include "weft/core/bits.h"
#include "weft/pin/check.h"
#include "weft/pin/clocked_process.h"
#include "weft/pin/codec/codec_trace.h"
#include "weft/pin/ports.h"
#include "weft/pin/signals.h"

namespace weft::pin {

template <unsigned Words>
class bit_unpacker : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clk_i{"clk_i"};
  in_port<bool> rst_ni{"rst_ni"};
  in_port<bool> clear_i{"clear_i"};  ///< empties the window
  in_port<bool> push_i{"push_i"};
  in_port<word_row<Words>> flit_i{"flit_i"};
  in_port<std::uint32_t> pop_i{"pop_i"};         ///< number of bits to remove from the front
  out_port<window<Words>> window_o{"window_o"};  ///< bit 0 is the oldest; the RTL outputs its size as available_o
  out_port<bool> room_o{"room_o"};               ///< the window has room for a flit

  explicit bit_unpacker(sc_core::sc_module_name name) : sc_module(name) {
    SC_HAS_PROCESS(bit_unpacker);
    WEFT_START_CLOCKED_PROCESS;
  }

 private:
  WEFT_CLOCKED_PROCESS;

  void reset() {
    m_window_q.clear();
    window_o.write(window<Words>());
    room_o.write(true);
  }

  void step() {
    if (clear_i.read() || push_i.read() || pop_i.read() != 0) {
      WEFT_ASSERT(!push_i.read() || clear_i.read() || has_room(), "a flit was pushed into a full window");
      WEFT_ASSERT(clear_i.read() || pop_i.read() <= m_window_q.size(),
                  pop_i.read() << " bits were popped from a window of " << m_window_q.size());
      if (clear_i.read())
        m_window_q.clear();
      else
        m_window_q.drop(pop_i.read());
      if (push_i.read())
        for (unsigned i = 0; i < Words; ++i) m_window_q.append(flit_i.read().word[i], 32);
      show();
    }
  }

  void show() {
    window_o.write(m_window_q);
    room_o.write(has_room());
  }

  bool has_room() const { return m_window_q.size() <= chunk_bits(Words); }

  window<Words> m_window_q;
};

}  // namespace weft::pin
