// SPDX-License-Identifier: Apache-2.0
/// Encodes and decodes whole messages without modeling time: the reference for tests of compressor and decompressor,
/// and a way to count bits for compression ratios. docs/03_reference/compression.md describes the formats.
///
/// `words_per_flit` below (K) is 1, 2, 4 or 8; otherwise the functions throw std::invalid_argument. A payload consists
/// of flits of K words each.
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

/// Encodes \p message with codec \p how; codec::Raw returns the words of the message. The result may be longer than the
/// raw message.
/// \throws std::invalid_argument unless \p how is Raw, for an empty message, a cut above MaxCut, or an invalid table
coded_message encode(const std::vector<std::uint32_t>& message, codec how, unsigned words_per_flit,
                     const codec_parameters& parameters);

/// A packet as it travels through the network: its header, and its payload as words.
struct travelling_packet {
  weft::header header;
  std::vector<std::uint32_t> payload;
};

/// Builds the packet of a message as it travels: coded with \p how if this saves at least one flit, otherwise raw. Sets
/// all header fields except destination and source.
/// \throws std::invalid_argument in the same cases as encode()
travelling_packet travelling_form(const std::vector<std::uint32_t>& message, data_type type, codec how,
                                  unsigned words_per_flit, const codec_parameters& parameters);

struct decoded_message {
  std::vector<std::uint32_t> words;  ///< header.words words; zeros from the first erroneous group on
  codec_error error = codec_error::None;
  std::vector<unsigned> group_lengths{};  ///< bits of each group that was removed from the string
};

/// Decodes a packet exactly as a decompressor does, including packets with errors. A raw packet has no errors; words
/// that it lacks are zero. The packet ends where \p payload ends, even if the header gives another length.
/// \throws std::invalid_argument for a payload that is empty or not a whole number of flits
decoded_message decode(const header& head, const std::vector<std::uint32_t>& payload, unsigned words_per_flit,
                       const codec_parameters& parameters);

/// Counts the bits of a coded message while its words are added. The result does not depend on K.
class coded_length {
 public:
  coded_length(codec how, const codec_parameters& parameters) : m_codec(how), m_parameters(parameters) {}

  void add(std::uint32_t word);

  /// Number of bits of the coded message if the last word added is its last word.
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
