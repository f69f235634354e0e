// SPDX-License-Identifier: Apache-2.0
/// LSB-cut compressor: encodes doubles, whose least significant bits it removes.
///
/// Purpose    Each raw flit gives one chunk, which contains the group of its words. With one word per flit, the first
///            word of a double is held in the encoder until the second word arrives, so every other chunk is empty.
/// Latency    A flit in cycle t gives a chunk in t+1.
/// Handshake  None: the encoder never stalls. Without valid_i the outputs of the next cycle are 0.
#pragma once

#include <cstdint>

#include <systemc>

#include "weft/core/lsb_cut.h"
#include "weft/pin/check.h"
#include "weft/pin/clocked_process.h"
#include "weft/pin/codec/codec_trace.h"
#include "weft/pin/ports.h"
#include "weft/pin/signals.h"

namespace weft::pin {

template <unsigned Words>
class lsb_cut_compressor : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clk_i{"clk_i"};
  in_port<bool> rst_ni{"rst_ni"};
  in_port<bool> valid_i{"valid_i"};
  in_port<word_row<Words>> words_i{"words_i"};
  in_port<std::uint8_t> count_i{"count_i"};  ///< words in the flit, 1…Words
  in_port<bool> last_i{"last_i"};            ///< last flit of the packet
  in_port<std::uint8_t> cut_i{"cut_i"};  ///< number of bits to remove from each double, 0…MaxCut; constant during a
                                         ///< packet
  out_port<bool> valid_o{"valid_o"};
  out_port<chunk<Words>> chunk_o{"chunk_o"};  ///< includes its length
  out_port<bool> last_o{"last_o"};

  /// \param exact preserves zeros, denormals, infinities and NaNs
  lsb_cut_compressor(sc_core::sc_module_name name, bool exact) : sc_module(name), m_exact(exact) {
    SC_HAS_PROCESS(lsb_cut_compressor);
    WEFT_START_CLOCKED_PROCESS;
  }

 private:
  WEFT_CLOCKED_PROCESS;

  void reset() {
    m_waiting_q = false;
    show_nothing();
  }

  void step() {
    if (valid_i.read()) {
      const unsigned count = count_i.read();
      WEFT_ASSERT(count >= 1 && count <= Words, "a flit of " << count << " words; expected 1 to " << Words);
      WEFT_ASSERT(cut_i.read() <= MaxCut,
                  "a cut of " << unsigned(cut_i.read()) << " bits; expected at most " << MaxCut);
      valid_o.write(true);
      if constexpr (Words == 1)
        chunk_o.write(encode_word(words_i.read().word[0]));
      else
        chunk_o.write(encode_lsb_cut_group<Words>(words_i.read(), count, cut_i.read(), m_exact));
      last_o.write(last_i.read());
    } else if (valid_o.read()) {  // otherwise the outputs are already 0
      show_nothing();
    }
  }

  void show_nothing() {
    valid_o.write(false);
    chunk_o.write(chunk<Words>());
    last_o.write(false);
  }

  /// Encodes one word, if flits have one word. The first word of a double gives an empty chunk; the second word, or a
  /// last word without a second one, gives the group.
  chunk<Words> encode_word(std::uint32_t word) {
    lsb_cut_words<Words> pair;
    pair.word[0] = m_waiting_q ? m_lower_q : word;
    pair.word[1] = word;
    chunk<Words> group;
    if (m_waiting_q || last_i.read())
      group = encode_lsb_cut_group<Words>(pair, m_waiting_q ? 2 : 1, cut_i.read(), m_exact);
    m_waiting_q = !m_waiting_q && !last_i.read();
    m_lower_q = word;
    return group;
  }

  const bool m_exact;
  bool m_waiting_q = false;  // one word per flit: m_lower_q waits for the upper half
  std::uint32_t m_lower_q = 0;
};

}  // namespace weft::pin
