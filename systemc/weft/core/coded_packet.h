// SPDX-License-Identifier: Apache-2.0
/// Whole messages in code and back: what compressor and decompressor do to a packet, without their clock. The reference
/// for tests of the modules, and what counts bits for ratios. Formats: docs/03_reference/compression.md.
///
/// K, words_per_flit below, is 1, 2, 4 or 8; else std::invalid_argument. Payloads are flits as words, K each.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/core/codec.h"
#include "weft/core/flit.h"
#include "weft/core/fpc.h"

namespace weft {

/// A message in code, cut into flits.
struct coded_message {
  std::uint64_t bits = 0;              ///< length of the string
  std::vector<std::uint32_t> payload;  ///< the string, low bit first; the last flit is filled up with zeros
};

/// \p message in the code \p how; with codec::Raw just its words. The shorter form is not chosen here.
/// \throws std::invalid_argument for a cut above MaxCut, an impossible table, or a message of no words in code
coded_message encode(const std::vector<std::uint32_t>& message, codec how, unsigned words_per_flit,
                     const codec_parameters& parameters);

/// A packet as it travels.
struct travelling_packet {
  weft::header header;
  std::vector<std::uint32_t> payload;
};

/// The packet of a message as it travels: in the code \p how if that makes it shorter by a flit at least, else raw.
/// Fills all of the header in but destination and source. \throws std::invalid_argument as encode()
travelling_packet travelling_form(const std::vector<std::uint32_t>& message, data_type type, codec how,
                                  unsigned words_per_flit, const codec_parameters& parameters);

struct decoded_message {
  std::vector<std::uint32_t> words;  ///< header.words of them; zeros from the group on that was found wrong
  codec_error error = codec_error::None;
  std::vector<unsigned> group_lengths{};  ///< bits of each group that was taken off the string
};

/// What a decompressor makes of the packet, wrong ones included, word for word. A raw packet is never wrong: its words,
/// zeros in place of those that are missing. Length and tail are those of \p payload, not of the header.
/// \throws std::invalid_argument for a payload that is no whole number of flits, or has none
decoded_message decode(const header& head, const std::vector<std::uint32_t>& payload, unsigned words_per_flit,
                       const codec_parameters& parameters);

/// Counts the bits of a message in code, word by word. It does not depend on K.
class coded_length {
 public:
  coded_length(codec how, const codec_parameters& parameters) : m_codec(how), m_parameters(parameters) {}

  void add(std::uint32_t word);

  /// Bits, if the message ends here.
  std::uint64_t bits() const;

 private:
  codec m_codec;
  codec_parameters m_parameters;
  std::uint64_t m_bits = 0;  ///< of what is complete
  classic_state m_run;       ///< classic: the run that is open
  bool m_has_lower = false;  ///< LSB-cut: a lower word waits for its partner
  std::uint32_t m_lower = 0;
};

}  // namespace weft
