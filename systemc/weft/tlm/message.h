// SPDX-License-Identifier: Apache-2.0
/// Converts transactions to packets and back. docs/03_reference/tlm.md describes the formats. Independent of SystemC.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "weft/core/codec.h"

namespace weft::tlm2 {

enum class message_kind : std::uint8_t { Request, Response };

/// A message from an initiator to a target, or from a target to an initiator.
struct message {
  message_kind kind = message_kind::Request;
  data_type type = data_type::Other;
  bool write = false;
  std::uint16_t tag = 0;                    ///< identifies the request among those of the initiator's node, 12 bits
  std::uint16_t order = 0;                  ///< requests: sequence number between the two nodes, modulo Orders
  std::uint8_t status = 0;                  ///< responses: 0 OK, 1…5 the errors of TLM-2.0, -1…-5
  bool dmi_allowed = false;                 ///< responses
  std::uint32_t length = 0;                 ///< bytes of data to write or to read
  std::uint64_t address = 0;                ///< requests
  std::uint32_t streaming_width = 0;        ///< requests
  std::vector<unsigned char> byte_enables;  ///< requests; empty: all are enabled
  std::vector<unsigned char> data;          ///< of write requests and of read responses
};

inline constexpr unsigned Tags = 1U << 12;
inline constexpr unsigned Orders = 1U << 14;

/// A part of a burst. Each part is sent as a separate message.
struct burst_part {
  std::uint32_t offset = 0;           ///< bytes of the burst before this part
  std::uint32_t length = 0;           ///< bytes
  std::uint32_t streaming_width = 0;  ///< of the part: its addresses wrap after this number of bytes
  std::uint32_t address = 0;          ///< start address, relative to that of the burst
  bool is_last = true;
};

/// Returns the part at \p offset of a burst of \p total bytes with streaming width \p width (1…total). The part
/// consists of whole periods of the streaming width; if one period exceeds \p most bytes, it is a part of one period.
/// An empty burst has one part.
burst_part next_part(std::uint32_t total, std::uint32_t width, std::uint32_t offset, std::uint32_t most);

/// One packet of a message: the payload of its flits as words of 64 bits, low word first.
struct piece {
  std::vector<std::uint64_t> words;
  std::uint32_t flits = 0;
};

struct packet_format {
  unsigned payload_bits = 64;
  unsigned max_flits = 64;
};

/// The data type as which a message of type \p declared is sent. A message is sent as doubles only if it has no byte
/// enables and a multiple of 8 bytes, because codecs for doubles change bits.
data_type travelling_type(data_type declared, std::uint32_t length, bool has_byte_enables);

/// Whether request \p m needs a header word for streaming width and byte enables.
bool has_extras(const message& m);

/// Number of flits of \p m if it fits in one packet, otherwise 0.
std::uint32_t flits_of_one_packet(const message& m, const packet_format& format);

/// Divides \p m into packets and stores them in \p pieces. Each has a header word. The data start at a multiple of 8
/// bytes.
void to_packets(const message& m, const packet_format& format, std::vector<piece>& pieces);

/// Number of flits of all packets of \p m.
std::uint32_t count_flits(const message& m, const packet_format& format);

/// Reassembles messages from packets that arrive in any order. An object can be reused and keeps its memory.
class assembly {
 public:
  /// The tag in the header of a packet of \p type.
  static std::uint16_t tag_of(const std::vector<std::uint64_t>& words, data_type type);

  /// Whether the packet with payload \p words contains a whole message.
  static bool is_whole(const std::vector<std::uint64_t>& words, data_type type);

  /// Adds a packet with payload \p words; \p words gets other memory in exchange. Returns true if the message is
  /// complete.
  bool add(std::vector<std::uint64_t>& words, data_type type);

  /// Returns the complete message and prepares for the next one.
  message pop(message_kind kind);

 private:
  std::vector<std::vector<std::uint64_t>> m_pieces;  ///< by number
  std::size_t m_present = 0;
  std::size_t m_expected = 0;  ///< 0: not known yet
  data_type m_type = data_type::Other;
};

}  // namespace weft::tlm2
