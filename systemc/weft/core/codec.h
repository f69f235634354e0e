// SPDX-License-Identifier: Apache-2.0
/// Terms that all of compression shares: data types, codecs, and what a user chooses about them.
#pragma once

#include <array>
#include <cstdint>

namespace weft {

/// What a message holds, as MPI says it. Two bits of the header.
enum class data_type : std::uint8_t {
  Other = 0,          ///< anything that no codec is meant for
  Int = 1,            ///< MPI_INT: integers of 32 bits
  Double = 2,         ///< MPI_DOUBLE
  DoubleComplex = 3,  ///< MPI_DOUBLE_COMPLEX: two doubles after each other
};

/// Whether LSB-cut is for it.
constexpr bool is_double(data_type t) { return t == data_type::Double || t == data_type::DoubleComplex; }

/// The form in which a packet travels. Two bits of the header.
enum class codec : std::uint8_t {
  Raw = 0,
  Fpc = 1,         ///< frequent-pattern code by table (COMPRESS, Table I)
  FpcClassic = 2,  ///< frequent-pattern code of Alameldeen and Wood
  LsbCut = 3,      ///< doubles without their lowest bits
};

/// What a decoder found wrong with a coded packet. Two bits beside the tail that leaves it.
enum class codec_error : std::uint8_t {
  None = 0,
  Truncated = 1,  ///< the bits end before the last word
  OverLong = 2,   ///< flits are left after the last word
  Corrupt = 3,    ///< bits that no encoder makes
};

/// The run lengths of an fpc_table as hardware has them: six bits each, runs[0] in the lowest.
using fpc_runs = std::uint64_t;
constexpr unsigned run_of(fpc_runs runs, unsigned i) { return static_cast<unsigned>(runs >> (6 * i) & 63); }

/// The six run lengths of FPC by table.
struct fpc_table {
  /// Leading zeros that each code stands for, 32 ≥ runs[0] > … > runs[5] ≥ 1. The default is Table I of COMPRESS.
  std::array<std::uint8_t, 6> runs;

  constexpr fpc_table() : runs() {
    for (unsigned i = 0; i < 6; ++i) runs[i] = static_cast<std::uint8_t>(18 - i);
  }
  constexpr fpc_table(const std::array<std::uint8_t, 6>& lengths) : runs(lengths) {}

  constexpr operator fpc_runs() const {
    fpc_runs all = 0;
    for (unsigned i = 0; i < 6; ++i) all |= static_cast<fpc_runs>(runs[i]) << (6 * i);
    return all;
  }
  constexpr bool valid() const {
    for (unsigned i = 0; i < runs.size(); ++i)
      if (runs[i] < 1 || runs[i] > 32 || (i > 0 && runs[i] >= runs[i - 1])) return false;
    return true;
  }
  friend bool operator==(const fpc_table& a, const fpc_table& b) { return a.runs == b.runs; }
};

inline constexpr unsigned MaxCut = 51;               ///< bits that LSB-cut may cut off: one bit of the mantissa stays
inline constexpr std::uint8_t ConfiguredCut = 0xff;  ///< of a packet: as its NIC is configured

/// How a NIC codes. Both ends of a network agree on them; the cut travels in the header.
struct codec_parameters {
  fpc_table table;
  bool classic = false;  ///< integers take the classic code in place of the table
  unsigned cut = 28;     ///< n of LSB-cut, 0…MaxCut
  bool exact = true;     ///< LSB-cut keeps zeros, denormals, infinities and NaNs; false: the paper's plain form

  /// Those of a packet that asks for \p of_packet bits.
  codec_parameters with_cut(std::uint8_t of_packet) const {
    codec_parameters p = *this;
    if (of_packet != ConfiguredCut) p.cut = of_packet;
    return p;
  }
};

}  // namespace weft
