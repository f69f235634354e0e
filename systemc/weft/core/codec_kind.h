// SPDX-License-Identifier: Apache-2.0
/// The codecs as users meet them, in keys and results: everything about a codec that is not its code, in one place.
#pragma once

#include "weft/core/codec.h"

namespace weft {

struct codec_kind {
  codec how;
  const char* name;          ///< in results
  const char* title;         ///< in tables
  bool of_doubles;           ///< else of words
  const char* integer_code;  ///< nic.compression.integer_code that chooses it; nullptr: another type of data does
  const char* description;   ///< of that choice, in the user's guide
};

inline constexpr codec_kind CodecKinds[] = {
    {codec::Raw, "raw", "raw", false, nullptr, ""},
    {codec::Fpc, "fpc", "FPC", false, "table", "six run lengths of leading zeros (COMPRESS, Table I)"},
    {codec::FpcClassic, "fpc_classic", "FPC, classic", false, "classic",
     "the frequent-pattern code of Alameldeen and Wood"},
    {codec::LsbCut, "lsb_cut", "LSB-cut", true, nullptr, ""},
};

constexpr const codec_kind& kind_of(codec how) {
  for (const codec_kind& kind : CodecKinds)
    if (kind.how == how) return kind;
  return CodecKinds[0];
}

}  // namespace weft
