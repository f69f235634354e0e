// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/schedule/bounds/ports.h"

#include <stdexcept>

#include <fmt/format.h>

#include "weft/core/quantity.h"

namespace weft::schedule {
namespace {

/// Replaces \p best by \p here if \p here needs more steps. A node without units to send or receive needs no port.
void keep_busiest(busiest_node& best, const busiest_node& here, const char* what) {
  if (here.units == 0) return;
  if (here.ports == 0) {
    throw std::invalid_argument(
        fmt::format("node {} must {} {}, but has no channel for this; expected at least one channel", here.node, what,
                    number_of(here.units, "message")));
  }
  if (here.steps() > best.steps()) best = here;
}

}  // namespace

busiest_node busiest_sender(const step_network& network, const traffic& t) {
  busiest_node busiest;
  for (node_id n = 0; n < t.nodes(); ++n) {
    keep_busiest(busiest, {n, t.sent_by(n), network.ports_out(n)}, "send");
  }
  return busiest;
}

busiest_node busiest_receiver(const step_network& network, const traffic& t) {
  busiest_node busiest;
  for (node_id n = 0; n < t.nodes(); ++n) {
    keep_busiest(busiest, {n, t.received_by(n), network.ports_in(n)}, "receive");
  }
  return busiest;
}

}  // namespace weft::schedule
