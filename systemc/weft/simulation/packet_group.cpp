// SPDX-License-Identifier: Apache-2.0
#include "weft/simulation/packet_group.h"

namespace weft::experiment {

rate rate_of(std::uint64_t flits, const batch_series& batches, cycle_t first, cycle_t end, std::uint32_t nodes) {
  if (end <= first) return {0, {std::nullopt, "nothing was measured"}};
  rate r;
  r.mean = static_cast<double>(flits) / static_cast<double>(end - first) / nodes;
  r.around = batches.interval_of_rate(end);
  if (r.around.half_width) *r.around.half_width /= nodes;
  return r;
}

packet_group::packet_group(cycle_t first, std::uint32_t nodes, double hurst)
    : m_first(first),
      m_nodes(nodes),
      m_latency_batches(first, hurst),
      m_network_batches(first, hurst),
      m_round_trip_batches(first, hurst),
      m_offered_batches(first, hurst),
      m_accepted_batches(first, hurst) {}

rate packet_group::growth(cycle_t end) const {
  const rate in = offered(end), out = accepted(end);
  if (end <= m_first) return in;
  interval around = m_offered_batches.interval_of_difference(m_accepted_batches, end);
  if (around.half_width) *around.half_width /= static_cast<double>(m_nodes);
  return {in.mean - out.mean, around};
}

}  // namespace weft::experiment
