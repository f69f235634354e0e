// SPDX-License-Identifier: Apache-2.0
/// What a search for the saturation load found, `weft saturation`.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "weft/experiment/report/statistic.h"

namespace weft::experiment {

/// Loads in flits/node/cycle.
struct saturation_digest {
  std::vector<std::pair<std::string, std::string>> keys;  ///< that are swept, and their values
  std::optional<double> low;                              ///< the highest load that the network carries
  std::optional<double> high;                             ///< the lowest load that it does not carry
  std::optional<double> uncertainty;                      ///< of both, 95 %
  std::optional<double> accepted_most;
  std::size_t loads = 0;  ///< that were simulated
  std::string outcome;
  std::string error;
};

const statistic_table<saturation_digest>& saturation_statistics();

/// How precisely a run measured its load, and where the network falls behind. Half widths of 95 % intervals of means of
/// all nodes.
struct load_knowledge {
  std::optional<double> half_width;         ///< of the offered load
  std::optional<double> growth_half_width;  ///< of the offered load less the accepted one
  std::size_t nodes = 0;
  std::size_t growing = 0;  ///< nodes whose source queue grows without limit; 0: none, or what is under way grows
};

/// By how much the load of a run may differ from the load at which the network would end as this run has, 95 %.
///
/// A run sees what its nodes created in its window, by chance more or less than the load. Where the network falls
/// behind, a group of nodes matters and not all of them, \p group: the realised load of G nodes of N varies √(N/G)
/// times as much as the mean of all. A network whose load exceeds its capacity by four standard deviations of that is
/// found to be saturated in 95 % of the runs, so the half width, which is two of them, counts twice. What the network
/// accepts varies as well, by destinations and contention: where the offered load hardly varies, the difference of the
/// two varies more than it, and counts instead. Nothing without an interval of both.
std::optional<double> load_uncertainty(const load_knowledge& run, std::size_t group);

}  // namespace weft::experiment
