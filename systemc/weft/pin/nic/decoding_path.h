// SPDX-License-Identifier: Apache-2.0
/// The path of coded packets in a decompressor: the unpacker, the two decoders that read its window, and the wires
/// between them. The window holds the next coded bits of a packet. In each step, a decoder removes one group from the
/// front of the window: the code of one flit, or of one double if flits have one word (LSB-cut). The class decompressor
/// (decompressor.h), which contains the control, is derived from decoding_path.
#pragma once

#include <cstdint>

#include <systemc>

#include "weft/core/codec.h"
#include "weft/core/flit.h"
#include "weft/core/fpc.h"
#include "weft/core/lsb_cut.h"
#include "weft/pin/codec/bit_unpacker.h"
#include "weft/pin/codec/codec_trace.h"
#include "weft/pin/codec/fpc_decompressor.h"
#include "weft/pin/codec/lsb_cut_decompressor.h"
#include "weft/pin/nic/packet_stage.h"
#include "weft/pin/signals.h"
#include "weft/pin/wire.h"

namespace weft::pin {

inline constexpr std::uint32_t MaxMessageWords = (1U << 24) - 1;  ///< maximum length of a message, in words, that the
                                                                  ///< header of the RTL can hold

struct decompressor_parameters {
  fpc_table table;
  bool classic = false;  ///< whether integers use the classic code instead of the table-based one
  bool exact = true;     ///< whether LSB-cut preserves zeros, denormals, infinities and NaNs
  /// Maximum length of a message in words. A coded packet with a longer message is corrupt and leaves as one flit
  /// without words.
  std::uint32_t most_words = MaxMessageWords;
};

/// The state of the window.
enum class decoding_state : std::uint8_t {
  Idle,    // there is no packet in the window
  Decode,  // reads the packet group by group
  Drain,   // drops the rest of the packet after an error
  Fill,    // outputs zeros for the rest of the message after an error
};

/// The contents of the group register: one flit, or two flits if flits have one word and the group is a double
/// (LSB-cut).
struct decoded_group {
  enum class kind_t : std::uint8_t { Raw, Decoded, Zeros };
  kind_t kind = kind_t::Raw;
  bool first = false;                     // its first flit is the head of the packet
  bool last = false;                      // its last flit is the tail of the packet
  bool lsb_cut = false;                   // whether a decoded group comes from the LSB-cut decoder
  bool upper = false;                     // only the second of its two flits remains
  codec_error error = codec_error::None;  // error of a packet that is filled with zeros
};

/// Whether a decompressor supports the codec and the cut in the header of a coded packet.
/// \param classic whether integers use the classic code
inline bool is_decodable(const header& h, bool classic) {
  return h.words != 0 && h.cut <= MaxCut &&
         (h.codec == codec::LsbCut || h.codec == (classic ? codec::FpcClassic : codec::Fpc));
}

/// The actions at the end of a cycle.
struct decoding_decision {
  bool emit = false;                      // the next flit of the group register moves to the output
  bool pop = false;                       // the first flit leaves the FIFO
  bool push = false;                      // this flit is pushed into the window
  bool start = false;                     // this flit is the head of a new packet
  bool raw = false;                       // this flit is raw and goes to the group register
  bool load = false;                      // a decoded group goes to the group register
  bool fill = false;                      // a group of zeros goes to the group register
  codec_error error = codec_error::None;  // error found in this cycle in the packet that is being decoded
};

/// \tparam PayloadBits payload width of a flit in bits
template <unsigned PayloadBits>
class decoding_path : public packet_stage<PayloadBits> {
 public:
  static constexpr unsigned Words = PayloadBits / 32;  ///< words per flit (K)
  using packet_stage<PayloadBits>::clk_i;
  using packet_stage<PayloadBits>::rst_ni;

 protected:
  decoding_path(sc_core::sc_module_name name, const decompressor_parameters& parameters)
      : packet_stage<PayloadBits>(name),
        m_unpacker("bit_unpacker"),
        m_fpc("fpc_decompressor", parameters.table, parameters.classic),
        m_lsb_cut("lsb_cut_decompressor", parameters.exact) {
    m_unpacker.clk_i(clk_i);
    m_unpacker.rst_ni(rst_ni);
    m_unpacker.clear_i(m_clear);
    m_unpacker.push_i(m_push);
    m_unpacker.flit_i(m_pushed);
    m_unpacker.pop_i(m_pop);
    m_unpacker.window_o(m_window);
    m_unpacker.room_o(m_room);

    m_fpc.clk_i(clk_i);
    m_fpc.rst_ni(rst_ni);
    m_fpc.window_i(m_window);
    m_fpc.count_i(m_fpc_count);
    m_fpc.left_i(m_left);
    m_fpc.load_i(m_fpc_load);
    m_fpc.clear_i(m_clear);
    m_fpc.size_o(m_fpc_size);
    m_fpc.fits_o(m_fpc_fits);
    m_fpc.corrupt_o(m_fpc_corrupt);
    m_fpc.words_o(m_fpc_words);
    m_fpc.filling_o(m_fpc_filling);
    m_fpc.excess_o(m_fpc_excess);

    m_lsb_cut.clk_i(clk_i);
    m_lsb_cut.rst_ni(rst_ni);
    m_lsb_cut.window_i(m_window);
    m_lsb_cut.count_i(m_lsb_cut_count);
    m_lsb_cut.cut_i(m_cut);
    m_lsb_cut.load_i(m_lsb_cut_load);
    m_lsb_cut.size_o(m_lsb_cut_size);
    m_lsb_cut.fits_o(m_lsb_cut_fits);
    m_lsb_cut.corrupt_o(m_lsb_cut_corrupt);
    m_lsb_cut.words_o(m_lsb_cut_words);
    m_lsb_cut.filling_o(m_lsb_cut_filling);
    m_lsb_cut.excess_o(m_lsb_cut_excess);
  }

  bit_unpacker<Words> m_unpacker;
  fpc_decompressor<Words> m_fpc;
  lsb_cut_decompressor<Words> m_lsb_cut;

  // Signals of the unpacker
  wire<bool> m_clear{"clear"};
  wire<bool> m_push{"push"};
  wire<word_row<Words>> m_pushed{"pushed"};
  wire<std::uint32_t> m_pop{"take"};
  wire<window<Words>> m_window{"window"};
  wire<bool> m_room{"room"};
  // Signals of the decoders
  wire<std::uint32_t> m_left{"left"};
  wire<std::uint8_t> m_cut{"cut"};
  wire<std::uint8_t> m_fpc_count{"fpc_count"};
  wire<bool> m_fpc_load{"fpc_load"};
  wire<std::uint32_t> m_fpc_size{"fpc_take"};
  wire<bool> m_fpc_fits{"fpc_fits"};
  wire<bool> m_fpc_corrupt{"fpc_corrupt"};
  wire<word_row<Words>> m_fpc_words{"fpc_words"};
  wire<bool> m_fpc_filling{"fpc_filling"};
  wire<bool> m_fpc_excess{"fpc_excess"};
  wire<std::uint8_t> m_lsb_cut_count{"lsb_cut_count"};
  wire<bool> m_lsb_cut_load{"lsb_cut_load"};
  wire<std::uint32_t> m_lsb_cut_size{"lsb_cut_take"};
  wire<bool> m_lsb_cut_fits{"lsb_cut_fits"};
  wire<bool> m_lsb_cut_corrupt{"lsb_cut_corrupt"};
  wire<word_row<lsb_cut_group_words(Words)>> m_lsb_cut_words{"lsb_cut_words"};
  wire<bool> m_lsb_cut_filling{"lsb_cut_filling"};
  wire<bool> m_lsb_cut_excess{"lsb_cut_excess"};
};

}  // namespace weft::pin
