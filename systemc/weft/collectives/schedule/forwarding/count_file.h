// SPDX-License-Identifier: Apache-2.0
/// Reads the number of chunks between each pair of nodes, for alltoallv. The JSON file contains a list of rows, one row
/// for each sender.
#pragma once

#include <string>
#include <vector>

namespace weft::schedule {

/// Returns the number of chunks from node s to node d at [s][d]. Chunks that a node sends to itself use no link; they
/// cause a warning.
/// \param place the option that names the file, such as "--counts FILE", for messages
/// \throws std::invalid_argument, which names the line, the place in the document and the expected value
std::vector<std::vector<unsigned>> counts_from_json(const std::string& text, std::size_t nodes,
                                                    const std::string& place);

}  // namespace weft::schedule
