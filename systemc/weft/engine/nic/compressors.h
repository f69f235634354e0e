// SPDX-License-Identifier: Apache-2.0
/// Timing models of the compressors in a NIC's send path, for one channel: the position of each flit in each cycle.
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

/// A flit between two parts of a NIC.
struct nic_flit {
  packet_handle packet = NoPacket;  ///< NoPacket: there is no flit
  std::uint32_t sequence = 0;
  std::uint32_t vc = 0;  ///< only in the receive path
  bool tail = false;

  bool valid() const { return packet != NoPacket; }
  bool head() const { return sequence == 0; }
};

/// The congestion inputs of Algorithm 1.
struct congestion {
  std::uint32_t received = 0;  ///< N
  std::uint32_t queue = 0;     ///< Q
};

/// A stage of the send path, with valid and ready on both sides.
class send_stage {
 public:
  virtual ~send_stage() = default;

  struct outcome {
    bool accepted = false;  ///< whether the offered flit was accepted
    bool absorbed = false;  ///< whether the packet of the accepted tail ends here
  };
  /// The flit on the output in a cycle in which \p in, possibly without a packet, is offered.
  virtual nic_flit output(const nic_flit& in, const congestion& state) = 0;
  /// Performs that cycle, \p now.
  /// \param ready whether the receiver accepts the flit on the output
  virtual outcome cycle(cycle_t now, const nic_flit& in, bool ready, const congestion& state) = 0;

  /// Whether the stage holds no flits.
  virtual bool empty() const = 0;
};

/// Makes the stage that \p parameters configure, as pin::make_compression_stages() does.
std::unique_ptr<send_stage> make_compressor(const compression_parameters& parameters, unsigned words_per_flit,
                                            packet_pool& packets, coded_forms& forms);

}  // namespace weft::engine
