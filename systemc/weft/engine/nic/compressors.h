// SPDX-License-Identifier: Apache-2.0
/// Timing models of the compressors in the send path of a NIC, for one channel. They compute in which cycle each flit
/// is accepted and leaves.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "weft/core/parameters.h"
#include "weft/core/selection.h"
#include "weft/engine/base/packet_pool.h"
#include "weft/engine/nic/coded_forms.h"

namespace weft::engine {

/// A flit between two stages of a NIC.
struct nic_flit {
  packet_handle packet = NoPacket;  ///< packet of the flit; NoPacket if there is no flit
  std::uint32_t sequence = 0;
  std::uint32_t vc = 0;  ///< VC of the flit; used only in the receive path
  bool tail = false;

  bool valid() const { return packet != NoPacket; }
  bool head() const { return sequence == 0; }
};

/// The congestion inputs of Algorithm 1.
struct congestion {
  std::uint32_t received = 0;  ///< N: flits that the node received in the last window
  std::uint32_t queue = 0;     ///< Q: packets that wait behind those being sent
};

/// A stage of the send path. Its input and its output have a valid and a ready signal each.
class send_stage {
 public:
  virtual ~send_stage() = default;

  struct outcome {
    bool accepted = false;  ///< the offered flit was accepted
    bool absorbed = false;  ///< the accepted flit is a tail whose packet ends in this stage
  };
  /// Returns the flit on the output in a cycle in which \p in is offered. If \p in has no packet, no flit is offered.
  virtual nic_flit output(const nic_flit& in, const congestion& state) = 0;
  /// Performs cycle \p now, in which \p in is offered.
  /// \param ready whether the receiver accepts the flit on the output
  virtual outcome cycle(cycle_t now, const nic_flit& in, bool ready, const congestion& state) = 0;

  /// Whether the stage holds no flits.
  virtual bool empty() const = 0;
};

/// Makes the stage that \p parameters describes, as pin::make_compression_stages() does.
std::unique_ptr<send_stage> make_compressor(const compression_parameters& parameters, unsigned words_per_flit,
                                            packet_pool& packets, coded_forms& forms);

}  // namespace weft::engine
