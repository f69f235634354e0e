// SPDX-License-Identifier: Apache-2.0
/// Lower bounds of store-and-forward schedules.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "weft/collectives/schedule/forwarding/forwarding.h"
#include "weft/collectives/schedule/forwarding/symmetry.h"
#include "weft/collectives/schedule/method.h"

namespace weft::schedule {

struct forwarding_bound {
  std::size_t rounds = 0;
  std::string reason;  ///< "node 5 gets 7 chunks over bandwidth 6"
};

/// Minimum number of steps: the longest distance of a chunk. For sums, that of the reversed distribution.
forwarding_bound least_steps(const forwarding_problem& p);

/// Lower bounds of R, strongest first, for problems without sums: units that nodes must receive and send, distances of
/// chunks, cuts by maximum flow to each node until \p control is over, and the total number of sends.
std::vector<forwarding_bound> round_bounds(const forwarding_problem& p, const search_control& control = {});

/// For chunks with one holder and one receiver each: the minimum time for divisible chunks, by origin
/// (source-aggregated multicommodity flow, a linear program for Clp). For alltoall on DGX-1, SCCL's own bound is 5/3;
/// this one is 8/3. With \p symmetry, the flow is assumed to be symmetric without loss, so one origin of each orbit is
/// enough.
struct divided_flow {
  double rounds = 0;  ///< rounds of bandwidth, not rounded up
  forwarding_bound bound;
};
/// \throws time_is_over
divided_flow divided_flow_bound(const forwarding_problem& p, const chunk_symmetry& symmetry,
                                const search_control& control = {});

/// Whether each chunk has one holder and one receiver and none is summed.
bool is_unicast(const forwarding_problem& p);

}  // namespace weft::schedule
