// SPDX-License-Identifier: Apache-2.0
/// The engine for a network that contains at most one packet most of the time: docs/03_reference/tlm.md, "A quiet
/// network".
#pragma once

#include <memory>

#include "weft/engine/model.h"

namespace weft::engine {

/// A network as from make_model(), with the same events in the same cycles and the same counters. It does not simulate
/// an isolated packet but predicts its delivery. If a second packet is created before the credits of the first one are
/// back, it simulates both, the first one from its creation.
///
/// Differences: for a predicted packet, the observer gets sent() in the first run() that passes its cycle, and
/// delivered(), but no received(). Its flits arrive at one per cycle, the last one in the cycle of the delivery.
/// next_activity() is then the cycle of the delivery. This applies to observers of at most Sent, Received and Delivered
/// that need no waits; for others the function returns the network of make_model().
/// \throws as make_model()
std::unique_ptr<driven_model> make_lazy_model(const topology& graph, const router_parameters& router,
                                              const nic_parameters& nic, unsigned payload_bits, packet_source& source,
                                              network_observer& observer);

}  // namespace weft::engine
