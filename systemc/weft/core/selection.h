// SPDX-License-Identifier: Apache-2.0
/// Which packets are compressed: Algorithm 1 of COMPRESS.
#pragma once

#include <cstdint>

#include "weft/core/codec.h"

namespace weft {

enum class selection_mode : std::uint8_t {
  None = 0,       ///< nothing is compressed
  Always = 1,     ///< whatever has a codec
  Selective = 2,  ///< long packets, and all while the network is congested
};

/// When a packet is worth it. A packet is wanted from length_threshold flits on, and *above* the other two thresholds.
struct selection_parameters {
  selection_mode mode = selection_mode::Selective;
  std::uint32_t length_threshold = 200;  ///< L_th, flits. Equation 1 breaks even there: 100 cycles, ratio 2
  std::uint32_t received_threshold = 0;  ///< N_th, flits received in the last window
  std::uint32_t queue_threshold = 0;     ///< Q_th, packets that wait
};

/// What Algorithm 1 looks at. The form is that in which the packet comes.
struct selection_inputs {
  data_type type = data_type::Other;
  std::uint32_t flits = 0;  ///< length of the packet
  std::uint32_t words = 0;  ///< length of its message
  codec form = codec::Raw;
  std::uint32_t received = 0;  ///< N
  std::uint32_t queue = 0;     ///< Q
};

/// Whether a packet can be compressed at all: it comes raw, there is something to gain, it fits a memory of \p depth
/// flits, and it does not contradict itself. \p words_per_flit: K.
constexpr bool is_candidate(const selection_inputs& in, unsigned words_per_flit, std::uint32_t depth) {
  const std::uint64_t room = static_cast<std::uint64_t>(in.flits) * words_per_flit;  // a flit less is too short
  return in.form == codec::Raw && in.flits >= 2 && in.flits <= depth && in.words <= room &&
         room < static_cast<std::uint64_t>(in.words) + words_per_flit;
}

/// Whether Algorithm 1 asks for compression.
constexpr bool is_wanted(const selection_inputs& in, const selection_parameters& parameters) {
  return parameters.mode == selection_mode::Always ||
         (parameters.mode == selection_mode::Selective &&
          (in.flits >= parameters.length_threshold || in.received > parameters.received_threshold ||
           in.queue > parameters.queue_threshold));
}

/// The codec for data of \p type. \p classic: integers take the classic code.
constexpr codec codec_for(data_type type, bool classic) {
  codec result = codec::Raw;
  if (type == data_type::Int) result = classic ? codec::FpcClassic : codec::Fpc;
  if (type == data_type::Double || type == data_type::DoubleComplex) result = codec::LsbCut;
  return result;
}

/// The codec that a packet gets; Raw: it travels as it comes.
constexpr codec choose_codec(const selection_inputs& in, const selection_parameters& parameters, bool classic,
                             unsigned words_per_flit, std::uint32_t depth) {
  return is_candidate(in, words_per_flit, depth) && is_wanted(in, parameters) ? codec_for(in.type, classic)
                                                                              : codec::Raw;
}

/// Where the flits of a packet go in a compressor.
enum class compressor_path : std::uint8_t {
  None,    ///< there is no packet
  Bypass,  ///< combinationally to the output
  Store,   ///< to the raw memory
  Encode,  ///< to the raw memory and the encoder
};

/// Where those of a packet go that gets the codec \p chosen. \p empty: no packet is within the compressor.
constexpr compressor_path path_for(codec chosen, bool empty) {
  return chosen != codec::Raw ? compressor_path::Encode : empty ? compressor_path::Bypass : compressor_path::Store;
}

}  // namespace weft
