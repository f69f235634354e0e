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
  std::string reason;  ///< reason for the user: "node 5 gets 7 chunks over bandwidth 6"
};

/// Returns the minimum number of steps: the largest distance that a chunk must travel. For a sum, the distance is that
/// of a distribution on the reversed graph.
forwarding_bound least_steps(const forwarding_problem& p);

/// Returns lower bounds of the number of rounds R, the strongest first. The bounds follow from the chunks that a node
/// must receive or send, from the distances of chunks, from the minimum cut around each node (until \p control is
/// over), and from the total number of sends. \p p must have no sums.
std::vector<forwarding_bound> round_bounds(const forwarding_problem& p, const search_control& control = {});

/// The minimum time if chunks can be divided, for problems in which each chunk has one holder and one receiver. The
/// value is the optimum of a source-aggregated multicommodity flow, a linear program for Clp. For alltoall on DGX-1,
/// this bound is 8/3; SCCL's own bound is 5/3.
struct divided_flow {
  double rounds = 0;  ///< number of rounds, not rounded up
  forwarding_bound bound;
};
/// Computes the bound. Some optimal flow has the symmetry \p symmetry, so the linear program contains only one origin
/// of each orbit.
/// \throws time_is_over
divided_flow divided_flow_bound(const forwarding_problem& p, const chunk_symmetry& symmetry,
                                const search_control& control = {});

/// Whether each chunk has one holder and one receiver and none is summed.
bool is_unicast(const forwarding_problem& p);

}  // namespace weft::schedule
