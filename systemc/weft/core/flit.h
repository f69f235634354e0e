// SPDX-License-Identifier: Apache-2.0
/// The flit: what one channel carries in one cycle. It has PayloadBits bits of data and the fields that a router needs.
///
/// | field   | wires           | meaningful in | meaning                                         |
/// |---------|-----------------|---------------|-------------------------------------------------|
/// | valid   | 1               | always        | there is a flit on the wires in this cycle      |
/// | head    | 1               | valid flits   | first flit of a packet                          |
/// | tail    | 1               | valid flits   | last flit of a packet; both: a one-flit packet  |
/// | vc      | log2(VCs)       | valid flits   | VC of the input port that receives it           |
/// | error   | 2               | tails         | error that a decoder found in the packet        |
/// | header  | 102             | head flits    | type … words: destination, source, class, length, form; never coded |
/// | code    | 105             | head flits    | role … second: data by name, for XOR stages; absent without them |
/// | path_id | 64              | head flits    | the source's choice of route; 0 outside the network |
/// | payload | PayloadBits     | valid flits   | data, low word first; heads also carry data     |
/// | tag     | none            | valid flits   | simulation only: the packet that it belongs to  |
///
/// The layout is flat and as small as the fields allow (one cache line up to 64 payload bits), because a router copies
/// each flit six times.
#pragma once

#include <cstdint>
#include <ostream>

#include "weft/core/bits.h"
#include "weft/core/codec.h"
#include "weft/core/types.h"
#include "weft/core/xor_code.h"

namespace weft {

struct header {
  node_id destination = 0;
  node_id source = 0;
  std::uint32_t flits = 0;  ///< length of the packet in the network, including head and tail
  std::uint32_t words = 0;  ///< length of the message in words of 32 bits
  data_type type = data_type::Other;
  weft::codec codec = weft::codec::Raw;
  std::uint8_t cut = 0;            ///< number of bits that LSB-cut removed
  std::uint8_t message_class = 0;  ///< class of VCs that the packet travels on, 0…router_parameters::classes - 1
  // Fields for XOR stages, as in xor_code
  xor_role role = xor_role::Plain;
  bool relay = false;
  bool overflow = false;
  std::uint64_t first = 0;   ///< packed by datum_bits()
  std::uint64_t second = 0;  ///< packed by datum_bits()

  friend bool operator==(const header& a, const header& b) {
    return a.destination == b.destination && a.source == b.source && a.flits == b.flits && a.words == b.words &&
           a.type == b.type && a.codec == b.codec && a.cut == b.cut && a.message_class == b.message_class &&
           a.role == b.role && a.relay == b.relay && a.overflow == b.overflow && a.first == b.first &&
           a.second == b.second;
  }
  friend std::ostream& operator<<(std::ostream& out, const header& h) {
    return out << h.source << " to " << h.destination << ", " << h.flits << " flits, " << h.words << " words";
  }
};

/// Identifies the packet of a flit, and the position of the flit in the packet, for logs and checks; no hardware
/// carries it. The data of the packet are in a table beside the network (pin/packet_table.h). Flits need no tag: code
/// that reads tags skips flits without one, and modules treat all flits alike.
class flit_tag {
 public:
  static constexpr unsigned SequenceBits = 8;
  /// Packets have the numbers 0 to Numbers - 1; the value Numbers stands for no tag.
  static constexpr std::uint32_t Numbers = (std::uint32_t{1} << (32 - SequenceBits)) - 1;

  /// Creates an unset tag.
  flit_tag() = default;
  /// \param packet   number of the packet in the table, < Numbers
  /// \param sequence 0 for the head; only the low bits of larger values are stored
  explicit flit_tag(std::uint32_t packet, std::uint32_t sequence = 0)
      : bits(packet << SequenceBits | (sequence & ((1U << SequenceBits) - 1))) {}

  bool is_set() const { return packet() != Numbers; }
  std::uint32_t packet() const { return bits >> SequenceBits; }
  std::uint32_t sequence() const { return bits & ((1U << SequenceBits) - 1); }
  /// The tag of flit \p sequence of the same packet; unset if this tag is unset.
  flit_tag of(std::uint32_t sequence) const { return is_set() ? flit_tag(packet(), sequence) : flit_tag(); }

  friend bool operator==(const flit_tag& a, const flit_tag& b) { return a.bits == b.bits; }

  /// The packet number and the sequence. In a waveform, the last two hexadecimal digits are the sequence; ffffff00 is
  /// an unset tag.
  std::uint32_t bits = Numbers << SequenceBits;
};

/// A flit with the fields that the table at the top of this file describes.
/// \tparam PayloadBits 32, or a multiple of 64 up to 512
template <unsigned PayloadBits>
struct alignas(64) flit {
  static_assert(PayloadBits == 32 || (PayloadBits >= 64 && PayloadBits <= 512 && PayloadBits % 64 == 0),
                "a flit carries 32 payload bits or a multiple of 64");
  static constexpr unsigned Words = (PayloadBits + 63) / 64;

  bool valid = false;
  bool head = false;
  bool tail = false;
  std::uint8_t vc = 0;
  codec_error error = codec_error::None;
  // The fields of the header, as in struct header
  data_type type = data_type::Other;
  weft::codec codec = weft::codec::Raw;
  std::uint8_t cut = 0;
  std::uint8_t message_class = 0;
  xor_role role = xor_role::Plain;
  bool relay = false;
  bool overflow = false;
#ifndef WEFT_SYNTHESIS
  flit_tag tag;
#endif
  node_id destination = 0;
  node_id source = 0;
  std::uint32_t flits = 0;
  std::uint32_t words = 0;
  std::uint64_t first = 0;   ///< packed by datum_bits()
  std::uint64_t second = 0;  ///< packed by datum_bits()
  std::uint64_t path_id = 0;
  std::uint64_t payload[Words];

  flit() {
    for (unsigned word = 0; word < Words; ++word) payload[word] = 0;
  }

  /// The fields that differ most often are compared first.
  friend bool operator==(const flit& a, const flit& b) {
    std::uint64_t different = 0;  // std::equal() calls memcmp() even for a single word
    for (unsigned word = 0; word < Words; ++word) different |= a.payload[word] ^ b.payload[word];
    return a.valid == b.valid && different == 0 && a.head == b.head && a.tail == b.tail && a.vc == b.vc &&
           a.destination == b.destination && a.source == b.source && a.flits == b.flits && a.words == b.words &&
           a.first == b.first && a.second == b.second && a.path_id == b.path_id && a.error == b.error &&
           a.type == b.type && a.codec == b.codec && a.cut == b.cut && a.message_class == b.message_class &&
           a.role == b.role && a.relay == b.relay && a.overflow == b.overflow
#ifndef WEFT_SYNTHESIS
           && a.tag == b.tag
#endif
        ;
  }

  friend std::ostream& operator<<(std::ostream& out, const flit& f) {
    if (!f.valid) return out << "-";
    const char* kind = f.head ? (f.tail ? "single" : "head") : (f.tail ? "tail" : "body");
    out << kind << " flit on VC " << unsigned(f.vc);
#ifndef WEFT_SYNTHESIS
    if (f.tag.is_set()) out << ", flit " << f.tag.sequence() << " of packet " << f.tag.packet();
#endif
    return out;
  }
};

/// The XOR code in a head flit or in a header.
template <typename Head>
xor_code code_of(const Head& h) {
  xor_code code;
  code.role = h.role;
  code.relay = h.relay;
  code.overflow = h.overflow;
  code.first = datum_of(h.first);
  code.second = datum_of(h.second);
  return code;
}

template <typename Head>
void put_code(Head& h, const xor_code& code) {
  h.role = code.role;
  h.relay = code.relay;
  h.overflow = code.overflow;
  h.first = datum_bits(code.first);
  h.second = datum_bits(code.second);
}

/// The header in a head flit.
template <unsigned PayloadBits>
header header_of(const flit<PayloadBits>& f) {
  header h;
  h.destination = f.destination;
  h.source = f.source;
  h.flits = f.flits;
  h.words = f.words;
  h.type = f.type;
  h.codec = f.codec;
  h.cut = f.cut;
  h.message_class = f.message_class;
  h.role = f.role;
  h.relay = f.relay;
  h.overflow = f.overflow;
  h.first = f.first;
  h.second = f.second;
  return h;
}

/// Replaces the header of head flit \p f by \p h.
template <unsigned PayloadBits>
void put_header(flit<PayloadBits>& f, const header& h) {
  f.destination = h.destination;
  f.source = h.source;
  f.flits = h.flits;
  f.words = h.words;
  f.type = h.type;
  f.codec = h.codec;
  f.cut = h.cut;
  f.message_class = h.message_class;
  f.role = h.role;
  f.relay = h.relay;
  f.overflow = h.overflow;
  f.first = h.first;
  f.second = h.second;
}

/// Clears the header fields, which body and tail flits do not carry.
template <unsigned PayloadBits>
void clear_header(flit<PayloadBits>& f) {
  const header none;
  put_header(f, none);
}

/// The payload of a flit as a row of words.
template <unsigned PayloadBits>
word_row<PayloadBits / 32> words_of(const flit<PayloadBits>& f) {
  word_row<PayloadBits / 32> words;
  for (unsigned i = 0; i < PayloadBits / 32; ++i)
    words.word[i] = static_cast<std::uint32_t>(f.payload[i / 2] >> (32 * (i % 2)));
  return words;
}

/// Replaces the payload of \p f by \p words.
template <unsigned PayloadBits>
void put_words(flit<PayloadBits>& f, const word_row<PayloadBits / 32>& words) {
  for (unsigned i = 0; i < flit<PayloadBits>::Words; ++i) {
    std::uint64_t pair = words.word[2 * i];
    if (2 * i + 1 < PayloadBits / 32) pair |= static_cast<std::uint64_t>(words.word[2 * i + 1]) << 32;
    f.payload[i] = pair;
  }
}

}  // namespace weft
