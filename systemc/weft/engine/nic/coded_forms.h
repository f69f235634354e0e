// SPDX-License-Identifier: Apache-2.0
/// The bits of coded packets. They are stored here, because flits of the engine do not contain payload.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/core/coded_packet.h"
#include "weft/engine/base/packet_pool.h"
#include "weft/engine/nic/packet_contents.h"

namespace weft::engine {

/// The coded form of a message, and the message that the decompressor computes from it.
struct coded_form {
  std::vector<std::uint32_t> payload;   ///< words of the coded packet
  std::vector<unsigned> group_lengths;  ///< number of bits of each group that a decoder reads
  std::vector<std::uint32_t> message;   ///< the decoded message, padded with words to whole flits
};

/// Encodes messages for the compressors, and stores the results until the packets are delivered.
class coded_forms {
 public:
  coded_forms(const packet_contents& contents, const codec_parameters& parameters, unsigned words_per_flit)
      : m_contents(contents),
        m_parameters(parameters),
        m_words(words_per_flit),
        m_flit(words_per_flit < 2 ? 1 : words_per_flit / 2) {}

  /// Encodes \p p with the codec \p how. If this makes the packet shorter, sets the length and the codec in its record
  /// to those of the coded form.
  void encode(packet_handle handle, packet_record& p, codec how);

  const coded_form& operator[](packet_handle handle) const { return m_forms[handle]; }

  /// Writes flit number \p sequence of the decoded message to \p out.
  void message_flit(packet_handle handle, const packet_record& p, std::uint32_t sequence, std::uint64_t* out) const {
    if (p.codec == codec::Raw)
      m_contents.flit(handle, p, sequence, out);
    else
      flit_of(m_forms[handle].message, sequence, out);
  }

  /// Writes flit number \p sequence of the message \p words to \p out, as 64-bit words, low word first.
  void flit_of(const std::vector<std::uint32_t>& words, std::uint32_t sequence, std::uint64_t* out) const;

 private:
  const packet_contents& m_contents;
  const codec_parameters m_parameters;
  const unsigned m_words;             ///< words per flit
  std::vector<std::uint64_t> m_flit;  ///< buffer for one flit, in the format of the source
  std::vector<coded_form> m_forms;    ///< the coded forms, by handle
};

}  // namespace weft::engine
