// SPDX-License-Identifier: Apache-2.0
/// Simulates regulated flows, and searches for the starts of flows that delay them most.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "weft/configuration/configuration.h"
#include "weft/core/random.h"
#include "weft/core/types.h"
#include "weft/simulation/run.h"
#include "weft/topology/topology.h"
#include "weft/workload/flows.h"

namespace weft::experiment {

/// Runs the flows of a configuration on the engine again and again, greedily. The first run has the starts of the file.
/// Each further run tries to delay one flow more than the runs before: it begins with the starts that delayed this flow
/// most, and changes a few of them, or all.
class flow_search {
 public:
  /// \param c      the network and the seed; must outlive the search, as \p graph must
  /// \param cycles length of a run
  flow_search(const configuration& c, const topology& graph, std::vector<regulated_flow> flows, cycle_t cycles);

  /// Runs the flows once. \return false if \p hooks stopped the run; its latencies count all the same
  bool run(const run_hooks& hooks);

  /// For each flow, the longest latency of a packet in all runs; 0: no packet has arrived.
  const std::vector<cycle_t>& longest() const { return m_longest; }

  std::size_t runs() const { return m_runs; }

 private:
  using start_times = std::vector<cycle_t>;

  start_times next_starts();
  void note(const start_times& starts, const std::vector<cycle_t>& longest);

  const configuration& m_configuration;
  const topology& m_graph;
  std::vector<regulated_flow> m_flows;
  const cycle_t m_cycles;
  cycle_t m_latest;  ///< starts are below this cycle
  random_stream m_random;
  std::size_t m_runs = 0;
  std::vector<cycle_t> m_longest;   ///< by flow
  std::vector<start_times> m_best;  ///< by flow: the starts of the run with its longest latency
};

}  // namespace weft::experiment
