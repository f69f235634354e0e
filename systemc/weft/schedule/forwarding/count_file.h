// SPDX-License-Identifier: Apache-2.0
/// Numbers of chunks from node to node, for alltoallv, as JSON: a list of rows, one for each sender.
#pragma once

#include <string>
#include <vector>

namespace weft::schedule {

/// [s][d]: chunks from node s to node d. Those of a node for itself cross no link, so they give a warning at \p place,
/// such as "--counts FILE".
/// \throws std::invalid_argument that names the line, the place and what is expected there
std::vector<std::vector<unsigned>> counts_from_json(const std::string& text, std::size_t nodes,
                                                    const std::string& place);

}  // namespace weft::schedule
