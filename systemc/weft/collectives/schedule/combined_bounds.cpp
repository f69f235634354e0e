// SPDX-License-Identifier: Apache-2.0
#include "weft/collectives/schedule/combined_bounds.h"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "weft/collectives/schedule/papers_numbers.h"
#include "weft/core/quantity.h"

namespace weft::schedule {
namespace {

unsigned most_ports(const step_network& network) {
  unsigned most = 1;
  for (node_id n = 0; n < network.nodes(); ++n) {
    most = std::max({most, network.ports_out(n), network.ports_in(n)});
  }
  return most;
}

/// Returns the minimum total number of hops of \p messages messages of one sender in \p steps steps.
std::size_t least_hops(std::size_t messages, std::size_t steps, unsigned ports) {
  std::size_t hops = 0, reached = 1;  // nodes that h hops can reach: C(steps, h) ports^h
  for (std::size_t h = 1; h <= steps && messages > 0; ++h) {
    reached = std::min<std::size_t>(reached * (steps - h + 1) / h * ports, std::size_t{1} << 40);
    const std::size_t now = std::min(messages, reached);
    hops += now * h;
    messages -= now;
  }
  return hops;
}

/// Returns the number of steps that \p node needs for \p messages messages with \p ports ports, one message per
/// transfer. Returns 0 if there are no messages, even without ports.
std::size_t steps_of_ports(node_id node, std::size_t messages, unsigned ports) {
  if (messages == 0) return 0;
  if (ports > 0) return ceil_div(messages, ports);
  throw std::invalid_argument(fmt::format("node {} has no channel for {}; expected at least one channel", node,
                                          number_of(messages, "message")));
}

}  // namespace

std::size_t least_start_ups(const problem& p) {
  std::size_t most = 0;
  for (const node_id from : p.requested.senders) {
    std::size_t others = p.requested.receivers.size();
    others -= std::binary_search(p.requested.receivers.begin(), p.requested.receivers.end(), from) ? 1 : 0;
    most = std::max(most, others);
  }
  return ceil_log(most_ports(p.network) + 1, most + 1);
}

std::size_t least_occupancy(const problem& p, std::size_t start_ups) {
  std::vector<std::size_t> in(p.network.nodes(), 0), out(p.network.nodes(), 0);
  for (const demand& d : demands_of(p.requested)) {
    ++in[d.receiver];
    if (p.requested.what == operation::Scatter || out[d.what.origin] == 0) ++out[d.what.origin];
  }
  std::size_t least = 0, hops = 0, ports = 0;
  const unsigned most = most_ports(p.network);
  for (node_id n = 0; n < p.network.nodes(); ++n) {
    least = std::max(least, steps_of_ports(n, in[n], p.network.ports_in(n)));
    least = std::max(least, steps_of_ports(n, out[n], p.network.ports_out(n)));
    ports += p.network.ports_out(n);
    hops += least_hops(out[n], start_ups, most);
  }
  if (p.requested.what == operation::Scatter && start_ups > 0 && ports > 0)
    least = std::max(least, ceil_div(hops, ports));
  return least;
}

}  // namespace weft::schedule
