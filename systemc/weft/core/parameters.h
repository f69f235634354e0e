// SPDX-License-Identifier: Apache-2.0
/// What a user chooses about routers and NICs, the same at every level.
#pragma once

#include <cstdint>
#include <optional>

#include "weft/core/codec.h"
#include "weft/core/selection.h"
#include "weft/core/types.h"

namespace weft {

enum class flow_control : std::uint8_t {
  Wormhole,           ///< a head may advance as soon as the next buffer has room for one flit
  VirtualCutThrough,  ///< a head gets an output VC only when the next buffer has room for the whole packet
};

struct router_parameters {
  unsigned vcs = 4;       ///< virtual channels a port, 1…MaxVcs
  unsigned depth = 8;     ///< buffer of one VC in flits, ≥ 1; vcs * depth ≤ MaxBufferFlits
  unsigned pipeline = 4;  ///< S: cycles from arrival to the output register; 3, 4, 5, 7 or 9
  flow_control flow = flow_control::Wormhole;
  unsigned classes =
      1;  ///< parts into which the VCs are divided, a divisor of vcs; a packet keeps to those of its class
};

/// Cycles that a flit takes through the crossbar: S - 3, one at least.
inline unsigned crossbar_stages(const router_parameters& router) {
  return router.pipeline <= 4 ? 1 : router.pipeline - 3;
}

inline constexpr unsigned MaxCompressorFlits = 4096;  ///< of each memory of a compressor

/// The compressor in the send path of a NIC, and the decompressor at the other end.
struct compression_parameters {
  selection_parameters selection{selection_mode::None};
  codec_parameters codec;
  unsigned depth = 512;  ///< flits of each memory of the compressor, a power of two, ≥ 8
  std::optional<cycle_t>
      latency;                  ///< ≥ 1: from head to head, compression and decompression together, as D of COMPRESS;
                                ///< none: what the hardware takes
  std::optional<double> ratio;  ///< ≥ 1, only with a given latency: assumed, no bits are coded; none: real bits

  bool enabled() const { return selection.mode != selection_mode::None; }
  /// The hardware stages stand in the NIC, not the model with a given latency.
  bool in_hardware() const { return enabled() && !latency; }
};

inline constexpr unsigned MaxXorEntries = 4096;  ///< of a XOR decoder
inline constexpr unsigned MaxXorFlits = 512;     ///< of the longest packet that XOR stages hold
inline constexpr unsigned MaxXorOverhead = 4096;

/// The XOR encoder in the send path of a NIC, and the decoder at the other end (docs/03_reference/network_coding.md).
struct xor_parameters {
  bool enabled = false;
  unsigned entries = 16;  ///< packets that a decoder keeps, 2…MaxXorEntries
  unsigned depth = 16;    ///< flits of the longest packet that encoder and decoder keep, 1…MaxXorFlits
  unsigned overhead = 0;  ///< cycles that a XOR takes in the encoder (HNC, Fig. 14), 0…MaxXorOverhead
};

struct nic_parameters {
  cycle_t window = 1000;        ///< cycles over which received flits (N) are counted, ≥ 1
  unsigned ejection_depth = 0;  ///< buffer of an ejection VC in flits; 0 = the node takes every flit at once
  unsigned buckets = 1;         ///< parts of the window by which it slides, a divisor of it; 1: it tumbles
  compression_parameters compression{};
  xor_parameters coding{};
};

}  // namespace weft
