// SPDX-License-Identifier: Apache-2.0
/// The statistics of `weft replay`, each declared once.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weft/mpi/simulation/replay_experiment.h"
#include "weft/report/channels.h"
#include "weft/report/statistic.h"

namespace weft::experiment {

/// A replayed program, with all data for its statistics.
struct replay_summary {
  const configuration& config;
  const replay_experiment& work;
  const replay_result& result;
};

/// A summary and metrics derived from it. The summary must outlive it.
struct replay_digest {
  explicit replay_digest(const replay_summary& of);

  const replay_summary& summary;
  replay_path path;                               ///< critical path; zero for a program that did not end
  std::uint64_t flit_hops = 0;                    ///< counted at all channels, including those to nodes
  std::uint64_t compressed = 0, flits_saved = 0;  ///< over all ranks
  busiest_channel link;                           ///< channel between routers with the most flits
  std::vector<replay_rank_metrics> ranks;         ///< metrics until the end, or until everything had stopped
};

const statistic_table<replay_digest>& replay_statistics();

/// Warnings that affect the interpretation of the metrics.
std::vector<std::string> warnings_of(const replay_summary& r);

}  // namespace weft::experiment
