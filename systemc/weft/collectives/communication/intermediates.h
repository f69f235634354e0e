// SPDX-License-Identifier: Apache-2.0
/// Selects the intermediates of groups. The intermediate of a group is the node that sends and receives on behalf of
/// the group.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/collectives/communication/broadcast_tree.h"
#include "weft/workload/collective_parameters.h"

namespace weft {

/// The coordinate at which each group begins in one dimension of a grid. The last entry is the side of the grid.
using row_split = std::vector<std::uint32_t>;

/// Returns the coordinates of intermediates in a grid, by dimension and group. Every combination of coordinates is an
/// intermediate. `Optimum` weights the messages of the trees `outer` between groups and `inner` inside groups. It
/// assumes that all groups are as large as the first one and have the same number of data.
/// \param ring for each dimension, whether its rows are rings
std::vector<std::vector<std::uint32_t>> intermediate_coordinates(const collective_parameters& p,
                                                                 const std::vector<row_split>& splits,
                                                                 const std::vector<bool>& ring);

/// Returns the intermediates of groups that are given as lists, as an index into each group.
/// \param groups the groups of \p set
std::vector<std::uint32_t> listed_intermediates(intermediate_placement placement, const std::vector<node_grid>& groups,
                                                const node_grid& set, const collective_network& network);

}  // namespace weft
