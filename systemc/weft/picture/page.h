// SPDX-License-Identifier: Apache-2.0
/// A report: stored results as one self-contained HTML page.
#pragma once

#include <string>
#include <vector>

#include "weft/picture/stored.h"

namespace weft::experiment {

/// Tables, pictures, configurations and network views of \p stored, with the title \p title. Damaged results are listed
/// in the page and added to \p damaged. \throws no_picture
std::string to_page(const stored_results& stored, const std::string& title, std::vector<std::string>& damaged);

}  // namespace weft::experiment
