// SPDX-License-Identifier: Apache-2.0
/// A report: stored results as one page of HTML that needs nothing else, neither files nor a network.
#pragma once

#include <string>
#include <vector>

#include "weft/experiment/picture/stored.h"

namespace weft::experiment {

/// Tables, pictures, configurations and network views of \p stored, under \p title. What is damaged is said in the
/// page, and added to \p damaged. \throws no_picture
std::string to_page(const stored_results& stored, const std::string& title, std::vector<std::string>& damaged);

}  // namespace weft::experiment
