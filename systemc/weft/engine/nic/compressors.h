// SPDX-License-Identifier: Apache-2.0
/// The compressors of a NIC's send path, of one channel, as far as time goes: which flit is where in which cycle.
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
  packet_handle packet = NoPacket;  ///< NoPacket: there is none
  std::uint32_t sequence = 0;
  std::uint32_t vc = 0;  ///< receive path
  bool tail = false;

  bool valid() const { return packet != NoPacket; }
  bool head() const { return sequence == 0; }
};

/// What Algorithm 1 knows of congestion.
struct congestion {
  std::uint32_t received = 0;  ///< N
  std::uint32_t queue = 0;     ///< Q
};

/// A stage of the send path: valid and ready on both sides.
class send_stage {
 public:
  virtual ~send_stage() = default;

  struct outcome {
    bool taken = false;     ///< the flit that was offered
    bool absorbed = false;  ///< the packet of which it was the tail ends here
  };
  /// The flit that is on the output in a cycle in which \p in is offered, which may have no packet.
  virtual nic_flit output(const nic_flit& in, const congestion& state) = 0;
  /// That cycle, \p now.
  /// \param ready the receiver takes what is on the output
  virtual outcome cycle(cycle_t now, const nic_flit& in, bool ready, const congestion& state) = 0;

  /// Nothing is within.
  virtual bool empty() const = 0;
};

/// The stage that \p parameters ask for, as pin::make_compression_stages() has it.
std::unique_ptr<send_stage> make_compressor(const compression_parameters& parameters, unsigned words_per_flit,
                                            packet_pool& packets, coded_forms& forms);

}  // namespace weft::engine
