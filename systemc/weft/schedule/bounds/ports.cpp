// SPDX-License-Identifier: Apache-2.0
#include "weft/schedule/bounds/ports.h"

namespace weft::schedule {

busiest_node busiest_sender(const step_network& network, const traffic& t) {
  busiest_node busiest;
  for (node_id n = 0; n < t.nodes(); ++n) {
    const busiest_node here{n, t.sent_by(n), network.ports_out(n)};
    if (here.steps() > busiest.steps()) busiest = here;
  }
  return busiest;
}

busiest_node busiest_receiver(const step_network& network, const traffic& t) {
  busiest_node busiest;
  for (node_id n = 0; n < t.nodes(); ++n) {
    const busiest_node here{n, t.received_by(n), network.ports_in(n)};
    if (here.steps() > busiest.steps()) busiest = here;
  }
  return busiest;
}

}  // namespace weft::schedule
