// SPDX-License-Identifier: Apache-2.0
/// FPC compressor: encodes integers with Frequent Pattern Compression, in the table-based or the classic code.
///
/// Purpose    Each raw flit gives one chunk, which contains the group of its words. In the classic code a run of zeros
///            stays in the encoder until it ends, so a chunk may be empty.
/// Latency    A flit in cycle t gives a chunk in t+1.
/// Handshake  None: the encoder never stalls. Without valid_i the outputs of the next cycle are 0.
#pragma once

#include <cstdint>

#include <systemc>

#include "weft/core/fpc.h"
#include "weft/pin/check.h"
#include "weft/pin/clocked_process.h"
#include "weft/pin/codec/codec_trace.h"
#include "weft/pin/ports.h"
#include "weft/pin/signals.h"

namespace weft::pin {

template <unsigned Words>
class fpc_compressor : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clk_i{"clk_i"};
  in_port<bool> rst_ni{"rst_ni"};
  in_port<bool> valid_i{"valid_i"};
  in_port<word_row<Words>> words_i{"words_i"};
  in_port<std::uint8_t> count_i{"count_i"};  ///< words in the flit, 1…Words
  in_port<bool> last_i{"last_i"};            ///< last flit of the packet
  out_port<bool> valid_o{"valid_o"};
  out_port<chunk<Words>> chunk_o{"chunk_o"};  ///< includes its length
  out_port<bool> last_o{"last_o"};

  /// \param table   run lengths of the table-based code; not used if \p classic is set
  /// \param classic selects the classic code
  fpc_compressor(sc_core::sc_module_name module_name, const fpc_table& table, bool classic)
      : sc_module(module_name), m_runs(table), m_classic(classic) {
    SC_HAS_PROCESS(fpc_compressor);
    WEFT_ASSERT(table.valid(), "run lengths must decrease, from at most 32 to at least 1");
    WEFT_START_CLOCKED_PROCESS;
  }

 private:
  WEFT_CLOCKED_PROCESS;

  void reset() {
    m_run_q = classic_state();
    show_nothing();
  }

  void step() {
    if (valid_i.read()) {
      const unsigned count = count_i.read();
      WEFT_ASSERT(count >= 1 && count <= Words, "a flit of " << count << " words; expected 1 to " << Words);
      valid_o.write(true);
      if (m_classic)
        chunk_o.write(encode_classic_group<Words>(words_i.read(), count, last_i.read(), m_run_q));
      else
        chunk_o.write(encode_fpc_group<Words>(words_i.read(), count, m_runs));
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

  const fpc_runs m_runs;  // run lengths of the table
  const bool m_classic;
  classic_state m_run_q;  // the run of zeros that has not ended
};

}  // namespace weft::pin
