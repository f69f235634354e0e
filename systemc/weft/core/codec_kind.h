// SPDX-License-Identifier: Apache-2.0
/// The codecs as they appear in configuration keys and results: names, titles and descriptions, all in one place.
#pragma once

#include "weft/core/codec.h"

namespace weft {

struct codec_kind {
  codec how;
  const char* name;          ///< in results
  const char* title;         ///< in tables
  bool of_doubles;           ///< codes doubles; otherwise words
  const char* integer_code;  ///< value of nic.compression.integer_code that selects it; nullptr: the data type does
  const char* description;   ///< description of that value in the user's guide
};

namespace detail {

constexpr codec_kind no_code(codec how, const char* name, const char* title) {
  return {how, name, title, false, nullptr, ""};
}
constexpr codec_kind code_of_words(codec how, const char* name, const char* title, const char* integer_code,
                                   const char* description) {
  return {how, name, title, false, integer_code, description};
}
constexpr codec_kind code_of_doubles(codec how, const char* name, const char* title) {
  return {how, name, title, true, nullptr, ""};
}

}  // namespace detail

inline constexpr codec_kind CodecKinds[] = {
    detail::no_code(codec::Raw, "raw", "raw"),
    detail::code_of_words(codec::Fpc, "fpc", "FPC", "table", "six run lengths of leading zeros (COMPRESS, Table I)"),
    detail::code_of_words(codec::FpcClassic, "fpc_classic", "FPC, classic", "classic",
                          "the frequent-pattern code of Alameldeen and Wood"),
    detail::code_of_doubles(codec::LsbCut, "lsb_cut", "LSB-cut"),
};

constexpr const codec_kind& kind_of(codec how) {
  for (const codec_kind& kind : CodecKinds)
    if (kind.how == how) return kind;
  return CodecKinds[0];
}

}  // namespace weft
