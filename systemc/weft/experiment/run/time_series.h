// SPDX-License-Identifier: Apache-2.0
/// What happened interval by interval, from cycle 0 to the end of the window.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "weft/core/network_model.h"
#include "weft/experiment/run/measurement.h"
#include "weft/topology/topology.h"

namespace weft::experiment {

/// Records intervals of a run. Rates are exact; the occupancy of routers and queues is the mean of looks.
class time_series {
 public:
  /// Nothing is recorded if \p interval is 0, queues only if \p with_queues. All outlive it. \p interval in cycles.
  time_series(cycle_t interval, bool with_queues, const topology& graph, const network_model& model,
              const measurement& watch);

  /// The cycle in which the interval ends that \p now is in; Never if nothing is recorded.
  cycle_t next_end(cycle_t now) const { return m_interval == 0 ? Never : (now / m_interval + 1) * m_interval; }

  /// To be called at beats of the run, at the end of every interval among them.
  void look();

  /// What one interval was like.
  struct entry {
    std::uint64_t flits_created = 0;
    std::uint64_t flits_received = 0;
    std::uint64_t packets_delivered = 0;
    std::uint64_t latency_sum = 0;        ///< of these packets, cycles
    std::uint64_t packets_queued = 0;     ///< in source queues at its end
    std::vector<std::uint64_t> channels;  ///< flits that output ports carried, as network_model::channel_counts()
    std::vector<double>
        occupancy;            ///< of routers, flits, those on channels that lead to them included; empty if unknown
    std::uint32_t looks = 0;  ///< at the network
    /// Flits as of network_model::buffered(), summed over the looks; empty if not wanted.
    std::vector<std::uint32_t> queues{};
  };
  /// What was recorded. Nothing is left.
  std::vector<entry> take() { return std::move(m_entries); }

 private:
  /// Only if all nodes have one port: it is not told which of several a flit took.
  bool knows_occupancy() const { return !m_router_of.empty(); }
  void add_occupancy(const std::vector<channel_count>& counts);
  void add_queues();

  cycle_t m_interval;
  bool m_with_queues;
  const network_model& m_model;
  const measurement& m_watch;
  std::size_t m_routers;
  std::vector<router_id> m_router_of;                ///< of nodes
  std::vector<std::optional<router_id>> m_leads_to;  ///< of output ports, in the order of channel_counts()

  std::vector<entry> m_entries;
  traffic_totals m_totals;                    ///< at the end of the last interval
  std::vector<channel_count> m_counts;        ///< the same
  std::vector<std::int64_t> m_occupancy_sum;  ///< of routers, over the looks of this interval
  std::vector<std::uint32_t> m_queue_sum;     ///< of input VCs, the same
  std::uint32_t m_looks = 0;
};

}  // namespace weft::experiment
