// SPDX-License-Identifier: Apache-2.0
/// XOR coding in the NIC: how a header names the data in a packet, so that XOR stages can combine two packets into one
/// and separate them again. docs/03_reference/network_coding.md specifies the stages.
#pragma once

#include <cstdint>

#include "weft/core/codec.h"

namespace weft {

/// What XOR stages do with a packet. The last three roles concern only the encoder at the source and do not travel.
enum class xor_role : std::uint8_t {
  Plain = 0,    ///< its payload is one datum, or has no name
  Coded = 1,    ///< its payload is first XOR second
  Hold = 2,     ///< the encoder holds it and sends nothing
  Combine = 3,  ///< the encoder sends this packet XOR the held one
  Chain = 4,    ///< as Combine; then the encoder holds this packet
};

/// A named datum. The sender assigns names; a receiver must not hold two data with the same name at a time.
struct xor_datum {
  std::uint32_t name = 0;   ///< 0…2^20-1
  std::uint32_t words = 0;  ///< length in words of 32 bits, 0…2^24-1
  /// Number of coded packets with this datum that its receiver gets, 0…15. 0: no stage needs to store the datum.
  std::uint8_t uses = 0;
  data_type type = data_type::Other;

  friend bool operator==(const xor_datum& a, const xor_datum& b) {
    return a.name == b.name && a.words == b.words && a.uses == b.uses && a.type == b.type;
  }
};

/// Packs a datum into 50 bits, as weft_pkg::datum_t does: name in the highest bits, then words, uses and type.
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

/// The packed datum \p bits after a coded packet has used it, that is, with one use less.
constexpr std::uint64_t with_one_use_less(std::uint64_t bits) {
  xor_datum d = datum_of(bits);
  --d.uses;
  return datum_bits(d);
}

/// The header fields that XOR stages read, in a form convenient for software. A header holds the data packed by
/// datum_bits().
struct xor_code {
  xor_role role = xor_role::Plain;
  bool relay = false;     ///< coded: the receiver's node also gets the packet unchanged, to forward it
  bool overflow = false;  ///< set by the decoder: it had no room to store what it should have stored of this packet
  xor_datum first;        ///< of an uncoded packet, its own datum
  xor_datum second;       ///< coded only

  friend bool operator==(const xor_code& a, const xor_code& b) {
    return a.role == b.role && a.relay == b.relay && a.overflow == b.overflow && a.first == b.first &&
           a.second == b.second;
  }
};

/// The data type of the XOR of two packets. The XOR of integers stays an integer, which a lossless codec may compress.
/// Other types become Other, since a lossy codec would corrupt both terms.
constexpr data_type xor_type(data_type a, data_type b) {
  return a == data_type::Int && b == data_type::Int ? data_type::Int : data_type::Other;
}

}  // namespace weft
