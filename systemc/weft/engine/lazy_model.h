// SPDX-License-Identifier: Apache-2.0
/// The engine for a network in which, most of the time, at most one packet is under way: docs/03_reference/tlm.md,
/// "A quiet network".
#pragma once

#include <memory>

#include "weft/engine/model.h"

namespace weft::engine {

/// The network of make_model(), with the same events in the same cycles and the same counters, which does not simulate
/// a packet as long as that is alone: it foresees when the packet is delivered. When a second packet is created before
/// the first one's credits are back, both are simulated, the first one from its creation on.
///
/// What differs: of a packet that is foreseen, the observer is told sent() in the first run() that goes past it, and
/// delivered(), but no received(): its flits arrive as the source has them, one a cycle, the last when it is delivered.
/// next_activity() is then the cycle of the delivery. It fits observers that want Sent, Received and Delivered at most,
/// and no waits; others get what make_model() returns.
/// \throws as make_model()
std::unique_ptr<driven_model> make_lazy_model(const topology& graph, const router_parameters& router,
                                              const nic_parameters& nic, unsigned payload_bits, packet_source& source,
                                              network_observer& observer);

}  // namespace weft::engine
