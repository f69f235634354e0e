// SPDX-License-Identifier: Apache-2.0
/// What no store-and-forward schedule can undercut.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "weft/schedule/forwarding/forwarding.h"
#include "weft/schedule/forwarding/symmetry.h"
#include "weft/schedule/method.h"

namespace weft::schedule {

struct forwarding_bound {
  std::size_t rounds = 0;
  std::string reason;  ///< "node 5 gets 7 chunks over bandwidth 6"
};

/// Least steps: the farthest that a chunk must go. Of sums: of the reversed spreading.
forwarding_bound least_steps(const forwarding_problem& p);

/// Lower bounds of R, the best first; of problems without sums. What nodes must receive and send, and how far chunks
/// have to go; cuts by greatest flow to each node, until \p control is over; sends in all.
std::vector<forwarding_bound> round_bounds(const forwarding_problem& p, const search_control& control = {});

/// For chunks of one holder and one receiver each: the least time in which all flow, if they could be divided, by
/// origin (source-aggregated multicommodity flow, a linear program for Clp). SCCL's own bound of alltoall on DGX-1 is
/// 5/3, this 8/3. \p symmetry: the flow may as well be symmetric, so that one origin of each orbit is enough.
struct divided_flow {
  double rounds = 0;  ///< per round of bandwidth, not rounded up
  forwarding_bound bound;
};
/// \throws time_is_over
divided_flow divided_flow_bound(const forwarding_problem& p, const chunk_symmetry& symmetry,
                                const search_control& control = {});

/// Whether each chunk has one holder and one receiver and none is summed.
bool is_unicast(const forwarding_problem& p);

}  // namespace weft::schedule
