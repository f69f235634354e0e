// SPDX-License-Identifier: Apache-2.0
/// Measures a group of packets: all packets, or those of one traffic or of one message class.
#pragma once

#include <cstdint>

#include "weft/core/types.h"
#include "weft/simulation/batch_series.h"
#include "weft/simulation/estimation.h"

namespace weft::experiment {

/// A rate in flits per node and cycle, with its 95 % interval.
struct rate {
  double mean = 0;
  interval around;
};

/// The mean of \p flits over all cycles of the window from \p first to \p end and all \p nodes nodes, with the interval
/// of \p batches.
rate rate_of(std::uint64_t flits, const batch_series& batches, cycle_t first, cycle_t end, std::uint32_t nodes);

/// Latencies and rates of packets. The caller passes only events in the window; see measurement for what this means.
class packet_group {
 public:
  /// \param first first cycle of the window \param hurst of the load, see batch_series
  packet_group(cycle_t first, std::uint32_t nodes, double hurst);

  void created(cycle_t cycle, std::uint32_t flits) {
    ++m_measured;
    m_flits_offered += flits;
    m_offered_batches.add(cycle, flits);
  }
  /// \param are_part whether the head of the packet was accepted before
  void accepted(cycle_t cycle, std::uint32_t flits, bool are_part) {
    m_flits_accepted += flits;
    m_accepted_batches.add(cycle, flits, are_part);
  }
  /// \param created cycle in which the delivered packet was created
  void delivered(cycle_t created, cycle_t latency, cycle_t network_latency) {
    m_latency.add(latency);
    m_latency_batches.add(created, latency);
    m_network_latency.add(network_latency);
    m_network_batches.add(created, network_latency);
  }
  void answered(cycle_t requested, cycle_t cycle) {
    m_round_trips.add(cycle - requested);
    m_round_trip_batches.add(cycle, cycle - requested);
  }

  std::uint64_t measured() const { return m_measured; }  ///< packets created in the window
  const histogram& latency() const { return m_latency; }
  const histogram& network_latency() const { return m_network_latency; }
  const histogram& round_trips() const { return m_round_trips; }
  std::uint64_t flits_offered() const { return m_flits_offered; }
  // Intervals, trends and rates if the window ends at \p end.
  interval latency_interval(cycle_t end) const { return m_latency_batches.interval_of_mean(end); }
  interval network_latency_interval(cycle_t end) const { return m_network_batches.interval_of_mean(end); }
  trend latency_trend(cycle_t end) const { return m_latency_batches.trend_of_mean(end); }
  trend network_latency_trend(cycle_t end) const { return m_network_batches.trend_of_mean(end); }
  interval round_trip_interval(cycle_t end) const { return m_round_trip_batches.interval_of_mean(end); }
  rate offered(cycle_t end) const { return rate_of(m_flits_offered, m_offered_batches, m_first, end, m_nodes); }
  rate accepted(cycle_t end) const { return rate_of(m_flits_accepted, m_accepted_batches, m_first, end, m_nodes); }
  /// Offered minus accepted load.
  rate growth(cycle_t end) const;

 private:
  cycle_t m_first;
  std::uint32_t m_nodes;
  std::uint64_t m_measured = 0, m_flits_offered = 0, m_flits_accepted = 0;
  histogram m_latency, m_network_latency, m_round_trips;
  batch_series m_latency_batches, m_network_batches, m_round_trip_batches, m_offered_batches, m_accepted_batches;
};

}  // namespace weft::experiment
