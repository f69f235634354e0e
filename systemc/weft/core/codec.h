// SPDX-License-Identifier: Apache-2.0
/// Definitions that all parts of compression share: data types, codecs, and the codec parameters that a user chooses.
#pragma once

#include <array>
#include <cstdint>

namespace weft {

/// Data type of a message, named as in MPI. A header has two bits for it.
enum class data_type : std::uint8_t {
  Other = 0,          ///< any data without a codec
  Int = 1,            ///< MPI_INT: integers of 32 bits
  Double = 2,         ///< MPI_DOUBLE
  DoubleComplex = 3,  ///< MPI_DOUBLE_COMPLEX: pairs of doubles
};

/// Whether LSB-cut applies to data of type \p t.
constexpr bool is_double(data_type t) { return t == data_type::Double || t == data_type::DoubleComplex; }

/// The codec with which the payload of a packet is coded. A header has two bits for it.
enum class codec : std::uint8_t {
  Raw = 0,
  Fpc = 1,         ///< table-based frequent-pattern code (COMPRESS, Table I)
  FpcClassic = 2,  ///< frequent-pattern code of Alameldeen and Wood
  LsbCut = 3,      ///< doubles without their lowest bits
};

/// The error that a decoder found in a coded packet. Two wires beside the tail flit carry it from the decoder.
enum class codec_error : std::uint8_t {
  None = 0,
  Truncated = 1,  ///< the bits end before the last word
  OverLong = 2,   ///< flits remain after the last word
  Corrupt = 3,    ///< bits that no encoder produces
};

/// The run lengths of an fpc_table as the hardware stores them: six bits each, runs[0] in the lowest bits.
using fpc_runs = std::uint64_t;
constexpr unsigned run_of(fpc_runs runs, unsigned i) { return static_cast<unsigned>(runs >> (6 * i) & 63); }

/// The six run lengths of table-based FPC.
struct fpc_table {
  /// The number of leading zeros that each code represents: 32 ≥ runs[0] > … > runs[5] ≥ 1. The default is Table I of
  /// COMPRESS.
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

/// The most bits that LSB-cut removes; one bit of the mantissa remains.
inline constexpr unsigned MaxCut = 51;
/// The value of a packet's cut with which it requests the cut that its NIC is configured with.
inline constexpr std::uint8_t ConfiguredCut = 0xff;

/// The codec parameters of a NIC. All NICs of a network use the same parameters; the cut of each packet travels in its
/// header.
struct codec_parameters {
  fpc_table table;
  bool classic = false;  ///< integers use the classic code instead of the table
  unsigned cut = 28;     ///< n of LSB-cut, 0…MaxCut
  bool exact = true;     ///< LSB-cut preserves zeros, denormals, infinities and NaNs; false: the paper's plain form

  /// The parameters for a packet that requests the cut \p of_packet, in bits, or ConfiguredCut.
  codec_parameters with_cut(std::uint8_t of_packet) const {
    codec_parameters p = *this;
    if (of_packet != ConfiguredCut) p.cut = of_packet;
    return p;
  }
};

}  // namespace weft
