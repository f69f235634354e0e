// SPDX-License-Identifier: Apache-2.0
#include "weft/engine/nic/coded_forms.h"

#include <algorithm>

namespace weft::engine {

void coded_forms::encode(packet_handle handle, packet_record& p, codec how) {
  std::vector<std::uint32_t> message;
  message.reserve(p.words);
  for (std::uint32_t sequence = 0; sequence < p.what.flits; ++sequence) {
    m_contents.flit(handle, p, sequence, m_flit.data());
    for (unsigned word = 0; word < m_words; ++word)
      message.push_back(static_cast<std::uint32_t>(m_flit[word / 2] >> 32 * (word % 2)));
  }
  message.resize(p.words);
  travelling_packet travelling = travelling_form(message, p.what.type, how, m_words, m_parameters.with_cut(p.what.cut));
  if (travelling.header.codec == codec::Raw) return;

  p.travels = travelling.header.flits;
  p.codec = travelling.header.codec;
  p.cut = travelling.header.cut;
  if (m_forms.size() <= handle) m_forms.resize(handle + 1);
  coded_form& form = m_forms[handle];
  decoded_message decoded = decode(travelling.header, travelling.payload, m_words, m_parameters);
  form.group_lengths = std::move(decoded.group_lengths);
  form.message = std::move(decoded.words);
  form.message.resize((form.message.size() + m_words - 1) / m_words * m_words);
  form.payload = std::move(travelling.payload);
}

void coded_forms::flit_of(const std::vector<std::uint32_t>& words, std::uint32_t sequence, std::uint64_t* out) const {
  std::fill_n(out, m_flit.size(), 0);
  for (unsigned word = 0; word < m_words; ++word)
    out[word / 2] |= std::uint64_t{words[sequence * m_words + word]} << 32 * (word % 2);
}

}  // namespace weft::engine
