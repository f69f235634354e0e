// SPDX-License-Identifier: Apache-2.0
/// Records metrics for each time interval from cycle 0 to the end of the window.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "weft/core/network_model.h"
#include "weft/energy/network_cost.h"
#include "weft/simulation/energy_watch.h"
#include "weft/simulation/measurement.h"
#include "weft/topology/topology.h"

namespace weft::experiment {

/// Records the intervals of a run. Rates are exact; the occupancy of routers and queues is the mean of samples.
class time_series {
 public:
  /// Records nothing if \p interval (in cycles) is 0, and queues only if \p with_queues. All arguments must outlive it.
  /// \param energy counts what the network does, and \p cost converts it to energy; null: no energy is recorded
  time_series(cycle_t interval, bool with_queues, const topology& graph, const network_model& model,
              const measurement& watch, const energy_watch* energy = nullptr, const network_cost* cost = nullptr);

  /// The end of the interval that contains \p now; Never if nothing is recorded.
  cycle_t next_end(cycle_t now) const { return m_interval == 0 ? Never : (now / m_interval + 1) * m_interval; }

  /// Takes a sample. The run calls it at equal distances in cycles, and at the end of every interval.
  void sample();

  /// The metrics of one interval.
  struct entry {
    std::uint64_t flits_created = 0;
    std::uint64_t flits_received = 0;
    std::uint64_t packets_delivered = 0;
    std::uint64_t latency_sum = 0;        ///< sum of their latencies in cycles
    std::uint64_t packets_queued = 0;     ///< in source queues at the end of the interval
    std::vector<std::uint64_t> channels;  ///< flits on output ports, in the order of network_model::channel_counts()
    std::vector<double>
        occupancy;              ///< flits in each router, including those on channels that lead to it; empty if unknown
    std::uint32_t samples = 0;  ///< number of samples of the network
    /// Flits as in network_model::buffered(), summed over the samples; empty if not requested.
    std::vector<std::uint32_t> queues{};
    /// Energy in fJ by router, as network_cost::tiles(); empty if it is not recorded.
    std::vector<double> energy{};
  };
  /// Returns the recorded intervals and removes them.
  std::vector<entry> take() { return std::move(m_entries); }

 private:
  /// Whether the occupancy of routers is known. This requires that all nodes have one port, because the network does
  /// not report the port by which a flit enters.
  bool has_occupancy() const { return !m_router_of.empty(); }
  void add_occupancy(const std::vector<channel_count>& counts);
  void add_queues();

  cycle_t m_interval;
  bool m_with_queues;
  const network_model& m_model;
  const measurement& m_watch;
  const energy_watch* m_energy;
  const network_cost* m_cost;
  std::size_t m_routers;
  std::vector<router_id> m_router_of;                ///< by node
  std::vector<std::optional<router_id>> m_leads_to;  ///< by output port, in the order of channel_counts()

  std::vector<entry> m_entries;
  traffic_totals m_totals;                    ///< at the end of the last interval
  std::vector<channel_count> m_counts;        ///< at the end of the last interval
  network_counts m_activity;                  ///< at the end of the last interval, if energy is recorded
  std::vector<std::int64_t> m_occupancy_sum;  ///< by router, over the samples of this interval
  std::vector<std::uint32_t> m_queue_sum;     ///< by input VC, over the samples of this interval
  std::uint32_t m_samples = 0;
};

}  // namespace weft::experiment
