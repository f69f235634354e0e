// SPDX-License-Identifier: Apache-2.0
/// The intermediates of groups: the node of each that sends and receives for all of it.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/workload/collective/broadcast_tree.h"
#include "weft/workload/collective/collective_parameters.h"

namespace weft {

/// Where the groups of one dimension of a grid begin; the last entry is the side.
using row_cuts = std::vector<std::uint32_t>;

/// The coordinates of intermediates in a grid, by dimension and group: all combinations of them are the intermediates.
/// `Optimum` weighs the messages of trees by `outer` and `inner` between and inside groups that are as large as the
/// first, each with as many data as any other.
/// \param ring whether the rows of a dimension are rings
std::vector<std::vector<std::uint32_t>> intermediate_coordinates(const collective_parameters& p,
                                                                 const std::vector<row_cuts>& cuts,
                                                                 const std::vector<bool>& ring);

/// The intermediates of groups that are lists, as indices in these.
/// \param groups of \p set
std::vector<std::uint32_t> listed_intermediates(intermediate_placement placement, const std::vector<node_grid>& groups,
                                                const node_grid& set, const collective_network& network);

}  // namespace weft
