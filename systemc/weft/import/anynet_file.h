// SPDX-License-Identifier: Apache-2.0
/// Converts a network of BookSim2's topology anynet: lines such as `router 0 node 0 router 1 3`.
#pragma once

#include <string>

namespace weft::experiment {

/// Converts \p text into a network in Weft's format weft-topology-1. A link without a length takes one cycle. If only
/// one router lists a link, the opposite direction takes one cycle. \param file the name of the file in messages
/// \throws input_error with all errors
std::string import_anynet(const std::string& text, const std::string& file);

}  // namespace weft::experiment
