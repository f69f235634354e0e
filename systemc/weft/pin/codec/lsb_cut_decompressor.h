// SPDX-License-Identifier: Apache-2.0
/// LSB-cut decompressor: decodes doubles whose least significant bits were removed.
///
/// Purpose    Measures the next group in the window of the unpacker. With load_i it stores the group and outputs its
///            words. If flits have one word, a group is one double, which is two words.
/// Latency    size_o, fits_o and corrupt_o are combinational. For a group loaded in cycle t, words_o, filling_o and
///            excess_o are valid from t+1 until the next load.
/// Handshake  load_i only when the group fits.
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
class lsb_cut_decompressor : public sc_core::sc_module {
 public:
  static constexpr unsigned GroupWords = lsb_cut_group_words(Words);

  sc_core::sc_in<bool> clk_i{"clk_i"};
  in_port<bool> rst_ni{"rst_ni"};
  in_port<window<Words>> window_i{"window_i"};  ///< its size is available_i in the RTL
  in_port<std::uint8_t> count_i{"count_i"};     ///< words of the group, 1…GroupWords; 0: no group, of size 0
  in_port<std::uint8_t> cut_i{"cut_i"};         ///< number of bits removed from each double, 0…MaxCut
  in_port<bool> load_i{"load_i"};
  out_port<std::uint32_t> size_o{"size_o"};  ///< size of the group in bits
  out_port<bool> fits_o{"fits_o"};           ///< all bits of the group are available
  out_port<bool> corrupt_o{"corrupt_o"};     ///< always false, because every bit string is a valid group of doubles
  out_port<word_row<GroupWords>> words_o{"words_o"};
  out_port<bool> filling_o{"filling_o"};  ///< a bit behind the group was set
  out_port<bool> excess_o{"excess_o"};    ///< at least one whole flit followed the group

  /// \param exact zeros, denormals, infinities and NaNs are preserved
  lsb_cut_decompressor(sc_core::sc_module_name name, bool exact) : sc_module(name), m_exact(exact) {
    SC_HAS_PROCESS(lsb_cut_decompressor);
    SC_METHOD(measure);
    sensitive << window_i << count_i << cut_i;
    WEFT_START_CLOCKED_PROCESS;
  }

 private:
  WEFT_CLOCKED_PROCESS;

  void measure() {
    WEFT_VALUE(window<Words>, bits, window_i.read());
    const group_measure group = measure_lsb_cut_group<Words>(bits, bits.size(), count_i.read(), cut_i.read(), m_exact);
    size_o.write(group.size);
    fits_o.write(group.fits);
    corrupt_o.write(group.corrupt);
  }

  /// Stores the words of the group. The RTL registers the window and the lengths instead and extracts the words behind
  /// these registers; the behavior at the pins is the same.
  void step() {
    if (load_i.read()) {
      WEFT_ASSERT(fits_o.read(), "a group was loaded that is incomplete");
      WEFT_VALUE(window<Words>, bits, window_i.read());
      words_o.write(extract_lsb_cut_group<Words>(bits, count_i.read(), cut_i.read(), m_exact));
      filling_o.write(bits.any_from(size_o.read()));
      excess_o.write(bits.size() - size_o.read() >= 32 * Words);
    }
  }

  void reset() {}  // the loaded data are read only after a load

  const bool m_exact;
};

}  // namespace weft::pin
