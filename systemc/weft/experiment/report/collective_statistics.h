// SPDX-License-Identifier: Apache-2.0
/// The statistics of `weft collective`, each declared once.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "weft/experiment/report/channels.h"
#include "weft/experiment/report/statistic.h"
#include "weft/experiment/run/collective_experiment.h"

namespace weft::experiment {

/// A collective that was played, with all that is needed to tell of it.
struct collective_report {
  const configuration& asked;
  const collective_experiment& work;
  const collective_result& result;
  collective_floors floors;
};

/// A report and the figures that are derived from it. The report outlives it.
struct collective_digest {
  /// A node and the flits of its NIC.
  using nic_count = std::pair<node_id, std::uint64_t>;

  explicit collective_digest(const collective_report& report);

  const collective_report& told;
  collective_figures all;       ///< of all steps
  cycle_t sum_of_maxima = 0;    ///< of the latencies of each step
  std::uint64_t flit_hops = 0;  ///< counted at the channels between routers
  busiest_channel link;         ///< that carried the most flits
  nic_count sender, receiver;   ///< with the most flits
};

/// "broadcast", "network_coding"; \p c has an algorithm.
std::string operation_of(const configuration& c);
std::string algorithm_of(const configuration& c);

const statistic_table<collective_digest>& collective_statistics();

}  // namespace weft::experiment
