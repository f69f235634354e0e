// SPDX-License-Identifier: Apache-2.0
/// What is known of a design without simulation.
#pragma once

#include "weft/configuration/configuration.h"
#include "weft/explore/goals.h"

namespace weft::experiment {

struct network_estimate {
  figures exact;         ///< area, clock, static_power, ideal_throughput and zero_load_latency, as far as they exist
  metric_bounds within;  ///< bounds of all metrics that have some, including those of `exact`
};

/// Computes the metrics of \p goals that need no simulation, and bounds of the others, by the functions behind `weft
/// topology`:
/// - the saturation load is at most the ideal throughput;
/// - the mean latency is at least the zero-load latency;
/// - the energy of a bit is at least the static power, divided by the bits that all nodes offer.
/// A run sends a sample of the traffic. Therefore bounds of its statistics have a margin of 5 %.
/// \throws configuration_error if the network cannot be built
network_estimate estimate_network(const configuration& c, const search_goals& goals);

}  // namespace weft::experiment
