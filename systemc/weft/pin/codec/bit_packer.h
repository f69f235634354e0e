// SPDX-License-Identifier: Apache-2.0
/// Bit packer: concatenates the chunks of a packet and divides them into flits.
///
/// Purpose    Bits that do not fill a flit are held until the next chunk arrives. After the last chunk of a packet, the
///            remaining bits leave in a flit that is padded with zeros.
/// Latency    A chunk in cycle t gives 0 to 3 flits in t+1, because one chunk may be longer than two flits.
/// Handshake  None: the packer never stalls. Without valid_i the outputs of the next cycle are 0.
#pragma once

#include <cstdint>

#include <systemc>

#include "weft/core/bits.h"
#include "weft/pin/clocked_process.h"
#include "weft/pin/codec/codec_trace.h"
#include "weft/pin/ports.h"
#include "weft/pin/signals.h"

namespace weft::pin {

template <unsigned Words>
class bit_packer : public sc_core::sc_module {
 public:
  static constexpr unsigned FlitBits = 32 * Words;
  static constexpr unsigned MaxFlits = 3;  ///< maximum number of flits that one chunk completes
  static_assert(FlitBits - 1 + chunk_bits(Words) <= MaxFlits * FlitBits);

  sc_core::sc_in<bool> clk_i{"clk_i"};
  in_port<bool> rst_ni{"rst_ni"};
  in_port<bool> valid_i{"valid_i"};
  in_port<chunk<Words>> chunk_i{"chunk_i"};  ///< includes its length
  in_port<bool> last_i{"last_i"};
  out_port<bool> valid_o{"valid_o"};                        ///< a chunk arrived, whether or not it completed a flit
  out_port<word_row<MaxFlits * Words>> flits_o{"flits_o"};  ///< flit j is in words j * Words to (j + 1) * Words - 1;
                                                            ///< words of unused flits are 0
  out_port<std::uint8_t> count_o{"count_o"};                ///< number of flits on flits_o, 0…MaxFlits
  out_port<bool> last_o{"last_o"};

  explicit bit_packer(sc_core::sc_module_name name) : sc_module(name) {
    SC_HAS_PROCESS(bit_packer);
    WEFT_START_CLOCKED_PROCESS;
  }

 private:
  WEFT_CLOCKED_PROCESS;

  void reset() {
    m_rest_q.clear();
    valid_o.write(false);
    flits_o.write(word_row<MaxFlits * Words>());
    count_o.write(0);
    last_o.write(false);
  }

  void step() {
    if (valid_i.read()) {
      word_row<MaxFlits * Words> flits;
      const chunk<Words> coming = chunk_i.read();
      m_rest_q.append(coming);
      unsigned count = (m_rest_q.size() + (last_i.read() ? FlitBits - 1 : 0)) / FlitBits;
      for (unsigned i = 0; i < MaxFlits * Words; ++i)
        if (i < count * Words) flits.word[i] = static_cast<std::uint32_t>(m_rest_q.extract(32 * i, 32));
      if (last_i.read())
        m_rest_q.clear();
      else
        m_rest_q.drop(count * FlitBits);
      valid_o.write(true);
      flits_o.write(flits);
      count_o.write(static_cast<std::uint8_t>(count));
      last_o.write(last_i.read());
    } else if (valid_o.read()) {  // otherwise the outputs are already 0
      valid_o.write(false);
      flits_o.write(word_row<MaxFlits * Words>());
      count_o.write(0);
      last_o.write(false);
    }
  }

  bit_string<MaxFlits * FlitBits> m_rest_q;  // fewer than FlitBits bits between edges
};

}  // namespace weft::pin
