// SPDX-License-Identifier: Apache-2.0
/// The statistics of `weft replay`, each declared once.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "weft/experiment/report/channels.h"
#include "weft/experiment/report/statistic.h"
#include "weft/experiment/run/replay_experiment.h"

namespace weft::experiment {

/// A program that was replayed, with all that is needed to tell of it.
struct program_report {
  const configuration& asked;
  const replay_experiment& work;
  const replay_result& result;
};

/// A report and the figures that are derived from it. The report outlives it.
struct replay_digest {
  explicit replay_digest(const program_report& report);

  const program_report& told;
  replay_path path;                               ///< the critical one; zeros of a program that did not end
  std::uint64_t flit_hops = 0;                    ///< counted at all channels, those to nodes among them
  std::uint64_t compressed = 0, flits_saved = 0;  ///< of all ranks
  busiest_channel link;                           ///< that carried the most flits
  std::vector<replay_rank_figures> ranks;         ///< until the end, or until all had stopped
};

const statistic_table<replay_digest>& replay_statistics();

/// What one must know before one uses the figures.
std::vector<std::string> warnings_of(const program_report& r);

}  // namespace weft::experiment
