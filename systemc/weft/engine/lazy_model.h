// SPDX-License-Identifier: Apache-2.0
/// A model for networks that contain at most one packet most of the time, based on the engine:
/// docs/03_reference/tlm.md, "A quiet network".
#pragma once

#include <memory>

#include "weft/engine/model.h"

namespace weft::engine {

/// Makes a network with the same events, in the same cycles, and the same counters as make_model() does. It does not
/// simulate an isolated packet but predicts its delivery. If a second packet is created before the credits of the first
/// one are back, it simulates both packets, the first one from its creation on.
///
/// There are two differences. For a predicted packet, the observer gets sent() in the first run() that passes the cycle
/// of this event, and delivered(), but not received(). The flits arrive at one per cycle, the last one in the cycle of
/// the delivery. Secondly, next_activity() is then the cycle of the delivery.
///
/// All this applies if the observer needs no other events than Sent, Received and Delivered, and no waits. For other
/// observers the function returns the network of make_model().
/// \throws std::invalid_argument as make_model()
std::unique_ptr<driven_model> make_lazy_model(const topology& graph, const router_parameters& router,
                                              const nic_parameters& nic, unsigned payload_bits, packet_source& source,
                                              network_observer& observer);

}  // namespace weft::engine
