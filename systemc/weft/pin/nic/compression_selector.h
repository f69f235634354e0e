// SPDX-License-Identifier: Apache-2.0
/// Compression selector: Algorithm 1 of COMPRESS. It selects the packets to encode, and the codec of each.
///
/// Latency    None: combinational.
/// Handshake  None.
#pragma once

#include <cstdint>

#include <systemc>

#include "weft/core/selection.h"
#include "weft/pin/ports.h"
#include "weft/pin/signals.h"

namespace weft::pin {

class compression_selector : public sc_core::sc_module {
 public:
  in_port<std::uint8_t> mode_i{"mode_i"};                               ///< a selection_mode
  in_port<std::uint8_t> type_i{"type_i"};                               ///< a data_type
  in_port<std::uint32_t> flits_i{"flits_i"};                            ///< length of the packet
  in_port<std::uint32_t> words_i{"words_i"};                            ///< length of its message
  in_port<std::uint8_t> codec_i{"codec_i"};                             ///< codec of the packet as it arrives
  in_port<std::uint32_t> received_i{"received_i"};                      ///< N: flits that the node received in the last
                                                                        ///< window
  in_port<std::uint32_t> queue_i{"queue_i"};                            ///< Q: packets that wait behind those being
                                                                        ///< sent
  in_port<std::uint32_t> length_threshold_i{"length_threshold_i"};      ///< L_th
  in_port<std::uint32_t> received_threshold_i{"received_threshold_i"};  ///< N_th
  in_port<std::uint32_t> queue_threshold_i{"queue_threshold_i"};        ///< Q_th
  out_port<std::uint8_t> codec_o{"codec_o"};                            ///< codec to encode the packet with; raw = do
                                                                        ///< not encode it

  /// \param words   words per flit
  /// \param classic whether integers use the classic code
  /// \param depth   maximum length in flits of a packet that can be encoded
  compression_selector(sc_core::sc_module_name name, unsigned words, bool classic, unsigned depth)
      : sc_module(name), m_words(words), m_classic(classic), m_depth(depth) {
    SC_HAS_PROCESS(compression_selector);
    SC_METHOD(combinational);
    sensitive << mode_i << type_i << flits_i << words_i << codec_i << received_i << queue_i << length_threshold_i
              << received_threshold_i << queue_threshold_i;
  }

 private:
  void combinational() {
    selection_inputs packet;
    packet.type = static_cast<data_type>(type_i.read());
    packet.flits = flits_i.read();
    packet.words = words_i.read();
    packet.form = static_cast<codec>(codec_i.read());
    packet.received = received_i.read();
    packet.queue = queue_i.read();
    selection_parameters parameters;
    parameters.mode = static_cast<selection_mode>(mode_i.read());
    parameters.length_threshold = length_threshold_i.read();
    parameters.received_threshold = received_threshold_i.read();
    parameters.queue_threshold = queue_threshold_i.read();
    codec_o.write(static_cast<std::uint8_t>(choose_codec(packet, parameters, m_classic, m_words, m_depth)));
  }

  const unsigned m_words;
  const bool m_classic;
  const unsigned m_depth;
};

}  // namespace weft::pin
