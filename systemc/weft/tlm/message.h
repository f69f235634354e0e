// SPDX-License-Identifier: Apache-2.0
/// Transactions as packets, and packets as transactions: the formats, without SystemC (docs/03_reference/tlm.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "weft/core/codec.h"

namespace weft::tlm2 {

enum class message_kind : std::uint8_t { Request, Response };

/// What travels from an initiator to a target, or back.
struct message {
  message_kind kind = message_kind::Request;
  data_type type = data_type::Other;
  bool write = false;
  std::uint16_t tag = 0;                    ///< whose request it is among those of the initiator's node, 12 bits
  std::uint16_t order = 0;                  ///< requests: counts those between the two nodes, modulo Orders
  std::uint8_t status = 0;                  ///< responses: 0 OK, 1…5 the errors of TLM-2.0, -1…-5
  bool dmi_allowed = false;                 ///< responses
  std::uint32_t length = 0;                 ///< bytes of data that are written or read
  std::uint64_t address = 0;                ///< requests
  std::uint32_t streaming_width = 0;        ///< requests
  std::vector<unsigned char> byte_enables;  ///< requests; none: all are enabled
  std::vector<unsigned char> data;          ///< of requests that write, and of responses that have read
};

inline constexpr unsigned Tags = 1U << 12;
inline constexpr unsigned Orders = 1U << 14;

/// A part of a burst that travels as a message of its own.
struct burst_part {
  std::uint32_t offset = 0;           ///< bytes of the burst before it
  std::uint32_t length = 0;           ///< bytes
  std::uint32_t streaming_width = 0;  ///< of the part: its addresses begin again after so many bytes
  std::uint32_t address = 0;          ///< where it begins, behind the address of the burst
  bool is_last = true;
};

/// The part at \p offset of a burst of \p total bytes: whole turns of its streaming width \p width, 1 to total, or, if
/// that is longer than \p most, a part of one turn. Of no bytes there is one part.
burst_part next_part(std::uint32_t total, std::uint32_t width, std::uint32_t offset, std::uint32_t most);

/// One packet of a message: its flits' payload, 64 bits a word, low word first.
struct piece {
  std::vector<std::uint64_t> words;
  std::uint32_t flits = 0;
};

struct packet_format {
  unsigned payload_bits = 64;
  unsigned max_flits = 64;
};

/// Type as which a message travels that \p declared is said to be: codecs for doubles change bits, so only what is
/// nothing but doubles travels as doubles. Without byte enables, and a multiple of 8 bytes.
data_type travelling_type(data_type declared, std::uint32_t length, bool has_byte_enables);

/// Whether \p m, a request, has a word for streaming width and byte enables.
bool has_extras(const message& m);

/// Flits of \p m if one packet holds all of it, else 0.
std::uint32_t flits_of_one_packet(const message& m, const packet_format& format);

/// Makes \p pieces the packets of \p m. Every one has a header word; data start at a multiple of 8 bytes.
void to_packets(const message& m, const packet_format& format, std::vector<piece>& pieces);

/// Flits of all packets of \p m.
std::uint32_t count_flits(const message& m, const packet_format& format);

/// Puts a message together again, from packets that come in any order. One after the other: it keeps its memory.
class assembly {
 public:
  /// Tag in the header of a packet of \p type.
  static std::uint16_t tag_of(const std::vector<std::uint64_t>& words, data_type type);

  /// The packet is all of its message.
  static bool is_whole(const std::vector<std::uint64_t>& words, data_type type);

  /// Takes a packet, and leaves other memory in its place. True if the message is whole.
  bool add(std::vector<std::uint64_t>& words, data_type type);

  /// The message, which is whole. The next may begin.
  message take(message_kind kind);

 private:
  std::vector<std::vector<std::uint64_t>> m_pieces;  ///< by number
  std::size_t m_present = 0;
  std::size_t m_expected = 0;  ///< 0: not known yet
  data_type m_type = data_type::Other;
};

}  // namespace weft::tlm2
