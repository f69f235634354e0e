// SPDX-License-Identifier: Apache-2.0
/// The engine: a network without SystemC behind network_model, with the same events as the pin level
/// (docs/03_reference/engine.md).
#pragma once

#include <memory>
#include <optional>

#include "weft/core/network_model.h"
#include "weft/core/network_observer.h"
#include "weft/core/packet.h"
#include "weft/core/parameters.h"
#include "weft/topology/topology.h"

namespace weft::engine {

/// The predicted result of a packet that is alone in the network.
struct uncontended_crossing {
  cycle_t delivered = 0;      ///< cycle in which its tail reaches the node
  cycle_t at_rest = 0;        ///< first cycle in which the network is idle again, with all credits back
  std::uint32_t routers = 0;  ///< number of routers that it passes
};

/// A network that other code advances: the functions that TLM and schedules need in addition to network_model.
class driven_model : public network_model {
 public:
  /// The next cycle, now() or later, in which something can happen if the source does not change; Never if nothing can.
  virtual cycle_t next_activity() const = 0;
  /// Number of flits that crossed a router since the start, summed over routers.
  virtual std::uint64_t flit_hops() const = 0;

  /// Predicts the crossing of \p p, which the source has not announced, if no other packet is created until its at_rest
  /// and its destination stays ready. The network does not change. Returns nothing if a prediction is impossible:
  /// p.created is not after now(), packets are in the network or announced, the destination accepts no flits, the NICs
  /// have codecs, the NICs select path ids, or p is longer than a buffer that it cannot stream through.
  virtual std::optional<uncontended_crossing> predict(const packet& p) = 0;
  /// Whether predict() does not depend on packets that crossed before; pass() may then be called later for them.
  virtual bool has_fixed_paths() const = 0;
  /// Applies a predicted crossing of \p p: pointers, counters and now() change as if it had been simulated until
  /// at_rest. The observer is not notified.
  virtual void pass(const packet& p, const uncontended_crossing& crossing) = 0;
};

/// Makes the network of \p graph. It keeps references to \p source and \p observer and copies \p graph, which must have
/// passed check_structure(). \p payload_bits is 32, 64, 128 or 256. There is no global state: several networks may
/// exist, each in its own thread.
/// \throws std::invalid_argument for parameters out of range, with their names
std::unique_ptr<driven_model> make_model(const topology& graph, const router_parameters& router,
                                         const nic_parameters& nic, unsigned payload_bits, packet_source& source,
                                         network_observer& observer);

}  // namespace weft::engine
