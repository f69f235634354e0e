// SPDX-License-Identifier: Apache-2.0
/// A timing model of the decompressor in the receive path of a NIC, for one channel. It behaves as pin::decompressor
/// does for packets without errors.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "weft/core/bits.h"
#include "weft/core/lsb_cut.h"
#include "weft/engine/base/packet_pool.h"
#include "weft/engine/nic/coded_forms.h"
#include "weft/engine/nic/compressors.h"

namespace weft::engine {

class decompressor {
 public:
  decompressor(unsigned words_per_flit, const packet_pool& packets, const coded_forms& forms)
      : m_words(words_per_flit), m_packets(&packets), m_forms(&forms) {}

  bool empty() const { return m_fifo_count == 0 && !m_decoding && !m_group.valid && !m_out.valid(); }

  /// Returns the flit on the output in a cycle in which \p in is offered. If \p in has no packet, no flit is offered.
  nic_flit output(const nic_flit& in) const { return bypasses(in) ? in : m_out; }

  /// Performs a cycle in which \p in is offered. \p ready: the receiver accepts the flit on the output. Returns whether
  /// \p in is accepted.
  bool cycle(const nic_flit& in, bool ready) {
    const bool bypass = bypasses(in);
    const bool accepted = in.valid() && (bypass ? ready : m_fifo_count < m_fifo.size());
    // At the end of the cycle, the parts are updated in the order from output to input.
    const bool output_free = !m_out.valid() || ready;
    const decision d = decide(output_free);
    if (output_free) m_out = m_group.valid ? emit() : nic_flit();
    if (d.raw) m_group = {true, false, false, m_fifo[0]};
    if (d.load) load();
    move_window(d);
    if (d.pop) {
      m_fifo[0] = m_fifo[1];
      --m_fifo_count;
    }
    if (accepted && bypass) m_bypass = !in.tail;
    if (accepted && !bypass) m_fifo[m_fifo_count++] = in;
    return accepted;
  }

 private:
  /// The contents of the group register: one or two flits of the message.
  struct group {
    bool valid = false;
    bool pair = false;  ///< both flits of the group remain
    bool decoded = false;
    nic_flit flit;  ///< the next flit of the group
    bool last = false;
  };

  struct decision {
    bool pop = false, push = false, start = false, raw = false, load = false;
  };

  bool bypasses(const nic_flit& in) const { return m_bypass || (in.valid() && in.head() && !is_coded(in) && empty()); }
  bool is_coded(const nic_flit& f) const { return (*m_packets)[f.packet].codec != codec::Raw; }
  unsigned group_words() const {
    const unsigned most = (*m_packets)[m_packet].codec == codec::LsbCut && m_words == 1 ? 2 : m_words;
    return std::min(m_words_left, most);
  }

  decision decide(bool output_free) const {
    decision d;
    const bool flit_waits = m_fifo_count != 0;
    const bool coded_head_waits = flit_waits && m_fifo[0].head() && is_coded(m_fifo[0]);
    const bool group_free = !m_group.valid || (output_free && !m_group.pair);
    if (!m_decoding) {
      d.start = coded_head_waits;
      d.raw = flit_waits && !d.start && group_free;
      d.pop = d.start || d.raw;
      return d;
    }
    const bool last = group_words() == m_words_left;
    const bool fits = (*m_forms)[m_packet].group_lengths[m_groups_consumed] <= m_available;
    d.load = fits && group_free && (!last || m_tail_seen);
    d.start = d.load && last && coded_head_waits;
    d.push = flit_waits && m_available <= chunk_bits(m_words) && !m_tail_seen;
    d.pop = d.push || d.start;
    return d;
  }

  nic_flit emit() {
    nic_flit out = m_group.flit;
    out.tail = m_group.decoded ? m_group.last && !m_group.pair : out.tail;
    m_group.valid = m_group.pair;
    m_group.pair = false;
    ++m_group.flit.sequence;
    return out;
  }

  void load() {
    const unsigned words = group_words();
    m_group = {true, m_words == 1 && words == 2, true, {m_packet, m_sequence, m_vc, false}, words == m_words_left};
    m_sequence += m_group.pair ? 2 : 1;
    m_words_left -= words;
    m_available -= (*m_forms)[m_packet].group_lengths[m_groups_consumed++];
  }

  void move_window(const decision& d) {
    if (d.push) {
      m_available += 32 * m_words;
      m_tail_seen = m_fifo[0].tail;
    }
    if (d.load && m_words_left == 0) m_decoding = false;
    if (!d.start) return;
    const nic_flit& head = m_fifo[0];
    m_packet = head.packet;
    m_vc = head.vc;
    m_words_left = (*m_packets)[head.packet].words;
    m_tail_seen = head.tail;
    m_available = 32 * m_words;
    m_groups_consumed = 0;
    m_sequence = 0;
    m_decoding = true;
  }

  unsigned m_words;  ///< words per flit
  const packet_pool* m_packets;
  const coded_forms* m_forms;
  std::array<nic_flit, 2> m_fifo;
  unsigned m_fifo_count = 0;
  bool m_bypass = false;
  // The packet in the window
  bool m_decoding = false;
  packet_handle m_packet = NoPacket;
  std::uint32_t m_vc = 0;
  std::uint32_t m_words_left = 0;
  bool m_tail_seen = false;
  unsigned m_available = 0;  ///< number of bits in the window
  std::size_t m_groups_consumed = 0;
  std::uint32_t m_sequence = 0;  ///< sequence number of the next flit of the message
  group m_group;
  nic_flit m_out;
};

}  // namespace weft::engine
