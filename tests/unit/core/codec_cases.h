// SPDX-License-Identifier: Apache-2.0
/// Words and messages for codec tests: random ones of every size, and values at which an encoder changes its choice.
#pragma once

#include <cstdint>
#include <vector>

#include <rapidcheck.h>

#include "weft/core/codec.h"

namespace weft {

/// Uniformly distributed bits from the first case on; RapidCheck alone would begin with small numbers.
inline rc::Gen<std::uint64_t> any_bits() {
  return rc::gen::resize(rc::kNominalSize, rc::gen::arbitrary<std::uint64_t>());
}

/// A word with a random number of significant bits and either sign, of equal bytes, with an empty halfword, or 0.
inline rc::Gen<std::uint32_t> any_word() {
  return rc::gen::exec([]() -> std::uint32_t {
    const auto random = static_cast<std::uint32_t>(*any_bits());
    const auto bits = *rc::gen::inRange(0U, 32U);
    switch (*rc::gen::inRange(0, 7)) {
      case 0:
        return 0;
      case 1:
        return random;
      case 2:
        return random >> bits;
      case 3:
        return ~(random >> bits);
      case 4:
        return (random & 0xff) * 0x01010101U;
      case 5:
        return random << 16;
      default:
        return ((random & 0x7f) ^ (random & 0x100 ? 0xff80 : 0)) | (random >> 16 & 0x7f) << 16;
    }
  });
}

/// The bits of a double of any kind; special values are as frequent as others.
inline rc::Gen<std::uint64_t> any_double() {
  return rc::gen::exec([]() -> std::uint64_t {
    const auto mantissa = *rc::gen::element<std::uint64_t>(0, 1, 0x8000000000000, 0xfffffffffffff) ^
                          (*rc::gen::arbitrary<bool>() ? *any_bits() & 0xfffffffffffff : 0);
    const auto exponent = *rc::gen::oneOf(rc::gen::element<std::uint64_t>(0, 0, 1, 2046, 2047, 2047),
                                          rc::gen::inRange<std::uint64_t>(0, 2048));
    return std::uint64_t{*rc::gen::arbitrary<bool>()} << 63 | exponent << 52 | mantissa;
  });
}

/// A message of \p least to \p most words: integers, or doubles and possibly a word without partner.
inline rc::Gen<std::vector<std::uint32_t>> any_message(std::size_t least, std::size_t most) {
  return rc::gen::exec([least, most] {
    const auto size = *rc::gen::inRange(least, most + 1);
    const bool doubles = *rc::gen::arbitrary<bool>(), many_zeros = *rc::gen::arbitrary<bool>();
    std::vector<std::uint32_t> words;
    while (words.size() < size) {
      if (doubles) {
        const std::uint64_t value = *any_double();
        words.push_back(static_cast<std::uint32_t>(value));
        words.push_back(static_cast<std::uint32_t>(value >> 32));
      } else {
        words.push_back(many_zeros && *rc::gen::inRange(0, 10) != 0 ? 0 : *any_word());
      }
    }
    words.resize(size);
    return words;
  });
}

inline rc::Gen<fpc_table> any_table() {
  return rc::gen::exec([] {
    fpc_table table;
    unsigned above = 33;
    for (unsigned i = 0; i < 6; ++i) {
      above = *rc::gen::inRange(6U - i, above);
      table.runs[i] = static_cast<std::uint8_t>(above);
    }
    return table;
  });
}

}  // namespace weft
