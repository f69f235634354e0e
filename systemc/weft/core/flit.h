// SPDX-License-Identifier: Apache-2.0
/// The flit: what one channel carries in one cycle. PayloadBits of data, and beside them the sideband a router needs.
///
/// | field   | wires           | meaningful in | what                                            |
/// |---------|-----------------|---------------|-------------------------------------------------|
/// | valid   | 1               | always        | there is a flit on the wires in this cycle      |
/// | head    | 1               | valid flits   | first flit of a packet                          |
/// | tail    | 1               | valid flits   | last flit of a packet; both: a one-flit packet  |
/// | vc      | log2(VCs)       | valid flits   | VC of the input port it goes to                 |
/// | way     | 64              | head flits    | what the source chose of the route; 0 outside the network |
/// | header  | 102             | head flits    | destination, source, class, length, form; never coded |
/// | code    | 105             | head flits    | data by name, for XOR stages; absent without them |
/// | payload | PayloadBits     | valid flits   | data, low word first; heads carry data too      |
/// | error   | 2               | tails         | what a decoder found wrong with the packet      |
/// | tag     | none            | valid flits   | simulation only: which packet this is a part of |
#pragma once

#include <array>
#include <cstdint>
#include <ostream>

#include "weft/core/codec.h"
#include "weft/core/types.h"
#include "weft/core/xor_code.h"

namespace weft {

struct header {
  node_id destination = 0;
  node_id source = 0;
  std::uint32_t flits = 0;  ///< length of the packet as it travels, head and tail included
  std::uint32_t words = 0;  ///< length of the message in words of 32 bits
  data_type type = data_type::Other;
  weft::codec codec = weft::codec::Raw;
  std::uint8_t cut = 0;            ///< LSB-cut: bits cut off
  std::uint8_t message_class = 0;  ///< which class of VCs it travels on, 0…router_parameters::classes - 1
  xor_code code{};                 ///< what XOR stages know of it

  friend bool operator==(const header& a, const header& b) {
    return a.destination == b.destination && a.source == b.source && a.flits == b.flits && a.words == b.words &&
           a.type == b.type && a.codec == b.codec && a.cut == b.cut && a.message_class == b.message_class &&
           a.code == b.code;
  }
};

/// Identity of a flit for logs and checks; no hardware carries it.
struct flit_tag {
  packet_id id = 0;
  cycle_t created = 0;         ///< of its packet
  std::uint32_t sequence = 0;  ///< 0 for the head
  std::uint32_t routers = 0;   ///< routers passed so far

  friend bool operator==(const flit_tag& a, const flit_tag& b) {
    return a.id == b.id && a.created == b.created && a.sequence == b.sequence && a.routers == b.routers;
  }
};

/// \tparam PayloadBits 32 or a multiple of 64, at most 512.
template <unsigned PayloadBits>
struct flit {
  static_assert(PayloadBits == 32 || (PayloadBits >= 64 && PayloadBits <= 512 && PayloadBits % 64 == 0),
                "a flit carries 32 payload bits or a multiple of 64");
  static constexpr unsigned Words = (PayloadBits + 63) / 64;

  bool valid = false;
  bool head = false;
  bool tail = false;
  std::uint8_t vc = 0;
  std::uint64_t way = 0;
  codec_error error = codec_error::None;
  weft::header header;
  std::array<std::uint64_t, Words> payload{};
#ifndef WEFT_SYNTHESIS
  flit_tag tag;
#endif

  friend bool operator==(const flit& a, const flit& b) {
    return a.valid == b.valid && a.head == b.head && a.tail == b.tail && a.vc == b.vc && a.way == b.way &&
           a.error == b.error && a.payload == b.payload && a.header == b.header
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
    out << ", flit " << f.tag.sequence << " of packet " << f.tag.id;
#endif
    return out;
  }
};

}  // namespace weft
