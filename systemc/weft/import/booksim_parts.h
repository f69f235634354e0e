// SPDX-License-Identifier: Apache-2.0
/// The parts of import_booksim().
#pragma once

#include <string>

#include "weft/import/converted_configuration.h"
#include "weft/import/imported_settings.h"

namespace weft::experiment {

void import_booksim_network(imported_settings& in, const std::string& network_file, converted_configuration& out);
void import_booksim_router(imported_settings& in, converted_configuration& out);
void import_booksim_workload(imported_settings& in, converted_configuration& out);

}  // namespace weft::experiment
