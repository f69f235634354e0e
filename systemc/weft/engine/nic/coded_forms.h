// SPDX-License-Identifier: Apache-2.0
/// The bits of packets that travel in code, apart from the flits.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/core/coded_packet.h"
#include "weft/engine/base/packet_pool.h"
#include "weft/engine/nic/packet_contents.h"

namespace weft::engine {

/// What a compressor makes of a message, and the decompressor of that.
struct coded_form {
  std::vector<std::uint32_t> payload;   ///< as it travels, words
  std::vector<unsigned> group_lengths;  ///< bits of each group that a decoder takes
  std::vector<std::uint32_t> message;   ///< as it arrives, whole flits of words
};

/// Codes messages when a compressor asks, and keeps what came out until the packet is delivered.
class coded_forms {
 public:
  coded_forms(const packet_contents& contents, const codec_parameters& parameters, unsigned words_per_flit)
      : m_contents(contents),
        m_parameters(parameters),
        m_words(words_per_flit),
        m_flit(words_per_flit < 2 ? 1 : words_per_flit / 2) {}

  /// Codes \p p with \p how; if that makes it shorter its form, length and codec are noted in the record.
  void encode(packet_handle handle, packet_record& p, codec how);

  const coded_form& operator[](packet_handle handle) const { return m_forms[handle]; }

  /// Flit \p sequence of the message as it arrives.
  void message_flit(packet_handle handle, const packet_record& p, std::uint32_t sequence, std::uint64_t* out) const {
    if (p.codec == codec::Raw)
      m_contents.flit(handle, p, sequence, out);
    else
      flit_of(m_forms[handle].message, sequence, out);
  }

  /// Flit \p sequence of \p words as 64-bit words at \p out, low word first.
  void flit_of(const std::vector<std::uint32_t>& words, std::uint32_t sequence, std::uint64_t* out) const;

 private:
  const packet_contents& m_contents;
  const codec_parameters m_parameters;
  const unsigned m_words;             ///< of a flit
  std::vector<std::uint64_t> m_flit;  ///< the same, as the source gives them
  std::vector<coded_form> m_forms;    ///< by handle
};

}  // namespace weft::engine
