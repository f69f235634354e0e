// SPDX-License-Identifier: Apache-2.0
/// Bit unpacker: the window through which a decoder looks at the string of bits of a packet.
///
/// Purpose    Flits go in at the far end, groups are taken from the near one. It holds the longest group that begins
///            with the last bit of a flit, and so never stalls the stream of flits for want of room while groups are
///            taken.
/// Latency    A flit pushed in cycle t is in window_o in t+1. room_o is of the same cycle as window_o.
/// Handshake  push_i only with room_o or clear_i; take_i at most the bits that are there. In one cycle: first take_i or
///            clear_i, then push_i.
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
  in_port<std::uint32_t> take_i{"take_i"};       ///< bits
  out_port<window<Words>> window_o{"window_o"};  ///< bit 0 is the oldest; its size is available_o of RTL
  out_port<bool> room_o{"room_o"};               ///< a flit may come

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
    if (clear_i.read() || push_i.read() || take_i.read() != 0) {
      WEFT_ASSERT(!push_i.read() || clear_i.read() || has_room(), "a flit was pushed into a full window");
      WEFT_ASSERT(clear_i.read() || take_i.read() <= m_window_q.size(),
                  take_i.read() << " bits were taken of " << m_window_q.size());
      if (clear_i.read())
        m_window_q.clear();
      else
        m_window_q.drop(take_i.read());
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
