// SPDX-License-Identifier: Apache-2.0
/// Results of a search for the saturation load, `weft saturation`.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "weft/report/statistic.h"

namespace weft::experiment {

/// Loads in flits/node/cycle.
struct saturation_digest {
  std::vector<std::pair<std::string, std::string>> keys;  ///< swept keys and their values
  std::optional<double> low;                              ///< highest load that the network carries
  std::optional<double> high;                             ///< lowest load that it does not carry
  std::optional<double> uncertainty;                      ///< 95 % interval of both
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
  std::size_t growing = 0;  ///< nodes whose source queue grows without limit; 0: none, or the flits in flight grow
};

/// Half width of the 95 % interval of the load at which the network would end as this run did.
/// In its window, a run creates more or less traffic than the configured load by chance. If the network falls behind,
/// only a group of nodes matters, \p group: the realized load of G of N nodes varies √(N/G) times as much as the mean
/// over all. A network whose load exceeds its capacity by four of these standard deviations is found to be saturated in
/// 95 % of the runs; therefore the half width, which is two standard deviations, counts twice. The accepted load varies
/// as well, with the destinations and by contention. If the offered load hardly varies, the difference of the two
/// varies more; therefore the larger of the two half widths counts. Returns nothing without an interval of both.
std::optional<double> load_uncertainty(const run_uncertainty& run, std::size_t group);

}  // namespace weft::experiment
