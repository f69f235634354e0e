// SPDX-License-Identifier: Apache-2.0
/// Reads GraphML as a graph with attributes. What the attributes mean is for the caller.
#pragma once

#include <string>

#include "weft/topology/files/attributed_graph.h"

namespace weft {

/// The only graph of \p text. Vertices and edges have the attributes of their elements `data`, and those that a
/// `default` of a key gives where they have none.
/// \param file its name, for messages
/// \throws input_error, std::invalid_argument without a place, boost::property_tree::xml_parser_error
attributed_graph parse_graphml(const std::string& text, const std::string& file);

}  // namespace weft
