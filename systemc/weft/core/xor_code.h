// SPDX-License-Identifier: Apache-2.0
/// XOR coding in the NIC: what a header says of the data in a packet by name, so that XOR stages can join two packets
/// into one and take them apart again. The contract of the stages: docs/03_reference/network_coding.md.
#pragma once

#include <cstdint>

#include "weft/core/codec.h"

namespace weft {

/// What XOR stages do with a packet. The last three are for the encoder of the source only and do not travel.
enum class xor_role : std::uint8_t {
  Plain = 0,    ///< its payload is one datum, or nothing that has a name
  Coded = 1,    ///< its payload is first XOR second
  Hold = 2,     ///< the encoder keeps it, and sends nothing
  Combine = 3,  ///< the encoder sends held XOR this
  Chain = 4,    ///< as Combine, and then holds this one
};

/// A datum by name. Names are given by the sender: a receiver must not hold two data of one name at a time.
struct xor_datum {
  std::uint32_t name = 0;   ///< 0…2^20-1
  std::uint32_t words = 0;  ///< its length in words of 32 bits, 0…2^24-1
  std::uint8_t uses = 0;    ///< coded packets that name it which its receiver gets; 0: no stage need keep it; 0…15
  data_type type = data_type::Other;

  friend bool operator==(const xor_datum& a, const xor_datum& b) {
    return a.name == b.name && a.words == b.words && a.uses == b.uses && a.type == b.type;
  }
};

/// A datum in 50 bits, as weft_pkg::datum_t: name in the highest, then words, uses, type.
constexpr std::uint64_t datum_bits(const xor_datum& d) {
  return static_cast<std::uint64_t>(d.type) | static_cast<std::uint64_t>(d.uses) << 2 |
         static_cast<std::uint64_t>(d.words) << 6 | static_cast<std::uint64_t>(d.name) << 30;
}

constexpr xor_datum datum_of(std::uint64_t bits) {
  xor_datum d;
  d.type = static_cast<data_type>(bits & 3);
  d.uses = static_cast<std::uint8_t>(bits >> 2 & 0xf);
  d.words = static_cast<std::uint32_t>(bits >> 6 & 0xff'ffff);
  d.name = static_cast<std::uint32_t>(bits >> 30 & 0xf'ffff);
  return d;
}

/// The same datum after a coded packet has used it. \p bits as datum_bits() packs it
constexpr std::uint64_t with_one_use_less(std::uint64_t bits) {
  xor_datum d = datum_of(bits);
  --d.uses;
  return datum_bits(d);
}

/// The part of the header that XOR stages read, as software sees it: a header has its fields, and the data as bits.
struct xor_code {
  xor_role role = xor_role::Plain;
  bool relay = false;     ///< coded: the receiver's node gets it as it is, too, to send it on
  bool overflow = false;  ///< set by the decoder: it had no room for what it should have kept of this packet
  xor_datum first;        ///< of a packet that is not coded, its own datum
  xor_datum second;       ///< coded only

  friend bool operator==(const xor_code& a, const xor_code& b) {
    return a.role == b.role && a.relay == b.relay && a.overflow == b.overflow && a.first == b.first &&
           a.second == b.second;
  }
};

/// The data type under which a XOR of two travels: integers stay integers for a lossless codec. Others take none, since
/// a codec that loses bits of a sum would lose them of the other term.
constexpr data_type xor_type(data_type a, data_type b) {
  return a == data_type::Int && b == data_type::Int ? data_type::Int : data_type::Other;
}

}  // namespace weft
