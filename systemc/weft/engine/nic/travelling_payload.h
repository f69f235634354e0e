// SPDX-License-Identifier: Apache-2.0
/// The payload of flits as they travel: that of the message, or the bits that a compressor made of it.
#pragma once

#include <algorithm>
#include <cstdint>

#include "weft/engine/base/channel_meters.h"
#include "weft/engine/base/packet_pool.h"
#include "weft/engine/nic/coded_forms.h"

namespace weft::engine {

class travelling_payload final : public payload_on_wires {
 public:
  /// \param has_bits false: coded packets have an assumed length, so their flits carry no bits
  travelling_payload(const packet_pool& packets, const coded_forms& forms, unsigned flit_words, bool has_bits)
      : m_packets(packets), m_forms(forms), m_flit_words(flit_words), m_has_bits(has_bits) {}

  unsigned flit_words() const override { return m_flit_words; }

  void flit(packet_handle packet, std::uint32_t sequence, std::uint64_t* out) const override {
    const packet_record& p = m_packets[packet];
    if (p.codec == codec::Raw)
      m_forms.message_flit(packet, p, sequence, out);
    else if (m_has_bits)
      m_forms.flit_of(m_forms[packet].payload, sequence, out);
    else
      std::fill_n(out, m_flit_words, std::uint64_t{0});
  }

 private:
  const packet_pool& m_packets;
  const coded_forms& m_forms;
  const unsigned m_flit_words;
  const bool m_has_bits;
};

}  // namespace weft::engine
