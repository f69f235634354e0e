// SPDX-License-Identifier: Apache-2.0
/// The loads of several traffics that run at the same time, and the nodes that send them.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/workload/parameters.h"

namespace weft {

/// Whether \p t has injection_parameters::load. A closed loop and a matrix with absolute rates have none.
bool has_load(const traffic_parameters& t);

/// Whether the load of \p w can be varied: it has injection_parameters::load or, if there are several traffics, one of
/// them has a load above 0.
bool has_load(const workload_parameters& w);

/// The mean over all nodes of the loads that the traffics of \p w have, in flits per node and cycle.
double sum_of_loads(const workload_parameters& w, std::uint32_t nodes);

/// The largest Hurst parameter of the traffics of \p w, or 1/2 if none of them is self-similar.
double hurst_of(const workload_parameters& w);

/// The traffics of \p w. The loads of those that have one are scaled by a common factor, so that their mean over all
/// nodes is workload_parameters::injection.load.
std::vector<named_traffic> scaled_traffics(const workload_parameters& w, std::uint32_t nodes);

/// For each node, whether it is among the sources of \p t.
/// \throws std::invalid_argument for a source that the network does not have, and for one that is listed twice
std::vector<bool> source_flags(const traffic_parameters& t, std::uint32_t nodes);

}  // namespace weft
