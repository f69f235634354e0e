// SPDX-License-Identifier: Apache-2.0
/// Makes a report, a self-contained HTML page, from stored results.
#pragma once

#include <string>
#include <vector>

#include "weft/picture/stored.h"

namespace weft::experiment {

/// A page with the tables, pictures, configurations and network views of \p stored. The page and \p damaged list
/// damaged results. \throws no_picture
std::string to_page(const stored_results& stored, const std::string& title, std::vector<std::string>& damaged);

}  // namespace weft::experiment
