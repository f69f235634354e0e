// SPDX-License-Identifier: Apache-2.0
/// Reads the numbers of chunks from node to node, for alltoallv, from JSON: a list of rows, one for each sender.
#pragma once

#include <string>
#include <vector>

namespace weft::schedule {

/// Returns at [s][d] the number of chunks from node s to node d. Chunks of a node for itself use no link and cause a
/// warning at \p place, such as "--counts FILE".
/// \throws std::invalid_argument, which names the line, the place and the expected value
std::vector<std::vector<unsigned>> counts_from_json(const std::string& text, std::size_t nodes,
                                                    const std::string& place);

}  // namespace weft::schedule
