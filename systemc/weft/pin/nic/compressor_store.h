// SPDX-License-Identifier: Apache-2.0
/// The storage of a compressor: a queue of packets, and the two memories that hold their flits. The class compressor
/// (compressor.h), which contains the control, is derived from it.
///
/// Purpose    A ring of descriptors lists the packets. The raw memory and the packed memory are rings of flits. The
///            head of a packet reserves room in the memories. When the last flit of the coded form arrives, the store
///            selects the form that leaves, and releases the room of the other form.
#pragma once

#include <array>
#include <cstdint>
#include <ostream>

#include "weft/core/bits.h"
#include "weft/core/codec.h"
#include "weft/core/flit.h"
#include "weft/core/parameters.h"
#include "weft/pin/codec/bit_packer.h"
#include "weft/pin/codec/codec_trace.h"
#include "weft/pin/nic/packet_stage.h"
#include "weft/pin/signals.h"

namespace weft::pin {

inline constexpr unsigned MaxCompressorPackets = 64;  ///< maximum packets inside a compressor

/// The free room in a compressor.
struct compressor_room {
  bool empty = true;         ///< no packet is inside
  bool full = false;         ///< no further packet is accepted, whatever its length
  std::uint32_t raw = 0;     ///< unreserved flits in the raw memory
  std::uint32_t packed = 0;  ///< unreserved flits in the packed memory

  /// Whether a packet of \p flits flits can be accepted. \p encode: the packet will be encoded, so it also needs room
  /// in the packed memory.
  bool is_for(std::uint32_t flits, bool encode) const { return !full && flits <= raw && (!encode || flits <= packed); }
  friend bool operator==(const compressor_room& a, const compressor_room& b) {
    return a.empty == b.empty && a.full == b.full && a.raw == b.raw && a.packed == b.packed;
  }
  friend std::ostream& operator<<(std::ostream& out, const compressor_room& r) {
    return out << (r.empty  ? "empty"
                   : r.full ? "full"
                            : "neither empty nor full")
               << ", room for " << r.raw << " raw and " << r.packed << " packed flits";
  }
};

/// \tparam PayloadBits payload width of a flit in bits
template <unsigned PayloadBits>
class compressor_store : public packet_stage<PayloadBits> {
 public:
  static constexpr unsigned Words = PayloadBits / 32;  ///< words per flit (K)
  using flit_t = typename packet_stage<PayloadBits>::flit_t;

#ifndef WEFT_SYNTHESIS
  /// Number of packets that left coded since reset.
  std::uint64_t packets_compressed() const { return m_packets_compressed; }
  /// Number of packets since reset that were encoded but left raw, because the coded form was not shorter.
  std::uint64_t packets_lost() const { return m_packets_lost; }
  /// Number of words, before compression (words_in) and after it (words_out), of the packets that left coded since
  /// reset.
  std::uint64_t words_in() const { return m_words_in; }
  std::uint64_t words_out() const { return m_words_out; }
#endif

 protected:
  using packed_flits = word_row<bit_packer<Words>::MaxFlits * Words>;

  /// \param depth   flits in each memory: a power of two, at most MaxCompressorFlits
  /// \param packets number of descriptors: a power of two, at most MaxCompressorPackets
  compressor_store(sc_core::sc_module_name name, unsigned depth, unsigned packets, bool classic)
      : packet_stage<PayloadBits>(name),
        m_depth(depth),
        m_packets(packets),
        m_classic(classic),
        m_raw("raw", depth),
        m_packed("packed", depth) {}

  compressor_room room() const {
    compressor_room room;
    room.empty = m_count_q == 0;
    room.full = m_count_q == m_packets;
    room.raw = m_depth - m_raw_used_q;
    room.packed = m_depth - m_packed_used_q;
    return room;
  }

  /// The free room of an empty compressor.
  compressor_room all_room() const {
    compressor_room room;
    room.raw = m_depth;
    room.packed = m_depth;
    return room;
  }

  /// Adds an arriving packet. Reserves room for its raw form and, if it is encoded, the same room for its coded form.
  /// \param cut number of bits that LSB-cut removes from each double
  void begin(const flit_t& head, bool encode, std::uint8_t cut) {
    descriptor d;
    d.raw_flits = head.flits;
    d.done = !encode;
    d.cut = cut;
    d.vc = head.vc;
#ifndef WEFT_SYNTHESIS
    d.tag = head.tag;
#endif
    m_descriptor_q[nth(m_count_q)] = d;
    m_header_q[nth(m_count_q)] = header_of(head);
    m_count_q++;
    m_raw_used_q += d.raw_flits;
    if (encode) m_packed_used_q += d.raw_flits;
  }

  /// Stores the next flit of the arriving packet in raw form.
  void store(const flit_t& in) {
    m_raw[m_raw_write_q].write(words_of(in));
    m_raw_write_q = in_ring(m_raw_write_q + 1);
    m_raw_held_q++;
  }

  /// Stores the packer's flits in the packed memory as long as they make the packet shorter. With the last flit of a
  /// packet it selects the form that leaves.
  void collect(const packed_flits& flits, unsigned count, bool last) {
    const unsigned at = being_encoded();
    for (unsigned j = 0; j < bit_packer<Words>::MaxFlits; ++j) {
      if (j < count && m_packed_q + j + 1 < m_descriptor_q[at].raw_flits) {
        word_row<Words> words;
        for (unsigned word = 0; word < Words; ++word) words.word[word] = flits.word[j * Words + word];
        m_packed[in_ring(m_packed_write_q + m_packed_q + j)].write(words);
      }
    }
    m_packed_q += count;
    if (last) decide(at);
  }

  /// Outputs the next flit of the oldest packet, or no flit if none is ready.
  flit_t fetch() {
    flit_t out;
    const descriptor d = m_descriptor_q[m_oldest_q];
    if (m_count_q != 0 && d.done && (d.coded || m_raw_held_q != 0)) {
      const header h = m_header_q[m_oldest_q];
      out.valid = true;
      out.head = m_fetched_q == 0;
      out.tail = m_fetched_q + 1 == h.flits;
      out.vc = d.vc;
      if (out.head) put_header(out, h);
#ifndef WEFT_SYNTHESIS
      out.tag = d.tag.of(m_fetched_q);
#endif
      if (d.coded) {
        WEFT_VALUE(word_row<Words>, words, m_packed[m_packed_read_q].read());
        put_words(out, words);
        m_packed_read_q = in_ring(m_packed_read_q + 1);
        m_packed_used_q--;
        if (out.head) release_raw(d.raw_flits);
      } else {
        WEFT_VALUE(word_row<Words>, words, m_raw[m_raw_read_q].read());
        put_words(out, words);
        release_raw(1);
      }
      m_fetched_q++;
      if (out.tail) {
        m_fetched_q = 0;
        m_oldest_q = nth(1);
        m_count_q--;
      }
    }
    return out;
  }

  void clear_packets() {
    m_oldest_q = 0;
    m_count_q = 0;
    m_fetched_q = 0;
    m_raw_write_q = 0;
    m_raw_read_q = 0;
    m_raw_used_q = 0;
    m_raw_held_q = 0;
    m_packed_write_q = 0;
    m_packed_read_q = 0;
    m_packed_used_q = 0;
    m_packed_q = 0;
#ifndef WEFT_SYNTHESIS
    m_packets_compressed = m_packets_lost = m_words_in = m_words_out = 0;
#endif
  }

 private:
  struct descriptor {
    std::uint32_t raw_flits = 0;  // length of the raw form
    std::uint8_t cut = 0;         // bits removed from each double, if the packet is coded by LSB-cut
    bool coded = false;           // whether the packet leaves from the packed memory
    bool done = false;            // whether the form that leaves has been selected
    std::uint8_t vc = 0;
#ifndef WEFT_SYNTHESIS
    flit_tag tag;
#endif
  };

  /// Index of the descriptor of packet \p n; packet 0 is the oldest.
  unsigned nth(unsigned n) const { return (m_oldest_q + n) & (m_packets - 1); }
  /// Index in a memory, which is a ring, of the flit with a running number.
  unsigned in_ring(unsigned flit) const { return flit & (m_depth - 1); }

  /// Number of the oldest packet whose form has not been selected yet. The packer works on this packet.
  unsigned being_encoded() const {
    unsigned n = 0;
    for (unsigned i = 0; i < m_packets; ++i) {
      if (!m_descriptor_q[nth(i)].done) break;
      n = i + 1;
    }
    return nth(n);
  }

  void decide(unsigned at) {
    const std::uint32_t total = m_packed_q;
    descriptor d = m_descriptor_q[at];
    header h = m_header_q[at];
    d.done = true;
    d.coded = total < d.raw_flits;
    if (d.coded) {
      h.flits = total;
      h.codec = codec_for(h.type, m_classic);
      h.cut = h.codec == codec::LsbCut ? d.cut : 0;
      m_packed_used_q -= d.raw_flits - total;
      m_packed_write_q = in_ring(m_packed_write_q + total);
    } else {
      m_packed_used_q -= d.raw_flits;
    }
    m_packed_q = 0;
    m_descriptor_q[at] = d;
    m_header_q[at] = h;
#ifndef WEFT_SYNTHESIS
    (d.coded ? m_packets_compressed : m_packets_lost)++;
    if (d.coded) m_words_in += h.words;
    if (d.coded) m_words_out += std::uint64_t{total} * Words;
#endif
  }

  void release_raw(std::uint32_t flits) {
    m_raw_read_q = in_ring(m_raw_read_q + flits);
    m_raw_used_q -= flits;
    m_raw_held_q -= flits;
  }

  const unsigned m_depth;
  const unsigned m_packets;
  const bool m_classic;

  // Packets
  std::array<descriptor, MaxCompressorPackets> m_descriptor_q;  // a ring of m_packets descriptors
  std::array<header, MaxCompressorPackets> m_header_q;          // the headers of these packets, final when `done` is
                                                                // set
  unsigned m_oldest_q = 0;                                      // first descriptor of the ring
  unsigned m_count_q = 0;                                       // number of packets in the ring
  std::uint32_t m_fetched_q = 0;                                // flits of the oldest packet that have been fetched
  // The memories have no initial contents, because only written flits are read. Each one is a ring of m_depth flits.
  untraced_registers<word_row<Words>> m_raw;
  untraced_registers<word_row<Words>> m_packed;
  unsigned m_raw_write_q = 0;
  unsigned m_raw_read_q = 0;
  unsigned m_raw_used_q = 0;      // reserved flits
  unsigned m_raw_held_q = 0;      // reserved flits that are written
  unsigned m_packed_write_q = 0;  // start of the packet that is being encoded
  unsigned m_packed_read_q = 0;
  unsigned m_packed_used_q = 0;  // reserved flits
  std::uint32_t m_packed_q = 0;  // flits of this packet that the packer has produced
#ifndef WEFT_SYNTHESIS
  std::uint64_t m_packets_compressed = 0, m_packets_lost = 0, m_words_in = 0, m_words_out = 0;
#endif
};

}  // namespace weft::pin
