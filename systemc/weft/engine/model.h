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

/// The predicted crossing of a packet that is the only one in the network.
struct uncontended_crossing {
  cycle_t delivered = 0;      ///< cycle in which its tail reaches the node
  cycle_t at_rest = 0;        ///< first cycle in which the network is idle again, with all credits back
  std::uint32_t routers = 0;  ///< number of routers that it passes
};

/// A network that other code advances. It has the functions that TLM and schedules need in addition to network_model.
class driven_model : public network_model {
 public:
  /// Returns the next cycle, now() or later, in which something can happen if the source does not change. Returns Never
  /// if nothing can happen.
  virtual cycle_t next_activity() const = 0;
  /// Number of switch grants to flits since the start, summed over all routers.
  virtual std::uint64_t flit_hops() const = 0;

  /// Simulates with up to \p count threads from now on, the thread that calls run() included. The result does not
  /// depend on it. Sources and observers are always called in the thread that calls run(). Only the accelerated path
  /// uses several threads, if the network has more than 64 routers and the observer needs neither waits nor activity.
  /// If the system cannot start a thread, there are fewer. To be called between two calls of run().
  /// \param flits_each number of flits in the network for which one more thread is used
  virtual void set_threads(unsigned count, std::uint64_t flits_each = WorthwhileFlits) = 0;
  static constexpr std::uint64_t WorthwhileFlits = 1'000;

  /// Predicts the crossing of \p p, a packet that the source has not announced. The prediction is valid if no other
  /// packet is created before the predicted cycle `at_rest`, and if the destination of \p p stays ready until then.
  /// This function does not change the network.
  /// \return the prediction; nothing if no prediction is possible, that is, if p.created is not after now(), packets
  ///         are in the network or announced, the destination accepts no flits, the NICs have codecs or select path
  ///         ids, or p is longer than a buffer through which it cannot stream
  virtual std::optional<uncontended_crossing> predict(const packet& p) = 0;
  /// Whether the result of predict() is independent of packets that crossed before. If so, pass() may be called for
  /// them later.
  virtual bool has_fixed_paths() const = 0;
  /// Applies the predicted crossing of \p p: pointers, counters and now() change as if the crossing had been simulated
  /// until at_rest. The observer is not notified.
  virtual void pass(const packet& p, const uncontended_crossing& crossing) = 0;
};

/// Whether the routers of a model run on the accelerated path, which supports one combination of router parts and
/// simulates 64 routers at a time, instead of the generic path.
bool is_accelerated(const router_parameters& router, const nic_parameters& nic);

/// Makes the network of \p graph. It keeps references to \p source and \p observer and a copy of \p graph, which must
/// have passed check_structure(). \p payload_bits is 32, 64, 128 or 256. There is no global state: several networks may
/// exist, each in its own thread.
/// \throws std::invalid_argument for parameters out of range; the message names the parameter
std::unique_ptr<driven_model> make_model(const topology& graph, const router_parameters& router,
                                         const nic_parameters& nic, unsigned payload_bits, packet_source& source,
                                         network_observer& observer);

/// Makes the same network on the generic path, for comparisons.
std::unique_ptr<driven_model> make_generic_model(const topology& graph, const router_parameters& router,
                                                 const nic_parameters& nic, unsigned payload_bits,
                                                 packet_source& source, network_observer& observer);

}  // namespace weft::engine
