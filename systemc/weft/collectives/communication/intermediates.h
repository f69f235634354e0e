// SPDX-License-Identifier: Apache-2.0
/// The intermediates of groups: in each group, the node that sends and receives on behalf of the group.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/collectives/communication/broadcast_tree.h"
#include "weft/workload/collective_parameters.h"

namespace weft {

/// The start of each group in one dimension of a grid; the last entry is the side.
using row_split = std::vector<std::uint32_t>;

/// The coordinates of intermediates in a grid, by dimension and group; their combinations are the intermediates.
/// `Optimum` weights the messages of the trees `outer` between groups and `inner` inside groups, and assumes that all
/// groups are as large as the first and have the same number of data.
/// \param ring whether the rows of a dimension are rings
std::vector<std::vector<std::uint32_t>> intermediate_coordinates(const collective_parameters& p,
                                                                 const std::vector<row_split>& splits,
                                                                 const std::vector<bool>& ring);

/// The intermediates of groups that are lists, as indices into these.
/// \param groups the groups of \p set
std::vector<std::uint32_t> listed_intermediates(intermediate_placement placement, const std::vector<node_grid>& groups,
                                                const node_grid& set, const collective_network& network);

}  // namespace weft
