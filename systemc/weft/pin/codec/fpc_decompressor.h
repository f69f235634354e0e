// SPDX-License-Identifier: Apache-2.0
/// FPC decompressor: decodes integers from Frequent Pattern Compression, in the table-based or the classic code.
///
/// Purpose    Measures the next group in the window of the unpacker. With load_i it stores the group and outputs its
///            words. In the classic code the zeros of a run that extends beyond its group belong to later groups.
/// Latency    size_o, fits_o and corrupt_o are combinational. For a group loaded in cycle t, words_o, filling_o and
///            excess_o are valid from t+1 until the next load.
/// Handshake  load_i only when the group fits and is not corrupt. clear_i discards pending zeros before a new packet.
#pragma once

#include <algorithm>
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
class fpc_decompressor : public sc_core::sc_module {
 public:
  sc_core::sc_in<bool> clk_i{"clk_i"};
  in_port<bool> rst_ni{"rst_ni"};
  in_port<window<Words>> window_i{"window_i"};  ///< its size is available_i in the RTL
  in_port<std::uint8_t> count_i{"count_i"};     ///< words of the group, 1…Words; 0: no group, of size 0
  in_port<std::uint32_t> left_i{"left_i"};      ///< remaining words of the packet, including those of this group
  in_port<bool> load_i{"load_i"};
  in_port<bool> clear_i{"clear_i"};
  out_port<std::uint32_t> size_o{"size_o"};  ///< size of the group in bits
  out_port<bool> fits_o{"fits_o"};           ///< all bits of the group are available
  out_port<bool> corrupt_o{"corrupt_o"};     ///< no encoder produces this group; meaningful only while fits_o is set
  out_port<word_row<Words>> words_o{"words_o"};
  out_port<bool> filling_o{"filling_o"};  ///< a bit behind the group was set
  out_port<bool> excess_o{"excess_o"};    ///< at least one whole flit followed the group

  /// \param table   run lengths of the table-based code; not used if \p classic is set
  /// \param classic selects the classic code
  fpc_decompressor(sc_core::sc_module_name module_name, const fpc_table& table, bool classic)
      : sc_module(module_name), m_runs(table), m_classic(classic) {
    SC_HAS_PROCESS(fpc_decompressor);
    WEFT_ASSERT(table.valid(), "run lengths must decrease, from at most 32 to at least 1");
    SC_METHOD(measure);
    sensitive << window_i << count_i;
    if (m_classic) sensitive << left_i << m_zeros_q;
    WEFT_START_CLOCKED_PROCESS;
  }

 private:
  WEFT_CLOCKED_PROCESS;

  void measure() {
    WEFT_VALUE(window<Words>, bits, window_i.read());
    group_measure group;
    if (m_classic) {
      const classic_measure run =
          measure_classic_group<Words>(bits, bits.size(), count_i.read(), left_i.read(), owed());
      m_zeros_d.write(static_cast<std::uint8_t>(run.zeros));
      group = run;
    } else {
      group = measure_fpc_group<Words>(bits, bits.size(), count_i.read(), m_runs);
    }
    size_o.write(group.size);
    fits_o.write(group.fits);
    corrupt_o.write(group.corrupt);
  }

  void reset() { m_zeros_q.write(0); }

  void step() {
    if (load_i.read()) {
      WEFT_ASSERT(fits_o.read() && !corrupt_o.read(), "a group was loaded that is incomplete or corrupt");
      extract();
    }
    if (clear_i.read())
      m_zeros_q.write(0);
    else if (load_i.read())
      m_zeros_q.write(m_zeros_d.read());
  }

  /// Extracts the words of the group. The RTL registers the window and the lengths instead and extracts the words
  /// behind these registers; the behavior at the pins is the same.
  void extract() {
    WEFT_VALUE(window<Words>, bits, window_i.read());
    if (m_classic)
      words_o.write(extract_classic_group<Words>(bits, count_i.read(), owed()));
    else
      words_o.write(extract_fpc_group<Words>(bits, count_i.read(), m_runs));
    filling_o.write(bits.any_from(size_o.read()));
    excess_o.write(bits.size() - size_o.read() >= 32 * Words);
  }

  classic_state owed() const {
    classic_state state;
    state.zeros = m_zeros_q.read();
    return state;
  }

  const fpc_runs m_runs;  // run lengths of the table
  const bool m_classic;
  register_signal<std::uint8_t> m_zeros_q{"zeros_q"};  // zeros pending from a run
  register_signal<std::uint8_t> m_zeros_d{"zeros_d"};  // zeros pending after the group that is measured
};

}  // namespace weft::pin
