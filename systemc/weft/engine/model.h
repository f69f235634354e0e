// SPDX-License-Identifier: Apache-2.0
/// The engine as an experiment sees it: a network without SystemC behind network_model, event for event that of the pin
/// level (docs/03_reference/engine.md).
#pragma once

#include <memory>
#include <optional>

#include "weft/core/network_model.h"
#include "weft/core/network_observer.h"
#include "weft/core/packet.h"
#include "weft/core/parameters.h"
#include "weft/topology/topology.h"

namespace weft::engine {

/// What becomes of a packet that is alone in the network.
struct lone_crossing {
  cycle_t delivered = 0;      ///< its tail reaches the node
  cycle_t at_rest = 0;        ///< from then on all is as before it came: no credit is on its way
  std::uint32_t routers = 0;  ///< that it passes
};

/// A network that others drive: what TLM and schedulers need beyond network_model.
class driven_model : public network_model {
 public:
  /// The next cycle in which something can happen, now() or later, if the source stays as it is; Never if nothing can.
  virtual cycle_t next_activity() const = 0;
  /// Flits that crossed a router, since the start.
  virtual std::uint64_t flit_hops() const = 0;

  /// What becomes of \p p, whose source has not announced it, if until its at_rest no other packet is created and its
  /// destination stays ready. Nothing is simulated and nothing changes. None where this cannot be said: p.created is
  /// not behind now(), something is under way or announced, the destination takes no flits, the NICs have codecs, the
  /// routes have ways to choose from, or p is longer than a buffer in which it cannot stream.
  virtual std::optional<lone_crossing> foresee(const packet& p) = 0;
  /// Where foresee() does not depend on packets that have crossed: pass() may come later for them.
  virtual bool has_fixed_paths() const = 0;
  /// \p p crosses as foresee() has said: pointers, counters and now() are as if it had been simulated until at_rest.
  /// The observer is told nothing.
  virtual void pass(const packet& p, const lone_crossing& course) = 0;
};

/// The network of \p graph. It keeps references to \p source and \p observer, and \p graph is copied.
/// \p graph has passed check_structure(). \p payload_bits of a flit: 32, 64, 128 or 256.
/// Nothing is global: any number of networks may live side by side, in threads of their own.
/// \throws std::invalid_argument for parameters outside their range, naming them
std::unique_ptr<driven_model> make_model(const topology& graph, const router_parameters& router,
                                         const nic_parameters& nic, unsigned payload_bits, packet_source& source,
                                         network_observer& observer);

}  // namespace weft::engine
