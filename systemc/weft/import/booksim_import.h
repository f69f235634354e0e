// SPDX-License-Identifier: Apache-2.0
/// Converts a configuration of BookSim2.
#pragma once

#include <string>

#include "weft/import/converted_configuration.h"
#include "weft/import/imported_settings.h"

namespace weft::experiment {

/// Converts \p in. Settings that are not converted become remarks of \p in, and those that Weft cannot replace are
/// errors. \param network_file the name of the converted network for topology anynet \throws input_error
converted_configuration import_booksim(imported_settings& in, const std::string& network_file);

}  // namespace weft::experiment
