// SPDX-License-Identifier: Apache-2.0
/// Selects the packets to be compressed: Algorithm 1 of COMPRESS.
#pragma once

#include <cstdint>

#include "weft/core/codec.h"

namespace weft {

enum class selection_mode : std::uint8_t {
  None = 0,       ///< nothing is compressed
  Always = 1,     ///< every packet with a codec
  Selective = 2,  ///< long packets, and all packets while the network is congested
};

/// Selection thresholds. Packets of at least length_threshold flits are selected; the other two thresholds must be
/// *exceeded*.
struct selection_parameters {
  selection_mode mode = selection_mode::Selective;
  std::uint32_t length_threshold = 200;  ///< L_th, flits. Break-even of Equation 1 for 100 cycles and ratio 2
  std::uint32_t received_threshold = 0;  ///< N_th, flits received in the last window
  std::uint32_t queue_threshold = 0;     ///< Q_th, waiting packets
};

/// The inputs of Algorithm 1.
struct selection_inputs {
  data_type type = data_type::Other;
  std::uint32_t flits = 0;  ///< length of the packet in flits
  std::uint32_t words = 0;  ///< length of its message in words
  codec form = codec::Raw;
  std::uint32_t received = 0;  ///< N
  std::uint32_t queue = 0;     ///< Q
};

/// Whether a packet can be compressed at all: it arrives raw, has at least two flits, fits a memory of \p depth flits,
/// and has a consistent header. \p words_per_flit: K.
constexpr bool is_candidate(const selection_inputs& in, unsigned words_per_flit, std::uint32_t depth) {
  const std::uint64_t room = static_cast<std::uint64_t>(in.flits) * words_per_flit;  // one flit less would be too short
  return in.form == codec::Raw && in.flits >= 2 && in.flits <= depth && in.words <= room &&
         room < static_cast<std::uint64_t>(in.words) + words_per_flit;
}

/// Whether Algorithm 1 selects the packet.
constexpr bool is_selected(const selection_inputs& in, const selection_parameters& parameters) {
  return parameters.mode == selection_mode::Always ||
         (parameters.mode == selection_mode::Selective &&
          (in.flits >= parameters.length_threshold || in.received > parameters.received_threshold ||
           in.queue > parameters.queue_threshold));
}

/// The codec for data of \p type. \p classic: integers use the classic code.
constexpr codec codec_for(data_type type, bool classic) {
  codec result = codec::Raw;
  if (type == data_type::Int) result = classic ? codec::FpcClassic : codec::Fpc;
  if (type == data_type::Double || type == data_type::DoubleComplex) result = codec::LsbCut;
  return result;
}

/// Selects the codec of a packet. A packet with codec::Raw travels unchanged.
constexpr codec choose_codec(const selection_inputs& in, const selection_parameters& parameters, bool classic,
                             unsigned words_per_flit, std::uint32_t depth) {
  return is_candidate(in, words_per_flit, depth) && is_selected(in, parameters) ? codec_for(in.type, classic)
                                                                                : codec::Raw;
}

/// The path of a packet's flits in a compressor.
enum class compressor_path : std::uint8_t {
  None,    ///< there is no packet
  Bypass,  ///< combinationally to the output
  Store,   ///< to the raw memory
  Encode,  ///< to the raw memory and the encoder
};

/// The path of a packet that gets the codec \p chosen. \p empty: the compressor holds no packet.
constexpr compressor_path path_for(codec chosen, bool empty) {
  return chosen != codec::Raw ? compressor_path::Encode : empty ? compressor_path::Bypass : compressor_path::Store;
}

}  // namespace weft
