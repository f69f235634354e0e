// SPDX-License-Identifier: Apache-2.0
/// The statistics of `weft collective`, each declared once.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "weft/collectives/simulation/collective_experiment.h"
#include "weft/report/channels.h"
#include "weft/report/statistic.h"

namespace weft::experiment {

/// A simulated collective, with all data for its statistics.
struct collective_summary {
  const configuration& config;
  const collective_experiment& work;
  const collective_result& result;
  collective_floors floors;
};

/// A summary and metrics derived from it. The summary must outlive it.
struct collective_digest {
  /// A node and the flits of its NIC.
  using nic_count = std::pair<node_id, std::uint64_t>;

  explicit collective_digest(const collective_summary& of);

  const collective_summary& summary;
  collective_metrics all;       ///< over all steps
  cycle_t sum_of_maxima = 0;    ///< sum of the maximum latencies of the steps, in cycles
  std::uint64_t flit_hops = 0;  ///< counted at the channels between routers
  busiest_channel link;         ///< channel with the most flits
  nic_count sender, receiver;   ///< NICs that sent and received the most flits
};

/// The names of operation and algorithm, such as "broadcast" and "network_coding". \p c must have an algorithm.
std::string operation_of(const configuration& c);
std::string algorithm_of(const configuration& c);

const statistic_table<collective_digest>& collective_statistics();

}  // namespace weft::experiment
