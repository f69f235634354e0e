// SPDX-License-Identifier: Apache-2.0
/// The path of coded packets within a decompressor: the window of the unpacker, the two decoders that read it, and the
/// wires between them. It is not a module: its parts and wires belong to the decompressor. decompressor.h has the
/// control.
#pragma once

#include <cstdint>

#include <systemc>

#include "weft/core/codec.h"
#include "weft/core/fpc.h"
#include "weft/core/lsb_cut.h"
#include "weft/pin/codec/bit_unpacker.h"
#include "weft/pin/codec/codec_signals.h"
#include "weft/pin/codec/fpc_decompressor.h"
#include "weft/pin/codec/lsb_cut_decompressor.h"
#include "weft/pin/signals.h"

namespace weft::pin {

inline constexpr std::uint32_t MaxMessageWords = (1U << 24) - 1;  ///< that the header of the RTL can say

struct decompressor_parameters {
  fpc_table table;
  bool classic = false;  ///< integers come in the classic code, not in that of the table
  bool exact = true;     ///< LSB-cut kept zeros, denormals, infinities and NaNs
  /// Of a message. A coded packet that promises more is corrupt, and leaves as one flit, of no words.
  std::uint32_t most_words = MaxMessageWords;
};

/// What the window is doing.
enum class decoding_state : std::uint8_t {
  Idle,    // no packet
  Decode,  // takes group by group
  Drain,   // after an error: drops what is left of the packet
  Fill,    // gives zeros in place of what is left of the message
};

/// One flit, or two (flits of one word, LSB-cut), on their way to the output: what is to become of it.
struct decoded_group {
  enum class kind_t : std::uint8_t { Raw, Decoded, Zeros };
  kind_t kind = kind_t::Raw;
  bool first = false;                     // its (first) flit is the head
  bool last = false;                      // its (last) flit is the tail
  bool lsb_cut = false;                   // by which decoder, if decoded
  bool upper = false;                     // the second of two flits is left
  codec_error error = codec_error::None;  // of zeros
};

/// What happens at the end of a cycle.
struct decoding_decision {
  bool emit = false;                      // group to output
  bool pop = false;                       // the FIFO's first flit leaves it…
  bool push = false;                      // …for the window…
  bool start = false;                     // …as head of a packet that begins
  bool raw = false;                       // …for the group register
  bool load = false;                      // a decoded group goes to the group register
  bool fill = false;                      // a group of zeros does
  codec_error error = codec_error::None;  // found in this cycle, in a packet that is being decoded
};

/// \tparam Words of a flit
template <unsigned Words>
struct decoding_path {
  decoding_path(const decompressor_parameters& parameters, sc_core::sc_in<bool>& clk, in_port<bool>& rst_n)
      : unpacker("bit_unpacker"),
        fpc("fpc_decompressor", parameters.table, parameters.classic),
        lsb_cut("lsb_cut_decompressor", parameters.exact) {
    unpacker.clk_i(clk);
    unpacker.rst_ni(rst_n);
    unpacker.clear_i(clear);
    unpacker.push_i(push);
    unpacker.flit_i(pushed);
    unpacker.take_i(take);
    unpacker.window_o(in_window);
    unpacker.room_o(room);

    fpc.clk_i(clk);
    fpc.rst_ni(rst_n);
    fpc.window_i(in_window);
    fpc.count_i(fpc_count);
    fpc.left_i(left);
    fpc.load_i(fpc_load);
    fpc.clear_i(clear);
    fpc.take_o(fpc_take);
    fpc.fits_o(fpc_fits);
    fpc.corrupt_o(fpc_corrupt);
    fpc.words_o(fpc_words);
    fpc.filling_o(fpc_filling);
    fpc.excess_o(fpc_excess);

    lsb_cut.clk_i(clk);
    lsb_cut.rst_ni(rst_n);
    lsb_cut.window_i(in_window);
    lsb_cut.count_i(lsb_cut_count);
    lsb_cut.cut_i(cut);
    lsb_cut.load_i(lsb_cut_load);
    lsb_cut.take_o(lsb_cut_take);
    lsb_cut.fits_o(lsb_cut_fits);
    lsb_cut.corrupt_o(lsb_cut_corrupt);
    lsb_cut.words_o(lsb_cut_words);
    lsb_cut.filling_o(lsb_cut_filling);
    lsb_cut.excess_o(lsb_cut_excess);
  }

  bit_unpacker<Words> unpacker;
  fpc_decompressor<Words> fpc;
  lsb_cut_decompressor<Words> lsb_cut;

  // To and from the unpacker
  sc_core::sc_signal<bool> clear{"clear"};
  sc_core::sc_signal<bool> push{"push"};
  sc_core::sc_signal<word_row<Words>> pushed{"pushed"};
  sc_core::sc_signal<std::uint32_t> take{"take"};
  sc_core::sc_signal<window<Words>> in_window{"window"};
  sc_core::sc_signal<bool> room{"room"};
  // To and from the decoders
  sc_core::sc_signal<std::uint32_t> left{"left"};
  sc_core::sc_signal<std::uint8_t> cut{"cut"};
  sc_core::sc_signal<std::uint8_t> fpc_count{"fpc_count"};
  sc_core::sc_signal<bool> fpc_load{"fpc_load"};
  sc_core::sc_signal<std::uint32_t> fpc_take{"fpc_take"};
  sc_core::sc_signal<bool> fpc_fits{"fpc_fits"};
  sc_core::sc_signal<bool> fpc_corrupt{"fpc_corrupt"};
  sc_core::sc_signal<word_row<Words>> fpc_words{"fpc_words"};
  sc_core::sc_signal<bool> fpc_filling{"fpc_filling"};
  sc_core::sc_signal<bool> fpc_excess{"fpc_excess"};
  sc_core::sc_signal<std::uint8_t> lsb_cut_count{"lsb_cut_count"};
  sc_core::sc_signal<bool> lsb_cut_load{"lsb_cut_load"};
  sc_core::sc_signal<std::uint32_t> lsb_cut_take{"lsb_cut_take"};
  sc_core::sc_signal<bool> lsb_cut_fits{"lsb_cut_fits"};
  sc_core::sc_signal<bool> lsb_cut_corrupt{"lsb_cut_corrupt"};
  sc_core::sc_signal<word_row<lsb_cut_group_words(Words)>> lsb_cut_words{"lsb_cut_words"};
  sc_core::sc_signal<bool> lsb_cut_filling{"lsb_cut_filling"};
  sc_core::sc_signal<bool> lsb_cut_excess{"lsb_cut_excess"};
};

}  // namespace weft::pin
