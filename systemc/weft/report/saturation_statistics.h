// SPDX-License-Identifier: Apache-2.0
/// Declares the statistics of `weft saturation`, which searches for the saturation load.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "weft/report/statistic.h"

namespace weft::experiment {

/// The result of a search. All loads are in flits/node/cycle.
struct saturation_digest {
  std::vector<std::pair<std::string, std::string>> keys;  ///< swept keys and their values
  std::optional<double> low;                              ///< highest load that the network carries
  std::optional<double> high;                             ///< lowest load that it does not carry
  std::optional<double> uncertainty;                      ///< half width of the 95 % interval of `low` and `high`
  std::optional<double> accepted_most;
  std::size_t loads = 0;  ///< number of simulated loads
  std::string outcome;
  std::string error;
};

const statistic_table<saturation_digest>& saturation_statistics();

/// The properties of a run that determine the uncertainty of its load. The half widths are those of 95 % intervals of
/// means over all nodes.
struct run_uncertainty {
  std::optional<double> half_width;         ///< of the offered load
  std::optional<double> growth_half_width;  ///< of the offered load minus the accepted load
  std::size_t nodes = 0;
  double growing = 0;  ///< load of the nodes whose source queue grows without limit, divided by the mean load
};

/// Estimates how much the load at which a network has the outcome of \p run varies by chance. Returns the half width of
/// the 95 % interval of this load.
/// In its window, a run creates more or less traffic than the configured load by chance. If the network falls behind,
/// only some of its nodes matter. Let \p group be G: the load of these nodes, divided by the mean load of all N nodes.
/// This is their number if all loads are equal. Their load then varies √(N/G) times as much as the mean load of all
/// nodes. A network whose load exceeds its capacity by four standard deviations is found to be saturated in 95 % of the
/// runs. The half width is only two standard deviations, so it is doubled. The accepted load also varies, with the
/// destinations and by contention. If the offered load hardly varies, the offered load minus the accepted load varies
/// more, so the larger of the two half widths is used. Returns nothing if one of the half widths is missing.
std::optional<double> load_uncertainty(const run_uncertainty& run, double group);

}  // namespace weft::experiment
