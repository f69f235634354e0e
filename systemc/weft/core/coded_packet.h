// SPDX-License-Identifier: Apache-2.0
/// Encodes and decodes whole messages: the untimed equivalent of compressor and decompressor. It is the reference for
/// tests of the modules, and it counts bits for compression ratios. Formats: docs/03_reference/compression.md.
///
/// `words_per_flit` below (K) is 1, 2, 4 or 8; otherwise the functions throw std::invalid_argument. Payloads are flits
/// as words, K words each.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/core/codec.h"
#include "weft/core/flit.h"
#include "weft/core/fpc.h"

namespace weft {

/// A coded message, divided into flits.
struct coded_message {
  std::uint64_t bits = 0;              ///< length of the bit string
  std::vector<std::uint32_t> payload;  ///< the bit string, low bit first; the last flit is padded with zeros
};

/// Encodes \p message with codec \p how; codec::Raw returns its words. The result may be longer than the raw message.
/// \throws std::invalid_argument for a cut above MaxCut, an invalid table, or an empty message with a codec
coded_message encode(const std::vector<std::uint32_t>& message, codec how, unsigned words_per_flit,
                     const codec_parameters& parameters);

/// A packet as it travels.
struct travelling_packet {
  weft::header header;
  std::vector<std::uint32_t> payload;
};

/// Builds the packet of a message as it travels: coded with \p how if that saves at least one flit, otherwise raw.
/// Fills in all header fields except destination and source.
/// \throws std::invalid_argument as encode()
travelling_packet travelling_form(const std::vector<std::uint32_t>& message, data_type type, codec how,
                                  unsigned words_per_flit, const codec_parameters& parameters);

struct decoded_message {
  std::vector<std::uint32_t> words;  ///< header.words words; zeros from the first erroneous group on
  codec_error error = codec_error::None;
  std::vector<unsigned> group_lengths{};  ///< bits of each group that was removed from the string
};

/// Decodes a packet as a decompressor does, including erroneous packets, word for word. A raw packet is never
/// erroneous: its missing words are zero. Length and tail are those of \p payload, not of the header.
/// \throws std::invalid_argument for a payload that is empty or not a whole number of flits
decoded_message decode(const header& head, const std::vector<std::uint32_t>& payload, unsigned words_per_flit,
                       const codec_parameters& parameters);

/// Counts the bits of a coded message, word by word. The result does not depend on K.
class coded_length {
 public:
  coded_length(codec how, const codec_parameters& parameters) : m_codec(how), m_parameters(parameters) {}

  void add(std::uint32_t word);

  /// Bits of the message if it ends here.
  std::uint64_t bits() const;

 private:
  codec m_codec;
  codec_parameters m_parameters;
  std::uint64_t m_bits = 0;  ///< bits of the complete groups
  classic_state m_run;       ///< classic: the open run of zeros
  bool m_has_lower = false;  ///< LSB-cut: a lower word waits for its partner
  std::uint32_t m_lower = 0;
};

}  // namespace weft
