// SPDX-License-Identifier: Apache-2.0
/// A report: stored results as one page of HTML that needs nothing else, neither files nor a network.
#pragma once

#include <string>

#include "weft/experiment/picture/stored.h"

namespace weft::experiment {

/// Tables, pictures, configurations and network views of \p stored, under \p title. \throws no_picture
std::string to_page(const stored_results& stored, const std::string& title);

}  // namespace weft::experiment
