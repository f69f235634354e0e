// SPDX-License-Identifier: Apache-2.0
/// Reads GraphML as a graph with attributes, which the caller interprets.
#pragma once

#include <string>

#include "weft/topology/files/attributed_graph.h"

namespace weft {

/// Parses the text of a file with one graph. The attributes of vertices and edges come from their `data` elements, or
/// from the `default` of a key if there is no such element.
/// \param file name of the file in messages
/// \throws input_error, std::invalid_argument for errors without a place, boost::property_tree::xml_parser_error
attributed_graph parse_graphml(const std::string& text, const std::string& file);

}  // namespace weft
